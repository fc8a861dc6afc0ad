import type { Store } from '../store/open.js';
import { rowCount } from '../store/pages.js';
import { tables } from '../store/schema.js';
import { pagesData } from './data.js';

/** What the sandbox keeps of one kind, and how to see it. */
export interface CountLine {
  /** As operators call it, in the plural. */
  readonly name: string;
  /** undefined when it is not known without reading every record. */
  readonly count: number | undefined;
  /** The operation that lists them; undefined when none does. */
  readonly operation: string | undefined;
  /** A command that calls it, as it is typed; with ids that every data set has. */
  readonly command: string | undefined;
}

/** Lines with a heading. */
export interface CountGroup {
  readonly heading: string;
  readonly lines: readonly CountLine[];
}

/**
 * What is counted: rows of a table that is filled seq by seq and of which none is deleted; what a statement counts, for
 * small tables and those with seqs that are not used; the values of fields in all records.
 */
type Counted = { readonly rows: string } | { readonly count: string } | { readonly values: string };

const counted = (store: Store, from: string): number =>
  Number(store.statement(`SELECT count(*) FROM ${from}`).first()?.[0]);

/** Rows in outline have their field values made when they are read: then nobody has counted them. */
function valuesIn(store: Store, member: string): number | undefined {
  let sum = 0;
  for (const { name, outline, lists } of tables.values()) {
    const list = lists.find(({ path }) => path[0] === member);
    if (list === undefined) continue;
    const made = `SELECT 1 FROM "${name}" WHERE "${outline?.mark ?? ''}" IS NULL LIMIT 1`;
    if (outline !== undefined && store.statement(made).first() !== undefined) return undefined;
    sum += counted(store, `"${list.name}"`);
  }
  return sum;
}

function countOf(store: Store, what: Counted): number | undefined {
  if ('rows' in what) return rowCount(store, what.rows);
  return 'count' in what ? counted(store, what.count) : valuesIn(store, what.values);
}

type Kind = readonly [name: string, what: Counted, operation?: string, command?: string];

/** How many records of each kind there are, all at one moment. Cheap, however large the data set is. */
export const countGroups = (store: Store): readonly CountGroup[] =>
  store.read(() =>
    Object.entries(pagesData.counts as unknown as Readonly<Record<string, readonly Kind[]>>).map(
      ([heading, kinds]) => ({
        heading,
        lines: kinds.map(([name, what, operation, command]) => ({
          name,
          count: countOf(store, what),
          operation,
          command: command === undefined ? undefined : `relctl ${command}`,
        })),
      }),
    ),
  );
