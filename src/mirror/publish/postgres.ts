import type { Postgres } from '../postgres/connect.js';
import type { SourceState } from '../sources.js';
import {
  alterTable,
  copyRows,
  createTable,
  indexTable,
  mergeRows,
  seqsIn,
  targetTable,
  type Sending,
  type TargetTable,
} from './merge.js';
import {
  openSchema,
  putMark,
  quoted,
  type TargetSchema,
  columnsMark,
  differenceOf,
  isSame,
  sourceMarks,
  type TableMark,
} from './published-schema.js';
import { allSeqs, publishedTables } from './published-tables.js';
import type { MirrorTable } from '../tables.js';

/** What was done with a table. */
export interface PublishedLine {
  readonly table: string;
  readonly rows: number;
  readonly sent: number;
  readonly gone: number;
}

/** What is published. */
export interface Publishing {
  readonly tables: readonly MirrorTable[];
  readonly sources: readonly SourceState[];
}

interface Publish extends Sending, Publishing {
  readonly schema: string;
}

const countIn = async (postgres: Postgres, name: string): Promise<number> =>
  Number((await postgres.first(`SELECT count(*) FROM ${name}`))?.[0]);

/** Makes and fills tables that are not there yet: nobody sees them before the transaction ends. */
async function publishWhole(publish: Publish, targets: readonly TargetTable[]): Promise<readonly PublishedLine[]> {
  const lines: PublishedLine[] = [];
  for (const target of targets) {
    await createTable(publish.postgres, target);
    const sent = await copyRows(publish, target, { into: target.name, ranges: [allSeqs] });
    await indexTable(publish.postgres, target);
    lines.push({ table: target.table.name, rows: sent, sent, gone: 0 });
  }
  return lines;
}

/** Empties tables that the mirror does not have any more: views of others may need them. */
async function emptyTables({ postgres, schema }: Publish, names: readonly string[]): Promise<readonly PublishedLine[]> {
  const lines: PublishedLine[] = [];
  for (const table of names) {
    const gone = await postgres.run(`DELETE FROM ${quoted(schema)}.${quoted(table)}`);
    lines.push({ table, rows: 0, sent: 0, gone });
  }
  return lines;
}

async function publishChanges(
  publish: Publish,
  targets: readonly TargetTable[],
  { mark, isOther }: { readonly mark: TableMark; readonly isOther: boolean },
): Promise<readonly PublishedLine[]> {
  const { postgres, database, sources } = publish;
  const [records] = targets;
  if (records === undefined) return [];
  const fresh = targets.filter(({ table }) => mark.rows[table.name] === undefined);
  const known = targets.filter((target) => !fresh.includes(target));
  if (isOther) for (const target of known) await alterTable(postgres, target);
  const there = await seqsIn(postgres, records);
  const from = isOther ? { ...mark, sources: [] } : mark;
  const difference = differenceOf(database, records.table.of, { mark: from, sources, there });
  const lines: PublishedLine[] = [];
  for (const target of known) {
    const { sent, gone } = await mergeRows(publish, target, difference);
    const rows = target === records ? difference.rows : await countIn(postgres, target.name);
    lines.push({ table: target.table.name, rows, sent, gone });
  }
  const names = new Set(targets.map(({ table }) => table.name));
  const others = Object.keys(mark.rows).filter((name) => !names.has(name));
  return [...lines, ...(await publishWhole(publish, fresh)), ...(await emptyTables(publish, others))];
}

const rowsIn = (lines: readonly PublishedLine[]): TableMark['rows'] =>
  Object.fromEntries(lines.map(({ table, rows }) => [table, rows]));

async function publishTable(
  publish: Publish,
  table: MirrorTable,
  mark: TableMark | undefined,
): Promise<readonly PublishedLine[]> {
  const { postgres, database, schema } = publish;
  const sources = publish.sources.filter((source) => source.table === table.name);
  const targets = publishedTables(table).map((each) => targetTable(each, schema));
  const now = {
    columns: columnsMark(targets.map((each) => ({ name: each.table.name, columns: each.columns }))),
    sources: sourceMarks(database, sources),
  };
  if (mark !== undefined && isSame(mark, now, sources)) {
    return Object.entries(mark.rows).map(([name, rows]) => ({ table: name, rows, sent: 0, gone: 0 }));
  }
  const isOther = mark?.columns !== now.columns;
  const lines =
    mark === undefined
      ? await publishWhole(publish, targets)
      : await publishChanges({ ...publish, sources }, targets, { mark, isOther });
  await putMark(postgres, schema, [table.name, { ...now, rows: rowsIn(lines) }]);
  return lines;
}

/**
 * Publishes a mirror into a schema of PostgreSQL, in one transaction: tables that are not there are made, and those that are
 * get what changed since. Throws `usage` for a schema that is not relctl's for this service, `locked`, as a connection does,
 * `local`, and the reason of the signal.
 */
export async function publishToPostgres(
  sending: Sending,
  publishing: Publishing,
  target: TargetSchema,
): Promise<readonly PublishedLine[]> {
  const { postgres } = sending;
  const publish: Publish = { ...sending, ...publishing, schema: target.schema };
  return postgres.transaction(async () => {
    const marks = await openSchema(postgres, target);
    const lines: PublishedLine[] = [];
    for (const table of publishing.tables) lines.push(...(await publishTable(publish, table, marks.get(table.name))));
    const names = new Set(publishing.tables.map(({ name }) => name));
    const gone = [...marks].filter(([name, { sources }]) => !names.has(name) && sources.length > 0);
    for (const [name, mark] of gone) {
      const empty = await emptyTables(publish, Object.keys(mark.rows));
      await putMark(postgres, target.schema, [name, { ...mark, sources: [], rows: rowsIn(empty) }]);
      lines.push(...empty);
    }
    return lines;
  });
}
