import type { RecordValue } from '../../../plain/value.js';
import { cellText, valueAt } from '../../cell.js';
import type { Column } from '../../columns.js';
import { displayWidth } from '../../layout/width.js';

/** Widths of columns, in characters: no text makes a column wider than the screen. */
const [least, most] = [8, 60];

/** The button of the filter stands over the end of a header. */
const button = 3;

function widthOf(text: string): number {
  // What is cut anyway needs no measuring.
  const lines = text.slice(0, most * 4).split(/\r?\n/);
  return Math.max(...lines.map((line) => displayWidth(line)));
}

/** A width for each column, by its header and the values of a sample. */
export function widthsOf(columns: readonly Column[], sample: readonly RecordValue[]): readonly number[] {
  return columns.map(({ title, path }) => {
    let width = Math.max(least, widthOf(title) + button);
    for (const record of sample) width = Math.max(width, widthOf(cellText(valueAt(record, path))) + 1);
    return Math.min(width, most);
  });
}
