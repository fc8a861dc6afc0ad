import type { RelctlError } from '../../../core/errors/relctl-error.js';
import { append } from '../../../core/text/text.js';
import type { XmlAttribute, XmlEvents } from '../../../xml/events.js';
import { wrongRow, type Cell, tableCell } from '../input.js';
import { readNumber, type NumberLook } from './number.js';
import { mostText, type SharedTexts, TextGatherer, tooLong, unescaped } from './strings.js';
import { attributeOf, isYes, readPart, type PartSource } from './zip.js';

const [mostColumns, mostRows] = [16_384, 1_048_576];

/** Rows, or ranges of cells, that a message names. */
export const mostNamed = 5;

/** A row of a sheet. */
export interface SheetRow {
  readonly line: number;
  readonly isHidden: boolean;
  /** Undefined for one that the file does not have. */
  readonly cells: readonly Cell[];
}

/** What cells are read by. */
export interface SheetSource extends PartSource {
  readonly strings: SharedTexts;
  readonly looks: readonly NumberLook[];
  readonly startsIn1904: boolean;
}

/** What was seen of a sheet besides its rows. */
export interface SheetFacts {
  formulas: number;
  /** Numbers of 17 digits that were taken for those of 15. */
  rounded: number;
  /** The first ranges of cells that are one, and how many there are. */
  readonly merged: string[];
  merges: number;
  readonly hiddenColumns: (readonly [first: number, last: number])[];
}

/** What is seen of a sheet before its first row. */
export const noFacts = (): SheetFacts => ({ formulas: 0, rounded: 0, merged: [], merges: 0, hiddenColumns: [] });

const isUnseen = (attributes: readonly XmlAttribute[], size: string): boolean =>
  isYes(attributeOf(attributes, 'hidden')) || Number(attributeOf(attributes, size) ?? 1) === 0;

function columnOf(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

const half = /\p{Surrogate}/u;

function textCell(text: string): Cell {
  return half.test(text) ? { text: '', wrong: 'holds half of a character' } : tableCell(text, 'workbook');
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly look: NumberLook | undefined;
  value: string;
  hasValue: boolean;
  isFormula: boolean;
}

class SheetReader implements XmlEvents {
  readonly #source: SheetSource;
  readonly #facts: SheetFacts;
  readonly #gatherer = new TextGatherer();
  #rows: SheetRow[] = [];
  #line = 0;
  #isHidden = false;
  #cells: Cell[] | undefined;
  #cell: OpenCell | undefined;
  #isValue = false;
  #length = 0;

  constructor(source: SheetSource, facts: SheetFacts) {
    this.#source = source;
    this.#facts = facts;
  }

  takeRows(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open({ local }: { readonly local: string }, attributes: readonly XmlAttribute[]): void {
    this.#gatherer.open(local);
    if (local === 'row') this.#openRow(attributes);
    else if (local === 'c' && this.#cells !== undefined) this.#openCell(attributes, this.#cells);
    else if (local === 'col') this.#takeColumns(attributes);
    else if (local === 'mergeCell') this.#takeMerged(attributeOf(attributes, 'ref') ?? '');
    else if (this.#cell !== undefined) {
      if (local === 'v') this.#cell.hasValue = this.#isValue = true;
      if (local === 'f') this.#cell.isFormula = true;
    }
  }

  text(text: string): void {
    this.#count(text);
    if (this.#isValue && this.#cell !== undefined) this.#cell.value = append(this.#cell.value, text);
    else this.#gatherer.add(text);
  }

  close({ local }: { readonly local: string }): void {
    this.#gatherer.close(local);
    if (local === 'v') this.#isValue = false;
    else if (local === 'c') this.#closeCell();
    else if (local === 'row') this.#closeRow();
  }

  #takeMerged(range: string): void {
    this.#facts.merges += 1;
    if (this.#facts.merged.length < mostNamed) this.#facts.merged.push(range);
  }

  #takeColumns(attributes: readonly XmlAttribute[]): void {
    if (!isUnseen(attributes, 'width') || this.#facts.hiddenColumns.length === mostColumns) return;
    const [first, last] = [attributeOf(attributes, 'min'), attributeOf(attributes, 'max')].map(
      (each) => Number(each) - 1,
    );
    this.#facts.hiddenColumns.push([first ?? 0, last ?? 0]);
  }

  #count({ length }: string): void {
    this.#length += length;
    if (this.#length > mostText) throw tooLong();
  }

  #wrong(what: string): RelctlError {
    return wrongRow(this.#source.file, this.#line, what);
  }

  #openRow(attributes: readonly XmlAttribute[]): void {
    const line = Number(attributeOf(attributes, 'r') ?? this.#line + 1);
    if (!Number.isInteger(line) || line <= this.#line || line > mostRows)
      throw this.#wrong('the rows of the sheet are not in their order');
    this.#line = line;
    this.#length = 0;
    this.#isHidden = isUnseen(attributes, 'ht');
    this.#cells = [];
  }

  #openCell(attributes: readonly XmlAttribute[], cells: readonly Cell[]): void {
    const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(attributeOf(attributes, 'r') ?? '') ?? [];
    const column = letters === undefined ? cells.length : columnOf(letters);
    if ((row ?? String(this.#line)) !== String(this.#line) || column < cells.length || column >= mostColumns)
      throw this.#wrong('the cells of the row are not in their order');
    this.#cell = {
      column,
      type: attributeOf(attributes, 't') ?? 'n',
      look: this.#source.looks[Number(attributeOf(attributes, 's') ?? 0)],
      value: '',
      hasValue: false,
      isFormula: false,
    };
  }

  #closeCell(): void {
    const cell = this.#cell;
    if (cell === undefined || this.#cells === undefined) return;
    this.#cell = undefined;
    const text = this.#gatherer.take();
    if (cell.isFormula) this.#facts.formulas += 1;
    // The cells before it that the file does not have take no memory.
    this.#cells[cell.column] = this.#valueOf(cell, text);
  }

  #valueOf(cell: OpenCell, text: string): Cell {
    const { type, value, hasValue, isFormula } = cell;
    if (type === 'inlineStr') return textCell(unescaped(text));
    if (type === 'str' && hasValue) return textCell(unescaped(value));
    if (value !== '') return this.#typed(cell);
    if (!isFormula) return '';
    return { text: '', wrong: 'is a formula without a stored result: save the file in a spreadsheet first' };
  }

  #typed({ type, value, look }: OpenCell): Cell {
    switch (type) {
      case 's':
        return this.#shared(value);
      case 'b':
        return isYes(value) ? 'true' : 'false';
      case 'e':
        return { text: value, wrong: `is the error ${value}` };
      case 'n': {
        const { cell, isRounded } = readNumber(value.trim(), look, this.#source.startsIn1904);
        if (isRounded) this.#facts.rounded += 1;
        return cell;
      }
      default:
        return textCell(unescaped(value));
    }
  }

  #shared(value: string): Cell {
    const text = this.#source.strings.at(Number(value));
    if (text === undefined) throw this.#wrong('a cell refers to a text that the workbook does not have');
    this.#count(text);
    return textCell(text);
  }

  #closeRow(): void {
    const cells = this.#cells;
    if (cells === undefined) return;
    this.#cells = undefined;
    this.#rows.push({ line: this.#line, isHidden: this.#isHidden, cells });
  }
}

/** The rows of a sheet, in their order. Throws `usage`. */
export function* readSheet(source: SheetSource, path: string, facts: SheetFacts): Generator<SheetRow, void> {
  const reader = new SheetReader(source, facts);
  yield* readPart(source, path, { events: reader, taken: () => reader.takeRows() });
}
