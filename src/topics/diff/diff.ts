import { exitWords } from '../../core/errors/kinds.js';
import { choiceOption, namesOption, textOption } from '../../kit/flags/kinds.js';
import { switchFlag, type Values } from '../../kit/flags/define.js';

import { type RecordValue, defined } from '../../core/values/value.js';
import { inRole, opt, recordWithoutPresence, req, type RecordType } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import { perhaps, RelctlError, usage } from '../../core/errors/relctl-error.js';
import {
  Comparison,
  namesIn,
  type DiffClaim,
  type Difference,
  type DiffPlan,
  type Repeats,
} from '../../lists/export/diff/compare.js';
import { areAlike, formatByName, tableFormats, type TableFile } from '../../lists/export/diff/read-table.js';
import type { Context } from '../../kit/host/context.js';
import { csvFlags, fitsFormat } from '../../kit/flags/csv.js';
import { outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { note } from '../../kit/host/notes.js';
import { openOutput } from '../../kit/output/open-output.js';
import { formatFor } from '../../kit/output/record-output.js';

/** Flags of `export diff`. */
export const diffFlags = {
  key: textOption({
    default: 'Id',
    summary: 'Column that identifies a record.',
    helpValue: 'COLUMN',
  }),
  show: namesOption({
    summary: 'More columns of each record to print, such as DisplayName; * for all.',
  }),
  'input-format': choiceOption(tableFormats)({
    summary: 'Format of both files, if their names do not show it.',
  }),
  'exit-code': switchFlag({ summary: `End with ${exitWords('different')} if the files differ.` }),
  ...outputFlags,
  ...csvFlags,
};

type DiffFlags = Values<typeof diffFlags> & CommonFlags;

/** What `export diff` prints. */
export const DifferenceLine = recordWithoutPresence('Difference', 'A difference between two exports.', {
  Change: req(string, 'added, changed or removed; column-added or column-removed for a whole column.'),
  Key: inRole('key', opt(string, 'Value of the key column in this record.')),
  Field: opt(string, 'Column that changed.'),
  Old: opt(string, 'Its value in the first file.'),
  New: opt(string, 'Its value in the second file.'),
  Line: opt(int, 'Line where the record begins, in the second file, or in the first if it was removed.'),
});

/** What --show names of two files. Throws `usage` for a column that neither has. */
async function resolveColumns(plan: DiffPlan, requested: string): Promise<readonly string[]> {
  const names = await namesIn(plan);
  if (requested === '*') return names;
  const columns = requested.split(',').map((each) => {
    const text = each.trim();
    const name = names.find((each) => each === text) ?? inAnyCase(text, names);
    if (name !== undefined) return name;
    const near = nearest(text, names);
    throw usage('--show', `there is no column ${text}; the columns are ${names.join(', ')}`, perhaps(text, near));
  });
  return [...new Set(columns)];
}

function lineWith(columns: readonly string[]): RecordType {
  if (columns.length === 0) return DifferenceLine;
  const { Change, Key, ...others } = DifferenceLine.fields;
  const fields = Object.fromEntries(columns.map((name) => [name, opt(string, `${name} of the record.`)]));
  const Record = opt(recordWithoutPresence('ShownRecord', 'More columns of the record.', fields), 'By --show.');
  return { ...DifferenceLine, fields: { Change, Key, Record, ...others } };
}

const tableColumns = (columns: readonly string[]): readonly string[] => [
  ...['Change', 'Key', ...columns.map((name) => `Record.${name}`)],
  ...['Field', 'Old', 'New'],
];

function tableOf(context: Context, name: string, flags: DiffFlags): TableFile {
  const format = flags['input-format'] ?? formatByName(name);
  if (format === undefined) {
    if (/\.ya?ml$/i.test(name))
      throw usage(name, `${name}: export diff reads ${tableFormats.join(', ')}`, {
        advice: 'Export both in one of these formats.',
        hint: 'relctl export diff --help',
      });
    throw usage(name, `the name of ${name} does not show its format`, {
      advice: `Set the format, one of ${tableFormats.join(', ')}.`,
      hint: '--input-format csv',
    });
  }
  const file = context.environment.pathOf(name);
  return { file, format, delimiter: flags.delimiter ?? ',' };
}

function lineOf(difference: Difference, names: readonly string[]): RecordValue {
  const { change, key, field, line, shown: showValues } = difference;
  const hasShow = showValues !== undefined && names.length > 0;
  return {
    Change: change,
    Key: key,
    ...(hasShow ? { Record: Object.fromEntries(names.map((name, at) => [name, showValues[at] ?? null])) } : {}),
    Field: field,
    ...defined({ Old: difference.old, New: difference.new }),
    Line: line,
  };
}

function repeatNote(file: string, key: string, { count, first }: Repeats): string | undefined {
  if (first === undefined) return undefined;
  const [records, verb] = count === 1 ? ['1 record', 'has'] : [`${count} records`, 'have'];
  const example = `${first.key} on line ${first.line}`;
  return `${file}: ${records} ${verb} the ${key} of an earlier one, such as ${example}; relctl compares those of one ${key} in their order`;
}

function summaryOf({ added, changed, removed, columns }: DiffClaim): string | undefined {
  if (added + changed + removed + columns === 0) return undefined;
  const parts = [`${added} added`, `${changed} changed`, `${removed} removed`];
  return [...parts, ...(columns === 0 ? [] : [`${columns} columns differ`])].join(', ');
}

const batchRows = 200;

async function written(context: Context, flags: DiffFlags, plan: DiffPlan): Promise<DiffClaim> {
  const { shown: show = [] } = plan;
  const comparison = new Comparison(plan);
  const record = lineWith(show);
  // The delimiter is that of the files that are read; it is that of the output too when its format takes one.
  const others = { ...flags, delimiter: undefined };
  const format = formatFor(context, undefined, { flags: others, record, shape: 'list' });
  const request = {
    flags: fitsFormat('delimiter', format) ? flags : others,
    record,
    shape: 'list',
    table: tableColumns(show),
    blank: 'No differences.',
  } as const;
  const output = await openOutput(context, undefined, request);
  let batch: RecordValue[] = [];
  for await (const some of comparison.differences()) {
    context.signal.throwIfAborted();
    for (const difference of some) {
      batch.push(lineOf(difference, show));
      if (batch.length < batchRows) continue;
      await output.write(batch);
      batch = [];
    }
  }
  await output.write(batch);
  await output.finish();
  return comparison.claim;
}

/**
 * Compares two exports and prints what was added, changed and removed. Throws `usage` for a file that cannot be read to
 * its end, and with --exit-code `different`.
 */
export async function diffExports(context: Context, files: readonly [string, string], flags: DiffFlags): Promise<void> {
  const [left, right] = [tableOf(context, files[0], flags), tableOf(context, files[1], flags)];
  if (!areAlike(left, right)) {
    throw usage(files[1], `${left.format} and ${right.format} write values differently and cannot be compared`, {
      advice:
        'Compare csv or tsv with csv or tsv, json or ndjson with json or ndjson, xlsx with xlsx, and parquet with parquet.',
    });
  }
  context.collectGarbage('soon');
  const plan = { left, right, key: flags.key };
  const show = flags.show === undefined ? [] : await resolveColumns(plan, flags.show);
  const claim = await written(context, flags, { ...plan, shown: show });
  for (const [at, repeats] of claim.repeats.entries()) {
    const line = repeatNote(files[at] ?? '', flags.key, repeats);
    if (line !== undefined) await note(context, flags, line);
  }
  const summary = summaryOf(claim);
  if (summary !== undefined && flags['exit-code']) throw new RelctlError('different', `the files differ: ${summary}`);
}
