import { defined } from '../../plain/defined.js';
import type { RecordValue } from '../../plain/value.js';
import { addCounts, countBeyond, membersBeyond, moreOf, moreTitle, type Counts } from '../../output/beyond.js';
import { asTyped, columnName, type Column } from '../../output/columns.js';
import type { FormatContext, Piece, Writer } from '../../output/formats/format.js';
import { formats, type FormatName } from '../../output/formats/index.js';
import type { RecordType } from '../../contract/build.js';

const rest = (record: RecordType): Required<Pick<FormatContext, 'rest'>> => ({
  rest: (each) => membersBeyond(each, record),
});

/** What a format shows of members without a column: a card shows them, others have the column `_more` when it is asked for. */
export const restFor = (format: FormatName, record: RecordType): Pick<FormatContext, 'rest'> =>
  formats[format].layout === 'card' ? rest(record) : {};

/** True for the column of members beyond the contract. */
const isMore = (column: Column): boolean => columnName(column) === moreTitle;

/** A writer whose records have the member `_more` when that is among the columns. */
export function withMore(writer: Writer<Piece>, columns: readonly Column[], record: RecordType): Writer<Piece> {
  if (!columns.some(isMore)) return writer;
  const filled = (each: RecordValue): RecordValue => {
    const more = moreOf(each, record);
    return more === undefined ? each : { ...each, [moreTitle]: more };
  };
  const { row, placed, layout, note } = writer;
  return {
    begin: () => writer.begin(),
    records: (batch) => writer.records(batch.map(filled)),
    end: () => writer.end(),
    // A layout is for records without other members.
    ...defined({
      row: row && ((each: RecordValue) => row(filled(each))),
      placed,
      layout,
      note: note && (() => writer.note?.()),
    }),
  };
}

/** Counts members beyond the contract over batches of records. */
export interface BeyondTally {
  add(records: readonly RecordValue[]): void;
  readonly counts: Counts;
}

/** A tally for records of a type. */
export function tallyBeyond(record: RecordType): BeyondTally {
  const sum = new Map<string, number>();
  return {
    add: (records) => addCounts(sum, Object.entries(countBeyond(records, record) ?? {})),
    get counts() {
      return Object.fromEntries(sum);
    },
  };
}

/** What of an output decides which members it shows. */
export interface Shown {
  readonly format: FormatName;
  readonly columns: readonly Column[];
  /** The columns were asked for. */
  readonly isChosen: boolean;
}

const isIn = (name: string, column: Column): boolean =>
  name === columnName(column) || name.startsWith(`${columnName(column)}.`);

/** What is said of members beyond the contract that an output does not show; undefined when it shows all. */
export function beyondNote(counts: Counts, { format, columns, isChosen }: Shown): string | undefined {
  const { layout } = formats[format];
  // These hold the record as it came, unless columns were chosen.
  if (!isChosen && (layout === 'tree' || layout === 'card')) return undefined;
  if (columns.some(isMore)) return undefined;
  const hidden = Object.entries(counts).filter(([name]) => !columns.some((column) => isIn(name, column)));
  if (hidden.length === 0) return undefined;
  const names = hidden.map(([name, count]) => `${name} (${count === 1 ? 'once' : `${count} times`})`).join(', ');
  const titles = columns.map(asTyped);
  const some = isChosen || layout === 'table' ? titles : titles.slice(0, 1);
  return `not in the output, because the contract does not know them: ${names}. --columns ${[...some, moreTitle].join(',')} shows them`;
}
