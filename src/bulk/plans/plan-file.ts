import { createHash, type Hash } from 'node:crypto';
import type { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import { checkedLine, valueOfLine } from '../../files/checked-lines.js';
import { linesOfGiven } from '../../files/given-file.js';
import { openPartFile } from '../../files/part-file.js';
import { placeIn } from '../../inputs/input.js';
import { isObject } from '../../plain/object.js';
import type { PlannedRow } from './planned-row.js';

const version = 1;

/** A line holds one row: what it was given as, what is sent, and the record before. */
const mostLineBytes = 64 * 1024 * 1024;

/** What a plan is for. */
export interface PlanHead {
  /** Identifies the plan; of random digits. */
  readonly id: string;
  /** When it was made, as ISO text. */
  readonly madeAt: string;
  readonly operation: string;
  readonly profile: string;
  readonly url: string;
  readonly namespace: string;
  readonly database: string;
  /** Name of the input, and SHA-256 of its bytes, in hex. */
  readonly input: string;
  readonly sha256: string;
  /** Titles of the columns of the input. */
  readonly columns: readonly string[];
  /** Those of them that look like titles of results, and to which --map gave another meaning. */
  readonly meant?: readonly string[];
  /** The text of --null-as. */
  readonly nullAs?: string;
}

interface Head extends PlanHead {
  readonly plan: typeof version;
}

/** The last line: without it the plan is not whole. */
interface End {
  readonly rows: number;
  /** SHA-256 of all bytes before this line, in hex: lines of another plan are found by it. */
  readonly before: string;
}

/** A plan that is being written. */
export interface PlanWriter {
  /** Throws `local`. */
  add(row: PlannedRow): void;
  /** Puts the plan in its place, durably, and gives the SHA-256 of its bytes, in hex. Throws `local`. */
  keep(): string;
  /** Takes it away, unless it was put in its place. */
  discard(): void;
}

function keptRow({ line, cells: given, plan, mistakes }: PlannedRow): object {
  // An empty cell means what one means that is not there, for which JSON would have null.
  const cells = given.map((cell) => cell ?? (cell === null ? null : ''));
  return mistakes.length > 0 ? { line, cells, mistakes } : { line, cells, plan };
}

/** Opens a plan, which appears under its name when it is whole, with mode 0600. Throws `local`. */
export function openPlan(file: string, head: PlanHead): PlanWriter {
  const part = openPartFile(file);
  const hash = createHash('sha256');
  let lines = 0;
  const write = (value: object): void => {
    const bytes = checkedLine(value, lines);
    lines += 1;
    hash.update(bytes);
    part.write(bytes);
  };
  write({ plan: version, ...head } satisfies Head);
  return {
    add: (row) => write(keptRow(row)),
    keep() {
      write({ rows: lines - 1, before: hash.copy().digest('hex') } satisfies End);
      part.putAs(file);
      return hash.digest('hex');
    },
    discard: () => part.discard(),
  };
}

/** A plan that was kept. */
export interface KeptPlan {
  readonly file: string;
  readonly head: PlanHead;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  /** Its rows, from the first. Throws `usage` when it was changed since it was opened. */
  rows(): Generator<PlannedRow, void>;
}

const again = { advice: 'Make the plan again from its rows, by --dry-run and --plan.' };

/** The error for a line that relctl did not write there. */
const changed = (file: string, line: number): RelctlError =>
  usage('--from-plan', `${placeIn(file, line)}: the plan is not what was kept here; nothing of it is sent`, again);

const noPlan = (file: string): RelctlError =>
  usage('--from-plan', `${file} is no plan`, { advice: 'A plan is made by --dry-run and --plan.' });

/** Throws `usage` for another plan that was put in the place of the one that was opened. */
function checkSame(file: string, first: Head, now: Head): void {
  if (JSON.stringify(first) !== JSON.stringify(now)) throw changed(file, 1);
}

function isHead(value: unknown): value is Head {
  return isObject(value) && value['plan'] === version && Array.isArray(value['columns']);
}

const isEnd = (value: unknown): value is End => isObject(value) && typeof value['before'] === 'string';

type KeptRow = Pick<PlannedRow, 'line' | 'cells' | 'plan'> & Partial<Pick<PlannedRow, 'mistakes'>>;

function isRow(value: unknown): value is KeptRow {
  return isObject(value) && typeof value['line'] === 'number' && Array.isArray(value['cells']);
}

/** The values of all lines, each checked. Throws `usage`. */
function* valuesIn(file: string, hash: Hash): Generator<unknown, void> {
  let index = 0;
  for (const line of linesOfGiven(file, mostLineBytes)) {
    const value = valueOfLine(line, index);
    if (index === 0 && value === undefined) throw noPlan(file);
    if (value === undefined) throw changed(file, index + 1);
    if (isEnd(value) && value.before !== hash.copy().digest('hex')) throw changed(file, index + 1);
    hash.update(`${line}\n`);
    index += 1;
    yield value;
  }
}

/** The rows behind the head, to the end. Throws `usage` for a plan that is not whole. */
function* rowsIn(file: string, values: Generator<unknown, void>): Generator<PlannedRow, void> {
  let row = 0;
  let end: End | undefined;
  for (const value of values) {
    if (end !== undefined) throw changed(file, row + 3);
    if (isRow(value)) {
      yield { mistakes: [], ...value, row };
      row += 1;
    } else if (isEnd(value) && value.rows === row) end = value;
    else throw changed(file, row + 2);
  }
  if (end === undefined) throw usage('--from-plan', `${file} is not whole: its end is missing; nothing is sent`, again);
}

function headIn(file: string, step: IteratorResult<unknown, void>): Head {
  if (step.done !== true && isHead(step.value)) return step.value;
  const isOther = step.done !== true && isObject(step.value) && typeof step.value['plan'] === 'number';
  throw isOther ? usage('--from-plan', `${file} is a plan of another version of relctl`, again) : noPlan(file);
}

/** Reads a plan from its beginning. Throws `usage`. */
function* read(
  file: string,
  { hash, onHead }: { hash: Hash; onHead: (head: Head) => void },
): Generator<PlannedRow, void> {
  const values = valuesIn(file, hash);
  onHead(headIn(file, values.next()));
  yield* rowsIn(file, values);
}

/** Opens a plan that was kept, and reads it to its end. Throws `usage` for one that is not whole, or not as it was kept. */
export function readPlan(file: string): KeptPlan {
  const hash = createHash('sha256');
  let head: Head | undefined;
  const rows = read(file, { hash, onHead: (found) => (head = found) });
  while (rows.next().done !== true);
  if (head === undefined) throw noPlan(file);
  const whole = head;
  return {
    file,
    head: whole,
    sha256: hash.digest('hex'),
    rows: () => read(file, { hash: createHash('sha256'), onHead: (now) => checkSame(file, whole, now) }),
  };
}
