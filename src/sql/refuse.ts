import { usage } from '../errors/usage.js';
import { mistakeAt } from '../query/mistake.js';
import type { ReadOnlyDatabase } from '../sqlite/question.js';
import { functions, modules } from './allowed.js';
import type { Statement } from './statement.js';

/** A step of the program that SQLite makes of a statement. */
interface Step {
  readonly opcode: string;
  readonly p2: number;
  readonly p4: string;
}

function stepsOf(database: ReadOnlyDatabase, { text }: Statement): readonly Step[] {
  const rows = database.question(`EXPLAIN ${text}`).rows({});
  return [...rows].map(([, opcode, , p2, , p4]) => ({ opcode: String(opcode), p2: Number(p2), p4: String(p4) }));
}

/** The function that a step calls; undefined where it calls none. */
const calledIn = ({ p4 }: Step): string | undefined => /^(.+)\(-?\d+\)$/.exec(p4)?.[1]?.toLowerCase();

const placeOf = ({ tokens }: Statement, name: string): number | undefined =>
  tokens.find((token) => token.name.toLowerCase() === name && token.kind !== 'number')?.at;

function refused(statement: Statement, name: string, words: string): Error {
  const at = placeOf(statement, name);
  return at === undefined ? usage(statement.path, words) : mistakeAt(statement, at, [words]);
}

function refuseModules(statement: Statement, database: ReadOnlyDatabase): void {
  const all = [...database.question('SELECT name FROM pragma_module_list').rows({})].map(([name]) => String(name));
  const unwanted = new Set(all.filter((name) => !modules.has(name)));
  const found = statement.tokens
    .map(({ name }) => name.toLowerCase())
    .find((name) => name.startsWith('pragma_') || unwanted.has(name));
  if (found !== undefined)
    throw refused(statement, found, `sql does not read ${found}, which is no table of the mirror`);
}

/**
 * Refuses a statement that would write, or that calls what is more than computing: files are read and written by functions
 * and virtual tables of the driver. Looks at the program that SQLite makes of it, which is not run. Throws `usage`.
 */
export function refuseEffects(statement: Statement, database: ReadOnlyDatabase): void {
  if (statement.isPlan) return;
  const steps = stepsOf(database, statement);
  if (steps.some(({ opcode, p2 }) => opcode === 'Transaction' && p2 !== 0))
    throw usage(statement.path, 'sql asks, and changes nothing: this statement would change the mirror');
  const calling = steps.filter(({ opcode }) => /Func|Agg/.test(opcode));
  const called = calling.map(calledIn).find((name) => name !== undefined && !functions.has(name));
  if (called !== undefined) throw refused(statement, called, `sql has no function ${called}`);
  if (steps.some(({ opcode }) => opcode === 'VOpen')) refuseModules(statement, database);
}
