import { partsOf, recordSlices, type Row } from '../client/rows/row.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { type ColumnPlan, fieldIds } from './fields/columns.js';
import { unlistedNote, watchUnlisted } from './unlisted-fields.js';
import { outputFileOf, rowsOf, type ResolvedPlan, type ListRun } from './plan.js';
import { printing, type RowForm } from './rendering.js';
import { openOutput } from '../kit/output/open-output.js';
import { checkOutput, type OutputRequest } from '../kit/output/record-output.js';
import type { RecordValue } from '../core/values/value.js';
import { openLineStore } from '../state/temporary-file.js';
import { recordBatches } from '../core/values/batches.js';

/** Records that wait until their columns are known. */
export interface Staging {
  add(records: readonly RecordValue[]): void;
  readonly fieldIds: ReadonlySet<string>;
  batches(): Generator<readonly RecordValue[]>;
  close(): void;
}

const batchRows = 500;

/**
 * Opens a staging file: in memory while it is small, then in a temporary file that only its owner can read. Its `add` throws
 * `local` when that file cannot be written.
 * @param most how many characters are kept in memory
 */
export function openStaging(most?: number): Staging {
  const ids = new Map<string, string>();
  const store = openLineStore(most);
  function* all(): Generator<RecordValue> {
    // JSON.stringify wrote each line, so it is a record.
    for (const line of store.lines()) yield JSON.parse(line) as RecordValue;
  }
  return {
    add(records) {
      for (const each of records) {
        for (const id of fieldIds(each)) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
        store.add(JSON.stringify(each));
      }
    },
    get fieldIds() {
      return new Set(ids.values());
    },
    batches: () => recordBatches(all(), batchRows),
    close: () => store.close(),
  };
}

/** Where rows go, and what it takes in the place of records while these are decoded. */
export interface Sink {
  readonly form?: RowForm | undefined;
  readonly write: (rows: readonly Row[]) => Promise<void>;
}

/** Passes rows on in their order, and gives notes about them at the end. */
export type Source = (sink: Sink) => Promise<readonly string[]>;

/** Rows to write: where they come from, and their columns. */
export interface Rows {
  readonly columns: ColumnPlan<ResolvedPlan>;
  readonly request: OutputRequest;
  readonly source: Source;
}

async function direct(run: ListRun, { columns, request, source }: Rows): Promise<readonly string[]> {
  const { plan, fields } = columns;
  const output = await openOutput(run.context, run.session, request);
  const tally = fields === undefined ? undefined : watchUnlisted(fields);
  const ofText = tally === undefined ? output.ofText : undefined;
  const lines = await source({
    form: ofText === undefined ? 'json' : printing(plan, ofText.maker),
    async write(rows) {
      // What a format makes of a long list takes more memory than the list.
      for (const part of partsOf(rows)) {
        if ('text' in part) await ofText?.write(part.text, part.rows);
        else {
          tally?.add(part.records);
          await output.write(rowsOf(plan, part.records), part.records.length);
        }
      }
    },
  });
  await output.finish();
  const isLate = tally !== undefined && tally.values > 0;
  return isLate ? [...lines, unlistedNote(tally, 'the column FieldValues.Items')] : lines;
}

async function render({ context, session }: ListRun, rows: Rows, staging: Staging): Promise<void> {
  const { columns, request } = rows;
  const { plan, type } = columns.fields?.with(staging.fieldIds) ?? columns;
  const output = await openOutput(context, session, { ...request, record: type, table: plan.table });
  for (const batch of staging.batches()) await output.write(rowsOf(plan, batch), batch.length);
  await output.finish();
}

/** Reads all records before it writes the first: only then the columns are known. */
async function staged(run: ListRun, rows: Rows): Promise<readonly string[]> {
  const staging = openStaging();
  run.context.onClose(() => staging.close());
  await checkOutput(run.context, run.session, rows.request);
  try {
    const lines = await rows.source({
      form: 'json',
      write(records) {
        for (const some of recordSlices(records)) staging.add(some);
        return Promise.resolve();
      },
    });
    await render(run, rows, staging);
    return lines;
  } catch (thrown) {
    // The rows that came are written, as they are where no staging file is needed.
    const isOnStdout = outputFileOf(run) === undefined;
    if (isOnStdout && RelctlError.from(thrown).kind === 'partial') await render(run, rows, staging);
    throw thrown;
  }
}

/**
 * Writes rows to stdout or to a file; through a staging file when their columns are known only after the last. Gives the
 * notes of the source. Throws `usage` and `local`, and what the source throws.
 */
export function writeRows(run: ListRun, rows: Rows): Promise<readonly string[]> {
  const { fields } = rows.columns;
  return fields !== undefined && fields.known === undefined ? staged(run, rows) : direct(run, rows);
}
