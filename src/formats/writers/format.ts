import { scalarOf } from '../../contract/walk.js';
import { valueAt, type RowLayout, type Value, type RecordValue } from '../../core/values/value.js';
import { type Column } from '../columns.js';

/** Finds what the record is called whose Id a member holds; undefined when that is not known. */
export type NameOf = (id: string, member: string) => string | undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The names that records have beside their Id, also those of records within them. */
export function namesIn(records: readonly RecordValue[], columns: readonly Column[]): NameOf {
  const names = new Map<string, string>();
  for (const { path } of columns.filter(({ role }) => role === 'name')) {
    const idPath = [...path.slice(0, -1), 'Id'];
    for (const record of records) {
      const [id, name] = [valueAt(record, idPath), valueAt(record, path)];
      if (isText(id) && isText(name)) names.set(id.toLowerCase(), name);
    }
  }
  return (id) => names.get(id.toLowerCase());
}

/** True for a column of Ids of other records: the name of the own one stands beside it. */
export const refersToOther = ({ path, type }: Column): boolean => path.at(-1) !== 'Id' && scalarOf(type) === 'guid';

/** How lines of separated values are written. */
export interface LineStyle {
  /** One character between cells; for CSV only. */
  readonly delimiter?: string;
  readonly lineEnding?: 'lf' | 'crlf';
  /** Begin with a byte order mark, which some spreadsheets want. */
  readonly hasMark?: boolean;
  readonly hasDecimalComma?: boolean;
  /** Texts that a spreadsheet would take for something else are written so that it reads them back as they are. */
  readonly hasKeptTexts?: boolean;
  /** Text for nil and absent values. */
  readonly nullAs?: string;
}

/** How a workbook is written. */
interface SheetStyle {
  /** What the records are, in a few words: the name of a sheet. */
  readonly name?: string;
  /** The file is edited and fed back: every cell is a text, and one that a cell cannot hold is refused, not cut. */
  readonly isForEdit?: boolean;
}

/** How records are shown to people. */
export interface Display {
  /** Columns of the terminal; undefined when there is none: then nothing is fitted or cut. */
  readonly width?: number | undefined;
  readonly hasColor?: boolean;
  /** True when the format was asked for: then no other takes its place. */
  readonly isAsked?: boolean;
  /** True when the command would give something else the next time: nothing may advise to repeat it. */
  readonly isOnce?: boolean;
  /** What is known of the names of records besides what came with them. */
  readonly nameOf?: NameOf | undefined;
  /** Members of a record that no column holds, for a card. */
  readonly rest?: (record: RecordValue) => readonly (readonly [string, Value])[];
}

/** What a format must know before the first record. */
export interface FormatContext {
  readonly columns: readonly Column[];
  /** True when the columns were asked for: then documents hold these and nothing else. */
  readonly isChosen: boolean;
  readonly shape: 'list' | 'single';
  /** Records were written before, by an earlier run; `begin` is not called for a run that goes on, whether some were or not. */
  readonly isContinued?: boolean;
  readonly hasHeader: boolean;
  readonly lines?: LineStyle;
  readonly sheet?: SheetStyle;
  readonly display?: Display;
}

/** Part of an output: text, or bytes of a format that is not text. */
export type Piece = string | Uint8Array;

/** Turns records into text. Pieces are written one after the other; together they are the output. */
export interface Writer<P extends Piece = string> {
  begin(): P;
  records(batch: readonly RecordValue[]): P;
  end(): P;
  /** What is told below the output when it is complete: what it does not show, or not whole. */
  readonly note?: () => string | undefined;
  /** The text of one record, for a format in which it is the same whatever stands behind it, and but for `placed` before it. */
  readonly row?: (record: RecordValue) => string;
  /** The texts of rows that `row` made, as they are written next; left out where that is as they are. */
  readonly placed?: (rows: Uint8Array) => Uint8Array;
  /** How `row` makes the text of records with these members and no others; undefined where no layout says that. */
  readonly layout?: (members: readonly string[]) => RowLayout | undefined;
}

/** A way to print records, with all that the rest of the program asks of it. */
export interface Format<P extends Piece = string> {
  /** Endings of files that mean it, besides its own name. */
  readonly endings?: readonly string[];
  /** Whom it is made for: what people read is fitted to their terminal, and no promise to scripts. */
  readonly audience: 'people' | 'programs';
  /** What messages call its output, for a format of bytes: no terminal shows these. Undefined for text. */
  readonly binary?: string;
  /**
   * What becomes of the members of a record: `tree` keeps them as they are nested, `cells` makes a column of each, `table`
   * shows some columns, and `card` has columns and shows the members that no column holds.
   */
  readonly layout: 'tree' | 'cells' | 'table' | 'card';
  /** True when an output may be continued behind any record of it. */
  readonly isResumable: boolean;
  /** What may stand between its cells, for a format of lines of cells: these take the flags of CSV. */
  readonly delimiter?: 'any' | 'tab';
  /** Its columns always have their titles: it takes no --no-header. */
  readonly hasFixedTitles?: true;
  /** How errors are told beside it, where not as text. */
  readonly errors?: 'json';
  open(context: FormatContext): Writer<P> | Promise<Writer<P>>;
}

/** The members of a record that its document holds: those of the chosen columns, else all. */
export function projected(record: RecordValue, { isChosen, columns }: FormatContext): RecordValue {
  if (!isChosen) return record;
  const chosen: Record<string, Value> = {};
  for (const { title, path } of columns) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    // An assignment would make it the prototype.
    if (title === '__proto__') Object.defineProperty(chosen, title, { value, enumerable: true });
    else chosen[title] = value;
  }
  return chosen;
}
