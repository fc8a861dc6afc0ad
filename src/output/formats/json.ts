import type { Value, RecordValue } from '../../plain/value.js';
import { valueAt } from '../cell.js';
import { visibleJson } from '../escape.js';
import type { Format, FormatContext } from './format.js';

/** The record, or its chosen columns under their titles. */
export function projected(record: RecordValue, { isChosen, columns }: FormatContext): RecordValue {
  if (!isChosen) return record;
  const chosen: Record<string, Value> = {};
  for (const { title, path } of columns) {
    const value = valueAt(record, path);
    if (value !== undefined) chosen[title] = value;
  }
  return chosen;
}

const indented = (record: RecordValue, by: string): string =>
  JSON.stringify(record, null, 2).replaceAll('\n', `\n${by}`);

const facts = { audience: 'programs', layout: 'tree', isResumable: true, errors: 'json' } as const;

/** One valid document: an array for a list, an object for a single record. Numbers with many digits stay strings. */
export const json: Format = {
  ...facts,
  open(context) {
    if (context.shape === 'single') {
      return {
        begin: () => '',
        records: (batch) =>
          batch.map((record) => visibleJson(`${indented(projected(record, context), '')}\n`)).join(''),
        end: () => '',
      };
    }
    let isFirst = context.isContinued !== true;
    return {
      begin: () => '[',
      records: (batch) =>
        batch
          .map((record) => {
            const separator = isFirst ? '\n  ' : ',\n  ';
            isFirst = false;
            return separator + visibleJson(indented(projected(record, context), '  '));
          })
          .join(''),
      end: () => (isFirst ? ']\n' : '\n]\n'),
    };
  },
};

const lineOf = (record: RecordValue, context: FormatContext): string =>
  visibleJson(`${JSON.stringify(projected(record, context))}\n`);

/** One record a line. */
export const ndjson: Format = {
  ...facts,
  endings: ['jsonl'],
  open: (context) => ({
    begin: () => '',
    records: (batch) => batch.map((record) => lineOf(record, context)).join(''),
    end: () => '',
    row: (record) => lineOf(record, context),
  }),
};
