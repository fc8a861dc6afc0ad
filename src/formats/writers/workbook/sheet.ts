import { type Column, cellText, valueAt } from '../../columns.js';
import { columnLetters } from '../../../core/text/spreadsheet.js';
import { fixedStyles, spreadsheet, textCell, xmlDeclaration } from './cells.js';
import type { RecordValue } from '../../../core/values/value.js';
import { displayWidth } from '../../layout/width.js';

/** Widths of columns, in characters: no text makes a column wider than the screen. */
const [least, most] = [8, 60];

/** The button of the filter stands over the end of a header. */
const button = 3;

function widthOf(text: string): number {
  // What is cut anyway needs no measuring.
  const lines = text.slice(0, most * 4).split(/\r?\n/);
  return Math.max(...lines.map((line) => displayWidth(line)));
}

/** A width for each column, by its header and the values of a sample. */
export function widthsOf(columns: readonly Column[], sample: readonly RecordValue[]): readonly number[] {
  return columns.map(({ title, path }) => {
    let width = Math.max(least, widthOf(title) + button);
    for (const record of sample) width = Math.max(width, widthOf(cellText(valueAt(record, path))) + 1);
    return Math.min(width, most);
  });
}

/** How each sheet of a workbook begins. */
export interface SheetLook {
  readonly columns: readonly Column[];
  readonly hasHeader: boolean;
  readonly widths: readonly number[];
}

/** The header stays where it is when the rows are moved. */
const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';

/** The beginning of a sheet, up to its first row. */
export function sheetStart({ columns, hasHeader, widths }: SheetLook): string {
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  const header = columns.map(({ title }) => textCell(title, fixedStyles.header)).join('');
  return (
    `${xmlDeclaration}<worksheet xmlns="${spreadsheet}">` +
    `<sheetViews><sheetView workbookViewId="0">${hasHeader ? frozen : ''}</sheetView></sheetViews>` +
    `<cols>${cols.join('')}</cols><sheetData>` +
    (hasHeader ? row(1, header) : '')
  );
}

/** A row of a sheet. */
export const row = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;

/** The range of a filter over so many rows. */
export const filteredRange = (columns: number, rows: number): string => `$A$1:$${columnLetters(columns - 1)}$${rows}`;

/** The end of a sheet of so many rows. */
export function sheetEnd({ columns, hasHeader }: SheetLook, rows: number): string {
  const filter = hasHeader ? `<autoFilter ref="${filteredRange(columns.length, rows).replaceAll('$', '')}"/>` : '';
  // Numbers that are texts are so on purpose: no mark in the corner of each cell says otherwise.
  const all = `A1:${columnLetters(columns.length - 1)}${Math.max(rows, 1)}`;
  const ignored = `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors>`;
  return `</sheetData>${filter}${ignored}</worksheet>`;
}
