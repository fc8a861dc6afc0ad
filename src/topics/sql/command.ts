import type { Context } from '../../host/context.js';
import { tablesWith } from '../../mirror/store.js';
import { mirrorTables } from '../../mirror/tables.js';
import { refuseLetters } from '../../sql/letters.js';
import { parametersFor } from '../../sql/parameters.js';
import { statementOf } from '../../sql/statement.js';
import { namesOwnTables, tablesIn, tellAge, type Holding } from './age.js';
import { ask } from './ask.js';
import { guide } from './guide.js';
import { fileOfMirror, freshMirror } from './place.js';
import type { SqlFlags } from './flags.js';
import { givenStatement } from './text.js';
import { numbersAsText } from './types.js';

/** Prints the path of the file, after a sync when something in it is older than --max-age. */
async function printFile(context: Context, flags: SqlFlags): Promise<void> {
  await freshMirror(context, flags, ({ sources }) => tablesWith(sources).map(({ name }) => name));
  await context.streams.out.write(`${fileOfMirror(context, flags)}\n`);
}

/** Carries out `sql`. Throws `usage`, `not-found` where there is no mirror, and what the asking throws. */
export async function runSql(context: Context, query: string | undefined, flags: SqlFlags): Promise<void> {
  if (flags['print-file']) return printFile(context, flags);
  const given = await givenStatement(context, query, flags.file);
  if (given === undefined) return guide(context, flags);
  // What is wrong with the statement needs no mirror to be said.
  const statement = statementOf(given);
  const isOfOwn = namesOwnTables(statement);
  if (!isOfOwn) refuseLetters(statement, numbersAsText(mirrorTables.values()));
  const parameters = parametersFor(statement, flags.param ?? []);
  const tables = (holding: Holding): readonly string[] => tablesIn(statement, holding);
  const { open, ...holding } = await freshMirror(context, flags, tables);
  if (isOfOwn) {
    const named = new Set(tablesIn(statement, holding));
    refuseLetters(statement, numbersAsText(tablesWith(holding.sources).filter(({ name }) => named.has(name))));
  }
  await ask(context, flags, { open, statement, parameters });
  await tellAge(context, flags, { statement, ...holding });
}
