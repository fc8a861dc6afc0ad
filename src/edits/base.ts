import { pastedGuid } from '../lexical/values/guid.js';
import {
  formOf,
  hashCharacters,
  kindNames,
  plainComma,
  shortHash,
  stateHash,
  type CellKind,
  type CellState,
} from './cell-state.js';
import { formsLeft, leftOf, textBehind } from './damage.js';

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

/** The name under which a base keeps what is left of a damaged cell. */
const leftName = (name: string): string => `~${name}`;

const entryOf = (id: string, cell: CellState): string => keyOf(cell.name) + stateHash(id, cell);

const leftEntry = (id: string, name: string, left: string): string =>
  entryOf(id, { name: leftName(name), kind: 'text', text: left });

/**
 * The state of a row as one short text: a hash for each cell, found by the name of its column, so that columns may be moved
 * and deleted; and one for what spreadsheets leave of a cell that they damage.
 * @param id Id of the record
 */
export function baseOf(id: string, cells: readonly CellState[]): string {
  const own = entryOf(id, { name: idName, kind: 'guid', text: id });
  const entries = cells.flatMap((cell) => {
    return [entryOf(id, cell), ...leftOf(cell).map((left) => leftEntry(id, cell.name, left))];
  });
  const body = [own, ...entries].join('');
  return `${start}${body}${shortHash([body], checkCharacters)}`;
}

/** A cell of a file. */
export interface GivenCell {
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

  /** True for a column that was exported. */
  hasColumn(name: string): boolean {
    return this.#keys.has(keyOf(name));
  }

  /** True for a record whose value is as it was when it was exported. */
  holds(cell: CellState): boolean {
    return this.#has(cell);
  }

  /** True for a cell that is as it was exported, in any spelling of its value. */
  isUntouched({ name, text, hasComma }: GivenCell): boolean {
    return kindNames.some((kind) => this.#isSame(name, kind, kind === 'number' && hasComma ? plainComma(text) : text));
  }

  #isSame(name: string, kind: CellKind, text: string): boolean {
    return formOf(kind, text) !== undefined && this.#has({ name, kind, text });
  }

  /** True for a cell that is what a spreadsheet makes of the one that was exported. */
  isDamaged({ name, text }: GivenCell): boolean {
    if (formsLeft(text).some((left) => this.#entries.has(leftEntry(this.#id, name, left)))) return true;
    const behind = textBehind(text);
    return behind !== undefined && this.#has({ name, kind: 'text', text: behind });
  }

  #has(cell: CellState): boolean {
    return this.#entries.has(entryOf(this.#id, cell));
  }
}
