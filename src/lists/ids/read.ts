import type { Context } from '../../kit/host/context.js';
import { inputName, streamInput } from '../../kit/host/environment.js';
import { note } from '../../kit/host/notes.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { type IdList, isOfBatch, IdReader, type ParsedIds } from './parse.js';
import { isPacked, noUtf8, otherThanText, tellingBytes, workbookFor, TextFacts } from '../../formats/readers/bytes.js';

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

/** Size of a file of ids at most, in bytes; an id and its line feed are 37. */
const mostBytes = 64 * 1024 * 1024;

/** Size of a file with about ten ids, in bytes. The memory of more calls than that matters. */
const manyBytes = 370;

/** Throws `usage` for the results of a batch: their column `id` is that of the rows, not of what was added. */
function refuseBatch(source: string, columns: readonly string[]): void {
  if (!isOfBatch(columns)) return;
  throw usage('--ids', `${source} is a results file of a batch: its column id has the Ids of the rows`, {
    advice: 'The Ids of added records are in its column _id. Write them to a file, one per line, and use that file.',
  });
}

async function idsOf(context: Context, file: string, source: string): Promise<ParsedIds> {
  const reader = new IdReader(source, (columns) => refuseBatch(source, columns));
  // The reader takes the byte order mark away.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;
  for await (const chunk of textOf(streamInput(context, file), source)) {
    length += chunk.length;
    // Before the ids are read: V8 keeps the room for young objects that it took for them.
    if (length >= manyBytes) context.collectGarbage();
    if (length > mostBytes) throw usage('--ids', `${source} is larger than ${mostBytes / 1024 / 1024} MiB`);
    reader.push(decoder.decode(chunk, { stream: true }));
  }
  reader.push(decoder.decode());
  return reader.end();
}

/**
 * The ids of a file, or of stdin by `-`, each once; nothing is called before all of them are known. Throws `usage` for lines
 * that are no GUID, for the results of a batch, and for a file that cannot be read or is too large.
 */
export async function readIds(
  context: Context,
  flags: Partial<Pick<CommonFlags, 'quiet'>>,
  file: string,
): Promise<IdList> {
  const source = inputName(file);
  const { ids, repeats } = await idsOf(context, file, source);
  if (ids.size === 0) await note(context, flags, `${source} has no ids: relctl requests nothing`);
  if (repeats > 0) await note(context, flags, `${source} repeats ids (lines: ${repeats}); relctl requests each once`);
  return ids;
}
