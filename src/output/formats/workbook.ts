import type { RecordValue } from '../../plain/value.js';
import { Zip, ZipDeflate } from 'fflate';
import { RelctlError } from '../../errors/relctl-error.js';
import { cellText, valueAt } from '../cell.js';
import { isNumeric, type Column } from '../columns.js';
import type { FormatContext, Writer } from './format.js';
import { usage } from '../../errors/usage.js';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook around its one sheet. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="relctl" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/** The same records make the same bytes: the first day that the packing knows. */
const packedAt = new Date(1980, 0, 1);

/** Bounds of the format itself. */
const mostRows = 1_048_576;
const mostCharacters = 32_767;

// What XML cannot carry is written as the format's own escape; a text that looks like one is escaped too.
const escaped = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\r\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)|[&<>]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function text(value: string): string {
  return value.replace(escaped, (character) => {
    const entity = entities[character];
    return entity ?? `_x${(character.charCodeAt(0) || 0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/** True for a number that a spreadsheet keeps to the digit: it has fifteen of them. */
function isKept(digits: string): boolean {
  return digits.replace(/^[+-]?0*|\.|0+$/g, '').length <= 15 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(digits);
}

function cell(record: RecordValue, column: Column): string {
  const { path, title } = column;
  const value = valueAt(record, path);
  if (value === undefined || value === null) return '<c/>';
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  const shown = cellText(value);
  if (isNumeric(column) && isKept(shown)) return `<c><v>${shown}</v></c>`;
  if (shown.length > mostCharacters) {
    throw usage(
      '--output',
      `${title} has ${shown.length} characters; a cell of a workbook holds ${mostCharacters}`,
      `-o csv, or --columns without ${title}`,
    );
  }
  return `<c t="inlineStr"><is><t xml:space="preserve">${text(shown)}</t></is></c>`;
}

class Workbook implements Writer<Uint8Array> {
  readonly #columns: readonly Column[];
  readonly #hasHeader: boolean;
  readonly #zip: Zip;
  readonly #sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 6 });
  readonly #encoder = new TextEncoder();
  #pieces: Uint8Array[] = [];
  #failure: Error | undefined;
  #rows = 0;

  constructor(columns: readonly Column[], hasHeader: boolean) {
    this.#columns = columns;
    this.#hasHeader = hasHeader;
    this.#zip = new Zip((failure, piece) => {
      this.#failure ??= failure ?? undefined;
      this.#pieces.push(piece);
    });
  }

  begin(): Uint8Array {
    for (const [name, content] of Object.entries(parts)) {
      const part = new ZipDeflate(name, { level: 6 });
      part.mtime = packedAt;
      this.#zip.add(part);
      part.push(this.#encoder.encode(declaration + content), true);
    }
    this.#sheet.mtime = packedAt;
    this.#zip.add(this.#sheet);
    this.#put(`${declaration}<worksheet xmlns="${main}"><sheetData>`);
    if (this.#hasHeader) {
      const cells = this.#columns.map(({ title }) => `<c t="inlineStr"><is><t>${text(title)}</t></is></c>`);
      this.#row(cells.join(''));
    }
    return this.#taken();
  }

  records(batch: readonly RecordValue[]): Uint8Array {
    for (const record of batch) this.#row(this.#columns.map((column) => cell(record, column)).join(''));
    return this.#taken();
  }

  end(): Uint8Array {
    this.#sheet.push(this.#encoder.encode('</sheetData></worksheet>'), true);
    this.#zip.end();
    return this.#taken();
  }

  #row(cells: string): void {
    this.#rows += 1;
    if (this.#rows > mostRows) {
      throw usage('--output', `a sheet holds ${mostRows} rows, and there are more`, '-o csv');
    }
    this.#put(`<row r="${this.#rows}">${cells}</row>`);
  }

  #put(xml: string): void {
    this.#sheet.push(this.#encoder.encode(xml));
  }

  #taken(): Uint8Array {
    if (this.#failure !== undefined)
      throw new RelctlError('bug', 'the workbook could not be packed', { cause: this.#failure });
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return bytes;
  }
}

/** Opens an Office Open XML workbook with one sheet, written as it streams: numbers, booleans and texts keep their type. */
export const openWorkbook = ({ columns, hasHeader }: FormatContext): Writer<Uint8Array> =>
  new Workbook(columns, hasHeader);
