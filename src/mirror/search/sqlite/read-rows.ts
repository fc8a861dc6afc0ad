import type { Database, Row } from '../../../sqlite/open.js';
import type { Cell } from '../../../tables/cells.js';
import type { Look, SearchedRow, SearchReader } from '../find.js';
import { ranks, type Rank, type SearchedValue } from '../match.js';
import { characters, type Question } from '../question.js';
import type { Searched } from '../searched.js';
import { indexOf, itemsAsJson, mark, usualLetters } from './index-rows.js';

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const anyOf = (all: readonly string[]): string => (all.length === 1 ? all.join() : `(${all.join(' OR ')})`);

/** Makes the expressions of FTS5 that find what may match. Groups of three characters are indexed, and no fewer. */
class Expressions {
  readonly #database: Database;
  #letters: readonly string[] | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What finds the rows that match as well as a rank says, or better; undefined when no value of the table can match. */
  of({ words, whole, number }: Question, rank: Rank, isNumber: boolean): string | undefined {
    if (isNumber) return number && (rank === ranks.parts ? phrase(number.own) : this.#text(`${number.own} ${mark}`));
    if (rank === ranks.whole) return this.#text(`${mark}${whole} ${mark}`);
    if (rank === ranks.start) return this.#text(`${mark}${whole}`);
    const all = words.map((word) => this.#word(word, rank)).join(' AND ');
    const isWord = rank !== ranks.parts || words.length === 1 || words.every((word) => characters(word) > 1);
    return isWord ? all : `(${all}) OR ${this.#text(whole)}`;
  }

  #word(word: string, rank: Rank): string {
    const isPart = rank === ranks.parts && characters(word) > 1;
    if (isPart) return this.#text(word);
    const end = rank === ranks.words ? ' ' : '';
    return anyOf([` ${word}${end}`, `${mark}${word}${end}`].map((text) => this.#text(text)));
  }

  /** Two characters are found with each one that can stand behind them. */
  #text(text: string): string {
    return characters(text) > 2 ? phrase(text) : anyOf(this.#known().map((letter) => phrase(`${text}${letter}`)));
  }

  #known(): readonly string[] {
    const kept = (): readonly Row[] => this.#database.statement('SELECT letter FROM "_find_letters"').all();
    return (this.#letters ??= [...new Set([...usualLetters(), ...kept().map(([letter]) => String(letter))])]);
  }
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

const textOr = (cell: Cell | undefined): string | undefined =>
  cell === null || cell === undefined ? undefined : String(cell);

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

/** Reads what is searched from a mirror in SQLite. */
export function searchReader(database: Database): SearchReader {
  const expressions = new Expressions(database);
  return {
    rows({ table, question, rank, gone, after, most }: Look) {
      const isNumber = table.lists.some((list) => list.isNumber === true);
      const match = expressions.of(question, rank, isNumber);
      if (match === undefined) return Promise.resolve([]);
      const rows = database.statement(select(table, gone)).all(match, after, most);
      return Promise.resolve(rows.map((row) => rowOf(table, row)));
    },
  };
}
