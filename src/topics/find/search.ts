import { syncedText } from '../../kit/mirror/age.js';
import { ask, type Choice } from '../../kit/host/prompt.js';
import { truncate } from '../../formats/layout/width.js';
import { findRows, type Hit } from '../../mirror/search/find.js';
import { mostLength, questionOf } from '../../mirror/search/match.js';
import { type SearchedMirror, usualLimit } from './mirror.js';
import { matchedValue, showRecord, type RecordView } from './record.js';

function titleOf(hit: Hit): string {
  const { type, name, goneAt } = hit;
  const searchedValue = matchedValue(hit);
  const matched = searchedValue === undefined || searchedValue.text === name ? [] : [searchedValue.text];
  return [name ?? '', type, ...matched, ...(goneAt === undefined ? [] : ['gone'])].join('  ');
}

/** Columns that the prompt puts before a line, and one that stays free. */
const beside = 3;

/**
 * Asks in the terminal what to look for, and answers while it is typed; then prints the card of the record that was chosen.
 * Throws `interrupted`, `local`, and what a call throws.
 */
export async function search(shownIn: RecordView, mirror: SearchedMirror): Promise<void> {
  const { context, flags } = shownIn;
  const { database, syncedAt } = mirror;
  const hits = new Map<string, Hit>();
  const { limit = usualLimit, gone, type: types } = flags;
  const find = (typed: string): readonly Choice[] => {
    if (typed.trim() === '') return [];
    // The window may have another width by now.
    const width = (context.streams.err.width ?? 80) - beside;
    const found = findRows(database, { question: questionOf(typed), types, limit, gone });
    return found.map((hit, at) => {
      const value = `${typed} ${at}`;
      hits.set(value, hit);
      return { value, line: truncate(titleOf(hit), width) };
    });
  };
  const explain = `Looks into the mirror, ${syncedAt === undefined ? 'never synced' : syncedText(context, syncedAt)}.`;
  const { hit: chosen } = await ask(
    [{ kind: 'search', name: 'hit', message: 'Find:', explain, most: mostLength, find }],
    context.streams.prompt,
  );
  const hit = hits.get(String(chosen));
  if (hit !== undefined) await showRecord(shownIn, database, hit);
}
