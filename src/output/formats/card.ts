import { cellText, valueAt, type PlainRecord } from '../cell.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth, pad } from '../width.js';
import type { Format, FormatContext } from './format.js';
import { dim } from './looks.js';

function card(record: PlainRecord, { columns, hasColor }: FormatContext): string {
  const titleWidth = Math.max(0, ...columns.map((column) => displayWidth(column.title)));
  const shown = columns.flatMap(({ title, path }) => {
    const value = valueAt(record, path);
    if (value === undefined) return [];
    const text = value === null ? '-' : escapeForTerminal(cellText(value));
    return [`${dim(pad(title, titleWidth), hasColor)}  ${text}`];
  });
  const known = new Set(columns.map(({ path }) => path[0]));
  const unknown = Object.keys(record).filter((name) => !known.has(name));
  const rest = unknown.map(
    (name) =>
      `${dim(pad(escapeForTerminal(name), titleWidth), hasColor)}  ${escapeForTerminal(cellText(record[name]))}`,
  );
  return `${[...shown, ...rest].map((line) => line.trimEnd()).join('\n')}\n`;
}

/** One field a line; nothing is cut. Fields that are absent are left out, nil shows as a dash. */
export const cardFormat: Format = {
  open(context) {
    let isFirst = true;
    return {
      begin: () => '',
      records: (batch) =>
        batch
          .map((record) => {
            const gap = isFirst ? '' : '\n';
            isFirst = false;
            return gap + card(record, context);
          })
          .join(''),
      end: () => '',
    };
  },
};
