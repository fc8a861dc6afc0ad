import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import {
  failureOf,
  openReadOnly,
  type SqlValue,
  type ReadOnlyDatabase,
  heldByAnother,
  isHeld,
  type SqliteFailure,
} from '../../state/sqlite/open.js';
import { sent, type Order, type Reads, type ReaderMessage } from './messages.js';
import { statementOf, type Statement } from './statement.js';
import { nearest } from '../../core/text/text.js';
import { complaintText, isName, type Token, mistakeAt, type Words } from '../../formats/query/tokens.js';

interface Step {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p4: string;
}

function stepsOf(database: ReadOnlyDatabase, { text }: Statement): readonly Step[] {
  const rows = database.question(`EXPLAIN ${text}`).rows({});
  return [...rows].map(([, opcode, p1, p2, , p4]) => ({
    opcode: String(opcode),
    p1: Number(p1),
    p2: Number(p2),
    p4: String(p4),
  }));
}

const calledIn = ({ p4 }: Step): string | undefined => /^(.+)\(-?\d+\)$/.exec(p4)?.[1]?.toLowerCase();

const refused = (statement: Statement, name: string, words: string): Error =>
  wrongToken(
    statement,
    statement.tokens.find((token) => token.name.toLowerCase() === name && token.kind !== 'number'),
    [words],
  );

function refuseModules(statement: Statement, database: ReadOnlyDatabase): void {
  const all = [...database.question('SELECT name FROM pragma_module_list').rows({})].map(([name]) => String(name));
  const unwanted = new Set(all.filter((name) => !modules.has(name)));
  const names = statement.tokens
    .map(({ name }) => name.toLowerCase())
    .find((name) => name.startsWith('pragma_') || unwanted.has(name));
  if (names !== undefined)
    throw refused(statement, names, `sql does not read ${names}, which is not a table of the mirror`);
}

/**
 * Refuses a statement that would write, or that calls what is more than computing: files are read and written by functions
 * and virtual tables of the driver. Looks at the program that SQLite makes of it, which is not run. Throws `usage`.
 */
function refuseEffects(statement: Statement, database: ReadOnlyDatabase, steps: readonly Step[]): void {
  if (steps.some(({ opcode, p2 }) => opcode === 'Transaction' && p2 !== 0))
    throw usage(statement.path, 'sql is read-only: this statement would change the mirror');
  const calling = steps.filter(({ opcode }) => /Func|Agg/.test(opcode));
  const called = calling.map(calledIn).find((name) => name !== undefined && !functions.has(name));
  if (called !== undefined) throw refused(statement, called, `sql has no function ${called}`);
  if (steps.some(({ opcode }) => opcode === 'VOpen')) refuseModules(statement, database);
}

// The process that asks a file. SQLite does not come back before it has found a row, and then nothing else can happen in its
// process: a query without end could not be stopped, and text that is not UTF-8 ends the process with it.

const batchRows = 500;

const batchLetters = 256 * 1024;

/** Ends this process when the one that started it is gone: its end of our stdin closes. */
const watch = `
  const { Socket } = require('node:net');
  new Socket({ fd: 0 }).resume().on('close', () => process.kill(process.pid, 'SIGKILL'));
`;

function sendMessage(message: ReaderMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (failure: Error | null): void => (failure === null ? resolve() : reject(failure));
    process.send?.(message, undefined, undefined, done);
  });
}

const lettersOf = (row: readonly SqlValue[]): number =>
  row.reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' ? cell.length : cell instanceof Uint8Array ? cell.length : 8),
    0,
  );

const columnsIn = (database: ReadOnlyDatabase, type: string, name: string): readonly string[] =>
  [...database.question(`SELECT name FROM pragma_${type}_info(:name)`).rows({ name })].map(String);

/**
 * What the program that SQLite makes of a statement reads of tables: a column that it passes over is not asked for. Of an index
 * all columns are: rows are looked for by them, which reads none.
 */
function readIn(steps: readonly Step[], database: ReadOnlyDatabase): Reads {
  const sql = "SELECT rootpage, type, name, tbl_name FROM sqlite_schema WHERE type IN ('table', 'index')";
  const roots = new Map([...database.question(sql).rows({})].map(([root, ...of]) => [Number(root), of.map(String)]));
  const reads = new Map<string, string[]>();
  for (const { opcode, p1: cursor, p2: root } of steps) {
    const [type = '', name = '', table = ''] = (opcode === 'OpenRead' && roots.get(root)) || [];
    if (type === '') continue;
    const isColumn = (step: Step): boolean => step.opcode === 'Column' && step.p1 === cursor;
    const indexes = new Set(steps.filter(isColumn).map(({ p2 }) => p2));
    const columns = columnsIn(database, type, name).filter((_column, at) => type === 'index' || indexes.has(at));
    reads.set(table, [...(reads.get(table) ?? []), ...columns]);
  }
  return reads;
}

async function sendRows(rows: Iterable<readonly SqlValue[]>): Promise<void> {
  let batch: (readonly SqlValue[])[] = [];
  let letters = 0;
  for (const row of rows) {
    batch.push(row);
    letters += lettersOf(row);
    if (batch.length < batchRows && letters < batchLetters) continue;
    await sendMessage({ rows: batch });
    [batch, letters] = [[], 0];
    await once(process, 'message');
  }
  if (batch.length > 0) await sendMessage({ rows: batch });
}

const valuesFor = (parameters: Order['parameters']) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'boolean' ? BigInt(value) : value]),
  );

async function answer(database: ReadOnlyDatabase, statement: Statement, { parameters }: Order): Promise<void> {
  try {
    const steps = statement.isPlan ? [] : stepsOf(database, statement);
    refuseEffects(statement, database, steps);
    const question = database.question(statement.text);
    await sendMessage({ columns: question.columns, reads: readIn(steps, database) });
    await once(process, 'message');
    await sendRows(question.rows(valuesFor(parameters)));
    await sendMessage({ end: true });
  } catch (thrown) {
    throw mistakeOf(statement, database, thrown);
  }
}

function opened(file: string): ReadOnlyDatabase {
  try {
    return openReadOnly(file);
  } catch (thrown) {
    const failure = failureOf(thrown);
    throw failure === undefined ? thrown : fileFailure(failure);
  }
}

async function main(): Promise<void> {
  new Worker(watch, { eval: true }).unref();
  // Ctrl-C goes to every process of the terminal: the one that started this one says when to end.
  process.on('SIGINT', () => undefined);
  const [order] = (await once(process, 'message')) as [Order];
  try {
    await answer(opened(order.file), statementOf(order.statement), order);
  } catch (thrown) {
    await sendMessage({ error: sent(RelctlError.from(thrown)) });
  }
  process.disconnect();
}

void main();

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
