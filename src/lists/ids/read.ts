import type { Context } from '../../kit/host/context.js';
import { inputName, streamInput } from '../../kit/host/environment.js';
import { note } from '../../kit/host/notes.js';
import { usage } from '../../core/errors/relctl-error.js';
import { readBounded } from '../../state/given-file.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { type IdList, isOfBatch, parseIds } from './parse.js';
import { isPacked, noUtf8, otherThanText, workbookFor, TextFacts } from '../../formats/readers/bytes.js';

const taker = '--ids';

/** The text of a file of ids. Throws `usage` for what is no text in UTF-8, in words that say what to do. */
export function textOf(bytes: Buffer, source: string): string {
  const refuse = (what: string | undefined): void => {
    if (what !== undefined) throw usage(taker, `${source} ${what}`);
  };
  refuse(isPacked(bytes) ? workbookFor(taker) : otherThanText(bytes, taker));
  const facts = new TextFacts();
  facts.take(bytes);
  facts.end();
  refuse(noUtf8(facts, taker));
  return bytes.toString('utf8');
}

/** Size of a file of ids at most, in bytes; an id and its line feed are 37. */
const mostBytes = 64 * 1024 * 1024;

/** Size of a file with about ten ids, in bytes. The memory of more calls than that matters. */
const manyBytes = 370;

/** Throws `usage` for the results of a batch: their column `id` is that of the rows, not of what was added. */
function refuseBatch(source: string, columns: readonly string[]): void {
  if (!isOfBatch(columns)) return;
  throw usage(taker, `${source} is a results file of a batch: its column id has the Ids of the rows`, {
    advice: 'The Ids of added records are in its column _id. Write them to a file, one per line, and use that file.',
  });
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
  const bytes = await readBounded(streamInput(context, file), mostBytes);
  if (bytes === undefined) throw usage(taker, `${source} is larger than ${mostBytes / 1024 / 1024} MiB`);
  // Before the ids are read: V8 keeps the room for young objects that it took for them.
  if (bytes.length >= manyBytes) context.collectGarbage();
  const { ids, repeats } = parseIds(textOf(bytes, source), source, (columns) => refuseBatch(source, columns));
  if (ids.size === 0) await note(context, flags, `${source} has no ids: relctl requests nothing`);
  if (repeats > 0) await note(context, flags, `${source} repeats ids (lines: ${repeats}); relctl requests each once`);
  return ids;
}
