import type { Context } from '../../host/context.js';
import { refuseLetters } from '../../sql/letters.js';
import { parametersFor } from '../../sql/parameters.js';
import { statementOf } from '../../sql/statement.js';
import { tellAge } from './age.js';
import { ask } from './ask.js';
import { guide } from './guide.js';
import { askedMirror } from './place.js';
import type { SqlFlags } from './flags.js';
import { givenStatement } from './text.js';
import { numbersAsText } from './types.js';

/** Carries out `sql`. Throws `usage`, `not-found` where there is no mirror, and what the asking throws. */
export async function runSql(context: Context, query: string | undefined, flags: SqlFlags): Promise<void> {
  if (flags['print-file']) return context.streams.out.write(`${askedMirror(context, flags).file}\n`);
  const given = await givenStatement(context, query, flags.file);
  if (given === undefined) return guide(context, flags);
  // What is wrong with the statement needs no mirror to be said.
  const statement = statementOf(given);
  refuseLetters(statement, numbersAsText());
  const parameters = parametersFor(statement, flags.param ?? []);
  const { file, sources } = askedMirror(context, flags);
  await ask(context, flags, { file, statement, parameters });
  await tellAge(context, flags, { statement, sources });
}
