import type { Value } from '../../../core/values/value.js';
import { dayMs, dayZero, firstDay, mostCharacters } from '../../../core/text/spreadsheet.js';
import { cellText, isNumeric, type Column } from '../../columns.js';
import { fixedStyles, type Styles, textCell } from './styles.js';
import { isDateTime } from '../../../core/text/time/datetime.js';

/** A time as a spreadsheet holds it. */
interface SerialTime {
  /** Days since the end of 1899, by the clock of the text. */
  readonly serial: number;
  /** The format code that shows all of the text: with as many digits behind the second, and with its zone. */
  readonly code: string;
}

const form = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(Z|[+-]\d\d:\d\d)?$/;

/** Digits behind the second as milliseconds. */
const milliseconds = (fraction: string): number => Number(fraction.padEnd(3, '0'));

function codeOf(fraction: string, zone: string): string {
  const digits = fraction === '' ? '' : `.${'0'.repeat(fraction.length)}`;
  return `yyyy\\-mm\\-dd hh:mm:ss${digits}${zone === '' ? '' : `"${zone}"`}`;
}

/**
 * A dateTime as a spreadsheet holds it; undefined for one that it cannot hold to its last digit: before March 1900, behind
 * the year 9999, with more than milliseconds, or at 24:00.
 */
export function serialTime(text: string): SerialTime | undefined {
  const found = form.exec(text);
  if (found === null || !isDateTime(text) || found[2] === '24') return undefined;
  const [, day, hours, minutes, seconds, fraction = '', zone = ''] = found;
  const clockMs = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000 + milliseconds(fraction);
  const serial = (Date.parse(`${day ?? ''}T00:00:00Z`) - dayZero + clockMs) / dayMs;
  return serial < firstDay ? undefined : { serial, code: codeOf(fraction, zone) };
}

/** Digits that a spreadsheet keeps of a number. */
const mostDigits = 15;

/** How a number of a column is shown, when it is kept to the digit as it is written; undefined when it is not. */
function numberCode(shown: string): string | undefined {
  const [, whole = '', fraction = ''] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(shown) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const isMinusZero = shown.startsWith('-') && digits === '';
  if (whole === '' || isMinusZero || digits.length > mostDigits || fraction.length > mostDigits) return undefined;
  return fraction === '' ? '0' : `0.${'0'.repeat(fraction.length)}`;
}

/** A text is a number, a day or a formula for whoever edits its cell, unless the cell says that it is a text. */
const mayBeTakenFor = /\d|^[=+\-@]/;

/** Some programs show a longer text of a cell of texts as #####. */
const mostInTextStyle = 255;

const isTime = ({ type }: Column): boolean => type.kind === 'scalar' && type.name === 'dateTime';

const numberCell = (number: string, style: number): string => `<c s="${style}"><v>${number}</v></c>`;

function timeCell(shown: string, styles: Styles): string | undefined {
  const time = serialTime(shown);
  const style = time && styles.of(time.code);
  return time === undefined || style === undefined ? undefined : numberCell(String(time.serial), style);
}

function exactNumber(shown: string, styles: Styles): string | undefined {
  const code = numberCode(shown);
  const style = code === undefined ? undefined : styles.of(code);
  return style === undefined ? undefined : numberCell(shown, style);
}

/** The cell of a value that a spreadsheet keeps as what it is; undefined for one that has to be a text. */
function exactCell(shown: string, column: Column, styles: Styles): string | undefined {
  if (isNumeric(column)) return exactNumber(shown, styles);
  return isTime(column) ? timeCell(shown, styles) : undefined;
}

/** How cells are written. */
interface CellStyle {
  readonly styles: Styles;
  /** Gives what is written for a text that no cell can hold. */
  readonly long: (text: string, title: string) => string;
  /** True where each cell is a text, and stays one when something else is typed into it. */
  readonly isText: boolean;
}

function markedText(shown: string, { title }: Column, long: CellStyle['long']): string {
  if (shown === '') return `<c s="${fixedStyles.text}"/>`;
  const text = shown.length > mostCharacters ? long(shown, title) : shown;
  return textCell(text, shown.length <= mostInTextStyle ? fixedStyles.text : fixedStyles.plain);
}

/**
 * The cell of a value: numbers and times where a spreadsheet keeps them to the last digit, with a format that shows them as
 * they came; everything else as text.
 */
export function cellOf(value: Value | undefined, column: Column, { styles, long, isText }: CellStyle): string {
  if (isText) return markedText(cellText(value), column, long);
  if (value === undefined || value === null) return '<c/>';
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  const shown = cellText(value);
  const exact = exactCell(shown, column, styles);
  if (exact !== undefined) return exact;
  const isMarked = shown.length <= mostInTextStyle && mayBeTakenFor.test(shown);
  const text = shown.length > mostCharacters ? long(shown, column.title) : shown;
  return textCell(text, isMarked ? fixedStyles.text : fixedStyles.plain);
}
