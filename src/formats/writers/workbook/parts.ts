import { spreadsheet, xmlDeclaration, xmlText } from './cells.js';

/** The most characters of UTF-16 in the name of a sheet. */
const most = 31;

/** What spreadsheets refuse in the name of a sheet, and what XML cannot carry. */
const forbidden = /[\\/?*[\]:\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu;

const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, '');

/**
 * The name of a sheet that holds a list, as spreadsheets take it: 31 characters, none of `\ / ? * [ ] :`, no apostrophe at
 * an end, and not `History`, which one of them keeps for itself.
 * @param number 1 for the first sheet of the list; others have it behind their name
 */
export function sheetName(list: string, number = 1): string {
  const behind = number === 1 ? '' : ` (${number})`;
  const allowed = list.replace(forbidden, ' ').replace(/\s+/g, ' ').trim();
  const name = cut(allowed, most - behind.length)
    .replace(/^'+|'+$/g, '')
    .trim();
  const usable = name === '' || name.toLowerCase() === 'history' ? 'records' : name;
  return usable + behind;
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
