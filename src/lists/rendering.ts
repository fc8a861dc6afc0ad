import { Renderer, type Rendering } from '../client/rows/renderer.js';
import type { RowMaker } from '../kit/output/record-output.js';
import type { RecordType } from '../contract/build.js';
import { byteRendering } from './export/rows/byte-rows.js';
import { stagingLine } from './export/staging.js';
import { hasBeyond } from '../formats/beyond.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { ByteMember, Rows } from '../soap/codec/decode-bytes.js';
import { overflowFor } from './overflow.js';
import { isRecordList, rowsOf, type ListPlan, type ListRun } from './plan.js';

const areNone = (...all: readonly unknown[]): boolean => all.every((each) => each === undefined);

/** True where nothing looks at the records of an answer together. */
function comesByOne(plan: ListPlan): boolean {
  const { operation, check, came, beside = [] } = plan;
  if (!isRecordList(plan)) return false;
  return operation.paged !== undefined || (areNone(check, came) && beside.length === 0);
}

/** True where nothing looks at the records of an answer but what writes their rows: then they may go as they come. */
const comesByRows = (plan: ListPlan): boolean => plan.middleware === undefined && comesByOne(plan);

/** True for a list whose records may become text without being decoded: those of the contract, that have an Id. */
export const isInBytes = ({ operation, idOf }: ListPlan): boolean =>
  operation.source !== 'imported' && idOf === undefined;

/** True where the records of a list may become text while an answer is read. */
const mayBecomeText = ({ flags }: ListRun, plan: ListPlan): boolean => flags.trace === undefined && comesByRows(plan);

/** Where the text of an answer goes, what the Id of a record is, and whose Id nobody asks for. */
const placing = (
  { context }: ListRun,
  { operation, forEdit, idOf }: ListPlan,
): Pick<Rendering, 'idOf' | 'mayLackId' | 'openFile'> => ({
  ...defined({ idOf }),
  // A record without an Id cannot be edited, which is told when it is written.
  mayLackId: operation.paged === undefined && forEdit !== true,
  openFile: () => overflowFor(context),
});

/**
 * What renders the records of a list while they are decoded, so that of an answer only its text stays in memory; undefined
 * where more of them is needed than their text and Id. A record with members beyond the contract is kept as it is.
 */
export function rendererBy(
  run: ListRun,
  plan: ListPlan,
  { maker, record }: { readonly maker: RowMaker; readonly record: RecordType },
): Renderer | undefined {
  if (!mayBecomeText(run, plan)) return undefined;
  const { row, layout } = maker;
  const { keeps, looksAt } = plan;
  const text = (each: RecordValue): string | undefined => {
    // A row of no text: its Id is needed to tell a record that comes again.
    if (keeps?.(each) === false) return '';
    const shown = rowsOf(plan, [each]);
    return shown.some((printed) => hasBeyond(printed, record)) ? undefined : shown.map(row).join('');
  };
  const rendering = { text, ...placing(run, plan) };
  const isCopied = plan.printed === undefined && plan.rows === undefined;
  if (layout === undefined || !isCopied || !isInBytes(plan)) return new Renderer(rendering);
  const isKnown = ({ name }: ByteMember): boolean => Object.hasOwn(record.fields, name);
  const bytes = byteRendering(
    (members) => (members.every(isKnown) ? layout(members.map(({ name }) => name)) : undefined),
    keeps && { keeps, ...defined({ looksAt }) },
  );
  return new Renderer({ ...rendering, bytes });
}

/** Characters of records of an answer that are kept as they are: most pages have fewer. */
const firstCharacters = 4 * 1024 * 1024;

/** True where also the records are needed that --where drops: a bookmark, a snapshot and a trace have all of them. */
export const needsDropped = ({ flags }: ListRun, { middleware }: ListPlan): boolean =>
  middleware !== undefined || flags.trace !== undefined;

/**
 * What keeps the records of a long answer as JSON while it is read, for what needs them as they are: they take several times
 * as much memory. `slicesOf` and `readBack` give them back. undefined where all of them are needed together.
 */
export function keeperOf(run: ListRun, plan: ListPlan): Renderer | undefined {
  if (!comesByOne(plan)) return undefined;
  // What --where drops has no text, as above.
  const keeps = needsDropped(run, plan) ? undefined : plan.keeps;
  const text = (each: RecordValue): string => (keeps?.(each) === false ? '' : JSON.stringify(each));
  return new Renderer({ text, isJson: true, firstCharacters, ...placing(run, plan) });
}

/** Makes lines of a staging file while records are decoded; undefined where all of them are needed together. */
export function stagingRenderer(run: ListRun, plan: ListPlan): Renderer | undefined {
  if (!mayBecomeText(run, plan)) return undefined;
  const { keeps } = plan;
  const text = (each: RecordValue): string => (keeps?.(each) === false ? '' : stagingLine(each));
  return new Renderer({ text, ...placing(run, plan) });
}

/** Makes, for each answer of a list, what becomes of its records. */
export const rowsBy =
  (renderer: Renderer, { shows, holders = [] }: ListPlan): (() => Rows) =>
  () => ({ path: [...holders, shows], ...renderer.page() });

/** What stands for a record that is counted; those that --where drops have no text. */
const mark = '.';

/** Keeps nothing of records that are only counted; undefined where the records themselves are needed. */
export function counterOf({ flags }: ListRun, plan: ListPlan): Renderer | undefined {
  const { keeps, looksAt, printed, rows } = plan;
  const isPlain = [printed, rows, flags.trace].every((each) => each === undefined);
  if (!flags.count || !isPlain || !comesByRows(plan)) return undefined;
  const keeping = keeps && { keeps, ...defined({ looksAt }) };
  const layout = { cells: [], end: mark };
  return new Renderer({
    text: (record) => (keeps?.(record) === false ? '' : mark),
    ...(isInBytes(plan) ? { bytes: byteRendering(() => layout, keeping) } : defined({ idOf: plan.idOf })),
  });
}
