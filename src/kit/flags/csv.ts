import * as Flags from '@oclif/core/flags';
import type { LineStyle } from '../../formats/writers/format.js';
import { neutralGroup, option, type Values } from './define.js';
import { choiceOption, textOption } from './kinds.js';
import { defined } from '../../core/values/value.js';
import { usage } from '../../core/errors/relctl-error.js';
import { formatNames, formats, type FormatName } from '../../formats/writers/index.js';

const named: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', pipe: '|' };

function delimiterOf(text: string, flag: string): string {
  const character = Object.hasOwn(named, text.toLowerCase()) ? (named[text.toLowerCase()] ?? '') : text;
  if (/^[^\s"\\A-Za-z0-9.+-]$/u.test(character) && character.length === 1) return character;
  const others = 'no blank or tab, none of A-Z, a-z and 0-9, and none of " \\ + - .';
  throw usage(
    flag,
    `${flag} takes comma, semicolon, pipe, or one character: ${others}; not '${text}'; -o tsv has tabs`,
  );
}

/** How CSV and TSV are written, where that is not as usual. */
export const csvFlags = neutralGroup('CSV', {
  delimiter: option(delimiterOf, { offers: Object.keys(named) })({
    summary: 'Delimiter of CSV: comma, semicolon, pipe, or one character such as ^.',
    helpValue: 'CHARACTER',
  }),
  excel: Flags.boolean({
    allowNo: true,
    summary:
      'Write CSV for Excel in the country of the profile: delimiter, decimals, CRLF, byte order mark, and 007 as text (RELCTL_EXCEL).',
  }),
  decimal: choiceOption(['point', 'comma'])({ summary: 'Decimal separator in files: point or comma.' }),
  'null-as': textOption({
    summary: 'Text for values that are nil or absent; the default is an empty cell.',
    helpValue: 'TEXT',
  }),
});

/** Values of those flags. */
export type CsvFlags = Values<typeof csvFlags>;

function excelLineStyle(flags: Partial<CsvFlags>, isForEdit: boolean): LineStyle {
  const { delimiter = ';', decimal } = flags;
  if (delimiter === ',' && decimal === 'comma') {
    throw usage(
      '--decimal',
      'Excel cannot read commas both as delimiter and in decimals: --excel --delimiter comma writes points',
      {
        advice: 'Leave --decimal, --delimiter comma or --excel out.',
      },
    );
  }
  return {
    delimiter,
    lineEnding: 'crlf',
    hasMark: true,
    // Where Excel has commas between cells, decimals have points.
    hasDecimalComma: decimal === undefined ? delimiter !== ',' : decimal === 'comma',
    hasKeptTexts: !isForEdit,
  };
}

/**
 * How lines are to be written, where it is not as usual. Throws `usage` for flags that contradict each other.
 * @param isForEdit the file is edited and fed back: its texts stay as they are, and its mark tells spreadsheets the encoding
 */
export const linesOf = (flags: Partial<CsvFlags>, isForEdit = false): LineStyle => ({
  ...(flags.excel === true
    ? excelLineStyle(flags, isForEdit)
    : defined({
        delimiter: flags.delimiter,
        hasMark: isForEdit ? true : undefined,
        hasDecimalComma: flags.decimal === 'comma' ? true : undefined,
      })),
  ...defined({ nullAs: flags['null-as'] }),
});

/** What a profile says of spreadsheets. */
export interface SpreadsheetSettings {
  /** CSV is written for Excel unless a flag says otherwise. */
  readonly excel: boolean;
  /** Two letters. */
  readonly country: string | undefined;
}

/** Countries whose Excel has semicolons between cells although decimals have points. */
const pointsAndSemicolons: ReadonlySet<string> = new Set(['CH', 'LI']);

function hasDecimalPoint(country: string): boolean {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const parts = new Intl.NumberFormat(`${language}-${country}`).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === '.');
}

/** What Excel of a country takes, where that is no decimal comma; flags come first. */
function styleOf(country: string | undefined, { delimiter, decimal }: Partial<CsvFlags>): Partial<CsvFlags> {
  if (country === undefined || !hasDecimalPoint(country)) return {};
  const isSemicolon = decimal === 'comma' || pointsAndSemicolons.has(country);
  return { delimiter: delimiter ?? (isSemicolon ? ';' : ','), decimal: decimal ?? 'point' };
}

/** Flags with --excel where the profile wants it and they do not say otherwise, and with what its country writes. */
export function withExcelOf<F extends Partial<CsvFlags>>(
  flags: F,
  session: SpreadsheetSettings | undefined,
  format: FormatName,
): F {
  const { excel = session?.excel === true } = flags;
  if (!excel || !fitsFormat('excel', format)) return flags;
  return { ...flags, excel, ...styleOf(session?.country, flags) };
}

const styleFlags = Object.keys(csvFlags) as readonly (keyof CsvFlags)[];

/** True when a flag says something in a format: a delimiter is for CSV alone, a header for formats with columns. */
export function fitsFormat(flag: string, format: FormatName): boolean {
  const { delimiter, layout, hasFixedTitles } = formats[format];
  if (flag === 'no-header') return (layout === 'cells' && hasFixedTitles !== true) || layout === 'table';
  return (
    !Object.hasOwn(csvFlags, flag) ||
    delimiter === 'any' ||
    (delimiter === 'tab' && flag !== 'delimiter' && flag !== 'excel')
  );
}

/** The formats in which a flag says something, in words: `csv and tsv`. */
export function takersOf(flag: string): string {
  const names = formatNames.filter((name) => fitsFormat(flag, name));
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}

type StyleFlags = Partial<CsvFlags> & {
  readonly 'no-header': boolean;
  readonly columns?: string | undefined;
};

/** Throws `usage` for a flag that would mean nothing in a format: one of CSV, --columns or --no-header. */
export function refuseStyle(flags: StyleFlags, format: FormatName): void {
  const used = styleFlags.filter((name) => flags[name] !== undefined && flags[name] !== false);
  const others = [...(flags['no-header'] ? ['no-header'] : []), ...(flags.columns === undefined ? [] : ['columns'])];
  const misused = [...used, ...others].find((name) => !fitsFormat(name, format));
  if (misused === undefined) return;
  const flag = `--${misused}`;
  throw usage(flag, `${flag} is for ${takersOf(misused)}, not for ${format}`, {
    advice: `Leave ${flag} out, or take another format.`,
    hint: '-o csv',
  });
}
