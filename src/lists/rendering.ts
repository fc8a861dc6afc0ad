import { Renderer, type Rendering } from '../client/rows/renderer.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { Context } from '../kit/host/context.js';
import type { RowMaker } from '../kit/output/record-output.js';
import { openTemporaryFile, type TemporaryFile } from '../state/temporary-file.js';
import { byteRendering } from './export/rows/byte-rows.js';
import { isRecordList, rowsOf, type ResolvedPlan, type ListRun } from './plan.js';

/** What a sink takes in the place of records: text of its own, or JSON that is read back where it needs the records. */
export type RowForm = RowMaker | 'json';

/** A file for what does not fit into memory; closed with the list, or at the latest when the program ends. Throws `local`. */
export function overflowFor(context: Context): TemporaryFile {
  const overflow = openTemporaryFile();
  context.onClose(() => overflow.close());
  return overflow;
}

/** The text of the rows that a plan prints of a record. */
export const printing = (plan: ResolvedPlan, { text, layout }: RowMaker): RowMaker => ({
  text(record) {
    const texts = rowsOf(plan, [record]).map(text);
    return texts.includes(undefined) ? undefined : texts.join('');
  },
  ...defined({ layout: plan.printed === undefined && plan.rows === undefined ? layout : undefined }),
});

/** True where nothing looks at the records of an answer together. */
function comesByOne(plan: ResolvedPlan): boolean {
  const { operation, check, beside = [] } = plan;
  if (!isRecordList(plan)) return false;
  return operation.paged !== undefined || (check === undefined && beside.length === 0);
}

/** True for a list whose records may become text without being decoded: those of the contract, that have an Id. */
export const isInBytes = ({ operation, idOf }: ResolvedPlan): boolean =>
  operation.source !== 'imported' && idOf === undefined;

/** True where also the records are needed that --where drops: a bookmark, a snapshot and a trace have all of them. */
export const needsDropped = ({ flags }: ListRun, { middleware }: ResolvedPlan): boolean =>
  middleware !== undefined || flags.trace !== undefined;

/** Characters of records of an answer that stay as they are: most pages have fewer. */
const firstCharacters = 4 * 1024 * 1024;

/** The text that a maker gives of records, of what --where drops none; from their bytes where it is put together of these. */
function asText(plan: ResolvedPlan, { text, layout }: RowMaker): Pick<Rendering, 'text' | 'bytes'> {
  const { where } = plan;
  const ofKept = (record: RecordValue): string | undefined => (where?.keeps(record) === false ? '' : text(record));
  if (layout === undefined || !isInBytes(plan)) return { text: ofKept };
  return { text: ofKept, bytes: byteRendering(layout, where) };
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
  const isAll = needsDropped(run, plan);
  const { operation, forEdit, idOf, where } = plan;
  return new Renderer({
    ...(isAll || form === 'json' ? asJson(isAll ? undefined : where) : asText(plan, form)),
    ...defined({ idOf }),
    // A record without an Id cannot be edited, which is told when it is written.
    mayLackId: operation.paged === undefined && forEdit !== true,
    openFile: () => overflowFor(run.context),
  });
}
