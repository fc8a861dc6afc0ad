import { usage } from '../../errors/usage.js';
import { readBounded } from '../../files/read-bounded.js';
import type { Context } from '../../host/context.js';
import { givenName, openGiven } from '../../host/given.js';
import { tablesWith } from '../../mirror/sources.js';
import { mirrorTables } from '../../mirror/tables.js';
import type { Given } from '../../query/mistake.js';
import { refuseLetters } from '../../sql/letters.js';
import { parametersFor } from '../../sql/parameters.js';
import { statementOf } from '../../sql/statement.js';
import { namesOwnTables, tablesIn, tellAge, type Holding, freshMirror } from './place.js';
import { ask, numbersAsText } from './ask.js';
import { showColumns } from './columns.js';
import type { SqlFlags } from './flags.js';

/** Bytes of a statement: no letter takes more than four. */
const mostBytes = 4 * 1024 * 1024;

async function bytesOf(context: Context, file: string): Promise<Buffer> {
  const bytes = await readBounded(openGiven(context, file), mostBytes);
  if (bytes === undefined) throw usage('--file', `${givenName(file)} is larger than 4 MiB`);
  return bytes;
}

function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage('--file', `${name} is not text in UTF-8`);
  }
}

/**
 * The statement that was given: as the argument, by --file, or on stdin for `-`; undefined when there is none. Throws
 * `usage` for both, and for a file that cannot be read.
 */
async function givenStatement(
  context: Context,
  query: string | undefined,
  file: string | undefined,
): Promise<Given | undefined> {
  if (query !== undefined && file !== undefined) {
    throw usage('--file', 'the statement is given twice: as QUERY and by --file', { advice: 'Leave one of them out.' });
  }
  if (query !== undefined && query !== '-') return { path: 'QUERY', text: query };
  const source = query ?? file;
  if (source === undefined) return undefined;
  const name = givenName(source);
  return { path: name, text: textOf(await bytesOf(context, source), name) };
}

/** Prints the path of the file, after a sync when something in it is older than --max-age. */
async function printFile(context: Context, flags: SqlFlags): Promise<void> {
  const { file } = await freshMirror(context, flags, ({ sources }) => tablesWith(sources).map(({ name }) => name));
  await context.streams.out.write(`${file}\n`);
}

/** Carries out `sql`. Throws `usage`, `not-found` where there is no mirror, and what the asking throws. */
export async function runSql(context: Context, query: string | undefined, flags: SqlFlags): Promise<void> {
  if (flags['print-file']) return printFile(context, flags);
  const given = await givenStatement(context, query, flags.file);
  if (given === undefined) return showColumns(context, flags);
  // What is wrong with the statement needs no mirror to be said.
  const statement = statementOf(given);
  const isOfOwn = namesOwnTables(statement);
  if (!isOfOwn) refuseLetters(statement, numbersAsText(mirrorTables.values()));
  const parameters = parametersFor(statement, flags.param ?? []);
  const tables = (holding: Holding): readonly string[] => tablesIn(statement, holding);
  const mirror = await freshMirror(context, flags, tables);
  if (isOfOwn) {
    const named = new Set(tablesIn(statement, mirror));
    refuseLetters(statement, numbersAsText(tablesWith(mirror.sources).filter(({ name }) => named.has(name))));
  }
  await ask(context, flags, { mirror, statement, parameters });
  await tellAge(context, flags, { statement, ...mirror });
}
