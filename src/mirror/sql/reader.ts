import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { failureOf, openReadOnly, type Answer, type ReadOnlyDatabase } from '../../state/sqlite/open.js';
import { sent, type Order, type Reads, type ReaderMessage } from './messages.js';
import { fileFailure, mistakeOf, functions, modules, wrongToken } from './mistakes.js';
import { statementOf, type Statement } from './statement.js';

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

const lettersOf = (row: readonly Answer[]): number =>
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

async function sendRows(rows: Iterable<readonly Answer[]>): Promise<void> {
  let batch: (readonly Answer[])[] = [];
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
