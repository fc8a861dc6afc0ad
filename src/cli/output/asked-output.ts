import type { Context } from '../../host/context.js';
import { escapeForTerminal } from '../../output/escape.js';
import { cellText } from '../../output/cell.js';
import { formats } from '../../output/formats/index.js';
import { recordBatches } from '../../plain/batches.js';
import { isList, isRecord, type RecordValue, type Value } from '../../plain/value.js';
import type { Collector } from '../../query/questions.js';
import { printableOf } from '../../query/result.js';
import type { Session } from '../session/session.js';
import { formatFor, openTarget, writerFor, type OutputRequest, type RecordOutput } from './record-output.js';

/** Where an output goes, and what is printed. */
interface Place {
  readonly context: Context;
  readonly session: Session | undefined;
  readonly request: OutputRequest;
}

const batchRows = 500;

const isScalar = (value: Value): boolean => !isRecord(value) && !isList(value);

/** Values that are no records, for people: a line each. */
function linesOf(value: Value): string | undefined {
  const items = isList(value) ? value : [value];
  if (items.length === 0 || !items.every(isScalar)) return undefined;
  return items.map((item) => `${escapeForTerminal(cellText(item))}\n`).join('');
}

/** What a query gave, in the format that was asked for. */
async function printValue({ context, session, request }: Place, value: Value): Promise<void> {
  const { type, shape, records } = printableOf(value);
  const result: OutputRequest = { ...request, record: type, shape, table: Object.keys(type.fields) };
  const format = formatFor(context, session, result);
  const { audience, layout } = formats[format];
  const lines = audience === 'people' ? linesOf(value) : undefined;
  const target = openTarget(context, request.flags);
  const writer = await writerFor(context, result, { format });
  // A tree has every value as it is, also one that is no record.
  const items = layout === 'tree' ? ((isList(value) ? value : [value]) as readonly RecordValue[]) : records;
  const pieces = lines === undefined ? [writer.begin(), writer.records(items), writer.end()] : [lines];
  for (const piece of pieces) await target.write(piece);
  await target.finish(undefined);
  await context.report({ rows: items.length });
}

async function printCount({ context, request }: Place, count: number): Promise<void> {
  const target = openTarget(context, request.flags);
  await target.write(`${count}\n`);
  await target.finish(undefined);
  await context.report({ rows: count });
}

/** Prints what a collector made of all records. Throws what the output throws. */
export async function printOutcome(
  place: Place,
  collector: Collector,
  sorted: RecordOutput | undefined,
): Promise<void> {
  const outcome = collector.outcome();
  if (outcome.kind === 'count') return printCount(place, outcome.count);
  if (outcome.kind === 'value') return printValue(place, outcome.value);
  if (sorted === undefined) return;
  for (const batch of recordBatches(outcome.records, batchRows)) await sorted.write(batch);
  await sorted.finish();
}
