import { displayWidth } from './width.js';

/** What the numbers of a column take before their decimal point, and from it on. */
export interface PointWidths {
  readonly before: number;
  readonly behind: number;
}

/** The decimal point of a number; the end of any other text. */
const pointOf = (text: string): number => (/^[+-]?\d*\.\d+$/.test(text) ? text.indexOf('.') : text.length);

/** The widths for all texts of a column. */
export function pointWidths(texts: Iterable<string>): PointWidths {
  let [before, behind] = [0, 0];
  for (const text of texts) {
    const point = pointOf(text);
    before = Math.max(before, displayWidth(text.slice(0, point)));
    behind = Math.max(behind, text.length - point);
  }
  return { before, behind };
}

/** A number with blanks around it, so that its decimal point stands where those of the others do. */
export function atPoint(text: string, { before, behind }: PointWidths): string {
  const point = pointOf(text);
  const blanks = Math.max(0, before - displayWidth(text.slice(0, point)));
  return `${' '.repeat(blanks)}${text}${' '.repeat(Math.max(0, behind - (text.length - point)))}`;
}
