import type { Claim } from '../client/pages.js';
import { partsOf, recordSlices } from '../client/rows/row.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { openStaging, type Staged } from './export/staging.js';
import type { Columns } from './fields/columns.js';
import { unlistedNote, watchUnlisted } from './unlisted-fields.js';
import { outputFileOf, type ListRun, type Walk } from './plan.js';
import { rowsOf, textOfRows } from './shape.js';
import type { RowForm } from './rendering.js';
import { drain, type PageSink } from './source.js';
import type { Progress } from '../kit/host/progress.js';
import { openOutput } from '../kit/output/open-output.js';
import { checkOutput, type OutputRequest } from '../kit/output/record-output.js';

/** Rows to write: where they come from, and their columns. */
export interface Rows {
  readonly columns: Columns;
  readonly request: OutputRequest;
  /** Opens their pages. `form` is what the sink takes in the place of records while these are decoded. */
  readonly source: (form: RowForm) => Walk;
  readonly progress?: Progress | undefined;
  /** Called when all rows were read, before the output is finished. */
  readonly onRead?: () => Promise<void>;
  /** Checks the number of rows: before a file is replaced, or when all are on stdout. Throws `partial`. */
  readonly accept?: (rows: number) => void;
}

/** What was written, and notes about it. */
export interface Written {
  readonly claim: Claim;
  readonly notes: readonly string[];
}

interface RowSink extends PageSink {
  readonly form: RowForm;
  /** Writes what is left, and ends the output. Gives notes about it. */
  finish(): Promise<readonly string[]>;
}

async function openSink(run: ListRun, { columns: { shape, fields }, request }: Rows): Promise<RowSink> {
  const output = await openOutput(run.context, run.session, request);
  const tally = fields && watchUnlisted(fields);
  const ofText = tally === undefined ? output.ofText : undefined;
  return {
    form: ofText === undefined ? 'json' : textOfRows(shape, ofText.maker),
    async take({ records }) {
      // What a format makes of a long list takes more memory than the list.
      for (const part of partsOf(records)) {
        if ('text' in part) await ofText?.write(part.text, part.rows);
        else {
          tally?.add(part.records);
          await output.write(rowsOf(shape, part.records), part.records.length);
        }
      }
    },
    async finish() {
      await output.finish();
      const isUnlisted = tally !== undefined && tally.values > 0;
      return isUnlisted ? [unlistedNote(tally, 'the column FieldValues.Items')] : [];
    },
  };
}

const areLate = ({ fields }: Columns): boolean => fields !== undefined && fields.known === undefined;

/** Writes staged records, whose columns are known now. Gives the request of their output. */
export async function writeStaged(
  { context, session }: ListRun,
  { columns, request }: Pick<Rows, 'columns' | 'request'>,
  { fieldIds, batches }: Staged,
): Promise<OutputRequest> {
  const shape = (areLate(columns) && columns.fields?.with(fieldIds())) || columns.shape;
  const printed = { ...request, record: shape.type, table: shape.table };
  const output = await openOutput(context, session, printed);
  for await (const batch of batches()) await output.write(rowsOf(shape, batch), batch.length);
  await output.finish();
  return printed;
}

/** Takes all records before it writes the first: only then their columns are known. */
async function openStagedSink(run: ListRun, rows: Rows): Promise<RowSink> {
  const staging = openStaging();
  run.context.onClose(() => staging.close());
  await checkOutput(run.context, run.session, rows.request);
  return {
    form: 'json',
    take({ records }) {
      for (const some of recordSlices(records)) staging.add(some);
    },
    async finish() {
      await writeStaged(run, rows, staging);
      return [];
    },
  };
}

/**
 * Writes rows to stdout or to a file; through a staging file when their columns are known only after the last. Throws `usage`
 * and `local`, and what the source throws.
 */
export async function writeRows(run: ListRun, rows: Rows): Promise<Written> {
  const { columns, source, progress, onRead = () => Promise.resolve(), accept = () => undefined } = rows;
  const isStaged = areLate(columns);
  const isFile = outputFileOf(run) !== undefined;
  const sink = await (isStaged ? openStagedSink : openSink)(run, rows);
  let claim: Claim;
  try {
    claim = await drain(source(sink.form), sink, progress);
  } catch (thrown) {
    // The rows that came are written, as they are where no staging file is needed.
    if (isStaged && !isFile && RelctlError.from(thrown).kind === 'partial') await sink.finish();
    throw thrown;
  }
  await onRead();
  if (isFile) accept(claim.rows);
  const notes = await sink.finish();
  // Rows on stdout are written to the end, whatever their number.
  if (!isFile) accept(claim.rows);
  return { claim, notes };
}
