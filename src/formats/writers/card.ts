import { valueAt, type Value, type RecordValue } from '../../core/values/value.js';
import { shellWord } from '../../core/text/text.js';
import { asTyped, type Column, briefParts, joinedParts, displayText } from '../columns.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth, pad, wrapped } from '../layout/width.js';
import { type Format, type Display, type FormatContext, namesIn, refersToOther, type NameOf } from './format.js';
import { dim } from '../streams.js';

const gap = '  ';
const valueRoom = 36;
/** In narrower terminals lines are broken by the terminal. */
const leastWidth = 20;
const mostLines = 12;

interface Member {
  readonly title: string;
  readonly value: Value;
  readonly all: string;
}

const restOf = (record: RecordValue, { display, isChosen }: FormatContext): readonly (readonly [string, Value])[] =>
  isChosen ? [] : (display?.rest?.(record) ?? []);

/** An Id of another record with the name of that, where it is known. */
function named(value: Value, column: Column, nameOf: NameOf): Value {
  if (typeof value !== 'string' || !refersToOther(column)) return value;
  const name = nameOf(value, column.path.at(-1) ?? '');
  return name === undefined ? value : `${value} (${name})`;
}

const withUnit = (value: Value, { role }: Column): Value =>
  role === 'seconds' && typeof value === 'number' ? `${value} s` : value;

const nilAbove = (record: RecordValue, path: readonly string[]): string | undefined => {
  const length = path.findIndex((_, at) => valueAt(record, path.slice(0, at + 1)) === null) + 1;
  return length === 0 || length === path.length ? undefined : path.slice(0, length).join('.');
};

function membersOf(record: RecordValue, context: FormatContext, nameOf: NameOf): readonly Member[] {
  const nils = new Set<string>();
  const members = context.columns.flatMap((column): Member[] => {
    const { title, path } = column;
    const value = valueAt(record, path);
    const all = `-o json --columns ${shellWord(asTyped(column))}`;
    if (value !== undefined) return [{ title, value: withUnit(named(value, column, nameOf), column), all }];
    const nil = nilAbove(record, path);
    if (nil === undefined || nils.has(nil)) return [];
    nils.add(nil);
    return [{ title: nil, value: null, all }];
  });
  const rest = restOf(record, context).map(([title, value]) => ({ title, value, all: '-o json' }));
  return [...members, ...rest].map((each) => ({ ...each, title: escapeForTerminal(each.title) }));
}

/** Characters of a text, of which some take two places in it. */
function lengthOf(text: string): number {
  let length = 0;
  for (const { length: places } of text) length += places > 0 ? 1 : 0;
  return length;
}

interface CardSpace {
  readonly room: number | undefined;
  readonly isCut: boolean;
}

const mostCharactersIn = (room: number): number => (mostLines + 1) * room * 8;

function* linesOf(text: string, room: number | undefined): Generator<string> {
  for (const line of text.split(/\r?\n/)) {
    const escaped = escapeForTerminal(line);
    if (room === undefined) yield escaped;
    else yield* wrapped(escaped, room);
  }
}

function textLines(text: string, { all }: Member, { room, isCut }: CardSpace): readonly string[] {
  if (room === undefined || !isCut) return [...linesOf(displayText(text), room)];
  const start = text.slice(0, mostCharactersIn(room));
  const lines: string[] = [];
  for (const line of linesOf(start, room)) {
    if (lines.push(line) > mostLines) break;
  }
  if (lines.length <= mostLines && start.length === text.length) return lines;
  const size = lengthOf(text).toLocaleString('en-US');
  return [
    ...lines.slice(0, mostLines),
    ...wrapped(`… (${size} characters; ${escapeForTerminal(all)} prints all)`, room),
  ];
}

/** Items of a list behind each other, as many on a line as it has room for. */
function* flowing(items: readonly string[], room: number): Generator<string> {
  let line: string | undefined;
  for (const item of items) {
    const longer = line === undefined ? item : `${line}; ${item}`;
    const fits = displayWidth(longer) < room;
    if (line !== undefined && !fits) yield `${line};`;
    line = fits ? longer : item;
  }
  yield line ?? '';
}

function valueLines(member: Member, space: CardSpace): readonly string[] {
  const { value } = member;
  if (value === null) return ['-'];
  const parts = briefParts(value);
  const isFlowing = parts.length > 1 && space.room !== undefined;
  const text = isFlowing ? [...flowing(parts, space.room)].join('\n') : joinedParts(parts);
  return textLines(text, member, space);
}

const titleOf = ({ title }: Member): number => displayWidth(title);

interface Layout extends CardSpace {
  readonly titleWidth: number;
  readonly indent: string;
  readonly display: Display;
}

function layoutOf(cards: readonly (readonly Member[])[], display: Display): Layout {
  const width = display.width === undefined ? undefined : Math.max(leastWidth, display.width);
  const most = width === undefined ? Infinity : Math.max(0, width - gap.length - valueRoom);
  const widest = cards.flat().reduce((most, member) => Math.max(most, titleOf(member)), 0);
  const titleWidth = Math.min(most, widest);
  const indent = ' '.repeat(titleWidth) + gap;
  const room = width === undefined ? undefined : width - indent.length;
  return { titleWidth, indent, room, isCut: display.isOnce !== true, display };
}

// Not by cli-table3, which knows no title that is wider than its column and has a line, or a short value, beside it.
function memberLines(member: Member, layout: Layout): readonly string[] {
  const { titleWidth, indent, display } = layout;
  const [first = '', ...others] = valueLines(member, layout);
  const title = dim(pad(member.title, titleWidth), display.hasColor);
  const width = titleOf(member);
  // A short value still stands beside a title that is wider than the others.
  const isShort = others.length === 0 && width + gap.length + displayWidth(first) <= (display.width ?? 0);
  const begin = width <= titleWidth || isShort ? [title + gap + first] : [title, indent + first];
  return [...begin, ...others.map((line) => indent + line)].map((line) => line.trimEnd());
}

function cards(records: readonly RecordValue[], context: FormatContext): readonly string[] {
  const inRecords = namesIn(records, context.columns);
  const { display = {} } = context;
  const nameOf: NameOf = (id, member) => inRecords(id, member) ?? display.nameOf?.(id, member);
  const all = records.map((record) => membersOf(record, context, nameOf));
  const layout = layoutOf(all, display);
  return all.map((members) => `${members.flatMap((member) => memberLines(member, layout)).join('\n')}\n`);
}

/**
 * A member a line; more lines, below each other, for what does not fit a line of the terminal. There the first 12 lines of a
 * text are shown, with how to see all of it; elsewhere nothing is cut. Members that are absent are left out, nil is a dash.
 */
export const cardFormat: Format = {
  audience: 'people',
  layout: 'card',
  isResumable: false,
  open(context) {
    let isFirst = true;
    return {
      begin: () => '',
      records: (batch) =>
        cards(batch, context)
          .map((card) => {
            const blank = isFirst ? '' : '\n';
            isFirst = false;
            return blank + card;
          })
          .join(''),
      end: () => '',
    };
  },
};
