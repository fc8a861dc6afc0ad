import { Flags } from '@oclif/core';
import type { CsvFlags } from './csv.js';

const helpGroup = 'OUTPUT';

/** Flags of every command that prints records. */
export const outputFlags = {
  output: Flags.string({
    char: 'o',
    summary: 'Format: table, card, json, ndjson, csv, tsv, yaml or xlsx (RELCTL_OUTPUT).',
    helpValue: 'FORMAT',
    helpGroup,
  }),
  json: Flags.boolean({ summary: 'The same as -o json.', helpGroup }),
  'output-file': Flags.string({
    summary: 'Write to this file when complete, not to stdout; its name may say the format: x.csv.',
    helpValue: 'FILE',
    helpGroup,
  }),
  force: Flags.boolean({ summary: 'Replace the output file when it exists.', helpGroup }),
  columns: Flags.string({
    summary: 'Columns to show, with dots into nested records: Id,AuditData.CreatedAt.',
    helpValue: 'A,B',
    helpGroup,
  }),
  header: Flags.boolean({
    default: true,
    allowNo: true,
    summary: 'Start tables, CSV and TSV with their header.',
    helpGroup,
  }),
};

/** Flags of every command whatsoever. */
export const commonFlags = {
  quiet: Flags.boolean({ char: 'q', summary: 'No warnings and notes, only errors.', helpGroup: 'GLOBAL' }),
  'no-input': Flags.boolean({ summary: 'Never ask in a terminal.', helpGroup: 'GLOBAL' }),
  color: Flags.boolean({
    default: true,
    allowNo: true,
    summary: 'Allow colour in a terminal (NO_COLOR).',
    helpGroup: 'GLOBAL',
  }),
};

/** Values of the output flags as parsed. */
export interface OutputFlags extends CsvFlags {
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
  readonly 'output-file'?: string | undefined;
  readonly force?: boolean | undefined;
  readonly columns?: string | undefined;
  readonly header?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly color?: boolean | undefined;
}
