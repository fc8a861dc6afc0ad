import {
  valueAt,
  jsonTexts,
  type CellLayout,
  type CopiedTexts,
  type RowLayout,
  type RecordValue,
} from '../../core/values/value.js';
import { visibleJson } from '../escape.js';
import { type Format, type FormatContext, projected } from './format.js';

const documentOf = (record: RecordValue): string => visibleJson(`${JSON.stringify(record, null, 2)}\n`);

/** A record as an item of an array, without its brackets: it begins with a line end. */
const itemOf = (record: RecordValue): string => visibleJson(JSON.stringify([record], null, 2).slice(1, -2));

const facts = { audience: 'programs', layout: 'tree', isResumable: true, errors: 'json' } as const;

/** One valid document: an array for a list, an object for a single record. Numbers with many digits stay strings. */
export const json: Format = {
  ...facts,
  open(context) {
    if (context.shape === 'single') {
      let isNone = true;
      return {
        begin: () => '',
        records: (batch) => {
          isNone &&= batch.length === 0;
          return batch.map((record) => documentOf(projected(record, context))).join('');
        },
        // A record that --where drops is no document otherwise.
        end: () => (isNone ? 'null\n' : ''),
      };
    }
    let isFirst = context.isContinued !== true;
    const row = (record: RecordValue): string => `,${itemOf(projected(record, context))}`;
    /** Where rows begin: the first of all has no comma. */
    const startOf = ({ length }: string | Uint8Array): number => {
      const start = isFirst ? 1 : 0;
      isFirst &&= length === 0;
      return start;
    };
    return {
      begin: () => '[',
      records(batch) {
        const rows = batch.map(row).join('');
        return rows.slice(startOf(rows));
      },
      end: () => (isFirst ? ']\n' : '\n]\n'),
      row,
      placed: (rows) => rows.subarray(startOf(rows)),
    };
  },
};

const lineOf = (record: RecordValue, context: FormatContext): string =>
  visibleJson(`${JSON.stringify(projected(record, context))}\n`);

/** Characters that `visibleJson` may escape: those that are not seen, and some beside them. */
const perhapsUnseen: CopiedTexts['outside'] = [
  ...([
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x600, 0x61f],
    [0x6dd, 0x6dd],
    [0x70f, 0x70f],
    [0x890, 0x8ff],
  ] as const),
  ...([
    [0x180e, 0x180e],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0xfe00, 0xffff],
  ] as const),
  ...([
    [0x11000, 0x110cf],
    [0x13430, 0x1345f],
    [0x1bca0, 0x1bcaf],
    [0x1d173, 0x1d17a],
    [0xe0000, 0x10ffff],
  ] as const),
];

const memberLayout = (title: string, path: readonly string[]): CellLayout => {
  const [member = ''] = path;
  return {
    member,
    before: visibleJson(`,${JSON.stringify(title)}:`),
    of(value) {
      const own = valueAt(value === undefined ? {} : { [member]: value }, path);
      return own === undefined ? undefined : visibleJson(JSON.stringify(own));
    },
    isCopied: path.length === 1,
  };
};

function layoutOf(members: readonly string[], { isChosen, columns }: FormatContext): RowLayout | undefined {
  const all = isChosen ? columns : members.map((name) => ({ title: name, path: [name] }));
  // An object has each name once, and those of whole numbers first.
  const titles = new Set(all.map(({ title }) => title));
  if (titles.size < all.length || [...titles].some((title) => /^\d+$/.test(title))) return undefined;
  return {
    cells: all.map(({ title, path }) => memberLayout(title, path)),
    copied: jsonTexts(perhapsUnseen),
    first: '{',
    end: '}\n',
  };
}

const wholeRecords: FormatContext = {
  columns: [],
  isChosen: false,
  shape: 'list',
  hasHeader: false,
};

/** Whole records, one a line, whatever stands beside them. */
export const wholeLines = {
  text: (record: RecordValue): string => lineOf(record, wholeRecords),
  layout: (members: readonly string[]): RowLayout | undefined => layoutOf(members, wholeRecords),
};

/** One record a line. */
export const ndjson: Format = {
  ...facts,
  endings: ['jsonl'],
  open: (context) => ({
    begin: () => '',
    records: (batch) => batch.map((record) => lineOf(record, context)).join(''),
    end: () => '',
    row: (record) => lineOf(record, context),
    layout: (members) => layoutOf(members, context),
  }),
};
