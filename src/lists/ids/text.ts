import { usage } from '../../errors/usage.js';
import { isPacked, noUtf8, otherThanText, tellingBytes, workbookFor } from '../../inputs/no-text.js';
import { TextFacts } from '../../inputs/text-facts.js';

/** The same bytes, of which the first piece has as many as tell what they are, unless all are fewer. */
async function* withHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (head === undefined) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < tellingBytes) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined) yield head;
}

const taker = '--ids';

const otherForm = (head: Buffer): string | undefined =>
  isPacked(head) ? workbookFor(taker) : otherThanText(head, taker);

/** The bytes of a file of ids as they come. Throws `usage` for what is no text in UTF-8, in words that say what to do. */
export async function* textOf(chunks: AsyncIterable<Uint8Array>, source: string): AsyncGenerator<Buffer, void> {
  const refuse = (what: string | undefined): void => {
    if (what !== undefined) throw usage(taker, `${source} ${what}`);
  };
  const facts = new TextFacts();
  let isFirst = true;
  for await (const piece of withHead(chunks)) {
    if (isFirst) refuse(otherForm(piece));
    isFirst = false;
    facts.take(piece);
    refuse(noUtf8(facts, taker));
    yield piece;
  }
  facts.end();
  refuse(noUtf8(facts, taker));
}
