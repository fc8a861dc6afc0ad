import { baseTitle, type EditedCell, RowBase } from '../../formats/edits/base.js';
import { usage } from '../../core/errors/relctl-error.js';
import { type Cell, cellForMessage } from '../../formats/readers/input.js';
import type { Target } from '../columns.js';

/** The columns of a file that has the column `_base`. */
export interface BaseColumns {
  /** The places of the column itself, and of the Id. */
  readonly at: number;
  readonly idAt: number;
  /** What each column is called in a base; undefined for one that stands for nothing. */
  readonly names: readonly (string | undefined)[];
}

/** The name of a field in a base, by its id. */
export const fieldName = (id: string): string => `field ${id.toLowerCase()}`;

interface Known {
  readonly file: string;
  readonly columns: readonly string[];
  readonly targets: readonly Target[];
  /** Id of the field of a title. Throws `usage`. */
  readonly fieldIdOf: (title: string) => string;
  /** The argument that says which record a row is about. */
  readonly argument: string;
  /** What the command line says for all rows. */
  readonly constants: Readonly<Record<string, unknown>>;
}

/**
 * The columns of a file with `_base`; undefined for one without. Throws `usage` where the Id has no column, and for a flag
 * that says for all rows what the file has a column of.
 */
export function baseColumns({
  file,
  columns,
  targets,
  fieldIdOf,
  argument,
  constants,
}: Known): BaseColumns | undefined {
  const at = targets.findIndex(({ kind }) => kind === 'base');
  if (at === -1) return undefined;
  const names = targets.map((target) => {
    if (target.kind === 'field') return fieldName(fieldIdOf(target.name));
    return target.kind === 'value' ? target.name : undefined;
  });
  const idAt = targets.findIndex((target, index) => target.kind === 'value' && target.name === argument && isId(index));
  if (idAt === -1)
    throw usage('--file', `${file} has the column ${baseTitle} and no column Id: records are found by their Id`, {
      advice: 'Put the column back, or leave it as it was exported.',
    });
  const both = names.find((name) => name !== undefined && constants[name] !== undefined);
  if (both !== undefined)
    throw usage(`--${both}`, `--${both} is for rows that do not say it, and ${file} has a column of it`);
  return { at, idAt, names };

  function isId(index: number): boolean {
    return columns[index]?.toLowerCase() === 'id';
  }
}

/** What a row with a base says. */
export type CellState = 'untouched' | 'edited' | { readonly wrong: string };

const damaged = (text: string): string =>
  `'${text}' is what a spreadsheet makes of the value that was exported, not an edit: read the columns as text there, ` +
  'or export a workbook by -o xlsx; a change that is meant goes without --file';

const notExported = 'was not exported in this row: what it was then is not known';

const emptied =
  'was emptied, and an empty cell leaves the value as it is: --null-as TEXT says which text makes it empty, and ' +
  "--null-as '' takes it so";

/** How cells of a row are told apart. */
export interface CellReading {
  readonly nullAs: string | undefined;
  readonly hasComma: boolean;
}

/** The base of a row, and what its cells are by it. */
export class BaseOfRow {
  readonly base: RowBase;
  readonly #columns: BaseColumns;

  private constructor(base: RowBase, columns: BaseColumns) {
    this.base = base;
    this.#columns = columns;
  }

  /** Reads the base of a row; a text says what is wrong with it, and of which column. */
  static of(columns: BaseColumns, cells: readonly Cell[]): BaseOfRow | { readonly at: number; readonly wrong: string } {
    const { at, idAt } = columns;
    const [text, id] = [cellForMessage(cells[at]), cellForMessage(cells[idAt])];
    if (text === '') return { at, wrong: 'is empty: the row was not exported, and an update adds no records' };
    if (id === '') return { at: idAt, wrong: 'is empty: records are found by their Id' };
    const base = RowBase.read(text.trim(), id);
    if (base === undefined) return { at, wrong: 'is not as it was exported: take the row from a new export' };
    if (base.isOfRecord) return new BaseOfRow(base, columns);
    return {
      at: idAt,
      wrong: `is not the Id that was exported with this ${baseTitle}: Ids are not edited, and whole rows are moved or sorted`,
    };
  }

  /** What a cell is by the base: only edited ones say something. */
  stateOf(index: number, cell: string | null | undefined, { nullAs, hasComma }: CellReading): CellState {
    const name = this.#columns.names[index];
    if (name === undefined || cell === undefined) return 'untouched';
    if (index === this.#columns.idAt) return 'edited';
    const isNull = cell === null || cell === nullAs;
    return this.#textState({ name, text: cell ?? '', hasComma }, isNull);
  }

  #textState(editedCell: EditedCell, isNull: boolean): CellState {
    if (!this.base.hasColumn(editedCell.name)) return editedCell.text === '' ? 'untouched' : { wrong: notExported };
    if (this.base.isUntouched(editedCell)) return 'untouched';
    return isNull ? this.#emptiedState(editedCell) : this.#editOf(editedCell);
  }

  #emptiedState(given: EditedCell): CellState {
    return this.base.isUntouched({ ...given, text: '' }) ? 'untouched' : 'edited';
  }

  #editOf(given: EditedCell): CellState {
    if (given.text === '') return { wrong: emptied };
    return this.base.isDamaged(given) ? { wrong: damaged(given.text) } : 'edited';
  }
}
