import { Renderer } from '../client/rows/renderer.js';
import { byteRendering } from '../export/rows/byte-rows.js';
import { defined } from '../plain/defined.js';
import type { ListPlan, ListRun } from './plan.js';
import { comesByRows, isInBytes } from './rendering.js';

/** What stands for a record that is counted; those that --where drops have no text. */
const mark = '.';

/**
 * What keeps nothing of the records of a list that are only counted, and decodes what --where looks at; undefined where the
 * records themselves are needed.
 */
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
