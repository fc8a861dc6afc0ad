import type { Postgres } from '../../../postgres/connect.js';
import { boundsOf, firstOfEach, mostRows, told, type BegunName } from '../../names/begin.js';
import { namedTables, type NamedTable, type RecordKind } from '../../names/kinds.js';
import { listed, quoted, type Names } from '../schema.js';

const capitalised = (text: string): string => text.replace(/^[a-z]|(?<= )[a-z]/g, (letter) => letter.toUpperCase());

/** A text as people may have meant it: the index has the case of letters. */
const variantsOf = (text: string): readonly string[] => [
  ...new Set([text, capitalised(text), capitalised(text.toLowerCase()), text.toLowerCase(), text.toUpperCase()]),
];

/** By the index of the column: reading ends after so many rows of any mirror. */
async function inColumn(
  postgres: Postgres,
  names: Names,
  { table, tells, key, begun }: NamedTable & { readonly key: string; readonly begun: string },
): Promise<readonly BegunName[]> {
  const column = quoted(key);
  const rows = await postgres.rows(
    `SELECT ${listed([key, ...tells])} FROM (SELECT * FROM ${names.whole(table)} ` +
      `WHERE ${column} ~>=~ $1 AND ${column} ~<~ $2 ORDER BY ${column} USING ~<~ LIMIT ${mostRows}) r ` +
      'WHERE _gone_at IS NULL AND "Id" IS NOT NULL',
    boundsOf(begun),
  );
  return rows.map(([name = '', ...cells]) => ({ name: name ?? '', about: told(cells, name ?? '') }));
}

/**
 * The names of records of a kind that begin with a text as it is typed, in small letters, or with capitals, each once. Throws
 * as a connection does.
 * @param most how many of them at most
 */
export async function namesBegun(
  postgres: Postgres,
  names: Names,
  { kind, text, most }: { readonly kind: RecordKind; readonly text: string; readonly most: number },
): Promise<readonly BegunName[]> {
  const found: BegunName[] = [];
  for (const begun of variantsOf(text.normalize('NFC'))) {
    for (const table of namedTables[kind]) {
      for (const key of table.keys) found.push(...(await inColumn(postgres, names, { ...table, key, begun })));
    }
  }
  return firstOfEach(found, most);
}
