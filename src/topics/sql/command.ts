import type { Context } from '../../host/context.js';
import { refuseLetters } from '../../sql/letters.js';
import { parametersFor } from '../../sql/parameters.js';
import { statementOf } from '../../sql/statement.js';
import { postgresPlaceOf } from '../../syncs/postgres.js';
import { tellAge } from './age.js';
import { ask } from './ask.js';
import { guide } from './guide.js';
import { askedMirror, fileOfMirror } from './place.js';
import type { SqlFlags } from './flags.js';
import { givenStatement } from './text.js';
import { numbersAsText } from './types.js';

/** Carries out `sql`. Throws `usage`, `not-found` where there is no mirror, and what the asking throws. */
export async function runSql(context: Context, query: string | undefined, flags: SqlFlags): Promise<void> {
  if (flags['print-file']) return context.streams.out.write(`${fileOfMirror(context, flags)}\n`);
  const given = await givenStatement(context, query, flags.file);
  if (given === undefined) return guide(context, flags);
  // What is wrong with the statement needs no mirror to be said.
  const place = postgresPlaceOf(context, flags);
  const statement = statementOf(given, place === undefined ? 'sqlite' : 'postgres');
  // In PostgreSQL numbers are numbers.
  if (place === undefined) refuseLetters(statement, numbersAsText());
  const parameters = parametersFor(statement, flags.param ?? []);
  const { open, ...holding } = await askedMirror(context, flags, place);
  await ask(context, flags, { open, statement, parameters });
  await tellAge(context, flags, { statement, ...holding });
}
