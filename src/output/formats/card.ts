import type { Value, RecordValue } from '../../plain/value.js';
import { briefText } from '../brief.js';
import { valueAt } from '../cell.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth, pad } from '../width.js';
import type { Format, FormatContext } from './format.js';
import { dim } from './style.js';

function shownText(value: Value): string {
  return value === null ? '-' : escapeForTerminal(briefText(value));
}

/** What no column holds, under its own name; nothing when the columns were chosen. */
const restOf = (record: RecordValue, { rest, isChosen }: FormatContext): readonly (readonly [string, Value])[] =>
  isChosen ? [] : (rest?.(record) ?? []);

function card(record: RecordValue, context: FormatContext): string {
  const { columns, hasColor } = context;
  const others = restOf(record, context);
  const titles = [...columns.map(({ title }) => title), ...others.map(([name]) => escapeForTerminal(name))];
  const titleWidth = Math.max(0, ...titles.map(displayWidth));
  const shown = columns.flatMap(({ title, path }) => {
    const value = valueAt(record, path);
    if (value === undefined) return [];
    return [`${dim(pad(title, titleWidth), hasColor)}  ${shownText(value)}`];
  });
  const rest = others.map(
    ([name, value]) => `${dim(pad(escapeForTerminal(name), titleWidth), hasColor)}  ${shownText(value)}`,
  );
  return `${[...shown, ...rest].map((line) => line.trimEnd()).join('\n')}\n`;
}

/** One field a line; nothing is cut. Fields that are absent are left out, nil shows as a dash. */
export const cardFormat: Format = {
  audience: 'people',
  layout: 'card',
  isResumable: false,
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
