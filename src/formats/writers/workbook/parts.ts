import { spreadsheet, xmlDeclaration, xmlText, fixedStyles, textCell } from './cells.js';
import { type Column, cellText } from '../../columns.js';
import { columnLetters } from '../../../core/text/spreadsheet.js';
import { valueAt, type RecordValue } from '../../../core/values/value.js';
import { displayWidth } from '../../layout/width.js';

/** The mostName characters of UTF-16 in the name of a sheet. */
const mostName = 31;

/** What spreadsheets refuse in the name of a sheet, and what XML cannot carry. */
const forbidden = /[\\/?*[\]:\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu;

const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, '');

/**
 * The name of a sheet that holds a list, as spreadsheets take it: 31 characters, none of `\ / ? * [ ] :`, no apostrophe at
 * an end, and not `History`, which one of them keeps for itself.
 * @param number 1 for the first sheet of the list; others have it behind their name
 */
export function sheetName(list: string, number = 1): string {
  const suffix = number === 1 ? '' : ` (${number})`;
  const allowed = list.replace(forbidden, ' ').replace(/\s+/g, ' ').trim();
  const name = cut(allowed, mostName - suffix.length)
    .replace(/^'+|'+$/g, '')
    .trim();
  const usable = name === '' || name.toLowerCase() === 'history' ? 'records' : name;
  return usable + suffix;
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A sheet that is complete. */
export interface WrittenSheet {
  readonly name: string;
  /** The cells with a filter, as `$A$1:$G$20`; undefined when it has no header. */
  readonly filtered: string | undefined;
}

/** Where the sheet of this number, from 1, is within the file. */
export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

const attribute = (text: string): string => xmlText(text).replaceAll('"', '&quot;');

function contentTypes(count: number): string {
  const override = (path: string, type: string): string =>
    `<Override PartName="/${path}" ContentType="${types}.${type}+xml"/>`;
  const sheets = Array.from({ length: count }, (_, at) => override(sheetPath(at + 1), 'worksheet'));
  return (
    `<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/docProps/app.xml" ContentType="${extended}"/>` +
    override('xl/workbook.xml', 'sheet.main') +
    override('xl/styles.xml', 'styles') +
    `${sheets.join('')}</Types>`
  );
}

function workbook(sheets: readonly WrittenSheet[]): string {
  const listed = sheets.map(
    ({ name }, at) => `<sheet name="${attribute(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  );
  // Without the name that they give it themselves, some programs take the filter for a plain range.
  const filters = sheets.flatMap(({ name, filtered }, at) =>
    filtered === undefined
      ? []
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">` +
        `'${xmlText(name.replaceAll("'", "''"))}'!${filtered}</definedName>`,
  );
  return (
    `<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews>` +
    `<sheets>${listed.join('')}</sheets>` +
    (filters.length === 0 ? '' : `<definedNames>${filters.join('')}</definedNames>`) +
    '</workbook>'
  );
}

function workbookRelations(count: number): string {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const sheets = Array.from({ length: count }, (_, at) =>
    relation(`r${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`),
  );
  return (
    `<Relationships xmlns="${packages}/relationships">` +
    `${sheets.join('')}${relation('styles', 'styles', 'styles.xml')}</Relationships>`
  );
}

const extended = 'application/vnd.openxmlformats-officedocument.extended-properties+xml';
const properties = 'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties';

const packageRelations =
  `<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/>` +
  `<Relationship Id="r2" Type="${relations}/extended-properties" Target="docProps/app.xml"/></Relationships>`;

/** The parts before the sheets. By their order and size programs that look at the first bytes tell what the file is. */
export const firstParts: readonly (readonly [path: string, xml: string])[] = [
  ['_rels/.rels', xmlDeclaration + packageRelations],
  [
    'docProps/app.xml',
    `${xmlDeclaration}<Properties xmlns="${properties}"><Application>relctl</Application></Properties>`,
  ],
];

/** The parts that come behind the sheets, by their paths. */
export const lastParts = (
  sheets: readonly WrittenSheet[],
  styles: string,
): readonly (readonly [path: string, xml: string])[] => [
  ['xl/styles.xml', styles],
  ['xl/workbook.xml', xmlDeclaration + workbook(sheets)],
  ['xl/_rels/workbook.xml.rels', xmlDeclaration + workbookRelations(sheets.length)],
  ['[Content_Types].xml', xmlDeclaration + contentTypes(sheets.length)],
];

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
