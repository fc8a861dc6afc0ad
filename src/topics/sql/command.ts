import type { Context } from '../../host/context.js';
import type { FieldView } from '../../mirror/fields/plan.js';
import { mirrorTables } from '../../mirror/tables.js';
import { refuseLetters } from '../../sql/letters.js';
import { parametersFor } from '../../sql/parameters.js';
import { statementOf } from '../../sql/statement.js';
import { postgresPlaceOf } from '../../cli/mirror/postgres.js';
import { tablesIn, tellAge } from './age.js';
import { ask } from './ask.js';
import { guide } from './guide.js';
import { fileOfMirror, freshMirror } from './place.js';
import type { SqlFlags } from './flags.js';
import { givenStatement } from './text.js';
import { numbersAsText } from './types.js';

/** Prints the path of the file, after a sync when something in it is older than --max-age. */
async function printFile(context: Context, flags: SqlFlags): Promise<void> {
  await freshMirror(context, flags, { postgres: undefined, tables: () => [...mirrorTables.keys()] });
  await context.streams.out.write(`${fileOfMirror(context, flags)}\n`);
}

/** Carries out `sql`. Throws `usage`, `not-found` where there is no mirror, and what the asking throws. */
export async function runSql(context: Context, query: string | undefined, flags: SqlFlags): Promise<void> {
  if (flags['print-file']) return printFile(context, flags);
  const given = await givenStatement(context, query, flags.file);
  if (given === undefined) return guide(context, flags);
  // What is wrong with the statement needs no mirror to be said.
  const place = postgresPlaceOf(context, flags);
  const statement = statementOf(given, place === undefined ? 'sqlite' : 'postgres');
  // In PostgreSQL numbers are numbers.
  if (place === undefined) refuseLetters(statement, numbersAsText());
  const parameters = parametersFor(statement, flags.param ?? []);
  const tables = (views: readonly FieldView[]): readonly string[] => tablesIn(statement, views);
  const { open, ...holding } = await freshMirror(context, flags, { postgres: place, tables });
  await ask(context, flags, { open, statement, parameters });
  await tellAge(context, flags, { statement, ...holding });
}
