import { idInRecord, quoted, type Names } from '../../postgres/schema.js';
import { timeText } from '../../postgres/source.js';
import type { Postgres, TextRow } from '../../../postgres/connect.js';
import { tableNamed } from '../../tables.js';
import { conditionOf, type Condition } from '../condition.js';
import type { Look, SearchedRow, SearchReader } from '../find.js';
import type { SearchedValue } from '../match.js';
import type { Searched } from '../searched.js';
import { indexOf, itemsAsJson } from './index-rows.js';

/** A pattern of LIKE that any text has which holds this one. */
const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A condition in SQL; the patterns that it names by `$1`, `$2` are put behind those that are there. */
function sqlOf(condition: Condition, patterns: string[]): string {
  if ('holds' in condition) {
    patterns.push(patternOf(condition.holds));
    return `f.text LIKE $${patterns.length}`;
  }
  const [all, word] = 'every' in condition ? [condition.every, ' AND '] : [condition.some, ' OR '];
  return `(${all.map((each) => sqlOf(each, patterns)).join(word)})`;
}

function valuesOf({ columns, lists }: Searched, cells: TextRow): readonly SearchedValue[] {
  const own = columns.flatMap((column, at) => (cells[at] ? [{ column, text: cells[at] }] : []));
  const items = lists.flatMap(({ label, isNumber = false }, at) => {
    const values = JSON.parse(cells[columns.length + at] ?? '[]') as readonly (string | null)[];
    return values.flatMap((text) => (text === null ? [] : [{ column: label, text, isNumber }]));
  });
  return [...own, ...items];
}

const rowOf = (table: Searched, [seq, id, name, goneAt, ...cells]: TextRow): SearchedRow => ({
  seq: Number(seq),
  id: id ?? '',
  name: name ?? undefined,
  goneAt: goneAt ?? undefined,
  values: valuesOf(table, cells),
});

function select(names: Names, { table, gone }: Look, condition: string): string {
  const own = [table.name, ...table.columns].map((column) => `r.${quoted(column)}::text`);
  const [name, ...columns] = own;
  const lists = table.lists.map((list) => itemsAsJson(names, list));
  const there = gone ? '' : ' AND r._gone_at IS NULL';
  return (
    `SELECT r._seq, ${[idInRecord(tableNamed(table.table), 'r.'), name, timeText('r._gone_at'), ...columns, ...lists].join(', ')} ` +
    `FROM ${names.own(indexOf(table))} f JOIN ${names.own(table.base)} r ON r._seq = f._seq ` +
    `WHERE ${condition} AND f._seq > $1::bigint${there} ORDER BY f._seq LIMIT $2::bigint`
  );
}

/** Reads what is searched from a mirror in PostgreSQL. */
export function searchReader(postgres: Postgres, names: Names): SearchReader {
  return {
    async rows(look: Look) {
      const { table, question, rank, after, most } = look;
      const isNumber = table.lists.some((list) => list.isNumber === true);
      const condition = conditionOf(question, rank, isNumber);
      if (condition === undefined) return [];
      const values = [String(after), String(most)];
      const sql = select(names, look, sqlOf(condition, values));
      return (await postgres.rows(sql, values)).map((row) => rowOf(table, row));
    },
  };
}
