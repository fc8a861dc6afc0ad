import type { RecordValue } from '../core/values/value.js';
import type { Renderer } from '../client/rows/renderer.js';
import { slicesOf } from '../client/rows/rendered.js';
import { partsOf } from './export/rows/rendered-rows.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { ColumnPlan } from './fields/columns.js';
import { unlistedNote, watchUnlisted } from './unlisted-fields.js';
import { openStaging, type Staging } from './fields/staging.js';
import { outputFileOf, rowsOf, type ListPlan, type ListRun } from './plan.js';
import { keeperOf, rendererBy } from './rendering.js';
import { openOutput } from '../kit/output/open-output.js';
import { checkOutput, type OutputRequest, type RecordOutput } from '../kit/output/record-output.js';

/** Takes records. */
type Take = (records: readonly RecordValue[]) => void;

/** Writes records. */
export type Write = (records: readonly RecordValue[]) => Promise<void>;

/**
 * Passes records on in their order, and gives notes about them at the end.
 * @param renderer may render them while they are decoded
 */
export type Source = (write: Write, renderer?: Renderer) => Promise<readonly string[]>;

/** Rows to write: where they come from, and their columns. */
export interface Rows {
  readonly columns: ColumnPlan<ListPlan>;
  readonly request: OutputRequest;
  readonly source: Source;
}

/** Writes records. */
async function writeRecords(
  output: RecordOutput,
  plan: ListPlan,
  { records, onSome }: { readonly records: readonly RecordValue[]; readonly onSome?: Take | undefined },
): Promise<void> {
  // What a format makes of a long list takes more memory than the list.
  for (const some of slicesOf(records)) {
    onSome?.(some);
    await output.write(rowsOf(plan, some), some.length);
  }
}

/** Writes records, some of which were rendered as they are written. */
async function writeParts(output: RecordOutput, plan: ListPlan, records: readonly RecordValue[]): Promise<void> {
  for (const part of partsOf(records)) {
    if ('text' in part) await output.made?.write(part.text, part.rows);
    else await writeRecords(output, plan, part);
  }
}

async function direct(run: ListRun, { columns, request, source }: Rows): Promise<readonly string[]> {
  const { plan, fields } = columns;
  const output = await openOutput(run.context, run.session, request);
  const tally = fields === undefined ? undefined : watchUnlisted(fields);
  const made = tally === undefined ? output.made : undefined;
  const write: Write =
    made === undefined
      ? (records) => writeRecords(output, plan, { records, onSome: tally && ((some) => tally.add(some)) })
      : (records) => writeParts(output, plan, records);
  const rendered = made && rendererBy(run, plan, { maker: made.maker, record: request.record });
  const renderer = rendered ?? keeperOf(run, plan);
  const lines = await source(write, renderer);
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
    const keep: Write = (records) => {
      for (const some of slicesOf(records)) staging.add(some);
      return Promise.resolve();
    };
    const lines = await rows.source(keep, keeperOf(run, rows.columns.plan));
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
