import { briefText } from '../brief.js';
import { valueAt, type Plain, type PlainRecord } from '../cell.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth, pad } from '../width.js';
import type { Format, FormatContext } from './format.js';
import { dim } from './looks.js';

function shownText(value: Plain): string {
  return value === null ? '-' : escapeForTerminal(briefText(value));
}

/** Fields that the contract does not know, under their own names; none when the columns were chosen. */
function restOf(record: PlainRecord, { columns, isChosen }: FormatContext): readonly (readonly [string, Plain])[] {
  const known = new Set(columns.map(({ path }) => path[0]));
  return isChosen ? [] : Object.entries(record).filter(([name]) => !known.has(name));
}

function card(record: PlainRecord, context: FormatContext): string {
  const { columns, hasColor } = context;
  const titleWidth = Math.max(0, ...columns.map((column) => displayWidth(column.title)));
  const shown = columns.flatMap(({ title, path }) => {
    const value = valueAt(record, path);
    if (value === undefined) return [];
    return [`${dim(pad(title, titleWidth), hasColor)}  ${shownText(value)}`];
  });
  const rest = restOf(record, context).map(
    ([name, value]) => `${dim(pad(escapeForTerminal(name), titleWidth), hasColor)}  ${shownText(value)}`,
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
