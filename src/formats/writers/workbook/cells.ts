import { scalarOf } from '../../../contract/walk.js';
import { hasValue, type Value } from '../../../core/values/value.js';
import { dayMs, dayZero, firstDay, mostCharacters } from '../../../core/text/spreadsheet.js';
import { cellText, isNumeric, type Column } from '../../columns.js';
import { isDateTime } from '../../../core/text/time/datetime.js';

/** The first line of each part of a workbook. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Namespace of sheets, styles and the list of sheets. */
export const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

// What XML cannot carry is written as the format's own escape; a text that looks like one is escaped too.
const escaped = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\r\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)|[&<>]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text of an element of a sheet. */
export function xmlText(value: string): string {
  return value.replace(escaped, (character) => {
    const entity = entities[character];
    return entity ?? `_x${(character.charCodeAt(0) || 0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/** A cell that holds a text. */
export const textCell = (text: string, style: number): string =>
  `<c${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/** Numbers of the cell styles that every workbook has. */
export const fixedStyles = { plain: 0, header: 1, text: 2 } as const;

const builtIn: Readonly<Record<string, number>> = { '0': 1, '0.00': 2 };

/** Numbers below are those of formats that programs know. */
const firstOwn = 164;

/** A service that sends times of ever other zones must not fill a workbook with formats. */
const mostFormats = 100;

/** The ways in which the numbers of one workbook are shown, numbered as they are needed. */
export class Styles {
  readonly #formats = new Map<string, number>();

  /** The number of the style that shows a number by this format code; undefined when there are too many of them. */
  of(code: string): number | undefined {
    const known = this.#formats.get(code);
    if (known !== undefined) return known;
    if (this.#formats.size === mostFormats) return undefined;
    const style = fixedStyles.text + 1 + this.#formats.size;
    this.#formats.set(code, style);
    return style;
  }

  xml(): string {
    const own = [...this.#formats.keys()].filter((code) => builtIn[code] === undefined);
    const idOf = (code: string): number => builtIn[code] ?? firstOwn + own.indexOf(code);
    const formats = own.map(
      (code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    );
    const numberFormats = [...this.#formats.keys()].map(
      (code) => `<xf numFmtId="${idOf(code)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    );
    const cells = [
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
      '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
      '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
      ...numberFormats,
    ];
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
    return (
      `${xmlDeclaration}<styleSheet xmlns="${spreadsheet}">` +
      (own.length === 0 ? '' : `<numFmts count="${own.length}">${formats.join('')}</numFmts>`) +
      `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    );
  }
}

interface SerialTime {
  /** Days since the end of 1899, by the clock of the text. */
  readonly serial: number;
  /** The format code that shows all of the text: with as many digits behind the second, and with its zone. */
  readonly code: string;
}

const form = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(Z|[+-]\d\d:\d\d)?$/;

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
  const match = form.exec(text);
  if (match === null || !isDateTime(text) || match[2] === '24') return undefined;
  const [, day, hours, minutes, seconds, fraction = '', zone = ''] = match;
  const clockMs = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000 + milliseconds(fraction);
  const serial = (Date.parse(`${day ?? ''}T00:00:00Z`) - dayZero + clockMs) / dayMs;
  return serial < firstDay ? undefined : { serial, code: codeOf(fraction, zone) };
}

const mostDigits = 15;

function numberCode(text: string): string | undefined {
  const [, whole = '', fraction = ''] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const isMinusZero = text.startsWith('-') && digits === '';
  if (whole === '' || isMinusZero || digits.length > mostDigits || fraction.length > mostDigits) return undefined;
  return fraction === '' ? '0' : `0.${'0'.repeat(fraction.length)}`;
}

/** A text is a number, a day or a formula for whoever edits its cell, unless the cell says that it is a text. */
const ambiguousText = /\d|^[=+\-@]/;

/** Some programs show a longer text of a cell of texts as #####. */
const mostInTextStyle = 255;

const isTime = ({ type }: Column): boolean => scalarOf(type) === 'dateTime';

const numberCell = (number: string, style: number): string => `<c s="${style}"><v>${number}</v></c>`;

function timeCell(text: string, styles: Styles): string | undefined {
  const time = serialTime(text);
  const style = time && styles.of(time.code);
  return time === undefined || style === undefined ? undefined : numberCell(String(time.serial), style);
}

function exactNumber(text: string, styles: Styles): string | undefined {
  const code = numberCode(text);
  const style = code === undefined ? undefined : styles.of(code);
  return style === undefined ? undefined : numberCell(text, style);
}

/** The cell of a value that a spreadsheet keeps as what it is; undefined for one that has to be a text. */
function exactCell(text: string, column: Column, styles: Styles): string | undefined {
  if (isNumeric(column)) return exactNumber(text, styles);
  return isTime(column) ? timeCell(text, styles) : undefined;
}

interface CellStyle {
  readonly styles: Styles;
  /** Gives what is written for a text that no cell can hold. */
  readonly long: (text: string, title: string) => string;
  /** True where each cell is a text, and stays one when something else is typed into it. */
  readonly isText: boolean;
}

function markedText(cell: string, { title }: Column, long: CellStyle['long']): string {
  if (cell === '') return `<c s="${fixedStyles.text}"/>`;
  const text = cell.length > mostCharacters ? long(cell, title) : cell;
  return textCell(text, cell.length <= mostInTextStyle ? fixedStyles.text : fixedStyles.plain);
}

/**
 * The cell of a value: numbers and times where a spreadsheet keeps them to the last digit, with a format that shows them as
 * they came; everything else as text.
 */
export function cellOf(value: Value | undefined, column: Column, { styles, long, isText }: CellStyle): string {
  if (isText) return markedText(cellText(value), column, long);
  if (!hasValue(value)) return '<c/>';
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  const cell = cellText(value);
  const exact = exactCell(cell, column, styles);
  if (exact !== undefined) return exact;
  const isMarked = cell.length <= mostInTextStyle && ambiguousText.test(cell);
  const text = cell.length > mostCharacters ? long(cell, column.title) : cell;
  return textCell(text, isMarked ? fixedStyles.text : fixedStyles.plain);
}
