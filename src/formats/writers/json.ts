import type { Value, RecordValue } from '../../core/values/value.js';
import { valueAt } from '../columns.js';
import { visibleJson } from '../escape.js';
import type { CellLayout, Format, FormatContext, RowLayout } from './format.js';

/** The record, or its chosen columns under their titles. */
export function projected(record: RecordValue, { isChosen, columns }: FormatContext): RecordValue {
  if (!isChosen) return record;
  const chosen: Record<string, Value> = {};
  for (const { title, path } of columns) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    // An assignment would make it the prototype.
    if (title === '__proto__') Object.defineProperty(chosen, title, { value, enumerable: true });
    else chosen[title] = value;
  }
  return chosen;
}

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

/**
 * For each byte of UTF-8: 1 when it begins a character that JSON escapes, or that may be one that is not seen. Among the
 * letters of Europe there is none of these.
 */
const odd = new Uint8Array(256);
odd.fill(1, 0, 0x20);
odd[0x22] = 1;
odd[0x5c] = 1;
odd[0x7f] = 1;
odd[0xc2] = 1;
odd.fill(1, 0xd8, 0xe3);
odd.fill(1, 0xef);

const copy = { around: '"', odd } as const;

const memberLayout = (title: string, path: readonly string[]): CellLayout => {
  const [member = ''] = path;
  return {
    member,
    before: visibleJson(`,${JSON.stringify(title)}:`),
    of(value) {
      const own = valueAt(value === undefined ? {} : { [member]: value }, path);
      return own === undefined ? undefined : visibleJson(JSON.stringify(own));
    },
    ...(path.length === 1 ? { copy } : {}),
  };
};

function layoutOf(members: readonly string[], { isChosen, columns }: FormatContext): RowLayout | undefined {
  const all = isChosen ? columns : members.map((name) => ({ title: name, path: [name] }));
  // An object has each name once, and those of whole numbers first.
  const titles = new Set(all.map(({ title }) => title));
  if (titles.size < all.length || [...titles].some((title) => /^\d+$/.test(title))) return undefined;
  return { cells: all.map(({ title, path }) => memberLayout(title, path)), first: '{', end: '}\n' };
}

const wholeRecords: FormatContext = {
  columns: [],
  isChosen: false,
  shape: 'list',
  hasHeader: false,
  width: undefined,
  hasColor: false,
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
