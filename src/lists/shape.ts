import type { RecordType } from '../contract/build.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { Reshaped } from '../formats/list-members.js';
import type { RowMaker } from '../kit/output/record-output.js';
import type { Printed } from './fields/included.js';

/** How the records of a list are printed. */
export interface Shape {
  readonly type: RecordType;
  /** Columns of a table. */
  readonly table: readonly string[];
  /** The rows of a record; undefined where it is printed as it came. */
  readonly rows?: Reshaped['of'] | undefined;
}

/** A step between the records of a list and the rows that are printed of them. */
export type Step = (shape: Shape) => Shape;

/** The shape whose rows become others. */
export const reshape = ({ rows }: Shape, { type, of }: Reshaped, table: readonly string[]): Shape => ({
  type,
  table,
  rows: rows === undefined ? of : (record) => rows(record).flatMap(of),
});

/** The shape whose rows become other records, one for each. */
export const convert = (shape: Shape, { type, of }: Printed, table: readonly string[]): Shape =>
  reshape(shape, { type, of: (record) => [of(record)] }, table);

/** The rows of records. */
export const rowsOf = ({ rows }: Shape, records: readonly RecordValue[]): readonly RecordValue[] =>
  rows === undefined ? records : records.flatMap(rows);

/** The text of the rows of a record. */
export const textOfRows = (shape: Shape, { text, layout }: RowMaker): RowMaker => ({
  text(record) {
    const texts = rowsOf(shape, [record]).map(text);
    return texts.includes(undefined) ? undefined : texts.join('');
  },
  ...defined({ layout: shape.rows === undefined ? layout : undefined }),
});
