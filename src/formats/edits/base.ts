import { pastedGuid, isDecimal } from '../../core/text/scalars.js';
import {
  formOf,
  hashCharacters,
  kindNames,
  plainComma,
  shortHash,
  stateHash,
  type CellKind,
  type CellState,
  plainNumber,
} from './cell-state.js';
import { withoutLastZeros } from '../../core/text/text.js';
import {
  groupedForms,
  mostDigits,
  plainForms,
  shorterDayForms,
  spelledForms,
  spreadsheetForms,
} from './spreadsheet-values.js';

// A spreadsheet that takes a text for a number, a day, a time or a formula writes back what it took it for. The base of a row
// keeps a hash of what is left of a cell then, so that this is told from an edit.

const isLong = (text: string): boolean => text.length > 1000;

/** A text that lost its tabs: LibreOffice drops them. */
const tabless = (text: string): string => `tabless ${text.replace(/\r\n?/g, '\n').replaceAll('\t', '')}`;

/** Left of a text that begins with =, and of one that begins with another sign of a formula. */
const [computed, mayBeComputed] = ['formula', 'sign'] as const;

const digitsOf = (text: string): number => withoutLastZeros(plainNumber(text).replace(/^-?0*\.?0*|\./g, '')).length;

/** True for a number that every spreadsheet keeps: however it is spelled then, it is the same number. */
const isUnchanged = ({ kind, text }: CellState): boolean =>
  kind === 'number' && isDecimal(text) && digitsOf(text) <= mostDigits;

/** All that may be left of the value of a cell when a spreadsheet takes it for something else. */
function acceptedForms(cell: CellState): readonly string[] {
  const { kind, text } = cell;
  return [...(kind === 'text' && text.includes('\t') ? [tabless(text)] : []), ...spreadsheetFormsOf(cell)];
}

function spreadsheetFormsOf(cell: CellState): readonly string[] {
  const { kind, text } = cell;
  if (text === '' || isLong(text) || kind === 'guid' || kind === 'boolean') return [];
  if (isUnchanged(cell)) return groupedForms(text);
  if (text.startsWith('=')) return [computed];
  const forms = spreadsheetForms(text.trim());
  return forms.length === 0 && /^[+\-@]/.test(text) ? [mayBeComputed] : forms;
}

/** All that a cell of a file may be left of, each in a form of `acceptedForms`. */
function hashedForms(text: string): readonly string[] {
  if (isLong(text)) return [tabless(text)];
  const value = text.trim();
  const isNumber = isDecimal(value);
  // What has more digits did not come from a spreadsheet, which parts no thousands of its own accord either.
  const forms = isNumber && digitsOf(value) > mostDigits ? [] : isNumber ? plainForms(value) : spelledForms(value);
  return [
    tabless(text),
    ...forms,
    ...shorterDayForms(value),
    ...(text.startsWith('=') ? [] : [computed]),
    ...(/^(?:-?\d|#)/.test(text) ? [mayBeComputed] : []),
  ];
}

/** The characters of the bytes 80 to 9F in Windows-1252; those above are as in Unicode. */
const windows =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function byteOf(character: string): number | undefined {
  const at = windows.indexOf(character);
  if (at !== -1) return 128 + at;
  const code = character.charCodeAt(0);
  return code < 256 ? code : undefined;
}

/** The text of which a program that took UTF-8 for Windows-1252 made this one; undefined where none did. */
function textAfterMark(text: string): string | undefined {
  // Each character above 7 bits begins with one of these in UTF-8.
  if (isLong(text) || !/[\u00c2-\u00f4]/.test(text)) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOf(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** Title of the column that tells each cell's state when it was exported. */
export const baseTitle = '_base';

const idName = 'id';

const [keyCharacters, checkCharacters, start] = [3, 4, 'b1-'] as const;
const entryCharacters = keyCharacters + hashCharacters;

const form = new RegExp(`^${start}(?:[\\w-]{${entryCharacters}})+[\\w-]{${checkCharacters}}$`);

const keys = new Map<string, string>();

/** More names than a file has columns need not be remembered. */
const mostKeys = 20_000;

/** The short name of a column. Two columns may have the same; their hashes tell them apart. */
function keyOf(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  if (keys.size >= mostKeys) keys.clear();
  const key = shortHash([name], keyCharacters);
  keys.set(name, key);
  return key;
}

const formName = (name: string): string => `~${name}`;

const entryOf = (id: string, cell: CellState): string => keyOf(cell.name) + stateHash(id, cell);

const formEntry = (id: string, name: string, spelling: string): string =>
  entryOf(id, { name: formName(name), kind: 'text', text: spelling });

/**
 * The state of a row as one short text: a hash for each cell, found by the name of its column, so that columns may be moved
 * and deleted; and one for what spreadsheets leave of a cell that they damage.
 * @param id Id of the record
 */
export function baseOf(id: string, cells: readonly CellState[]): string {
  const own = entryOf(id, { name: idName, kind: 'guid', text: id });
  const entries = cells.flatMap((cell) => {
    return [entryOf(id, cell), ...acceptedForms(cell).map((spelling) => formEntry(id, cell.name, spelling))];
  });
  const body = [own, ...entries].join('');
  return `${start}${body}${shortHash([body], checkCharacters)}`;
}

/** A cell of a file. */
export interface EditedCell {
  /** Its flag or field. */
  readonly name: string;
  readonly text: string;
  /** Decimals of the file have a comma. */
  readonly hasComma: boolean;
}

/** The state of the cells of a row when it was exported. */
export class RowBase {
  readonly #id: string;
  readonly #entries: ReadonlySet<string>;
  readonly #keys: ReadonlySet<string>;

  private constructor(id: string, entries: readonly string[]) {
    this.#id = id;
    this.#entries = new Set(entries);
    this.#keys = new Set(entries.map((entry) => entry.slice(0, keyCharacters)));
  }

  /** Reads a base; undefined for a text that is none, or was changed. */
  static read(text: string, id: string): RowBase | undefined {
    if (!form.test(text)) return undefined;
    const body = text.slice(start.length, -checkCharacters);
    if (shortHash([body], checkCharacters) !== text.slice(-checkCharacters)) return undefined;
    const entries: string[] = [];
    for (let at = 0; at < body.length; at += entryCharacters) entries.push(body.slice(at, at + entryCharacters));
    return new RowBase(pastedGuid(id) ?? id, entries);
  }

  /** False for the base of another record: the Id was edited, or cells of one column were moved to other rows. */
  get isOfRecord(): boolean {
    return this.#has({ name: idName, kind: 'guid', text: this.#id });
  }

  hasColumn(name: string): boolean {
    return this.#keys.has(keyOf(name));
  }

  /** True for a record whose value is as it was when it was exported. */
  holds(cell: CellState): boolean {
    return this.#has(cell);
  }

  /** True for a cell that is as it was exported, in any spelling of its value. */
  isUntouched({ name, text, hasComma }: EditedCell): boolean {
    return kindNames.some((kind) => this.#isSame(name, kind, kind === 'number' && hasComma ? plainComma(text) : text));
  }

  #isSame(name: string, kind: CellKind, text: string): boolean {
    return formOf(kind, text) !== undefined && this.#has({ name, kind, text });
  }

  /** True for a cell that is what a spreadsheet makes of the one that was exported. */
  isDamaged({ name, text }: EditedCell): boolean {
    if (hashedForms(text).some((spelling) => this.#entries.has(formEntry(this.#id, name, spelling)))) return true;
    const rest = textAfterMark(text);
    return rest !== undefined && this.#has({ name, kind: 'text', text: rest });
  }

  #has(cell: CellState): boolean {
    return this.#entries.has(entryOf(this.#id, cell));
  }
}
