import { badLine, csvReader } from '../../core/text/separated/csv.js';
import { forMessage } from '../../core/text/text.js';
import { guidComplaint, pastedGuid } from '../../core/text/scalars/guid.js';

const delimiters = [',', ';', '\t', '|'] as const;

/** A first line as a header, by what may separate its cells. */
interface Split {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

function splitBy(header: string, delimiter: string): Split {
  try {
    const [row] = csvReader(delimiter).push(`${header}\n`);
    return { delimiter, columns: row?.cells ?? [] };
  } catch {
    // A header with line breaks in its names is not one of relctl.
    return { delimiter, columns: [] };
  }
}

/** A first line as a header, once by each delimiter. */
export const splitsOf = (header: string): readonly Split[] => delimiters.map((delimiter) => splitBy(header, delimiter));

/** Sees the columns or members of a file. Throws `usage` for those of what holds other ids than are wanted. */
export type CheckColumns = (names: readonly string[]) => void;

interface Names {
  readonly line: number;
  readonly names: readonly string[];
  readonly noun: 'columns' | 'members';
}

/**
 * The place of the name that is `Id` in any case of letters; undefined when there is none. Throws `usage`, which names the
 * line, when there are several: each may have the Ids of something else.
 */
export function idColumn({ line, names, noun }: Names): number | undefined {
  const [first, second] = names.flatMap((name, place) => (name.trim().toLowerCase() === 'id' ? [place] : []));
  if (first === undefined || second === undefined) return first;
  const shown = (place: number): string => `${place + 1} (${forMessage((names[place] ?? '').trim())})`;
  throw badLine(line, `${noun} ${shown(first)} and ${shown(second)} are both named Id: keep the one that is meant`);
}

/** The delimiter of a header and the place of its column Id; undefined when the line is no such header. Throws `usage`. */
export function headerOf(
  splits: readonly Split[],
): { readonly delimiter: string; readonly column: number } | undefined {
  for (const { delimiter, columns } of splits) {
    const column = idColumn({ line: 1, names: columns, noun: 'columns' });
    if (column !== undefined) return { delimiter, column };
  }
  return undefined;
}

/** True for the columns of the results of a batch: the Ids of what its rows added are in its own column `_id`, not in `id`. */
export const isOfBatch = (columns: readonly string[]): boolean =>
  columns.includes('_outcome') && columns.includes('_id');

const mostShown = 8;

/** The names of columns in words. */
export function columnsForMessage(columns: readonly string[]): string {
  const shown = columns.slice(0, mostShown).map((name) => forMessage(name.trim()));
  const last = columns.length > mostShown ? `${columns.length - mostShown} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`;
}

/** What a first line that is no GUID looks like besides a name: a header without a column Id, or a row without a header. */
export function likeHeader(splits: readonly Split[]): string | undefined {
  const titled = splits.map(({ columns }) => columns.filter((name) => name.trim() !== ''));
  const [columns = []] = titled.toSorted((one, other) => other.length - one.length);
  const [first = ''] = columns;
  if (columns.length <= 1 && !/(?:Id|ID|[_ .-]id)$/.test(first.trim())) return undefined;
  if (columns.some((cell) => pastedGuid(cell) !== undefined || guidComplaint(cell) !== ''))
    return 'a file of several columns needs a header with a column Id';
  return `as a header it names no column Id, only ${columnsForMessage(columns)}`;
}

/** True for a first line that begins JSON: a GUID in braces and a name in brackets do not. */
export const beginsJson = (header: string): boolean => /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]]|$))/.test(header);
