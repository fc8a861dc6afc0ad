import { Renderer } from '../client/rendered.js';
import type { RowMaker } from '../cli/output/record-output.js';
import type { RecordType } from '../contract/build.js';
import { byteRendering } from '../export/rows/byte-rows.js';
import { hasBeyond } from '../output/beyond.js';
import { defined } from '../plain/defined.js';
import type { RecordValue } from '../plain/value.js';
import type { ByteMember, Rows } from '../soap/codec/decode-bytes.js';
import { isUsualList, rowsOf, type ListPlan, type ListRun } from './plan.js';

const areNone = (...all: readonly unknown[]): boolean => all.every((each) => each === undefined);

/** True where nothing looks at the records of an answer but what writes their rows: then they may go as they come. */
export function comesByRows(plan: ListPlan): boolean {
  const { operation, middleware, idOf, check, came, beside = [] } = plan;
  if (!isUsualList(plan) || middleware !== undefined) return false;
  return operation.paged === undefined ? areNone(check, came) && beside.length === 0 : idOf === undefined;
}

/** What the rows of a list are made of. */
interface Made {
  readonly maker: RowMaker;
  /** The type of the printed records. */
  readonly record: RecordType;
}

/**
 * What renders the records of a list while they are decoded, so that of an answer only its text stays in memory; undefined
 * where more of them is needed than their text and Id. A record with members beyond the contract is kept as it is.
 */
export function rendererBy({ flags }: ListRun, plan: ListPlan, { maker, record }: Made): Renderer | undefined {
  if (flags.trace !== undefined || flags.consistent === true || !comesByRows(plan)) return undefined;
  const { row, layout } = maker;
  const { keeps, looksAt, forEdit, operation } = plan;
  const text = (each: RecordValue): string | undefined => {
    // A row of no text: its Id is needed to tell a record that comes again.
    if (keeps?.(each) === false) return '';
    const shown = rowsOf(plan, [each]);
    return shown.some((printed) => hasBeyond(printed, record)) ? undefined : shown.map(row).join('');
  };
  // A record without an Id cannot be edited, which is told when it is written.
  const rendering = { text, mayLackId: operation.paged === undefined && forEdit !== true };
  const isCopied = plan.printed === undefined && plan.rows === undefined;
  if (layout === undefined || !isCopied) return new Renderer(rendering);
  const isKnown = ({ name }: ByteMember): boolean => Object.hasOwn(record.fields, name);
  const bytes = byteRendering(
    (members) => (members.every(isKnown) ? layout(members.map(({ name }) => name)) : undefined),
    keeps && { keeps, ...defined({ looksAt }) },
  );
  return new Renderer({ ...rendering, bytes });
}

/** Makes, for each answer of a list, what becomes of its records. */
export const rowsBy =
  (renderer: Renderer, { shows }: ListPlan): (() => Rows) =>
  () => ({ member: shows, ...renderer.page() });
