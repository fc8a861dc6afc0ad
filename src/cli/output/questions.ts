import type { RecordValue } from '../../plain/value.js';
import { usage } from '../../errors/usage.js';
import { formats, type FormatName } from '../../output/formats/index.js';
import type { OutputRequest } from './record-output.js';
import type { Answering, Collector, Questions } from '../../query/questions.js';

/** What flags ask of records. */
export interface Asking {
  /** False for a record that --filter drops. */
  readonly keeps: (record: RecordValue) => boolean;
  /** Takes all records before any is printed; undefined when they are printed as they come. */
  readonly collector: Collector | undefined;
}

/** True when records cannot be printed as they come. */
export const asksAll = ({ sort, query, count }: Questions): boolean =>
  sort !== undefined || query !== undefined || count === true;

/** True when --filter, --sort, --query or --count was given. */
const asksAny = (questions: Questions): boolean => questions.filter !== undefined || asksAll(questions);

/** Flags that say what is shown of records, and mean nothing where no record is. */
interface ShownFlags {
  readonly columns?: string | undefined;
  readonly explode?: string | undefined;
  readonly join?: string | undefined;
  readonly meta?: boolean | undefined;
}

function refuseShown({ columns, explode, join, meta, query, count }: Questions & ShownFlags): void {
  if (query === undefined && count !== true) return;
  const other = query === undefined ? '--count' : '--query';
  const shown = Object.entries({ columns, explode, join }).find(([, value]) => value !== undefined)?.[0];
  if (shown !== undefined)
    throw usage(`--${shown}`, `--${shown} and ${other} exclude each other`, {
      advice: `--${shown} says how records are shown, and ${other} shows none.`,
    });
  if (meta !== true) return;
  throw usage('--meta', `--meta and ${other} exclude each other`, {
    advice: `--meta describes the records of a file, and ${other} writes none.`,
  });
}

function refuseCountIn(format: FormatName, { count }: Questions): void {
  const { binary } = formats[format];
  if (count !== true || binary === undefined) return;
  throw usage('--count', `--count writes a line of text, which is not ${binary}`, {
    advice: 'Take another format, such as -o csv, and another ending of the file.',
  });
}

/** Throws `usage` for flags that mean nothing beside --query or --count, and for --count in a format that is no text. */
export function checkAnswerFlags(flags: Questions & ShownFlags, format: FormatName): void {
  refuseShown(flags);
  refuseCountIn(format, flags);
}

/** The records of an output, as what is asked of them has to know them. */
const answering = ({ record: type, shape, seen, limit }: OutputRequest): Answering => ({
  type,
  shape,
  seen,
  limit,
});

/**
 * What flags ask of records; undefined when they ask nothing. What it needs is loaded for those that ask. Throws `usage` for
 * a mistake in what is asked.
 */
export async function askingOf(request: OutputRequest): Promise<Asking | undefined> {
  const { isFiltered } = request;
  // What --filter kept before is printed as other records: with rows for the items of a list, or its texts in one cell.
  const flags: Questions = isFiltered === true ? { ...request.flags, filter: undefined } : request.flags;
  if (!asksAny(flags)) return undefined;
  const { collectorOf, filterOf } = await import('../../query/questions.js');
  return {
    keeps: filterOf(flags, answering(request)).keeps,
    collector: asksAll(flags) ? collectorOf(flags, answering(request)) : undefined,
  };
}
