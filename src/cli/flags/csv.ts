import { Flags } from '@oclif/core';
import type { LineStyle } from '../../output/formats/format.js';
import { choiceOf } from './typed.js';
import { defined } from '../../plain/defined.js';
import { usage } from '../../errors/usage.js';
import { formats, type FormatName } from '../../output/formats/index.js';

const helpGroup = 'CSV';

/** How CSV and TSV are written, where that is not as usual. */
export const csvFlags = {
  delimiter: Flags.string({
    summary: 'Between the cells of CSV: comma, semicolon, pipe, or one character.',
    helpValue: 'CHARACTER',
    helpGroup,
  }),
  'line-ending': Flags.string({ summary: 'lf, or crlf to the letter of RFC 4180.', helpValue: 'ENDING', helpGroup }),
  bom: Flags.boolean({ summary: 'Begin with a byte order mark, which some spreadsheets want.', helpGroup }),
  'decimal-comma': Flags.boolean({ summary: 'Write decimals with a comma.', helpGroup }),
  'null-as': Flags.string({
    summary: 'Text for values that are nil or absent; the default is nothing.',
    helpValue: 'TEXT',
    helpGroup,
  }),
  'csv-safe': Flags.boolean({ summary: "Put a ' before text that a spreadsheet would take for a formula.", helpGroup }),
};

/** Values of those flags, as given. */
export interface CsvFlags {
  readonly delimiter?: string | undefined;
  readonly 'line-ending'?: string | undefined;
  readonly bom?: boolean | undefined;
  readonly 'decimal-comma'?: boolean | undefined;
  readonly 'null-as'?: string | undefined;
  readonly 'csv-safe'?: boolean | undefined;
}

const named: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', pipe: '|' };

function delimiterOf(text: string): string {
  const character = Object.hasOwn(named, text.toLowerCase()) ? (named[text.toLowerCase()] ?? '') : text;
  if (/^[^\s"\\A-Za-z0-9.+-]$/u.test(character) && character.length === 1) return character;
  throw usage(
    '--delimiter',
    `--delimiter takes comma, semicolon, pipe or one such character, not '${text}'; -o tsv has tabs`,
  );
}

const given = <K extends string, V>(name: K, value: V | undefined): { readonly [N in K]?: V } =>
  defined({ [name]: value }) as { readonly [N in K]?: V };

/** How lines are to be written. Throws `usage` that names the flag. */
export function linesOf(flags: CsvFlags): LineStyle {
  const { delimiter, 'line-ending': ending } = flags;
  return {
    ...given('delimiter', delimiter === undefined ? undefined : delimiterOf(delimiter)),
    ...given(
      'lineEnding',
      ending === undefined ? undefined : choiceOf(ending, '--line-ending', ['lf', 'crlf'] as const),
    ),
    ...given('hasMark', flags.bom),
    ...given('hasDecimalComma', flags['decimal-comma']),
    ...given('nullAs', flags['null-as']),
  };
}

const styleFlags = Object.keys(csvFlags) as readonly (keyof CsvFlags)[];

/** True when a flag of CSV says something in a format: a delimiter is for CSV alone. */
export function fitsFormat(flag: string, format: FormatName): boolean {
  const { delimiter } = formats[format];
  return !Object.hasOwn(csvFlags, flag) || delimiter === 'any' || (delimiter === 'tab' && flag !== 'delimiter');
}

/** Throws `usage` for a flag of CSV that would mean nothing in a format. */
export function refuseStyle(flags: CsvFlags, format: FormatName): void {
  const found = styleFlags.find(
    (name) => flags[name] !== undefined && flags[name] !== false && !fitsFormat(name, format),
  );
  if (found === undefined) return;
  throw usage(
    `--${found}`,
    `--${found} is for CSV${found === 'delimiter' ? '' : ' and TSV'}, not for ${format}`,
    `-o csv, or leave --${found} out`,
  );
}
