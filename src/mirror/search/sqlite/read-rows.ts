import { usage } from '../../../errors/usage.js';
import type { Database, Row } from '../../../sqlite/open.js';
import type { Cell } from '../../../tables/cells.js';
import type { Look, SearchedRow, SearchReader } from '../find.js';
import { conditionOf, type Condition } from '../condition.js';
import type { SearchedValue } from '../match.js';
import { characters } from '../question.js';
import type { Searched } from '../searched.js';
import { mark } from '../text.js';
import { indexOf, itemsAsJson } from './index-rows.js';
import { Terms } from './terms.js';

/** Texts of which any may stand in a row: each row is compared with all of them, in a mirror that anybody may have made. */
const mostAlternatives = 2000;

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** What no value holds: it stands between none. */
const nothing = phrase(mark.repeat(3));

const anyOf = (all: readonly string[]): string => (all.length < 2 ? (all[0] ?? nothing) : `(${all.join(' OR ')})`);

/** Makes the expression of FTS5 that finds what may match. Groups of three characters are indexed, and no fewer. */
class Expression {
  readonly #terms: Terms;
  #alternatives = 0;

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  of(condition: Condition): string {
    if ('holds' in condition) return this.#text(condition.holds);
    if ('some' in condition) return anyOf(condition.some.map((each) => this.of(each)));
    return condition.every.length === 1
      ? condition.every.map((each) => this.of(each)).join()
      : this.#all(condition.every);
  }

  #all(every: readonly Condition[]): string {
    return `(${every.map((each) => this.of(each)).join(' AND ')})`;
  }

  /** Two characters are found with each one that stands behind them somewhere. */
  #text(text: string): string {
    if (characters(text) > 2) return phrase(text);
    const terms = this.#terms.beginningWith(text, mostAlternatives - this.#alternatives);
    this.#alternatives += terms.length;
    if (this.#alternatives < mostAlternatives) return anyOf(terms.map(phrase));
    throw usage('TEXT', 'its short words begin too many others in this mirror', {
      advice: 'Type more letters of them, or fewer words.',
      hint: 'relctl find --help',
    });
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

/** Reads what is searched from a mirror in SQLite. Its rows throw `usage` for too many short words. */
export function searchReader(database: Database): SearchReader {
  return {
    rows({ table, question, rank, gone, after, most }: Look) {
      const isNumber = table.lists.some((list) => list.isNumber === true);
      const condition = conditionOf(question, rank, isNumber);
      if (condition === undefined) return Promise.resolve([]);
      const match = new Expression(new Terms(database, table)).of(condition);
      const rows = database.statement(select(table, gone)).all(match, after, most);
      return Promise.resolve(rows.map((row) => rowOf(table, row)));
    },
  };
}
