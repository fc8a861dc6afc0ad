import { forMessage } from '../../core/text/text.js';
import { isDecimal } from '../../core/text/scalars/decimal.js';
import { guidComplaint, pastedGuid } from '../../core/text/scalars/guid.js';
import type { AllowedValues } from '../../contract/widen.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { type Cell, type InputRow, isNumberCell, isWrongCell, type WrongCell } from '../../formats/readers/input.js';
import { type BaseColumns, BaseOfRow, type CellReading } from './row-base.js';
import type { Held, RowParameter, Target } from '../columns.js';
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

/** What is wrong with a decimal that has a comma, where points are expected. */
export const commaWords = 'has a comma: --decimal comma reads it';

function withPoint(text: string, sign: DecimalSign): string {
  const wrong = (what: string): Error => usage(undefined, `'${text}' ${what}`);
  if (hasBoth.test(text)) throw wrong('has a point and a comma: write it without what parts thousands');
  if (sign === 'comma') {
    if (text.includes('.')) throw wrong('has a point, and --decimal comma is given: write it without');
    return withComma.test(text) ? text.replace(',', '.') : text;
  }
  if (maybeThousands.test(text) && (sign === 'doubtful' || text.includes(','))) {
    const [whole, name] = [text.replace(/[.,]/, ''), text.includes(',') ? 'comma' : 'point'];
    throw wrong(`may be ${whole} or ${text.replace(',', '.')}, which --decimal ${name} takes it for`);
  }
  if (withComma.test(text)) throw wrong(commaWords);
  return text;
}

/** What is wrong with a row. */
export interface Mistake {
  readonly line: number;
  /** Title of the column, where one is wrong. */
  readonly column?: string;
  readonly what: string;
}

/** The mistakes of one row in words, each with its column. */
export const mistakesText = (mistakes: readonly Mistake[]): string =>
  mistakes.map(({ column, what }) => (column === undefined ? what : `${column}: ${what}`)).join('; ');

/** How the cells of a file are read. */
export interface Reading {
  readonly columns: readonly string[];
  readonly targets: readonly Target[];
  readonly places: ReadonlyMap<string, RowParameter>;
  /** Text of a cell that means: make it empty. */
  readonly nullAs: string | undefined;
  readonly decimal: DecimalSign;
  /** Columns of decimals in which another number shows that points are decimal points. */
  readonly pointed?: ReadonlySet<number>;
  /** Values that enumerations have at the service besides those of the contract. */
  readonly allowed?: AllowedValues | undefined;
  /** What the command line says for all rows. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** The columns by which edited cells are told from others; undefined where all cells say something. */
  readonly base?: BaseColumns | undefined;
}

/** A row that was read, and what is wrong with it. */
export interface ReadRow {
  /** What it says, as far as that can be read; undefined where nothing of it can. */
  readonly row?: RowValues;
  readonly mistakes: readonly Mistake[];
}

/** A cell that says nothing: a column that is not there, and an empty one, leave things as they are. */
type CellValue = string | null;
type SayingTarget = Exclude<Target, { kind: 'ignored' | 'base' }>;

/** True for a cell that says nothing. */
export const isSilent = (cell: Cell): cell is '' | undefined => cell === undefined || cell === '';

const isEmpty = 'it is empty, and --find-by searches for it';

class RowReader {
  readonly #reading: Reading;
  readonly #line: number;
  readonly #base: BaseOfRow | undefined;
  readonly mistakes: Mistake[] = [];
  readonly values: Record<string, unknown> = {};
  readonly fields: RowField[] = [];
  readonly finds: RowField[] = [];
  /** Arguments and flags that were given, and not as they must be. */
  readonly #wrong = new Set<string>();
  #sign: DecimalSign = 'point';

  constructor(reading: Reading, line: number, base: BaseOfRow | undefined) {
    this.#reading = reading;
    this.#line = line;
    this.#base = base;
  }

  take(index: number, cell: Cell): void {
    const target = this.#reading.targets[index];
    if (target === undefined || target.kind === 'ignored' || target.kind === 'base') return;
    const column = this.#reading.columns[index] ?? '';
    const before = this.mistakes.length;
    const usable = this.#usable(index, cell, target);
    this.#sign = this.#signIn(index, cell);
    if (isWrongCell(usable)) this.wrong(column, usable.wrong);
    else if (this.#hasValue(index, usable, target))
      this.#setValue(target, usable === this.#reading.nullAs ? null : usable, column);
    if (this.mistakes.length > before) this.#wrong.add(target.name);
  }

  #signIn(index: number, cell: Cell): DecimalSign {
    const { pointed, decimal } = this.#reading;
    return isNumberCell(cell) || pointed?.has(index) === true ? 'point' : decimal;
  }

  /** The cell, or its text where that is right for its member, what --null-as says, or as it was exported. */
  #usable(index: number, cell: Cell, target: SayingTarget): CellValue | undefined | WrongCell {
    if (isNumberCell(cell)) return cell.text;
    if (!isWrongCell(cell)) return cell;
    const held = heldIn(target);
    if (held !== undefined && cell.rightFor === (held === 'time' ? 'time' : 'number')) return cell.text;
    if (cell.isWhole !== true) return cell;
    const isAsExported = this.#base?.stateOf(index, cell.text, this.#cellReading) === 'untouched';
    return isAsExported || cell.text === this.#reading.nullAs ? cell.text : cell;
  }

  get #cellReading(): CellReading {
    const { nullAs, decimal } = this.#reading;
    return { nullAs, hasComma: decimal === 'comma' };
  }

  #hasValue(index: number, cell: CellValue | undefined, { kind }: SayingTarget): cell is CellValue {
    const column = this.#reading.columns[index] ?? '';
    if (kind === 'finds' && isSilent(cell)) this.wrong(column, isEmpty);
    if (this.#base === undefined || kind === 'finds') return !isSilent(cell);
    const state = this.#base.stateOf(index, cell, this.#cellReading);
    if (typeof state === 'object') this.wrong(column, state.wrong);
    return state === 'edited';
  }

  #setValue(target: SayingTarget, value: string | null, column: string): void {
    const { kind, name } = target;
    if (kind === 'field') this.#setField(target, value, column);
    else if (kind === 'value') this.values[name] = value === null ? null : this.#read(target, value, column);
    else if (value === null) this.wrong(column, isEmpty);
    else this.finds.push({ field: name, value });
  }

  #setField(target: Target & { kind: 'field' }, text: string | null, column: string): void {
    const { name } = target;
    const value = text === null ? null : this.#tried(() => readDecimal(text, target, this.#sign), column);
    if (value !== undefined) this.fields.push({ field: name, value });
  }

  #read(target: Target & { kind: 'value' }, text: string, column: string): unknown {
    const { name, reader } = target;
    const { allowed, places } = this.#reading;
    if (places.get(name)?.idOf !== undefined) return this.#idIn(text, column);
    if (reader === undefined) return text;
    return this.#tried(() => reader(readDecimal(text, target, this.#sign), name, allowed), column);
  }

  /** Names are for people at a terminal: a row says by its Id which record it means. */
  #idIn(text: string, column: string): string | undefined {
    const id = pastedGuid(text);
    if (id === undefined) this.wrong(column, `'${forMessage(text)}' is no GUID${guidComplaint(text)}`);
    return id;
  }

  #tried<T>(read: () => T, column: string): T | undefined {
    try {
      return read();
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind !== 'usage') throw thrown;
      this.wrong(column, mistakeWords(error));
      return undefined;
    }
  }

  checkRequired(): void {
    for (const { name, required } of this.#reading.places.values()) {
      if (required !== true || this.#wrong.has(name)) continue;
      const value = this.values[name] ?? this.#reading.constants[name];
      if (value === undefined || value === null) this.wrong(undefined, `${name} is missing`);
    }
  }

  wrong(column: string | undefined, what: string): void {
    this.mistakes.push({ line: this.#line, what, ...(column === undefined ? {} : { column }) });
  }
}

function baseOf({ base, columns }: Reading, { line, cells }: InputRow): BaseOfRow | Mistake | undefined {
  if (base === undefined) return undefined;
  const found = BaseOfRow.of(base, cells);
  if (found instanceof BaseOfRow) return found;
  return { line, column: columns[found.at] ?? '', what: found.wrong };
}

/** Reads what a row says. */
export function readRow(reading: Reading, row: InputRow): ReadRow {
  const { line, cells, wrong } = row;
  if (wrong !== undefined) return { mistakes: [{ line, what: wrong }] };
  const base = baseOf(reading, row);
  if (base !== undefined && 'what' in base) return { mistakes: [base] };
  const reader = new RowReader(reading, line, base);
  for (const [index, cell] of cells.entries()) reader.take(index, cell);
  reader.checkRequired();
  const own = new Set(Object.keys(reader.values));
  const { fields, finds, mistakes } = reader;
  const values = { ...reading.constants, ...reader.values };
  return { row: { values, own, fields, finds, ...defined({ base: base?.base }) }, mistakes };
}
