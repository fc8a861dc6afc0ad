import { Zip, ZipDeflate } from 'fflate';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { valueAt, charactersOf, type RecordValue } from '../../core/values/value.js';
import { type Column } from '../columns.js';
import type { FormatContext, Writer } from './format.js';
import { cutText, mostCharacters } from '../../core/text/spreadsheet.js';
import { cellOf, Styles } from './workbook/cells.js';
import { filteredRange, firstParts, lastParts, row, sheetEnd, sheetName, sheetPath } from './workbook/parts.js';
import { sheetStart, widthsOf, type SheetLook, type WrittenSheet } from './workbook/parts.js';

/** The same records make the same bytes: the first day that the packing knows. */
const packedAt = new Date(1980, 0, 1);

/** What a sheet and a file hold. */
export interface WorkbookBounds {
  /** Rows of a sheet, its header among them. */
  readonly rows: number;
  /** Bytes of a sheet, and of the file: the packing writes sizes with 32 bits. */
  readonly bytes: number;
}

const usualBounds: WorkbookBounds = { rows: 1_048_576, bytes: 2 ** 32 - 2 ** 27 };

const mostColumns = 16_384;

/** Records that decide the widths of the columns, or as many as have so many characters. */
const sampleSize = 200;
const sampleCharacters = 4 * 1024 * 1024;

const namedCuts = 3;

interface LongText {
  readonly title: string;
  readonly length: number;
  readonly place: string;
}

interface OpenSheet {
  readonly part: ZipDeflate;
  readonly number: number;
  rows: number;
  bytes: number;
}

class Workbook implements Writer<Uint8Array> {
  readonly #context: FormatContext;
  readonly #bounds: WorkbookBounds;
  readonly #zip: Zip;
  readonly #encoder = new TextEncoder();
  readonly #styles = new Styles();
  readonly #sheets: WrittenSheet[] = [];
  readonly #cuts: LongText[] = [];
  #sample: RecordValue[] | undefined = [];
  #sampled = 0;
  #look: SheetLook;
  #open: OpenSheet | undefined;
  #pieces: Uint8Array[] = [];
  #failure: Error | undefined;
  #rows = 0;
  #bytes = 0;
  #cutCount = 0;

  constructor(context: FormatContext, bounds: WorkbookBounds) {
    const { columns, hasHeader } = context;
    this.#context = context;
    this.#bounds = bounds;
    this.#look = { columns, hasHeader, widths: [] };
    this.#zip = new Zip((failure, piece) => {
      this.#failure ??= failure ?? undefined;
      this.#pieces.push(piece);
    });
  }

  begin(): Uint8Array {
    for (const part of firstParts) this.#addPart(part);
    return this.#takeBytes();
  }

  records(batch: readonly RecordValue[]): Uint8Array {
    if (this.#sample === undefined) this.#write(batch);
    else {
      this.#sample = this.#sample.concat(batch);
      this.#sampled += charactersOf(batch);
      if (this.#sample.length >= sampleSize || this.#sampled >= sampleCharacters) this.#writeSample();
    }
    return this.#takeBytes();
  }

  end(): Uint8Array {
    this.#writeSample();
    this.#closeSheet();
    for (const part of lastParts(this.#sheets, this.#styles.xml())) this.#addPart(part);
    this.#zip.end();
    return this.#takeBytes();
  }

  note(): string | undefined {
    const notes: string[] = [];
    const count = this.#cutCount;
    if (count > 0) {
      const named = this.#cuts.map(
        ({ title, place: location, length }) => `${title} in ${location} (${length} characters)`,
      );
      const more = count > named.length ? `, and ${count - named.length} more` : '';
      notes.push(
        `${count === 1 ? '1 text was' : `${count} texts were`} cut to the ${mostCharacters} characters that a cell of a workbook can hold: ${named.join(', ')}${more}; ` +
          '-o csv writes all',
      );
    }
    if (this.#sheets.length > 1) {
      notes.push(`the ${this.#rows} rows are on ${this.#sheets.length} sheets, because one cannot hold more`);
    }
    return notes.length === 0 ? undefined : notes.join('; ');
  }

  /** Records are kept until there are enough of them to tell the widths of the columns, which stand before the rows. */
  #writeSample(): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    this.#sample = undefined;
    const { columns } = this.#context;
    this.#look = { ...this.#look, widths: widthsOf(columns, sample.slice(0, sampleSize)) };
    this.#openSheet();
    this.#write(sample);
  }

  #openSheet(): OpenSheet {
    const number = this.#sheets.length + 1;
    const part = new ZipDeflate(sheetPath(number), { level: 6 });
    part.mtime = packedAt;
    this.#zip.add(part);
    const sheet = { part, number, rows: this.#context.hasHeader ? 1 : 0, bytes: 0 };
    this.#open = sheet;
    this.#push(sheet, sheetStart(this.#look));
    return sheet;
  }

  #closeSheet(): void {
    const open = this.#open;
    if (open === undefined) return;
    open.part.push(this.#encoder.encode(sheetEnd(this.#look, open.rows)), true);
    const { columns, hasHeader, sheet: { name = 'records' } = {} } = this.#context;
    this.#sheets.push({
      name: sheetName(name, open.number),
      filtered: hasHeader ? filteredRange(columns.length, open.rows) : undefined,
    });
    this.#open = undefined;
  }

  #write(batch: readonly RecordValue[]): void {
    for (const record of batch) {
      const sheet = this.#sheetForRow();
      sheet.rows += 1;
      this.#rows += 1;
      this.#push(sheet, row(sheet.rows, this.#cells(record, sheet)));
    }
  }

  #sheetForRow(): OpenSheet {
    const { rows, bytes } = this.#bounds;
    const sheet = this.#open ?? this.#openSheet();
    if (sheet.rows < rows && sheet.bytes < bytes) return sheet;
    this.#closeSheet();
    return this.#openSheet();
  }

  #cells(record: RecordValue, { number, rows }: OpenSheet): string {
    const { columns, sheet } = this.#context;
    const long = (text: string, title: string): string => {
      const { Id: id } = record;
      const where = `row ${rows}${number === 1 ? '' : ` of sheet ${number}`}`;
      const location = typeof id === 'string' ? `${where}, Id ${id}` : where;
      return this.#cut(text, { title, length: text.length, place: location });
    };
    const how = { styles: this.#styles, long, isText: sheet?.isForEdit === true };
    let cells = '';
    for (const column of columns) cells += cellOf(valueAt(record, column.path), column, how);
    return cells;
  }

  #cut(text: string, long: LongText): string {
    if (this.#context.sheet?.isForEdit === true) throw tooLong(long);
    this.#cutCount += 1;
    if (this.#cuts.length < namedCuts) this.#cuts.push(long);
    return cutText(text);
  }

  #push(sheet: OpenSheet, xml: string): void {
    const bytes = this.#encoder.encode(xml);
    sheet.bytes += bytes.length;
    sheet.part.push(bytes);
  }

  #addPart([path, xml]: readonly [path: string, xml: string]): void {
    const part = new ZipDeflate(path, { level: 6 });
    part.mtime = packedAt;
    this.#zip.add(part);
    part.push(this.#encoder.encode(xml), true);
  }

  #takeBytes(): Uint8Array {
    if (this.#failure !== undefined)
      throw new RelctlError('bug', 'the workbook could not be packed', { cause: this.#failure });
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes += bytes.length;
    if (this.#bytes > this.#bounds.bytes) {
      throw usage('--output', `a workbook holds ${this.#bounds.bytes} bytes, and there are more`, '-o csv');
    }
    return bytes;
  }
}

const tooLong = ({ title, length, place: location }: LongText): RelctlError =>
  usage(
    '--for-edit',
    `${title} in ${location} has ${length} characters; a cell of a workbook holds ${mostCharacters}`,
    {
      advice: `--columns can omit ${title}, and -o csv writes all of it.`,
    },
  );

function checkColumns({ length }: readonly Column[]): void {
  if (length <= mostColumns) return;
  throw usage('--output', `a sheet holds ${mostColumns} columns, and there are ${length}`, {
    advice: '--columns A,B writes fewer.',
    hint: '-o csv',
  });
}

/**
 * Opens an Office Open XML workbook, written as it streams: a sheet with bold header that stays in place, filter and widths,
 * and a further one where a sheet is full. Throws `usage` for too many columns.
 * @param bounds where sheets end, for a test of that
 */
export function openWorkbook(context: FormatContext, bounds: WorkbookBounds = usualBounds): Writer<Uint8Array> {
  checkColumns(context.columns);
  return new Workbook(context, bounds);
}
