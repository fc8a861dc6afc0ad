import { strToU8, zipSync } from 'fflate';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** XML of the parts of a workbook made by hand. */
export interface WorkbookXml {
  /** Inside sheetData, for each sheet by its name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The sheets that are hidden. */
  readonly hidden?: readonly string[];
  /** Before sheetData. */
  readonly before?: string;
  /** Behind sheetData. */
  readonly behind?: string;
  /** Inside sst. */
  readonly strings?: string;
  /** Format codes of the styles 1, 2, …. */
  readonly codes?: readonly string[];
  /** In the place of other parts, or beside them. */
  readonly parts?: Readonly<Record<string, string>>;
}

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;

function stylesOf(codes: readonly string[]): string {
  const formats = codes.map(
    (code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const cells = codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`);
  return `<styleSheet xmlns="${main}"><numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${cells.join('')}</cellXfs></styleSheet>`;
}

/** The bytes of a workbook of these parts. */
export function workbookFile({
  sheets,
  hidden = [],
  before = '',
  behind = '',
  strings,
  codes,
  parts = {},
}: WorkbookXml): Uint8Array {
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    '_rels/.rels': `<Relationships xmlns="${packages}">${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map(
        (name, at) =>
          `<sheet name="${name}" sheetId="${at + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="s${at}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}">${names
      .map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`))
      .join(
        '',
      )}${relation('t', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('y', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings ?? ''}</sst>`,
    'xl/styles.xml': stylesOf(codes ?? []),
  };
  for (const [at, name] of names.entries())
    files[`xl/worksheets/sheet${at}.xml`] =
      `<worksheet xmlns="${main}">${before}<sheetData>${sheets[name] ?? ''}</sheetData>${behind}</worksheet>`;
  const all = Object.entries({ ...files, ...parts }).map(([path, xml]) => [path, strToU8(xml)] as const);
  return zipSync(Object.fromEntries(all));
}

/** A row of cells that hold texts. */
export const textRow = (line: number, ...texts: readonly string[]): string =>
  `<row r="${line}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
