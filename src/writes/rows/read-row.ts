import { forMessage } from '../../core/text/text.js';
import { isDecimal, guidComplaint, pastedGuid } from '../../core/text/scalars.js';
import type { AllowedValues } from '../../contract/widen.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { RowBase } from '../../formats/edits/base.js';
import { type Cell, type InputRow, isNumberCell, isWrongCell } from '../../formats/readers/input.js';
import { type BaseColumns, cellState, readBase, type Held, type RowParameter, type Target } from '../columns.js';
import { defined } from '../../core/values/value.js';
import type { RowField, RowValues } from './rows-text.js';
import type { Reader } from '../../kit/flags/define.js';

/** Thrown for a row with several mistakes: each is `usage`, or `not-found`, with the argument, flag or field as its path. */
class RowMistakes extends Error {
  readonly errors: readonly RelctlError[];

  constructor(errors: readonly RelctlError[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.errors = errors;
  }
}

const isMistake = ({ kind }: RelctlError): boolean => kind === 'usage' || kind === 'not-found';

/** A mistake in words, with what was meant where that is near. */
export const mistakeWords = ({ message, correction }: RelctlError): string =>
  correction === undefined ? message : `${message} (did you mean ${correction.meant}?)`;

/** The mistakes of a row that something thrown tells; undefined for what is none of the row. */
export function mistakesIn(thrown: unknown): readonly RelctlError[] | undefined {
  if (thrown instanceof RowMistakes) return thrown.errors;
  const error = RelctlError.from(thrown);
  return isMistake(error) ? [error] : undefined;
}

/** Does several things of which each may find a mistake, and gives what they made. Throws `RowMistakes`. */
export async function withoutMistakes<T>(tasks: readonly (() => T | Promise<T>)[]): Promise<readonly T[]> {
  const made: T[] = [];
  const errors: RelctlError[] = [];
  for (const task of tasks) {
    try {
      made.push(await task());
    } catch (thrown) {
      const relctlErrors = mistakesIn(thrown);
      if (relctlErrors === undefined) throw thrown;
      errors.push(...relctlErrors);
    }
  }
  if (errors.length > 0) throw new RowMistakes(errors);
  return made;
}

/** What decimals of a file have: a comma; a point; or a point where nobody said that `1.234` is not one thousand and more. */
export type DecimalSign = 'comma' | 'point' | 'doubtful';

const heldByReaders = new WeakMap<Reader<unknown>, Held | 'other'>();

function takes(reader: Reader<unknown>, text: string): boolean {
  try {
    reader(text, '');
    return true;
  } catch {
    return false;
  }
}

function readBy(reader: Reader<unknown>): Held | 'other' {
  if (takes(reader, 'x') || takes(reader, '0,50')) return 'other';
  if (takes(reader, '-0.50')) return 'decimal';
  if (takes(reader, '1')) return 'whole';
  return takes(reader, '2026-01-31T09:30:00') ? 'time' : 'other';
}

/** What the column of a target holds; undefined for texts and what is nothing of the kind. */
export function heldIn(target: Target | undefined): Held | undefined {
  if (target?.kind === 'field') return target.holds;
  if (target?.kind !== 'value' || target.reader === undefined) return undefined;
  const held = heldByReaders.get(target.reader) ?? readBy(target.reader);
  heldByReaders.set(target.reader, held);
  return held === 'other' ? undefined : held;
}

const withComma = /^[+-]?\d*,\d*$/;

const hasBoth = /^[+-]?(?=[^,]*,)(?=[^.]*\.)[\d.,]+$/;

const maybeThousands = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** True for a decimal whose point is surely a decimal point: 12.5, 0.125, 1234.567. */
export const hasSurePoint = (text: string): boolean =>
  text.includes('.') && isDecimal(text) && !maybeThousands.test(text);

/** The text of a cell with the decimal point that readers take. Throws `usage` for a decimal that may mean two things. */
export const readDecimal = (text: string, target: Target, sign: DecimalSign): string =>
  heldIn(target) === 'decimal' ? withPoint(text, sign) : text;

function withPoint(text: string, sign: DecimalSign): string {
  const wrong = (what: string, hint?: string): Error => usage(undefined, `'${text}' ${what}`, { hint });
  if (hasBoth.test(text)) throw wrong('has a point and a comma: write it without a thousands separator');
  if (sign === 'comma') {
    if (text.includes('.')) throw wrong('has a point, and --decimal comma is set: write it without');
    return withComma.test(text) ? text.replace(',', '.') : text;
  }
  if (maybeThousands.test(text) && (sign === 'doubtful' || text.includes(','))) {
    const [whole, name] = [text.replace(/[.,]/, ''), text.includes(',') ? 'comma' : 'point'];
    throw wrong(`may be ${whole} or ${text.replace(',', '.')}: --decimal ${name} reads it as the latter`);
  }
  if (withComma.test(text)) throw wrong('has a comma: --decimal comma reads it', '--decimal comma');
  return text;
}

/** What is wrong with a row. */
export interface Mistake {
  readonly line: number;
  /** Title of the column, where one is wrong. */
  readonly column?: string;
  readonly what: string;
  /** The flag that makes it right. */
  readonly hint?: string | undefined;
}

/** The mistakes of one row in words, each with its column. */
export const mistakesText = (mistakes: readonly Mistake[]): string =>
  mistakes.map(({ column, what }) => (column === undefined ? what : `${column}: ${what}`)).join('; ');

/** How the cells of a file are read. */
export interface CellRules {
  readonly columns: readonly string[];
  readonly targets: readonly Target[];
  readonly places: ReadonlyMap<string, RowParameter>;
  /** Text of a cell that makes the value empty. */
  readonly nullAs: string | undefined;
  readonly decimal: DecimalSign;
  /** Columns of decimals in which another number shows that points are decimal points. */
  readonly pointed?: ReadonlySet<number>;
  /** Values that enumerations have at the service besides those of the contract. */
  readonly allowed?: AllowedValues | undefined;
  /** What the command line says for all rows. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** The columns by which edited cells are distinguished from others; undefined where all cells say something. */
  readonly base?: BaseColumns | undefined;
}

/** A row that was read, and what is wrong with it. */
export interface ReadRow {
  /** What it says, as far as that can be read; undefined where nothing of it can. */
  readonly row?: RowValues;
  readonly mistakes: readonly Mistake[];
}

/** True for a cell that says nothing. */
export const isSilent = (cell: Cell): cell is '' | undefined => cell === undefined || cell === '';

const isEmpty = 'it is empty, and --find-by searches for it';

interface ColumnOfRow {
  readonly index: number;
  readonly target: Exclude<Target, { kind: 'ignored' | 'base' }>;
  readonly base: RowBase | undefined;
}

const wrongCell = (what: string): RelctlError => usage(undefined, what);

function stateOf({ base: columns, nullAs, decimal }: CellRules, text: string | null, { index, base }: ColumnOfRow) {
  const name = columns?.names[index];
  if (base === undefined || name === undefined) return 'untouched';
  if (index === columns?.idAt) return 'edited';
  return cellState(base, { name, text, hasComma: decimal === 'comma' }, nullAs);
}

/** The text of a cell where it is right for its member, what --null-as says, or as it was exported. Throws `usage`. */
function usableText(reading: CellRules, cell: Cell, column: ColumnOfRow): string | null | undefined {
  if (isNumberCell(cell)) return cell.text;
  if (!isWrongCell(cell)) return cell;
  const { text, wrong, isWhole, rightFor } = cell;
  const holds = heldIn(column.target);
  if (holds !== undefined && rightFor === (holds === 'time' ? 'time' : 'number')) return text;
  const isAsExported = column.base !== undefined && stateOf(reading, text, column) === 'untouched';
  if (isWhole === true && (text === reading.nullAs || isAsExported)) return text;
  throw wrongCell(wrong);
}

/** What a cell says: null makes its value empty, undefined leaves it as it is. Throws `usage`. */
function valueIn(reading: CellRules, cell: Cell, column: ColumnOfRow): string | null | undefined {
  const text = usableText(reading, cell, column);
  const isSought = column.target.kind === 'finds';
  if (isSilent(text) && isSought) throw wrongCell(isEmpty);
  if (text === undefined) return undefined;
  if (column.base !== undefined && !isSought) {
    const state = stateOf(reading, text, column);
    if (typeof state === 'object') throw wrongCell(state.wrong);
    if (state === 'untouched') return undefined;
  } else if (text === '') return undefined;
  return text === reading.nullAs ? null : text;
}

/** The value of an argument or a flag. Names are for people at a terminal: a row says by its Id which record it means. */
function readValue(
  { places: parameters, allowed }: CellRules,
  text: string,
  { name, reader }: Extract<Target, { kind: 'value' }>,
): unknown {
  if (parameters.get(name)?.idOf === undefined) return reader === undefined ? text : reader(text, name, allowed);
  const id = pastedGuid(text);
  if (id === undefined) throw wrongCell(`'${forMessage(text)}' is not a GUID${guidComplaint(text)}`);
  return id;
}

class RowReader {
  readonly #reading: CellRules;
  readonly #row: InputRow;
  readonly mistakes: Mistake[] = [];
  readonly values: Record<string, unknown> = {};
  readonly fields: RowField[] = [];
  readonly finds: RowField[] = [];
  readonly #wrongNames = new Set<string>();

  constructor(reading: CellRules, row: InputRow) {
    this.#reading = reading;
    this.#row = row;
  }

  take(cell: Cell, column: ColumnOfRow): void {
    const { index, target } = column;
    try {
      const text = valueIn(this.#reading, cell, column);
      if (text !== undefined) this.#setValue(text, cell, column);
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind !== 'usage') throw thrown;
      this.mistakes.push({
        line: this.#row.line,
        what: mistakeWords(error),
        column: this.#reading.columns[index] ?? '',
        hint: error.hint,
      });
      this.#wrongNames.add(target.name);
    }
  }

  #setValue(text: string | null, cell: Cell, { index, target }: ColumnOfRow): void {
    const { kind, name } = target;
    const { pointed, decimal } = this.#reading;
    const sign = isNumberCell(cell) || pointed?.has(index) === true ? 'point' : decimal;
    if (kind === 'finds') {
      if (text === null) throw wrongCell(isEmpty);
      this.finds.push({ field: name, value: text });
    } else if (kind === 'field') {
      this.fields.push({ field: name, value: text === null ? null : readDecimal(text, target, sign) });
    } else {
      // One that cannot be read stands in the place of what the command line says for all rows.
      this.values[name] = undefined;
      this.values[name] = text === null ? null : readValue(this.#reading, readDecimal(text, target, sign), target);
    }
  }

  checkRequired(): void {
    const { places: parameters, constants } = this.#reading;
    for (const { name, required } of parameters.values()) {
      const value = this.values[name] ?? constants[name] ?? undefined;
      if (required === true && value === undefined && !this.#wrongNames.has(name))
        this.mistakes.push({ line: this.#row.line, what: `${name} is missing` });
    }
  }
}

/** Reads what a row says. */
export function readRow(reading: CellRules, row: InputRow): ReadRow {
  const { line, cells, wrong } = row;
  const { columns, targets, constants } = reading;
  if (wrong !== undefined) return { mistakes: [{ line, what: wrong }] };
  const base = reading.base && readBase(reading.base, cells);
  if (base !== undefined && 'wrong' in base)
    return { mistakes: [{ line, column: columns[base.at] ?? '', what: base.wrong }] };
  const reader = new RowReader(reading, row);
  for (const [index, target] of targets.entries())
    if (target.kind !== 'ignored' && target.kind !== 'base') reader.take(cells[index], { index, target, base });
  reader.checkRequired();
  const { values, fields, finds, mistakes } = reader;
  const own = new Set(Object.keys(values));
  return { row: { values: { ...constants, ...values }, own, fields, finds, ...defined({ base }) }, mistakes };
}
