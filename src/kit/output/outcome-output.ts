import type { Context } from '../host/context.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { cellText } from '../../formats/columns.js';
import { formats } from '../../formats/writers/index.js';
import { inBatches, recordBatches, type RecordValue } from '../../core/values/value.js';
import { type Collector, printedRecords, resultType, type Result } from '../../formats/query/questions.js';
import type { Session } from '../session/session.js';
import {
  formatFor,
  openTarget,
  writerFor,
  type OutputRequest,
  type RecordOutput,
  type Target,
} from './record-output.js';

interface AnswerContext {
  readonly context: Context;
  readonly session: Session | undefined;
  readonly request: OutputRequest;
}

const batchRows = 500;

/** Items of a result that are written at once: a table takes its widths from the first ones. */
const writtenRows = 10_000;

/** Writes a result for people whose items are no records: a line each. */
async function printLines(target: Target, result: Result): Promise<void> {
  for (const some of inBatches(result.items(), batchRows))
    await target.write(some.map((item) => `${escapeForTerminal(cellText(item))}\n`).join(''));
}

async function printResult({ context, session, request }: AnswerContext, result: Result): Promise<void> {
  const type = resultType(result);
  const shape = result.isList ? 'list' : 'single';
  const outputRequest: OutputRequest = { ...request, record: type, shape, table: Object.keys(type.fields) };
  const format = formatFor(context, session, outputRequest);
  const { audience, layout } = formats[format];
  const target = openTarget(context, request.flags);
  const writer = await writerFor(context, outputRequest, { format });
  if (audience === 'people' && result.areScalars && result.count > 0) await printLines(target, result);
  else {
    // A tree has every value as it is, also one that is no record.
    const items = layout === 'tree' ? (result.items() as Iterable<RecordValue>) : printedRecords(result);
    await target.write(writer.begin());
    if (result.count === 0) await target.write(writer.records([]));
    for (const some of recordBatches(items, writtenRows)) await target.write(writer.records(some));
    await target.write(writer.end());
  }
  await target.finish(undefined);
  await context.report({ rows: result.count });
}

async function printCount({ context, request }: AnswerContext, count: number): Promise<void> {
  const target = openTarget(context, request.flags);
  await target.write(`${count}\n`);
  await target.finish(undefined);
  await context.report({ rows: count });
}

/** Prints what a collector made of all records. Throws what the output throws. */
export async function printOutcome(
  answerContext: AnswerContext,
  collector: Collector,
  sorted: RecordOutput | undefined,
): Promise<void> {
  const outcome = collector.outcome();
  if (outcome.kind === 'count') return printCount(answerContext, outcome.count);
  if (outcome.kind === 'result') return printResult(answerContext, outcome.result);
  if (sorted === undefined) return;
  for (const batch of recordBatches(outcome.records, batchRows)) await sorted.write(batch);
  await sorted.finish();
}
