import { perhaps, type RelctlError, usage, badAnswer } from '../../../core/errors/relctl-error.js';
import { columnLetters } from '../../../core/text/spreadsheet.js';
import { nearest, forMessage } from '../../../core/text/text.js';
import type { InputBytes } from '../bytes.js';
import {
  wrongRow,
  type Cell,
  type InputRow,
  fitted,
  isEmptyRow,
  cellForMessage,
  titlesOf,
  type InputTable,
} from '../input.js';
import { mostNamed, noFacts, readSheet, type SheetFacts, type SheetRow, type SheetSource } from './sheet.js';
import { readStrings } from './strings.js';
import { readStyles } from './number.js';
import { ZipFile, attributeOf, isYes, readWholePart, type PartSource } from './zip.js';
import { posix } from 'node:path';
import type { XmlAttribute } from '../../../xml/events.js';

interface SheetPart {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

interface WorkbookParts {
  readonly sheets: readonly SheetPart[];
  readonly strings: string | undefined;
  readonly styles: string | undefined;
  /** Its days are counted from 1904, as by Excel for the Mac. */
  readonly startsIn1904: boolean;
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

/** Sheets of a workbook, and relations of a part: a file has no more parts. */
const mostListed = 10_000;

const noEvents = { text: () => undefined, close: () => undefined };

function elementsOf(source: PartSource, path: string, names: readonly string[]): readonly (readonly XmlAttribute[])[] {
  const matches: (readonly XmlAttribute[])[] = [];
  readWholePart(source, path, {
    ...noEvents,
    open: ({ local }, attributes) => {
      if (!names.includes(local)) return;
      if (matches.length === mostListed) throw badAnswer('limit', `it has more than ${mostListed} elements <${local}>`);
      matches.push(attributes);
    },
  });
  return matches;
}

function relationsOf(source: PartSource, part: string): readonly Relation[] {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!source.zip.has(path)) return [];
  const relationships = elementsOf(source, path, ['Relationship']);
  return relationships.map((attributes) => {
    const target = attributeOf(attributes, 'Target') ?? '';
    return {
      id: attributeOf(attributes, 'Id') ?? '',
      type: posix.basename(attributeOf(attributes, 'Type') ?? ''),
      path: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
    };
  });
}

function mainPart(source: PartSource): string {
  const { file, zip } = source;
  if (!zip.has('_rels/.rels')) {
    const what = zip.has('content.xml') ? 'is an OpenDocument spreadsheet' : 'is a ZIP file, not a workbook';
    throw usage('--file', `${file} ${what}: save it as .xlsx`);
  }
  const main = relationsOf(source, '').find(({ type }) => type === 'officeDocument');
  if (main?.path.endsWith('.xml') !== true) throw usage('--file', `${file} is not an .xlsx workbook: save it as .xlsx`);
  return main.path;
}

function findParts(source: PartSource): WorkbookParts {
  const main = mainPart(source);
  const relations = relationsOf(source, main);
  const pathOf = (type: string): string | undefined => relations.find((each) => each.type === type)?.path;
  const listed = elementsOf(source, main, ['sheet']);
  const sheets = listed.flatMap((attributes): readonly SheetPart[] => {
    const id = attributes.find(({ name }) => name.local === 'id' && name.namespace !== '')?.value;
    const relation = relations.find((each) => each.id === id);
    // Charts on sheets of their own have no rows.
    if (relation?.type !== 'worksheet') return [];
    const state = attributeOf(attributes, 'state') ?? 'visible';
    return [{ name: attributeOf(attributes, 'name') ?? '', path: relation.path, isHidden: state !== 'visible' }];
  });
  const [settings = []] = elementsOf(source, main, ['workbookPr']);
  const startsIn1904 = isYes(attributeOf(settings, 'date1904'));
  return { sheets, strings: pathOf('sharedStrings'), styles: pathOf('styles'), startsIn1904 };
}

const mostSheets = 20;

const listed = (items: readonly (string | number)[], count = items.length, most = mostNamed): string =>
  items.slice(0, most).join(', ') + (count > most ? ` and ${count - most} more` : '');

function sheetOf(file: string, { sheets }: WorkbookParts, sheetName: string | undefined): SheetPart {
  const names = sheets.map(({ name }) => name);
  const sheetPart =
    sheetName === undefined ? sheets.find(({ isHidden }) => !isHidden) : sheets.find(({ name }) => name === sheetName);
  if (sheetPart !== undefined) return sheetPart;
  if (sheetName === undefined) throw usage('--file', `${file} has no visible sheet: --sheet NAME reads a hidden one`);
  const near = nearest(sheetName, names);
  const visibleNames = listed(
    names.map((name) => forMessage(name)),
    names.length,
    mostSheets,
  );
  throw usage('--sheet', `${file} has no sheet '${sheetName}', but ${visibleNames}`, perhaps(sheetName, near));
}

function trimmed(cells: readonly Cell[], least: number): readonly Cell[] {
  let length = Math.max(cells.length, least);
  while (length > least && (cells[length - 1] ?? '') === '') length -= 1;
  return Array.from({ length }, (_, index) => cells[index] ?? '');
}

interface Seen {
  readonly header: SheetRow;
  readonly facts: SheetFacts;
}

function refuseHidden(file: string, what: 'rows' | 'columns', hidden: readonly (string | number)[]): RelctlError {
  return usage('--file', `${file} has hidden ${what} with values: ${listed(hidden)}`, {
    advice: 'Show them to include them, or delete them.',
  });
}

function refuseMerged(file: string, { merged, merges }: SheetFacts): RelctlError {
  return usage('--file', `${file} has merged cells: ${listed(merged, merges)}`, {
    advice: 'Only the first has a value: unmerge them, and fill the others.',
  });
}

const unseenIn = (row: SheetRow, header: SheetRow, { hiddenColumns }: SheetFacts): readonly number[] =>
  (row === header ? [] : hiddenColumns).flatMap(([first, last]) =>
    row.cells.slice(first, last + 1).flatMap((cell, index) => {
      const isOwn = cellForMessage(header.cells[first + index]).startsWith('_');
      return (cell ?? '') === '' || isOwn ? [] : [first + index];
    }),
  );

function look(source: SheetSource, { path }: SheetPart): Seen {
  const facts = noFacts();
  const hidden: number[] = [];
  const hiddenColumns = new Set<number>();
  let header: SheetRow | undefined;
  for (const row of readSheet(source, path, facts)) {
    if (isEmptyRow(row)) continue;
    header ??= row;
    for (const at of unseenIn(row, header, facts)) hiddenColumns.add(at);
    if (row.isHidden) hidden.push(row.line);
  }
  const { file } = source;
  if (header === undefined) throw wrongRow(file, 1, 'the sheet is empty: there is no header');
  if (hidden.length > 0) throw refuseHidden(file, 'rows', hidden);
  if (hiddenColumns.size > 0)
    throw refuseHidden(file, 'columns', [...hiddenColumns].toSorted((a, b) => a - b).map(columnLetters));
  if (facts.merges > 0) throw refuseMerged(file, facts);
  return { header, facts };
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function sheetNotes({ facts: { formulas, rounded } }: Seen, { name }: SheetPart, sheets: number): readonly string[] {
  const said: string[] = [];
  if (sheets > 1) said.push(`its sheet ${forMessage(name)} is read, of ${sheets}`);
  if (formulas > 0) {
    const cells = counted(formulas, 'cell is a formula, whose', 'cells are formulas, whose');
    said.push(`${cells} result is used as stored in the file`);
  }
  if (rounded > 0)
    said.push(`${counted(rounded, 'number', 'numbers')} of 17 digits rounded to the 15 that a spreadsheet stores`);
  return said;
}

const quotedName = (name: string): string =>
  /^[\p{L}\p{N}_]+$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;

/** Opens a sheet of a workbook: that of this name, else the first that is shown. Throws `usage`. */
export async function openWorkbook(bytes: InputBytes, sheetName: string | undefined): Promise<InputTable> {
  const workbook = { file: bytes.name, zip: await ZipFile.open(bytes) };
  const parts = findParts(workbook);
  const sheet = sheetOf(bytes.name, parts, sheetName);
  const strings = readStrings(workbook, parts.strings);
  const { startsIn1904 } = parts;
  const source = { ...workbook, strings, looks: readStyles(workbook, parts.styles), startsIn1904 };
  const seen = look(source, sheet);
  const { header } = seen;
  const columns = titlesOf(bytes.name, { line: header.line, cells: trimmed(header.cells, 0) });
  const rowOf = ({ line, cells }: SheetRow): InputRow =>
    fitted({ line, cells: trimmed(cells, columns.length) }, columns.length);
  return {
    columns,
    said: sheetNotes(seen, sheet, sheetName === undefined ? parts.sheets.length : 1),
    point: 'decimal-as-exported',
    ...(sheetName === undefined ? { sheets: parts.sheets.filter(({ isHidden }) => !isHidden).length } : {}),
    cellName: (line, column) => `${quotedName(sheet.name)}!${columnLetters(columns.indexOf(column))}${line}`,
    *rows(onSkip) {
      for (const row of readSheet(source, sheet.path, noFacts())) {
        if (row.line <= header.line) continue;
        if (isEmptyRow(row)) onSkip();
        else yield rowOf(row);
      }
    },
  };
}
