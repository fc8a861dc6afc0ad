import type { Database, Row } from '../../state/sqlite/open.js';
import {
  matchOf,
  ranks,
  type Match,
  type Rank,
  type Question,
  type SearchedValue,
  characters,
  searchedTables,
  type Searched,
} from './match.js';
import { usage } from '../../core/errors/relctl-error.js';
import { hasValue } from '../../core/values/value.js';
import type { Cell } from '../../contract/columns.js';
import { indexOf, itemsAsJson, mark } from './index-rows.js';

interface SearchedRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string | undefined;
  /** When it was first missing from the service; undefined while it is there. */
  readonly goneAt: string | undefined;
  readonly values: readonly SearchedValue[];
}

/** Which rows of a table to look at: those that may match a question as well as a rank says, or better. */
interface Look {
  readonly table: Searched;
  readonly question: Question;
  readonly rank: Rank;
  readonly gone: boolean;
  /** Rows with a larger seq only, in the order of seq. */
  readonly after: number;
  readonly most: number;
}

/** Letters that the tokenizer brings together with others of the same capital, where `fold` does not. */
const others = new Map(Array.from('µſςϐϑϕϖϰϱϵ', (letter, at) => [letter, Array.from('μsσβθφπκρε')[at]]));

const indexed = (text: string): string => Array.from(text, (letter) => others.get(letter) ?? letter).join('');

function termsIn(database: Database, table: Searched): (text: string, most: number) => readonly string[] {
  const name = indexOf(table);
  // It holds nothing: it shows what the index has, and is gone with the connection.
  database.execute(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp."${name}_terms" USING fts5vocab(main, "${name}", instance)`,
  );
  const next = database.statement(`SELECT term FROM temp."${name}_terms" WHERE term >= ? AND term <= ? LIMIT 1`);
  return (text, most) => {
    const begin = indexed(text);
    const expressions: string[] = [];
    // One after the other: the index has each as often as it stands in a row.
    for (let from = begin; expressions.length < most;) {
      const [term] = next.first(from, `${begin}\u{10ffff}`) ?? [];
      if (typeof term !== 'string') break;
      expressions.push(term);
      from = `${term}\u0001`;
    }
    return expressions;
  };
}

/** Texts of which any may stand in a row: each row is compared with all of them, in a mirror that anybody may have made. */
const mostAlternatives = 2000;

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** What no value holds: it stands between none. */
const nothing = phrase(mark.repeat(3));

const anyOf = (all: readonly string[]): string => (all.length < 2 ? (all[0] ?? nothing) : `(${all.join(' OR ')})`);

/**
 * Makes the expressions of FTS5 that find what holds a text. Groups of three characters are indexed, and no fewer: two
 * characters are found with each one that stands behind them somewhere. They throw `usage` for too many of those.
 */
function holding(terms: ReturnType<typeof termsIn>): (text: string) => string {
  let alternatives = 0;
  return (text) => {
    if (characters(text) > 2) return phrase(text);
    const tables = terms(text, mostAlternatives - alternatives);
    alternatives += tables.length;
    if (alternatives < mostAlternatives) return anyOf(tables.map(phrase));
    throw usage('TEXT', 'its short words match too many words in this mirror', {
      advice: 'Type longer words, or fewer.',
      hint: 'relctl find --help',
    });
  };
}

/**
 * The expression that finds the rows that match a question as well as a rank says, or better, and some that do not; undefined
 * when no value of the table can match.
 * @param isNumber the values of the table are telephone numbers
 */
function expressionOf(
  { question: { words, whole, number }, rank }: Pick<Look, 'question' | 'rank'>,
  isNumber: boolean,
  holds: (text: string) => string,
): string | undefined {
  if (isNumber) return number && holds(rank === ranks.parts ? number.own : `${number.own} ${mark}`);
  if (rank === ranks.whole) return holds(`${mark}${whole} ${mark}`);
  if (rank === ranks.start) return holds(`${mark}${whole}`);
  const end = rank === ranks.words ? ' ' : '';
  const ofWord = (word: string): string =>
    rank === ranks.parts && characters(word) > 1
      ? holds(word)
      : anyOf([holds(` ${word}${end}`), holds(`${mark}${word}${end}`)]);
  const all = `(${words.map(ofWord).join(' AND ')})`;
  const isWord = rank !== ranks.parts || words.length === 1 || words.every((word) => characters(word) > 1);
  return isWord ? all : anyOf([all, holds(whole)]);
}

const valueOf = (column: string, text: Cell | undefined): readonly SearchedValue[] =>
  typeof text === 'string' && text !== '' ? [{ column, text }] : [];

const itemsOf = (json: Cell | undefined): readonly string[] =>
  (JSON.parse(String(json)) as readonly Cell[]).filter((item): item is string => typeof item === 'string');

function valuesOf({ columns, lists }: Searched, cells: Row): readonly SearchedValue[] {
  const own = columns.flatMap((column, at) => valueOf(column, cells[at]));
  const items = lists.flatMap(({ label, isNumber = false }, at) =>
    itemsOf(cells[columns.length + at]).map((text) => ({ column: label, text, isNumber })),
  );
  return [...own, ...items];
}

const textOr = (cell: Cell | undefined): string | undefined => (hasValue(cell) ? String(cell) : undefined);

const rowOf = (table: Searched, [seq, id, name, goneAt, ...cells]: Row): SearchedRow => ({
  seq: Number(seq),
  id: String(id ?? ''),
  name: textOr(name),
  goneAt: textOr(goneAt),
  values: valuesOf(table, cells),
});

function select(table: Searched, gone: boolean): string {
  const own = ['_seq', table.id, table.name, '_gone_at', ...table.columns].map((column) => `r."${column}"`);
  const columns = [...own, ...table.lists.map(itemsAsJson)].join(', ');
  const name = `"${indexOf(table)}"`;
  const there = gone ? '' : ' AND r."_gone_at" IS NULL';
  // CROSS JOIN: the index goes first, whatever the planner thinks of it.
  return `SELECT ${columns} FROM ${name} f CROSS JOIN "${table.base}" r ON r."_seq" = f.rowid WHERE ${name} MATCH ? AND f.rowid > ?${there} ORDER BY f.rowid LIMIT ?`;
}

function candidates(database: Database, look: Look): readonly SearchedRow[] {
  const { table, gone, after, most } = look;
  const isNumber = table.lists.some((list) => list.isNumber === true);
  const match = expressionOf(look, isNumber, holding(termsIn(database, table)));
  if (match === undefined) return [];
  return database
    .statement(select(table, gone))
    .all(match, after, most)
    .map((row) => rowOf(table, row));
}

/** A record that was found. */
export interface Hit extends Omit<SearchedRow, 'seq' | 'values'> {
  readonly type: string;
  readonly table: string;
  readonly match: Match;
}

/** What to find. */
export interface SearchRequest {
  readonly question: Question;
  readonly types: readonly string[] | undefined;
  readonly limit: number;
  readonly gone: boolean;
}

type SearchHit = Hit & Pick<SearchedRow, 'seq'>;

type Looking = Omit<Look, 'rank' | 'after' | 'most'>;

const mostRows = 1000;

function firstOf(database: Database, looking: Looking & Pick<Look, 'rank'>, limit: number): readonly SearchHit[] {
  const searchHits: SearchHit[] = [];
  const { table, question, rank } = looking;
  // Where few of them match, more are read at once: each look costs the same, however few rows it gives.
  for (
    let after = 0, most = Math.min(limit, mostRows), isLast = false;
    !isLast && searchHits.length < limit;
    most = Math.min(4 * most, mostRows)
  ) {
    const rows = candidates(database, { ...looking, after, most });
    isLast = rows.length < most;
    for (const { seq, values, ...row } of rows) {
      after = seq;
      const match = matchOf(question, values);
      if (match !== undefined && match.rank <= rank)
        searchHits.push({ type: table.type, table: table.table, seq, match, ...row });
    }
  }
  return searchHits.slice(0, limit);
}

/** Best first; equally good ones in the order in which the service lists them. */
const byRank = (one: SearchHit, other: SearchHit): number => one.match.rank - other.match.rank || one.seq - other.seq;

/**
 * The best hits of a table. Where there are more than are wanted, those of each rank are asked for by themselves: the first
 * of a rank are then known, and no list of all hits is made.
 */
function bestOf(database: Database, looking: Looking, limit: number): readonly SearchHit[] {
  const byRow = new Map<number, SearchHit>();
  const look = (rank: Rank): boolean => {
    const hits = firstOf(database, { ...looking, rank }, limit);
    for (const hit of hits) byRow.set(hit.seq, hit);
    return hits.length === limit;
  };
  if (look(ranks.parts)) {
    if (look(ranks.start)) look(ranks.whole);
    for (const rank of [ranks.words, ranks.wordStarts]) {
      const better = [...byRow.values()].filter(({ match }) => match.rank <= rank).length;
      if (better < limit) look(rank);
    }
  }
  return [...byRow.values()].sort(byRank).slice(0, limit);
}

/** The Id of a record that several searches brought, or of a relation with several numbers that match, is shown once. */
function once(hits: readonly SearchHit[]): readonly SearchHit[] {
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
export function findRows(database: Database, { question, types, limit, gone }: SearchRequest): readonly Hit[] {
  const hits: SearchHit[] = [];
  for (const table of searchedTables) {
    if (types !== undefined && !types.includes(table.type)) continue;
    hits.push(...once(bestOf(database, { table, question, gone }, limit)));
  }
  // The sort is stable: equally good hits stay in the order of the tables.
  return hits.sort((one, other) => one.match.rank - other.match.rank).slice(0, limit);
}
