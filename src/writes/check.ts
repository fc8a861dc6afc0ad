import { RelctlError } from '../core/errors/relctl-error.js';
import { type Cell, positionIn, cellForMessage } from '../formats/readers/input.js';
import type { Context } from '../kit/host/context.js';
import { note } from '../kit/host/notes.js';
import { escapeForTerminal } from '../formats/escape.js';
import { type BulkRun, planned, type PlannedRow, plannedRows, unknownIds, withCell } from './rows/planned-rows.js';
import { defined } from '../core/values/value.js';
import { outcomeTitle } from './columns.js';
import { type Mistake, mistakesText } from './rows/read-row.js';
import { hash } from 'node:crypto';

/** Words of a slot: 64 bits of the hash of a key, and the line of its row, which is never 0. */
const slotWords = 3;

/** Keys are kept in so many tables, of which one grows at a time: while it does, it occurs twice. */
const tables = 256;

const firstSlots = 7;

/** A table grows by a quarter when four of five slots are taken. */
const [mostShare, growth] = [0.8, 1.25];

class Table {
  #words = new Uint32Array(firstSlots * slotWords);
  #count = 0;

  /** The line that is kept for these bits; undefined for the first with them, whose line is kept. */
  before(high: number, low: number, line: number): number | undefined {
    if (this.#count + 1 > (this.#words.length / slotWords) * mostShare) this.#grow();
    const at = this.#find(high, low);
    const known = this.#words[at + 2] ?? 0;
    if (known !== 0) return known;
    this.#words.set([high, low, line], at);
    this.#count += 1;
    return undefined;
  }

  #find(high: number, low: number): number {
    const words = this.#words;
    let at = (high % (words.length / slotWords)) * slotWords;
    while (words[at + 2] !== 0 && (words[at] !== high || words[at + 1] !== low))
      at = at + slotWords === words.length ? 0 : at + slotWords;
    return at;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(Math.ceil((old.length / slotWords) * growth) * slotWords);
    for (let at = 0; at < old.length; at += slotWords) {
      if (old[at + 2] === 0) continue;
      this.#words.set(old.subarray(at, at + slotWords), this.#find(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }
}

/**
 * Finds rows that write to the same record. A key is kept as 64 bits of its SHA-256, because a million of them must fit into
 * little memory: 20 bytes each at most. Two keys that have the same 64 bits (once in some ten million files of a million rows)
 * make a mistake that is none: a row is refused, and never sent by mistake.
 */
export class SameRecords {
  readonly #tables = Array.from({ length: tables }, () => new Table());

  /** The line of an earlier row with the same key; undefined for the first, which is remembered. */
  before(key: string, line: number): number | undefined {
    const digest = hash('sha256', key, 'buffer');
    const [high, low] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    return this.#tables[low % tables]?.before(high, low, line);
  }
}

const nullForm = /^_*NULL$/;

/**
 * Finds the text that stands for null where rows are written again as CSV, which has none: that of --null-as; else `NULL`,
 * with one `_` more before it than any cell of the file has that is so.
 */
export class NullText {
  readonly #nullAs: string | undefined;
  #length = 'NULL'.length;
  isNeeded = false;

  constructor(nullAs: string | undefined) {
    this.#nullAs = nullAs;
  }

  take(cells: readonly Cell[]): void {
    for (const cell of cells) {
      if (cell === null) this.isNeeded = true;
      else if (typeof cell === 'string' && cell.length >= this.#length && nullForm.test(cell))
        this.#length = cell.length + 1;
    }
  }

  get isOwn(): boolean {
    return this.isNeeded && this.#nullAs === undefined;
  }

  /** No other cell than null is written as it, once all rows were taken. */
  get text(): string {
    return this.#nullAs ?? 'NULL'.padStart(this.#length, '_');
  }
}

/** More mistakes than a person reads are only counted. */
const mostListed = 1000;

const mistakeLine = (file: string, { line, column, what }: Mistake): string =>
  `${positionIn(file, line, column)}: ${what}`;

function tooMany(file: string, mostRows: number): RelctlError {
  return new RelctlError('usage', `${file} has more than ${mostRows} rows`, {
    facts: { path: '--set maxRows' },
    advice: 'To write more, raise the limit: --set maxRows=N.',
  });
}

type Rows<S> = Pick<BulkRun<S>, 'planning' | 'text'>;

async function seenRow<S>(plannedRow: PlannedRow, { planning, text }: Rows<S>): Promise<PlannedRow> {
  const { plan, ...rest } = plannedRow;
  const { files } = text;
  if (files === undefined || plan === undefined) return plannedRow;
  return { ...rest, ...(await planned(planning, plannedRow.line, () => files.looks(plan, planning.shared))) };
}

/** True for a row that an earlier run has ended: it is not sent, so that nothing is wrong with it. */
type IsOver = (row: number) => boolean;

function sameAs(same: SameRecords, { line, plan }: PlannedRow, does: 'change' | 'add'): readonly Mistake[] {
  if (plan === undefined) return [];
  const once = plan.once ?? (does === 'add' ? undefined : plan.key);
  const other = once === undefined ? undefined : same.before(once, line);
  if (other === undefined) return [];
  return [{ line, what: `the same ${plan.once === undefined ? 'record ' : ''}as in line ${other}` }];
}

/** Outcomes of rows that were, or may have been, added already. Results do not tell whether their command adds or changes. */
const addedWords: ReadonlyMap<string, string> = new Map([
  ['done', 'it was done; a record that it added would be added again'],
  ['unknown', 'it may have been done; a record that it added would be added again'],
]);

/** Why a row of results that are fed back may not be added again; undefined where it may. */
export function addedBefore<S>({ planning, text }: Rows<S>, cells: readonly Cell[]): string | undefined {
  if (text.does !== 'add') return undefined;
  return addedWords.get(cellForMessage(cells[planning.reading.columns.indexOf(outcomeTitle)]));
}

function addedAlready<S>(rows: Rows<S>, { line, cells }: PlannedRow): readonly Mistake[] {
  const words = addedBefore(rows, cells);
  if (words === undefined) return [];
  const what = `${words}: remove the row, or empty this cell to send it anyway`;
  return [{ line, column: outcomeTitle, what }];
}

/**
 * The rows of a file, with all that is wrong with each: also that the mirror does not have its Ids, that an earlier row writes
 * to the same record, and that results tell that it was added. Throws what reading the input throws, and `usage` for more
 * rows than the setting `maxRows` allows.
 */
export async function* rowsChecked<S>(run: BulkRun<S>): AsyncGenerator<PlannedRow, void> {
  const { planning, session, text } = run;
  const mostRows = Number(session.profile.values.maxRows?.value);
  const same = new SameRecords();
  const unknown = unknownIds(run, planning.reading);
  for await (const each of plannedRows(planning)) {
    if (each.row >= mostRows) throw tooMany(planning.input.name, mostRows);
    const row = await seenRow(each, run);
    const { line, plan, mistakes } = row;
    const more = [...(await unknown(row)), ...sameAs(same, row, text.does), ...addedAlready(run, row)];
    // An earlier row that adds the same: both are sent, for that may be meant.
    const isTwin = more.length === 0 && plan !== undefined && text.does === 'add' && plan.once === undefined;
    const twinOf = isTwin ? same.before(JSON.stringify(plan.input), line) : undefined;
    yield {
      ...row,
      mistakes: [...mistakes, ...more.map((mistake) => withCell(planning.input, mistake))],
      ...defined({ twinOf }),
    };
  }
}

const mostFirst = 5;

/** Counts rows as they are checked, and keeps what is wrong with those that are not over. */
export class CheckedRows {
  readonly #isOver: IsOver;
  readonly #isSkipped: boolean;
  /** Rows with a mistake by their numbers, and the mistakes in words; empty where no row is sent for the mistakes. */
  readonly wrong = new Map<number, string>();
  /** All mistakes; those behind the first thousand are counted only. */
  readonly mistakes: Mistake[] = [];
  count = 0;
  rows = 0;
  wrongRows = 0;
  unchanged = 0;
  /** Bytes of the files that rows without a mistake send. */
  bytes = 0;
  /** Rows that add repeat an earlier one: how many, and the lines of the first and of that earlier one. */
  twins: { readonly count: number; readonly line: number; readonly earlier: number } | undefined;
  readonly first: PlannedRow[] = [];
  /** What stands for null where the rows are written again. */
  readonly nulls: NullText;

  constructor({
    isOver = () => false,
    nullAs,
    isSkipped = false,
  }: { readonly isOver?: IsOver; readonly nullAs?: string | undefined; readonly isSkipped?: boolean } = {}) {
    this.#isOver = isOver;
    this.#isSkipped = isSkipped;
    this.nulls = new NullText(nullAs);
  }

  take(plannedRow: PlannedRow): void {
    const { row, cells, plan, mistakes } = plannedRow;
    this.rows += 1;
    this.nulls.take(cells);
    if (this.#isOver(row)) return;
    if (mistakes.length > 0) this.#takeWrong(row, mistakes);
    else if (plan?.changes.length === 0 || plan?.ends !== undefined) this.unchanged += 1;
    else this.#takeOpen(plannedRow);
    this.count += mistakes.length;
    this.mistakes.push(...mistakes.slice(0, mostListed - this.mistakes.length));
  }

  #takeOpen(plannedRow: PlannedRow): void {
    const { line, plan, twinOf: earlier } = plannedRow;
    this.bytes += plan?.file?.size ?? 0;
    if (this.first.length < mostFirst) this.first.push(plannedRow);
    if (earlier === undefined) return;
    this.twins = { line, earlier, ...this.twins, count: (this.twins?.count ?? 0) + 1 };
  }

  #takeWrong(row: number, mistakes: readonly Mistake[]): void {
    this.wrongRows += 1;
    // Of a million rows, the words take hundreds of megabytes.
    if (this.#isSkipped) this.wrong.set(row, mistakesText(mistakes));
  }
}

/**
 * Reads all rows and finds what is wrong with those that are not over: a row that was done may not be found any more, by what
 * it changed itself. Throws what reading the input throws, and `usage` for too many rows.
 */
export async function checkRows<S>(
  run: BulkRun<S>,
  { onRow, ...how }: { readonly isOver: IsOver; readonly isSkipped: boolean; readonly onRow: () => void },
): Promise<CheckedRows> {
  const checked = new CheckedRows({ ...how, nullAs: run.planning.reading.nullAs });
  for await (const row of rowsChecked(run)) {
    checked.take(row);
    onRow();
  }
  return checked;
}

/** Tells the mistakes on stderr, a line each; where stderr is one JSON object, as notes of it. */
export async function reportMistakes(
  { streams, errorShape, notes }: Context,
  file: string,
  { mistakes, count }: CheckedRows,
): Promise<void> {
  const lines = mistakes.map((each) => mistakeLine(file, each));
  if (count > mistakes.length) lines.push(`… and ${count - mistakes.length} more`);
  if (errorShape === 'json') notes.push(...lines);
  else await streams.err.write(lines.map((line) => `${escapeForTerminal(line)}\n`).join(''));
}

/** Tells of rows that add repeat an earlier one. */
export async function reportTwins<S>({ context, flags, planning }: BulkRun<S>, { twins }: CheckedRows): Promise<void> {
  if (twins === undefined) return;
  const { count, line, earlier } = twins;
  const rows = count === 1 ? '1 row adds' : `${count} rows add`;
  const where = `line ${line} of ${planning.input.name}, as line ${earlier}`;
  await note(
    context,
    flags,
    `${rows} repeat an earlier one (${count === 1 ? '' : 'the first is '}${where}): relctl adds each`,
  );
}

function hintFor({ wrongRows, rows, mistakes }: CheckedRows): string | undefined {
  if (mistakes.every(({ hint }) => hint === '--decimal comma')) return '--decimal comma';
  return wrongRows < rows ? '--skip-invalid' : undefined;
}

/** Tells the mistakes, and throws `usage` for them; where errors are JSON, they are its data. */
export async function failOfMistakes(context: Context, file: string, checked: CheckedRows): Promise<never> {
  const isJson = context.errorShape === 'json';
  if (!isJson) await reportMistakes(context, file, checked);
  const { wrongRows, rows, mistakes } = checked;
  throw new RelctlError('usage', `${wrongRows} of ${rows} rows have mistakes; nothing was sent`, {
    hint: hintFor(checked),
    facts: { code: 'rows' },
    data: isJson ? mistakes.map(({ line, column, what }) => ({ file, line, column, what })) : undefined,
  });
}
