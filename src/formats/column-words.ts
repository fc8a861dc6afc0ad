import { usage } from '../core/errors/relctl-error.js';

/** A word of --columns: a column, or all others. */
export interface ColumnWord {
  /** The column as it was typed; `*` for all that are not named beside it. */
  readonly name: string;
  /** Its new title; undefined where it keeps its own. */
  readonly title?: string;
}

/** Stands for all columns that are not named beside it. */
export const allOthers = '*';

/** What `--columns` asks for in the place of records: the columns that there are. */
export const helpWord = 'help';

/**
 * A word of --columns: `Id`, `*`, or `Nr=Id` for a column under another title. Throws `usage` for one of which a part is
 * missing, and for a title of all columns.
 * @param isColumn true for a name with `=` in it that a column has
 */
function columnWord(typed: string, isColumn: (name: string) => boolean): ColumnWord {
  const at = typed.indexOf('=');
  if (at === -1 || isColumn(typed)) return { name: typed };
  const [title, name] = [typed.slice(0, at).trim(), typed.slice(at + 1).trim()];
  if (title === '' || name === '') {
    throw usage('--columns', `'${typed}' is no column with a new title, which is written TITLE=COLUMN`);
  }
  if (name === allOthers) {
    throw usage('--columns', `'${typed}' gives many columns one title; * stands by itself`);
  }
  return { name, title };
}

/**
 * The words of --columns in their order, empty ones left out. Throws `usage` for a word that is none.
 * @param isColumn true for a name that a column has, whatever is in it
 */
export const columnWords = (text: string, isColumn: (name: string) => boolean = () => false): readonly ColumnWord[] =>
  text
    .split(',')
    .map((typed) => typed.trim())
    .filter((typed) => typed !== '')
    .map((typed) => columnWord(typed, isColumn));

/** The columns that --columns names; undefined without it. Throws as `columnWords` does. */
export const columnNames = (
  text: string | undefined,
  isColumn?: (name: string) => boolean,
): readonly string[] | undefined =>
  text === undefined ? undefined : columnWords(text, isColumn).map(({ name }) => name);

/** A word as it is typed. */
export const typedWord = ({ name, title }: ColumnWord): string => (title === undefined ? name : `${title}=${name}`);
