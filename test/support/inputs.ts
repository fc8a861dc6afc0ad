import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { openInput, type InputRequest } from '../../src/formats/readers/open.js';
import type { InputRow, PointMeaning } from '../../src/formats/readers/input.js';
import { opt, record } from '../../src/contract/build.js';
import { string } from '../../src/contract/scalars.js';
import { allColumns } from '../../src/formats/columns.js';
import type { Format, FormatContext } from '../../src/formats/writers/format.js';

/** All that an input file says. */
export interface ReadInput {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  /** Without the name of the file. */
  readonly said: readonly string[];
  readonly skipped: number;
  readonly point: PointMeaning;
}

/** Reads content as a file of this name, or as stdin for `-`. Throws what the reader throws, with the name for the path. */
export async function readInput(
  name: string,
  content: string | Uint8Array,
  request: Partial<InputRequest> = {},
): Promise<ReadInput> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-inputs-'));
  try {
    const file = name === '-' ? name : join(folder, name);
    if (name !== '-') writeFileSync(file, content);
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(content);
    }
    const input = await openInput({ ...request, file, stream });
    try {
      const rows: InputRow[] = [];
      for await (const row of input.rows()) rows.push(row);
      const { columns, said, skipped, point } = input;
      return { columns, rows, said: said.map((words) => words.slice(file.length + 2)), skipped, point };
    } finally {
      input.close();
    }
  } catch (thrown) {
    if (thrown instanceof Error) thrown.message = thrown.message.replaceAll(`${folder}/`, '');
    throw thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The words with which content of this name is refused; empty when it is not. */
export async function refusalOf(
  name: string,
  content: string | Uint8Array,
  request: Partial<InputRequest> = {},
): Promise<string> {
  try {
    await readInput(name, content, request);
    return '';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

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

/**
 * Rows of texts as a format of this program writes them.
 * @param more how they are written, where that is not as usual
 */
export async function writtenRecords(
  format: Format | Format<Uint8Array> | Format<string | Uint8Array>,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  more: Partial<FormatContext> = {},
): Promise<Uint8Array> {
  const Sample = record('Sample', 'A sample.', Object.fromEntries(titles.map((title) => [title, opt(string, title)])));
  const usual = { isChosen: false, shape: 'list', hasHeader: true } as const;
  const writer = await format.open({ ...usual, columns: allColumns(Sample), ...more });
  const records = rows.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ''])));
  const pieces = [writer.begin(), writer.records(records), writer.end()];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
}

/** Rows as CSV, every cell in quotes. */
export const stringify = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');
