import { matchOf, ranks, type Match, type Rank, type SearchedValue } from './match.js';
import type { Question } from './question.js';
import { searchedTables, type Searched } from './searched.js';

/** A row that is worth a look. */
export interface SearchedRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string | undefined;
  /** When it was first missing from the service; undefined while it is there. */
  readonly goneAt: string | undefined;
  readonly values: readonly SearchedValue[];
}

/** Which rows of a table to look at: those that may match a question as well as a rank says, or better. */
export interface Look {
  readonly table: Searched;
  readonly question: Question;
  readonly rank: Rank;
  /** Rows that are gone too. */
  readonly gone: boolean;
  /** Rows with a larger seq only, in the order of seq. */
  readonly after: number;
  readonly most: number;
}

/** What rows are read from: a mirror, wherever it is. */
export interface SearchReader {
  /** Rows to look at; all that match are among them. Throws RelctlError `local`. */
  rows(look: Look): Promise<readonly SearchedRow[]>;
}

/** A record that was found. */
export interface Hit {
  readonly type: string;
  /** Name of its table. */
  readonly table: string;
  readonly id: string;
  readonly name: string | undefined;
  readonly goneAt: string | undefined;
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

interface Found extends Hit {
  readonly seq: number;
}

type Looking = Omit<Look, 'rank' | 'after' | 'most'>;

/** The first rows, by seq, that match as well as a rank says or better. */
async function firstOf(reader: SearchReader, looking: Looking & Pick<Look, 'rank'>, limit: number): Promise<Found[]> {
  const found: Found[] = [];
  const { table, question, rank } = looking;
  // Where few of them match, more are read at once: each look costs the same, however few rows it gives.
  for (let after = 0, most = limit, isLast = false; !isLast && found.length < limit; most = Math.min(4 * most, 1000)) {
    const rows = await reader.rows({ ...looking, after, most });
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
async function bestOf(reader: SearchReader, looking: Looking, limit: number): Promise<readonly Found[]> {
  const found = new Map<number, Found>();
  const look = async (rank: Rank): Promise<boolean> => {
    const hits = await firstOf(reader, { ...looking, rank }, limit);
    for (const hit of hits) found.set(hit.seq, hit);
    return hits.length === limit;
  };
  if (await look(ranks.parts)) {
    if (await look(ranks.start)) await look(ranks.whole);
    for (const rank of [ranks.words, ranks.wordStarts]) {
      const better = [...found.values()].filter(({ match }) => match.rank <= rank).length;
      if (better < limit) await look(rank);
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
 * Throws what the reader throws.
 */
export async function findRows(
  reader: SearchReader,
  { question, types, limit, gone }: Wanted,
): Promise<readonly Hit[]> {
  const found: Found[] = [];
  for (const table of searchedTables) {
    if (types !== undefined && !types.includes(table.type)) continue;
    found.push(...once(await bestOf(reader, { table, question, gone }, limit)));
  }
  // The sort is stable: equally good hits stay in the order of the tables.
  return found.sort((one, other) => one.match.rank - other.match.rank).slice(0, limit);
}
