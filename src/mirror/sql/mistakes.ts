import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/nearest.js';
import { complaintText, isName, type Token, mistakeAt, type Words } from '../../formats/query/tokens.js';
import {
  failureOf,
  heldByAnother,
  isHeld,
  type ReadOnlyDatabase,
  type SqliteFailure,
} from '../../state/sqlite/open.js';
import type { Statement } from './statement.js';

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
const codesOfStatement: ReadonlySet<string> = new Set([
  'SQLITE_ERROR',
  'SQLITE_MISMATCH',
  'SQLITE_RANGE',
  'SQLITE_TOOBIG',
  'SQLITE_CONSTRAINT',
]);

const texts = (database: ReadOnlyDatabase, sql: string, name = ''): readonly string[] =>
  [...database.question(sql).rows({ name })].map(([value]) => String(value));

/** What a statement may name: tables and views, columns of those that it names, or functions. */
function namesFor(
  what: 'table' | 'column' | 'function',
  database: ReadOnlyDatabase,
  { tokens }: Statement,
): readonly string[] {
  if (what === 'function') return [...functions];
  const tables = texts(
    database,
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
  );
  if (what === 'table') return tables;
  const words = new Set(tokens.map(({ name }) => name.toLowerCase()));
  return tables
    .filter((table) => words.has(table.toLowerCase()))
    .flatMap((table) => texts(database, 'SELECT name FROM pragma_table_info(:name)', table));
}

/** The token that ends a name with dots; undefined for one that the statement does not have. */
function lastPart({ tokens }: Statement, name: string): Token | undefined {
  const parts = name.split('.').length * 2 - 1;
  const wrote = (at: number): string => tokens.slice(at, at + parts).reduce((text, token) => text + token.name, '');
  const start = tokens.findIndex((token, at) => isName(token) && wrote(at).toLowerCase() === name.toLowerCase());
  return start === -1 ? undefined : tokens[start + parts - 1];
}

/** A mistake at a token, where there is one. */
export const wrongToken = (statement: Statement, token: Token | undefined, words: Words): RelctlError =>
  token === undefined ? usage(statement.path, complaintText(words[0])) : mistakeAt(statement, token.at, words);

function unknownName(statement: Statement, { what, name }: SqliteFailure, known: readonly string[]): RelctlError {
  const token = lastPart(statement, name);
  const message = `there is no ${what ?? ''} ${name}`;
  const near = nearest(name.split('.').at(-1) ?? name, known);
  if (near !== undefined) return wrongToken(statement, token, [message, near]);
  // In other databases a text may stand in double quotes.
  if (what === 'column' && token?.text.startsWith('"') === true)
    return wrongToken(statement, token, [
      `${message}: write a text in single quotes`,
      `'${token.name.replaceAll("'", "''")}'`,
    ]);
  // Tables that begin with all_ or _ are what the others are made of.
  const listed = what === 'function' ? [] : known.filter((each) => !/^(?:_|all_|search)/.test(each));
  return wrongToken(statement, token, [listed.length === 0 ? message : [message, `there are ${listed.join(', ')}`]]);
}

const keywords = (
  'SELECT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN LEFT INNER OUTER CROSS UNION INTERSECT EXCEPT BETWEEN DISTINCT ' +
  'EXISTS COLLATE CASE WHEN THEN ELSE LIKE GLOB VALUES WITH RECURSIVE ISNULL NOTNULL'
).split(' ');

/** The error for a text at which SQLite could not go on; it or the word before it was perhaps meant as a keyword. */
function notSql(statement: Statement, text: string): RelctlError {
  const { tokens } = statement;
  const words = `syntax error at '${text.slice(0, 32)}'`;
  const [wrong, second] = tokens.filter((token) => token.text === text);
  // SQLite does not say which of several it is.
  if (wrong === undefined || second !== undefined) return usage(statement.path, words);
  for (const token of [wrong, tokens[tokens.indexOf(wrong) - 1]]) {
    if (token?.kind !== 'word' || keywords.includes(token.text.toUpperCase())) continue;
    const near = nearest(token.text, keywords);
    if (near !== undefined) return wrongToken(statement, token, [words, near]);
  }
  return wrongToken(statement, wrong, [words]);
}

function ofStatement(statement: Statement, database: ReadOnlyDatabase, failure: SqliteFailure): RelctlError {
  const { message, what, name } = failure;
  switch (what) {
    case 'table':
    case 'column':
    case 'function':
      return unknownName(statement, failure, namesFor(what, database, statement));
    case 'ambiguous':
      return wrongToken(statement, lastPart(statement, name), [
        `several tables here have the column ${name}: write TABLE.${name}`,
      ]);
    case 'syntax':
      return notSql(statement, name);
    case 'end':
      return mistakeAt(statement, statement.tokens.at(-1)?.end ?? 0, ['the statement is incomplete']);
    case 'type':
      return usage(statement.path, 'a value has the wrong type: --param NAME:int=5 passes a number');
    default:
      return usage(statement.path, message);
  }
}

/** A failure of SQLite as an error: of the statement, with its place where that is known, or of the file. */
export function mistakeOf(statement: Statement, database: ReadOnlyDatabase, thrown: unknown): RelctlError {
  const failure = failureOf(thrown);
  if (failure === undefined) return RelctlError.from(thrown);
  return codesOfStatement.has(failure.code) ? ofStatement(statement, database, failure) : fileFailure(failure);
}

/** Why a file cannot be read, or a query not be carried out on this machine. */
export function fileFailure({ message, code, what }: SqliteFailure): RelctlError {
  if (code === 'SQLITE_NOMEM') {
    return new RelctlError('local', 'the query needs more than 512 MiB of memory', {
      facts: { foreignCode: code },
      advice: 'Query fewer rows at once, or shorter values.',
    });
  }
  if (isHeld(code)) return heldByAnother('the mirror');
  const isOfFolder = code === 'SQLITE_CANTOPEN' || what === 'readonly';
  return new RelctlError('local', `the mirror cannot be read: ${message}`, {
    facts: { foreignCode: code },
    advice: isOfFolder
      ? 'A reader creates files next to the mirror: copy the mirror to a folder that you can write to.'
      : undefined,
  });
}
