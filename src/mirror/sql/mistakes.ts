import { RelctlError } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/nearest.js';
import { mistakeAt } from '../../formats/query/mistake.js';
import { heldByAnother, isHeld } from '../../state/sqlite/open.js';
import { failureOf, type ReadOnlyDatabase, type SqliteFailure } from '../../state/sqlite/question.js';
import type { Statement } from './statement.js';
import { isName, type Token } from '../../formats/query/tokens.js';

// What a query may call: names of functions and of virtual tables. The driver has some that read and write files.

const computing =
  'abs acos acosh asin asinh atan atan2 atanh atn2 avg ceil ceiling char charindex coalesce concat concat_ws cos cosh cot ' +
  'coth count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank difference exp ' +
  'first_value floor format glob group_concat hex ifnull iif instr json json_array json_array_length json_error_position ' +
  'json_extract json_group_array json_group_object json_insert json_object json_patch json_quote json_remove json_replace ' +
  'json_set json_type json_valid julianday lag last_value lead leftstr length like likelihood likely ln log log10 lower ' +
  'lower_quartile ltrim max median min mode nth_value ntile nullif octet_length padc padl padr percent_rank pi power ' +
  'printf proper quote radians random rank regexp regexpi replace reverse rightstr round row_number rtrim sign sin sinh ' +
  'soundex sqlite_version sqrt square stdev strfilter strftime string_agg substr substring sum tan tanh time timediff ' +
  'total trim typeof unhex unicode unixepoch unlikely upper upper_quartile uuid variance -> ->>';

const searching = 'bm25 highlight match snippet';

/** Functions that a query may call. */
export const functions: ReadonlySet<string> = new Set(`${computing} ${searching}`.split(' '));

/** Virtual tables that a query may read. */
export const modules: ReadonlySet<string> = new Set(['fts5', 'fts5vocab', 'generate_series', 'json_each', 'json_tree']);

/** Codes of failures that the statement is to blame for; those of others blame the file or the machine. */
const ofStatement: ReadonlySet<string> = new Set([
  'SQLITE_ERROR',
  'SQLITE_MISMATCH',
  'SQLITE_RANGE',
  'SQLITE_TOOBIG',
  'SQLITE_CONSTRAINT',
]);

const texts = (database: ReadOnlyDatabase, sql: string, name = ''): readonly string[] =>
  [...database.question(sql).rows({ name })].map(([value]) => String(value));

const tablesOf = (database: ReadOnlyDatabase): readonly string[] =>
  texts(database, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'");

function columnsOf(database: ReadOnlyDatabase, { tokens }: Statement): readonly string[] {
  const named = new Set(tokens.map(({ name }) => name.toLowerCase()));
  return tablesOf(database)
    .filter((table) => named.has(table.toLowerCase()))
    .flatMap((table) => texts(database, 'SELECT name FROM pragma_table_info(:name)', table));
}

function lastPart({ tokens }: Statement, name: string): Token | undefined {
  const parts = name.toLowerCase().split('.');
  const fits = (at: number): boolean =>
    parts.every((part, index) => tokens[at - 2 * (parts.length - 1 - index)]?.name.toLowerCase() === part);
  return (
    tokens.find((token, at) => isName(token) && fits(at)) ??
    tokens.find((token) => isName(token) && token.name.toLowerCase() === parts.at(-1))
  );
}

const asList = (names: readonly string[]): string => (names.length === 0 ? '' : `; there are ${names.join(', ')}`);

/** Tables for people: those that begin with all_ or _ are what the others are made of. */
const forPeople = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !/^(?:_|all_|search)/.test(name));

function unknownName(
  statement: Statement,
  name: string,
  {
    what,
    known,
    listed = known,
  }: { readonly what: string; readonly known: readonly string[]; readonly listed?: readonly string[] },
): RelctlError {
  const token = lastPart(statement, name);
  const message = `there is no ${what} ${name}`;
  const near = nearest(name.split('.').at(-1) ?? name, known);
  // In other databases a text may stand in double quotes.
  if (near === undefined && token?.text.startsWith('"') === true && what === 'column') {
    const meant = `'${token.name.replaceAll("'", "''")}'`;
    return mistakeAt(statement, token.at, [`${message}: a text stands in single quotes`, meant]);
  }
  const words = `${message}${near === undefined ? asList(listed) : ''}`;
  if (token === undefined) return new RelctlError('usage', words, { facts: { path: statement.path } });
  return mistakeAt(statement, token.at, [words, near]);
}

/**
 * The token at which SQLite could not go on: of those with this text the first up to which the statement fails in the same
 * way.
 */
function wrongToken(statement: Statement, database: ReadOnlyDatabase, { message }: SqliteFailure): Token | undefined {
  const text = /near "([^]*)": syntax error/.exec(message)?.[1];
  return statement.tokens
    .filter((token) => token.text === text)
    .find(({ end }) => {
      try {
        database.question(statement.text.slice(0, end));
        return false;
      } catch (thrown) {
        return failureOf(thrown)?.message === message;
      }
    });
}

const keywords = (
  'SELECT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN LEFT INNER OUTER CROSS UNION INTERSECT EXCEPT BETWEEN DISTINCT ' +
  'EXISTS COLLATE CASE WHEN THEN ELSE LIKE GLOB VALUES WITH RECURSIVE ISNULL NOTNULL'
).split(' ');

/** Words that were perhaps meant as keywords: the one that is wrong, and the one before it. */
function nearestName({ tokens }: Statement, wrong: Token): readonly [Token, string] | undefined {
  const before = tokens[tokens.indexOf(wrong) - 1];
  for (const token of [wrong, before]) {
    if (token?.kind !== 'word' || keywords.includes(token.text.toUpperCase())) continue;
    const near = nearest(token.text, keywords);
    if (near !== undefined) return [token, near];
  }
  return undefined;
}

function syntaxMistake(statement: Statement, database: ReadOnlyDatabase, failure: SqliteFailure): RelctlError {
  if (failure.message.includes('incomplete input'))
    return mistakeAt(statement, statement.tokens.at(-1)?.end ?? 0, ['the statement ends too early']);
  const wrong = wrongToken(statement, database, failure);
  if (wrong === undefined) return new RelctlError('usage', failure.message, { facts: { path: statement.path } });
  const [token, near] = nearestName(statement, wrong) ?? [wrong];
  return mistakeAt(statement, token.at, [`this is not SQL at '${wrong.text.slice(0, 32)}'`, near]);
}

function nameMistake(statement: Statement, database: ReadOnlyDatabase, message: string): RelctlError | undefined {
  const [, said = '', name = ''] =
    /^(no such table|no such column|no such function|ambiguous column name): (.*)$/s.exec(message) ?? [];
  if (said === 'no such table') {
    const known = tablesOf(database);
    return unknownName(statement, name, { what: 'table', known, listed: forPeople(known) });
  }
  if (said === 'no such column')
    return unknownName(statement, name, { what: 'column', known: columnsOf(database, statement) });
  if (said === 'no such function')
    return unknownName(statement, name, { what: 'function', known: [...functions], listed: [] });
  const token = said === '' ? undefined : lastPart(statement, name);
  return token && mistakeAt(statement, token.at, [`several tables here have the column ${name}: write TABLE.${name}`]);
}

const otherWords: Readonly<Record<string, string>> = {
  'datatype mismatch':
    'a value is not of the type that is needed in its place; a number is given by --param NAME:int=5',
};

/** A failure of SQLite as an error: of the statement, with its place where that is known, or of the file. */
export function mistakeOf(statement: Statement, database: ReadOnlyDatabase, thrown: unknown): RelctlError {
  const failure = failureOf(thrown);
  if (failure === undefined) return RelctlError.from(thrown);
  const { message, code } = failure;
  if (!ofStatement.has(code)) return fileFailure(failure);
  if (/syntax error|incomplete input/.test(message)) return syntaxMistake(statement, database, failure);
  const found = nameMistake(statement, database, message);
  return found ?? new RelctlError('usage', otherWords[message] ?? message, { facts: { path: statement.path } });
}

/** Why a file cannot be read, or a query not be carried out on this machine. */
export function fileFailure({ message, code }: SqliteFailure): RelctlError {
  if (code === 'SQLITE_NOMEM') {
    return new RelctlError('local', 'the query needs more than 512 MiB of memory', {
      facts: { foreignCode: code },
      advice: 'Ask for fewer rows at once, or for shorter values.',
    });
  }
  if (isHeld(code)) return heldByAnother('the mirror');
  const isPlace = code === 'SQLITE_CANTOPEN' || message.includes('readonly database');
  return new RelctlError('local', `the mirror cannot be read: ${message}`, {
    facts: { foreignCode: code },
    advice: isPlace ? 'A reader makes files beside the mirror: copy it to a folder that you may write to.' : undefined,
  });
}
