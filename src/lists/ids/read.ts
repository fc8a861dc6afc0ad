import type { Context } from '../../host/context.js';
import { givenName, openGiven } from '../../host/given.js';
import { note } from '../../host/notes.js';
import { usage } from '../../errors/usage.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { guidComplaint } from '../../lexical/values/guid.js';
import { forMessage } from '../../lexical/text.js';
import type { NamedLines } from '../../cli/names/in-file.js';
import type { MirrorPlace } from '../../cli/names/open-mirror.js';
import type { IdList } from './id-list.js';
import { textOf } from './text.js';
import { isOfBatch, type CheckColumns } from './columns.js';
import { IdReader, type GivenIds, type GivenLine } from './parse.js';

/** Size of a file of ids at most, in bytes; an id and its line feed are 37. */
const mostBytes = 64 * 1024 * 1024;

/** Size of a file with about ten ids, in bytes. The memory of more calls than that matters. */
const manyBytes = 370;

/** A file of ids, and what its names mean. */
interface Reading {
  readonly source: string;
  readonly names: Pick<LateNames, 'idOf' | 'end'>;
  readonly checkColumns?: CheckColumns;
}

/** What names are looked up by. */
type Flags = MirrorPlace['flags'];

/** Looks up what is no GUID; the driver of the database is loaded for the first of them. */
class LateNames {
  readonly #make: () => Promise<NamedLines>;
  #lines: NamedLines | undefined;

  constructor(source: string, place: MirrorPlace) {
    this.#make = async () => new (await import('../../cli/names/in-file.js')).NamedLines(source, place);
  }

  async idOf(given: GivenLine): Promise<string | undefined> {
    return (this.#lines ??= await this.#make()).idOf(given);
  }

  async end(): Promise<void> {
    await this.#lines?.end();
  }
}

/** Lines of records that have no names: each has to be a GUID. */
class NoNames implements Pick<LateNames, 'idOf' | 'end'> {
  readonly #source: string;
  #first: GivenLine | undefined;
  #count = 0;

  constructor(source: string) {
    this.#source = source;
  }

  idOf(given: GivenLine): Promise<undefined> {
    this.#first ??= given;
    this.#count += 1;
    return Promise.resolve(undefined);
  }

  end(): Promise<void> {
    if (this.#first === undefined) return Promise.resolve();
    const { id, line, asHeader } = this.#first;
    const more = this.#count === 1 ? '' : `; ${this.#count} lines are none`;
    const shown = forMessage(id.length > mostShown ? `${id.slice(0, mostShown)}…` : id);
    const what = `${this.#source}, line ${line}: '${shown}' is no GUID`;
    if (asHeader !== undefined) throw usage('--ids', `${what}; ${asHeader}`);
    throw usage('--ids', `${what}${guidComplaint(id)}${more}`);
  }
}

/** Characters of a line that are shown. */
const mostShown = 60;

async function idsOf(context: Context, file: string, { source, names, checkColumns }: Reading): Promise<GivenIds> {
  const reader = new IdReader(source, (given) => names.idOf(given), checkColumns);
  // The reader takes the byte order mark away.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;
  for await (const chunk of textOf(openGiven(context, file), source)) {
    length += chunk.length;
    // Before the ids are read: V8 keeps the room for young objects that it took for them.
    if (length >= manyBytes) context.collectGarbage();
    if (length > mostBytes) throw usage('--ids', `${source} is larger than ${mostBytes / 1024 / 1024} MiB`);
    await reader.push(decoder.decode(chunk, { stream: true }));
  }
  await reader.push(decoder.decode());
  return reader.end();
}

/**
 * The ids of a file, or of stdin by `-`, each once. A name of a relation in the mirror may stand for an id. Nothing is called
 * before all of them are known, but by --max-age. Throws `usage` for lines that are no GUID and mean no record or several, and
 * for a file that cannot be read or is too large; `local` and `profile` when the mirror cannot be read.
 */
export async function readIds(context: Context, flags: Flags, file: string): Promise<IdList> {
  const source = givenName(file);
  return readWith(context, flags, { file, source, names: new LateNames(source, { context, flags }) });
}

/** Throws `usage` for the results of a batch: their column of that name has what the rows were given. */
const refuseBatch =
  (source: string): CheckColumns =>
  (columns) => {
    if (!isOfBatch(columns)) return;
    throw usage('--ids', `${source} has the results of a batch: a column id in it is that of the rows`, {
      advice: 'The Ids of what was added are in its column _id. Write those into a file, one a line, and take that.',
    });
  };

/**
 * The same for records that no name stands for: what is no GUID is a mistake, and so are the results of a batch, whose `id` is
 * that of another record.
 */
export async function readGuids(context: Context, flags: CommonFlags, file: string): Promise<IdList> {
  const source = givenName(file);
  return readWith(context, flags, { file, source, names: new NoNames(source), checkColumns: refuseBatch(source) });
}

async function readWith(
  context: Context,
  flags: Partial<Pick<CommonFlags, 'quiet'>>,
  { file, ...reading }: Reading & { readonly file: string },
): Promise<IdList> {
  const { ids, repeats } = await idsOf(context, file, reading);
  await reading.names.end();
  if (ids.size === 0) await note(context, flags, `${reading.source} holds no ids: nothing is asked for`);
  if (repeats > 0)
    await note(context, flags, `${reading.source} repeats ids (lines: ${repeats}); each is asked for once`);
  return ids;
}
