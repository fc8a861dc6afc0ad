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

interface BaseInput {
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
}: BaseInput): BaseColumns | undefined {
  const at = targets.findIndex(({ kind }) => kind === 'base');
  if (at === -1) return undefined;
  const names = targets.map((target) => {
    if (target.kind === 'field') return fieldName(fieldIdOf(target.name));
    return target.kind === 'value' ? target.name : undefined;
  });
  const isId = (index: number): boolean => columns[index]?.toLowerCase() === 'id';
  const idAt = targets.findIndex((target, index) => target.kind === 'value' && target.name === argument && isId(index));
  if (idAt === -1)
    throw usage('--file', `${file} has the column ${baseTitle} and no column Id: records are found by their Id`, {
      advice: 'Put the column back, or leave it as it was exported.',
    });
  const both = names.find((name) => name !== undefined && constants[name] !== undefined);
  if (both !== undefined)
    throw usage(`--${both}`, `--${both} is for rows that do not say it, and ${file} has a column of it`);
  return { at, idAt, names };
}

/** The base of a row; or what is wrong with it, and of which column. */
export function readBase(
  { at, idAt }: BaseColumns,
  cells: readonly Cell[],
): RowBase | { readonly at: number; readonly wrong: string } {
  const [text, id] = [cellForMessage(cells[at]), cellForMessage(cells[idAt])];
  if (text === '') return { at, wrong: 'is empty: the row was not exported, and an update adds no records' };
  if (id === '') return { at: idAt, wrong: 'is empty: records are found by their Id' };
  const base = RowBase.read(text.trim(), id);
  if (base === undefined) return { at, wrong: 'is not as it was exported: take the row from a new export' };
  if (base.isOfRecord) return base;
  return {
    at: idAt,
    wrong: `is not the Id that was exported with this ${baseTitle}: Ids are not edited, and whole rows are moved or sorted`,
  };
}

const damaged = (text: string): string =>
  `'${text}' is what a spreadsheet makes of the value that was exported, not an edit: read the columns as text there, ` +
  'or export a workbook by -o xlsx; a change that is meant goes without --file';

const notExported = 'was not exported in this row: what it was then is not known';

const emptied =
  'was emptied, and an empty cell leaves the value as it is: --null-as TEXT says which text makes it empty, and ' +
  "--null-as '' takes it so";

/**
 * What a cell is by the base of its row: only edited ones say something.
 * @param cell null, and the text of --null-as, make the value empty
 */
export function cellState(
  base: RowBase,
  { name, text, hasComma }: Omit<EditedCell, 'text'> & { readonly text: string | null },
  nullAs: string | undefined,
): 'untouched' | 'edited' | { readonly wrong: string } {
  const cell = { name, text: text ?? '', hasComma };
  if (!base.hasColumn(name)) return cell.text === '' ? 'untouched' : { wrong: notExported };
  if (base.isUntouched(cell)) return 'untouched';
  if (text === null || text === nullAs) return base.isUntouched({ ...cell, text: '' }) ? 'untouched' : 'edited';
  if (text === '') return { wrong: emptied };
  return base.isDamaged(cell) ? { wrong: damaged(text) } : 'edited';
}
