import { choiceOption, textOption } from '../../cli/flags/kinds.js';
import { switchFlag, type Values } from '../../cli/flags/define.js';

import { type RecordValue, defined } from '../../plain/value.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { RelctlError, usage } from '../../errors/relctl-error.js';
import { Comparison, type DiffClaim, type Difference, type Repeats } from '../../export/diff/compare.js';
import { formatByName, tableFormats, type TableFile, type TableFormat } from '../../export/diff/read-table.js';
import type { Context } from '../../host/context.js';
import { csvFlags, fitsFormat } from '../../cli/flags/csv.js';
import { outputFlags, type CommonFlags } from '../../cli/flags/common.js';
import { note } from '../../host/notes.js';
import { openOutput } from '../../cli/output/open-output.js';
import { formatFor } from '../../cli/output/record-output.js';

/** Flags of `export diff`. */
export const diffFlags = {
  key: textOption({
    default: 'Id',
    summary: 'Column that says which records are the same.',
    helpValue: 'COLUMN',
  }),
  'input-format': choiceOption(tableFormats)({
    summary: 'Format of both files where their names do not tell.',
  }),
  'exit-code': switchFlag({ summary: 'End with exit code 12 when the files differ.' }),
  ...outputFlags,
  ...csvFlags,
};

type DiffFlags = Values<typeof diffFlags> & CommonFlags;

/** What `export diff` prints. */
export const DifferenceLine = recordWithoutPresence('Difference', 'A difference between two exports.', {
  Change: req(string, 'added, changed or removed; column-added or column-removed for a whole column.'),
  Key: inRole('key', opt(string, 'What the key column holds in this record.')),
  Field: opt(string, 'Column that changed.'),
  Old: opt(string, 'Its value in the first file.'),
  New: opt(string, 'Its value in the second file.'),
  Line: opt(int, 'Where the record begins: in the second file, or in the first when it was removed.'),
});

const tableColumns = ['Change', 'Key', 'Field', 'Old', 'New'];

const isCells = (format: TableFormat): boolean => format === 'csv' || format === 'tsv';

function tableOf(context: Context, name: string, flags: DiffFlags): TableFile {
  const format = flags['input-format'] ?? formatByName(name);
  if (format === undefined) {
    if (/\.(?:xlsx|parquet|ya?ml)$/i.test(name))
      throw usage(name, `${name}: export diff reads ${tableFormats.join(', ')}`, {
        advice: 'Export both in one of these.',
        hint: 'relctl export diff --help',
      });
    throw usage(name, `the name of ${name} does not tell its format`, {
      advice: `Say it: it is one of ${tableFormats.join(', ')}.`,
      hint: '--input-format csv',
    });
  }
  const file = context.environment.pathOf(name);
  return { file, format, delimiter: flags.delimiter ?? ',' };
}

/** A difference as it is printed; a value that is not there is absent. */
function lineOf(found: Difference): RecordValue {
  const { change, key, field, line } = found;
  return {
    Change: change,
    Key: key,
    Field: field,
    ...defined({ Old: found.old, New: found.new }),
    Line: line,
  };
}

function repeatNote(file: string, key: string, { count, first }: Repeats): string | undefined {
  if (first === undefined) return undefined;
  const [records, verb] = count === 1 ? ['1 record', 'has'] : [`${count} records`, 'have'];
  const example = `${first.key} on line ${first.line}`;
  return `${file}: ${records} ${verb} the ${key} of an earlier one, such as ${example}; those of one ${key} are compared in their order`;
}

function summaryOf({ added, changed, removed, columns }: DiffClaim): string | undefined {
  if (added + changed + removed + columns === 0) return undefined;
  const parts = [`${added} added`, `${changed} changed`, `${removed} removed`];
  return [...parts, ...(columns === 0 ? [] : [`${columns} columns differ`])].join(', ');
}

const batchRows = 200;

async function written(context: Context, flags: DiffFlags, comparison: Comparison): Promise<void> {
  // The delimiter is that of the files that are read; it is that of the output too when its format takes one.
  const others = { ...flags, delimiter: undefined };
  const format = formatFor(context, undefined, { flags: others, record: DifferenceLine, shape: 'list' });
  const request = {
    flags: fitsFormat('delimiter', format) ? flags : others,
    record: DifferenceLine,
    shape: 'list',
    table: tableColumns,
    blank: 'No differences.',
  } as const;
  const output = await openOutput(context, undefined, request);
  let batch: RecordValue[] = [];
  for await (const some of comparison.differences()) {
    context.signal.throwIfAborted();
    for (const found of some) {
      batch.push(lineOf(found));
      if (batch.length < batchRows) continue;
      await output.write(batch);
      batch = [];
    }
  }
  await output.write(batch);
  await output.finish();
}

/**
 * Compares two exports and prints what was added, changed and removed. Throws `usage` for a file that cannot be read to
 * its end, and with --exit-code `different`.
 */
export async function diffExports(context: Context, files: readonly [string, string], flags: DiffFlags): Promise<void> {
  const [left, right] = [tableOf(context, files[0], flags), tableOf(context, files[1], flags)];
  if (isCells(left.format) !== isCells(right.format)) {
    throw usage(files[1], `${left.format} and ${right.format} say values differently and cannot be compared`, {
      advice: 'Compare csv or tsv with csv or tsv, and json or ndjson with json or ndjson.',
    });
  }
  context.collectGarbage('soon');
  const comparison = new Comparison({ left, right, key: flags.key });
  await written(context, flags, comparison);
  const { claim } = comparison;
  for (const [at, repeats] of claim.repeats.entries()) {
    const line = repeatNote(files[at] ?? '', flags.key, repeats);
    if (line !== undefined) await note(context, flags, line);
  }
  const summary = summaryOf(claim);
  if (summary !== undefined && flags['exit-code']) throw new RelctlError('different', `the files differ: ${summary}`);
}
