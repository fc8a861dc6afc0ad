import { Renderer, type Rendering } from '../client/rows/renderer.js';
import { isBlank, recordOfRow, RenderedRow, type Row } from '../client/rows/row.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { Context } from '../kit/host/context.js';
import type { RowMaker } from '../kit/output/record-output.js';
import { openTemporaryFile, type TemporaryFile } from '../state/temporary-file.js';
import { hasMiddleware, isRecordList, type ListRun, type ResolvedPlan } from './plan.js';

/** What a sink takes in the place of records: text of its own, or JSON that is read back where it needs the records. */
export type RowForm = RowMaker | 'json';

/** A file for what does not fit into memory; closed with the list, or at the latest when the program ends. Throws `local`. */
export function overflowFor(context: Context): TemporaryFile {
  const overflow = openTemporaryFile();
  context.onClose(() => overflow.close());
  return overflow;
}

/** True where nothing looks at the records of an answer together. */
function comesByOne(plan: ResolvedPlan): boolean {
  const { operation, answer, beside = [] } = plan;
  if (!isRecordList(plan)) return false;
  return operation.paged !== undefined || (answer?.check === undefined && beside.length === 0);
}

/** True for a list whose records may become text without being decoded: those of the contract, that have an Id. */
export const isInBytes = ({ operation, answer }: ResolvedPlan): boolean =>
  operation.source !== 'imported' && answer?.idOf === undefined;

/** True where also the records are needed that --where drops: a bookmark, a snapshot and a trace have all of them. */
const needsDropped = (run: ListRun): boolean => hasMiddleware(run) || run.flags.trace !== undefined;

/** Characters of records of an answer that stay as they are: most pages have fewer. */
const firstCharacters = 4 * 1024 * 1024;

/** The text that a maker gives of records, of what --where drops none; of no records where the layout says how. */
function asText(plan: ResolvedPlan, { text, layout }: RowMaker): Pick<Rendering, 'text' | 'written'> {
  const { where } = plan;
  const textIfSelected = (record: RecordValue): string | undefined =>
    where?.keeps(record) === false ? '' : text(record);
  if (layout === undefined || !isInBytes(plan)) return { text: textIfSelected };
  return { text: textIfSelected, written: { layout, ...defined({ keeps: where?.keeps, looksAt: where?.looksAt }) } };
}

const asJson = (where: ResolvedPlan['where']): Pick<Rendering, 'text' | 'isJson' | 'firstCharacters'> => ({
  text: (record) => (where?.keeps(record) === false ? '' : JSON.stringify(record)),
  isJson: true,
  firstCharacters,
});

/**
 * Makes what a sink takes of the records of a list while they are decoded, so that of an answer only its text stays in memory:
 * records take several times as much. Where a snapshot or a trace needs the records, they are JSON, those that --where drops
 * too. undefined where all records of an answer are needed together.
 */
export function rendererFor(run: ListRun, plan: ResolvedPlan, form: RowForm): Renderer | undefined {
  if (!comesByOne(plan)) return undefined;
  const isAll = needsDropped(run);
  const { operation, answer, where } = plan;
  return new Renderer({
    ...(isAll || form === 'json' ? asJson(isAll ? undefined : where) : asText(plan, form)),
    ...defined({ idOf: answer?.idOf }),
    // A record without an Id cannot be edited, which is told when it is written.
    mayLackId: operation.paged === undefined && run.flags['for-edit'] !== true,
    openFile: () => overflowFor(run.context),
  });
}

/** True for the rows that --where keeps. */
export function rowFilter(run: ListRun, { where }: ResolvedPlan): (row: Row) => boolean {
  if (where === undefined) return () => true;
  const isLater = needsDropped(run);
  // What was rendered was asked then, where what is dropped is not needed.
  return (row) => (row instanceof RenderedRow && !isLater ? !isBlank(row) : where.keeps(recordOfRow(row)));
}
