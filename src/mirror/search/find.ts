import type { Database } from '../../state/sqlite/open.js';
import { candidates, type Look, type SearchedRow } from './candidates.js';
import { matchOf, ranks, type Match, type Rank, type Question } from './match.js';
import { searchedTables } from './searched.js';

/** A record that was found. */
export interface Hit extends Omit<SearchedRow, 'seq' | 'values'> {
  readonly type: string;
  /** Name of its table. */
  readonly table: string;
  readonly match: Match;
}

/** What to find. */
export interface Wanted {
  readonly question: Question;
  /** Types of records; undefined for all. */
  readonly types: readonly string[] | undefined;
  readonly limit: number;
  readonly gone: boolean;
}

type Found = Hit & Pick<SearchedRow, 'seq'>;

type Looking = Omit<Look, 'rank' | 'after' | 'most'>;

/** Most rows that are looked at together. */
const mostRows = 1000;

/** The first rows, by seq, that match as well as a rank says or better. */
function firstOf(database: Database, looking: Looking & Pick<Look, 'rank'>, limit: number): readonly Found[] {
  const found: Found[] = [];
  const { table, question, rank } = looking;
  // Where few of them match, more are read at once: each look costs the same, however few rows it gives.
  for (
    let after = 0, most = Math.min(limit, mostRows), isLast = false;
    !isLast && found.length < limit;
    most = Math.min(4 * most, mostRows)
  ) {
    const rows = candidates(database, { ...looking, after, most });
    isLast = rows.length < most;
    for (const { seq, values, ...row } of rows) {
      after = seq;
      const match = matchOf(question, values);
      if (match !== undefined && match.rank <= rank)
        found.push({ type: table.type, table: table.table, seq, match, ...row });
    }
  }
  return found.slice(0, limit);
}

/** Best first; equally good ones in the order in which the service lists them. */
const byRank = (one: Found, other: Found): number => one.match.rank - other.match.rank || one.seq - other.seq;

/**
 * The best hits of a table. Where there are more than are wanted, those of each rank are asked for by themselves: the first
 * of a rank are then known, and no list of all hits is made.
 */
function bestOf(database: Database, looking: Looking, limit: number): readonly Found[] {
  const found = new Map<number, Found>();
  const look = (rank: Rank): boolean => {
    const hits = firstOf(database, { ...looking, rank }, limit);
    for (const hit of hits) found.set(hit.seq, hit);
    return hits.length === limit;
  };
  if (look(ranks.parts)) {
    if (look(ranks.start)) look(ranks.whole);
    for (const rank of [ranks.words, ranks.wordStarts]) {
      const better = [...found.values()].filter(({ match }) => match.rank <= rank).length;
      if (better < limit) look(rank);
    }
  }
  return [...found.values()].sort(byRank).slice(0, limit);
}

/** The Id of a record that several searches brought, or of a relation with several numbers that match, is shown once. */
function once(hits: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return hits.filter(({ type, id, match }) => {
    const key = JSON.stringify([type, id, type === 'telephone' ? match.values.map(({ text }) => text) : '']);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Finds records, best first: what is looked for is a value, begins one, is among its words, begins words, is a part of them.
 * Throws `usage` for too many short words, and `local`.
 */
export function findRows(database: Database, { question, types, limit, gone }: Wanted): readonly Hit[] {
  const found: Found[] = [];
  for (const table of searchedTables) {
    if (types !== undefined && !types.includes(table.type)) continue;
    found.push(...once(bestOf(database, { table, question, gone }, limit)));
  }
  // The sort is stable: equally good hits stay in the order of the tables.
  return found.sort((one, other) => one.match.rank - other.match.rank).slice(0, limit);
}
