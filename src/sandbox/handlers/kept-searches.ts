import type { PageRequest } from '../store/pages.js';
import type { Store } from '../store/open.js';
import { keptOf } from '../store/state.js';

/** What a search has found so far. */
interface Progress {
  readonly seqs: number[];
  /** Finds the others, in the order of creation. */
  readonly rest: Iterator<number>;
}

/** By what is searched for; the one that was asked for longest ago is the first. */
type Searches = Map<string, Progress>;

/** Seqs of all searches together, of 8 bytes each, */
const mostSeqs = 1024 * 1024;

/** and the seqs that a search counts as beside its own. */
const ownSeqs = 4096;

/** Characters of a key: a longer one, and what goes on with the search, would take much memory. */
const mostKey = 4096;

/** The searches that are kept of a database; none when a row has changed. */
const searchesOf = keptOf((): Searches => new Map());

/** Removes those that were asked for longest ago, of too many. */
function trim(searches: Searches): void {
  let count = 0;
  for (const [at, [key, { seqs }]] of [...searches].reverse().entries()) {
    count += seqs.length + ownSeqs;
    if (count > mostSeqs && at > 0) searches.delete(key);
  }
}

/** The seqs on one page of what a search finds from its beginning. */
function passedOver(search: Iterator<number>, { pageNumber, pageSize }: PageRequest): readonly number[] {
  const seqs: number[] = [];
  let left = (pageNumber - 1) * pageSize;
  for (let next = search.next(); next.done !== true; next = search.next()) {
    left -= 1;
    if (left < 0) seqs.push(next.value);
    if (seqs.length === pageSize) break;
  }
  return seqs;
}

/**
 * The seqs on one page of what a search finds. The search goes on where it ended for the page before, so that whoever reads all
 * pages searches each row once.
 * @param key whatever the search depends on beside the rows
 * @param search finds seqs in the order of creation, and reads no more than it needs
 */
export function seqsFound(
  store: Store,
  { key, search, page }: { readonly key: string; readonly search: () => Iterator<number>; readonly page: PageRequest },
): readonly number[] {
  const end = page.pageNumber * page.pageSize;
  // So many are not kept, but passed over; nor are long texts that are searched for.
  if (end > mostSeqs || key.length > mostKey) return passedOver(search(), page);
  const searches = searchesOf(store);
  const progress = searches.get(key) ?? { seqs: [], rest: search() };
  const { seqs, rest } = progress;
  // One that fails is at its end, and is not gone on with.
  searches.delete(key);
  while (seqs.length < end) {
    const next = rest.next();
    if (next.done === true) break;
    seqs.push(next.value);
  }
  searches.set(key, progress);
  trim(searches);
  return seqs.slice(end - page.pageSize, end);
}
