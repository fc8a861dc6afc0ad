import { setImmediate as turn } from 'node:timers/promises';
import type { Values } from '../../cli/flags/define.js';
import { csvFlags } from '../../cli/flags/csv.js';
import { pagingFlags } from '../../cli/flags/lists/paging.js';
import { outputFlags, type CommonFlags } from '../../cli/flags/output.js';
import { openOutput } from '../../cli/output/open-output.js';
import { askingOf } from '../../cli/output/questions.js';
import type { OutputRequest } from '../../cli/output/record-output.js';
import type { RecordType } from '../../contract/build.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import type { RecordValue, Value } from '../../plain/value.js';
import type { Database, Row } from '../../sqlite/open.js';

/** Flags of a report. */
export const reportFlags = { limit: pagingFlags.limit, ...outputFlags, ...csvFlags };

type ReportFlags = Values<typeof reportFlags> & CommonFlags;

/** Rows of a query, and how they are printed. */
export interface Report {
  readonly record: RecordType;
  /** Columns of a table. */
  readonly table: readonly string[];
  /** What a terminal is told where there are none. */
  readonly blank: string;
  readonly database: Database;
  /** Gives a column for each member of the record, by its name. */
  readonly sql: string;
}

/** The query of a report with the members of its record as columns, in their order. */
const selected = ({ record, sql }: Report): string =>
  `SELECT ${Object.keys(record.fields)
    .map((name) => `"${name}"`)
    .join(', ')} FROM (${sql})`;

/** Makes records of rows: booleans are kept as 0 and 1. */
function recordsOf({ fields }: RecordType): (row: Row) => RecordValue {
  const members = Object.entries(fields).map(([name, { type }]) => ({
    name,
    isBoolean: type.kind === 'scalar' && type.name === 'boolean',
  }));
  return (row) =>
    Object.fromEntries(
      members.map(({ name, isBoolean }, at): [string, Value] => {
        const cell = (row[at] ?? null) as Value;
        return [name, isBoolean && cell !== null ? cell === 1 : cell];
      }),
    );
}

/** How much of a report is printed as it comes. */
interface Wanted {
  readonly keeps: (record: RecordValue) => boolean;
  readonly most: number;
}

const batchRows = 500;

/** Passes the records that are wanted on in batches. Gives how many there were, up to one more than `most`. */
async function passOn(
  context: Context,
  records: { readonly rows: Iterable<Row>; readonly of: (row: Row) => RecordValue } & Wanted,
  write: (batch: readonly RecordValue[]) => Promise<void>,
): Promise<number> {
  let batch: RecordValue[] = [];
  let [read, count] = [0, 0];
  for (const row of records.rows) {
    const made = records.of(row);
    if (records.keeps(made)) {
      count += 1;
      if (count > records.most) break;
      batch.push(made);
    }
    read += 1;
    if (read % batchRows !== 0) continue;
    context.signal.throwIfAborted();
    await write(batch);
    batch = [];
    // The driver gives back what its results took only between turns of the event loop.
    await turn();
  }
  await write(batch);
  return count;
}

/**
 * Prints the rows of a query as they come. Gives how many --filter kept, up to one more than --limit. Throws what the
 * output throws, and `interrupted`.
 */
export async function printReport(context: Context, flags: ReportFlags, report: Report): Promise<number> {
  const { record, table, blank, database } = report;
  const { sort, limit } = flags;
  // What --sort puts in order is cut behind it.
  const cut = sort === undefined ? {} : { limit };
  const request: OutputRequest = { flags, record, shape: 'list', table, blank, isFiltered: true, ...cut };
  const asking = await askingOf({ ...request, isFiltered: false });
  const output = await openOutput(context, undefined, request);
  const wanted: Wanted = {
    keeps: asking?.keeps ?? (() => true),
    most: (sort === undefined ? limit : undefined) ?? Number.POSITIVE_INFINITY,
  };
  const rows = database.statement(selected(report)).each();
  const count = await passOn(context, { rows, of: recordsOf(record), ...wanted }, (batch) => output.write(batch));
  await output.finish();
  if (count > wanted.most) await note(context, flags, 'stopped at --limit: more rows exist');
  return count;
}
