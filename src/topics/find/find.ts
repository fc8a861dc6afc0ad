import { neverRead, reportAge } from '../../kit/mirror/age.js';
import { askingOf, needsAllRecords, printRecords } from '../../kit/output/open-output.js';
import { usage } from '../../core/errors/relctl-error.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { findRows, type Hit } from '../../mirror/search/find.js';
import { questionOf } from '../../mirror/search/match.js';
import { checkIds, type RecordView, FindLine, findColumns, lineOf } from './record.js';
import { openSearched, type SearchedMirror, usualLimit, type FindFlags } from './mirror.js';

/** How many hits are printed, and how many are looked for: what is asked of all is not asked of the best ones. */
function limitsOf(flags: FindFlags): { readonly printed: number; readonly found: number } {
  const { limit, where, query, count } = flags;
  const printed = limit ?? (count || query !== undefined ? Number.MAX_SAFE_INTEGER : usualLimit);
  const isAll = needsAllRecords(flags) || where !== undefined;
  return { printed, found: isAll ? Number.MAX_SAFE_INTEGER : printed + 1 };
}

function hitsIn({ database, unfilled, sources }: SearchedMirror, flags: FindFlags, text: string): readonly Hit[] {
  const { gone, type: types } = flags;
  const hits = findRows(database, { question: questionOf(text), types, limit: limitsOf(flags).found, gone });
  const [first] = unfilled;
  if (hits.length === 0 && first !== undefined) throw neverRead(sources, first);
  checkIds(flags, hits);
  return hits;
}

async function print(context: Context, flags: FindFlags, text: string): Promise<void> {
  // What is no question needs no mirror to be said.
  questionOf(text);
  const mirror = await openSearched(context, flags);
  const hits = hitsIn(mirror, flags, text);
  const { printed } = limitsOf(flags);
  const isSorted = flags.sort !== undefined;
  const columns = { record: FindLine, shape: 'list', table: findColumns(flags.gone) } as const;
  const request = { ...columns, flags, isFiltered: true, ...(isSorted ? { limit: printed } : {}) };
  const asking = await askingOf({ context, session: undefined }, { ...request, isFiltered: false });
  const lines = hits.map(lineOf).filter((line) => asking?.keeps?.(line) ?? true);
  const isCut = !isSorted && lines.length > printed;
  await printRecords(context, request, () => (isCut ? lines.slice(0, printed) : lines));
  if (isCut) await note(context, flags, 'stopped at --limit: more was found');
  if (mirror.unfilled.length > 0)
    await note(context, flags, `not looked into, because it was never read: ${mirror.unfilled.join(', ')}`);
  await reportAge(context, flags, mirror.syncedAt);
}

/**
 * Finds records of the mirror by words or a number; without them, asks in a terminal. Throws `usage`, `not-found` when there
 * is no mirror, `profile` for that of another service, `local`, and what a sync throws.
 */
export async function find(shownIn: RecordView, words: readonly string[]): Promise<void> {
  const { context, flags } = shownIn;
  if (words.length > 0) return print(context, flags, words.join(' '));
  if (!canAsk(context, flags)) throw usage('TEXT', 'TEXT is missing: what to look for', 'relctl find --help');
  const { search } = await import('./search.js');
  await search(shownIn, await openSearched(context, flags));
}
