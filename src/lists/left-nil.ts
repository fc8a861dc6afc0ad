import { leftNilIn, type OutputRequest } from '../kit/output/record-output.js';
import { watchFilled, type FilledWatch } from '../kit/session/filled.js';
import type { FormatName } from '../formats/writers/index.js';
import { leftNilNote } from '../formats/left-nil.js';
import { defined, type RecordValue, type Value } from '../core/values/value.js';
import type { Rows } from '../soap/codec/decode-bytes.js';
import { nilMembers, type ListPlan, type ListRun } from './plan.js';

/** Watches the records of a list for members that it leaves nil; undefined where nothing could be found, or kept. */
export const watchOf = ({ context, session }: Omit<ListRun, 'flags'>, plan: ListPlan): FilledWatch | undefined =>
  watchFilled(
    context,
    session,
    nilMembers(plan).map(([name]) => name),
  );

/** The same rows of an answer, whose records are seen before they become text. */
export function seenBy(watch: FilledWatch | undefined, rows: () => Rows): () => Rows {
  if (watch === undefined) return rows;
  return () => {
    const { path, of, shown, drop } = rows();
    const see = (record: RecordValue): Value => {
      watch.see(record);
      return of(record);
    };
    // Without `bytes` the records are decoded.
    return { path, of: see, ...defined({ shown, drop }) };
  };
}

/**
 * True where columns that the service leaves nil are told of: those that were asked for, and all of them where a person looks. A
 * script that takes every column as it is has no need of a note each time.
 */
export const isNilTold = ({ context, flags }: Omit<ListRun, 'session'>): boolean =>
  flags.columns !== undefined || context.streams.err.isTerminal;

/** Notes about what is printed that the service leaves nil in the list, and did leave nil in all records of this run. */
export function nilNotes(run: ListRun, format: FormatName, output: OutputRequest): readonly string[] {
  const members = leftNilIn(format, output).filter((name) => !run.session.seen.has(name));
  return isNilTold(run) && members.length > 0 ? [leftNilNote(members)] : [];
}
