import type { Cell } from '../../inputs/input.js';
import type { Mistake } from '../reading/read-row.js';
import type { RowPlan } from '../rows-text.js';

/** A row of the input: its plan, or what is wrong with it. */
export interface PlannedRow {
  /** Its number, from 0. */
  readonly row: number;
  readonly line: number;
  /** A cell for each column, as they were given. */
  readonly cells: readonly Cell[];
  readonly plan?: RowPlan;
  readonly mistakes: readonly Mistake[];
  /** The line of an earlier row that adds the same. */
  readonly twinOf?: number;
}
