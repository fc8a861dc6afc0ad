import { tellAge } from '../../cli/mirror/age.js';
import { printRecords } from '../../cli/output/open-output.js';
import { usage } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { canAsk } from '../../host/may-ask.js';
import { note } from '../../host/notes.js';
import { findRows } from '../../mirror/search/find.js';
import { questionOf } from '../../mirror/search/match.js';
import { checkIds, type ShownIn, FindLine, findColumns, lineOf } from './record.js';
import { usualLimit, type FindFlags } from './flags.js';
import { openSearched } from './mirror.js';

async function print(context: Context, flags: FindFlags, text: string): Promise<void> {
  const question = questionOf(text);
  const mirror = await openSearched(context, flags);
  const { limit = usualLimit, gone, type: types } = flags;
  const found = findRows(mirror.database, { question, types, limit: limit + 1, gone });
  checkIds(flags, found);
  const request = { flags, record: FindLine, shape: 'list', table: findColumns(gone) } as const;
  await printRecords(context, request, () => found.slice(0, limit).map(lineOf));
  if (found.length > limit) await note(context, flags, 'stopped at --limit: more was found');
  await tellAge(context, flags, mirror.syncedAt);
}

/**
 * Finds records of the mirror by words or a number; without them, asks in a terminal. Throws `usage`, `not-found` when there
 * is no mirror, `profile` for that of another service, `local`, and what a sync throws.
 */
export async function find(shownIn: ShownIn, words: readonly string[]): Promise<void> {
  const { context, flags } = shownIn;
  if (words.length > 0) return print(context, flags, words.join(' '));
  if (!canAsk(context, flags)) throw usage('TEXT', 'TEXT is missing: what to look for', 'relctl find --help');
  const { search } = await import('./search.js');
  await search(shownIn, await openSearched(context, flags));
}
