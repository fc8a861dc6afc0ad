import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isWrongCell } from '../../src/formats/readers/input.js';
import { changeOf, damaged, encoded, mostlyOf, fuzz, xmlChange } from '../support/fuzz.js';
import { readInput, type ReadInput, workbookFile } from '../support/inputs.js';

const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'Code',
    '1',
    '12,50',
    ' x ',
    'é',
    '=1+1',
    '__proto__',
    'constructor',
    '\u{1f600}',
    'x'.repeat(300),
  ),
  fc.string({ maxLength: 8 }),
);
const ends = fc.constantFrom('\n', '\r\n', '\r', '\n\n');

const cellOf = (text: string): string => (/[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Tables of separated values. */
const separated = fc
  .tuple(
    fc.constantFrom(',', ';', '\t', '|'),
    ends,
    fc.array(fc.array(texts, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
  )
  .map(([delimiter, end, rows]) => rows.map((cells) => cells.map(cellOf).join(delimiter)).join(end));

/** Rows as JSON. */
const json = fc
  .tuple(
    fc.boolean(),
    ends,
    fc.array(fc.dictionary(texts, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }), { maxLength: 8 }),
  )
  .map(([isLines, end, rows]) => (isLines ? rows.map((row) => JSON.stringify(row)).join(end) : JSON.stringify(rows)));

const pieces = fc.constantFrom(
  ...['"', '""', ',', ';', '\t', '|', '\n', '\r', '\r\n', '\0', '\ufeff', '\ud800', '\u2028', ' ', 'sep=;\n', '"\n'],
  ...[
    ...['{', '}', '[', ']', ':', '\\', '\\u', '\\ud800', '\\u0000', '1e999', '-0', '01', 'null', 'nul', 'NaN', '//'],
    '{"a":{"a":',
  ],
  ...['[['.repeat(300), '{"a":'.repeat(300), '"'.repeat(99), '9'.repeat(400), '\u001f', '\u001fPK', 'PK\u0003\u0004'],
);
const change = fc.oneof({ weight: 8, arbitrary: changeOf(pieces) }, { weight: 1, arbitrary: encoded });

const xmlText = texts.map((text) => text.replace(/[&<>\u0000-\u001f\ud800-\udfff\ufffe\uffff]/g, '_'));
const references = fc.constantFrom('A1', 'B1', 'C2', 'ZZZ1', 'XFD1048576', 'a1', 'A0', '', '1A', 'A99999999999');
const kinds = fc.constantFrom('s', 'str', 'inlineStr', 'b', 'n', 'd', 'e', 'x', '');
const cells = fc
  .tuple(
    references,
    kinds,
    fc.constantFrom('0', '1', '9', '-1', 'x'),
    fc.oneof(xmlText, fc.constantFrom('0', '1', '44197.5', '1E+5', '-1', '1e999')),
  )
  .map(
    ([at, kind, style, text]) =>
      `<c r="${at}" s="${style}" t="${kind}">${kind === 'inlineStr' ? `<is><t>${text}</t></is>` : `<v>${text}</v>`}</c>`,
  );
const rows = fc
  .array(fc.tuple(fc.constantFrom('1', '2', '3', '', '0', '2000000', 'x'), fc.array(cells, { maxLength: 4 })), {
    maxLength: 5,
  })
  .map((all) => all.map(([line, each]) => `<row r="${line}">${each.join('')}</row>`).join(''));

/** Sheets and texts of a workbook, of which something may be wrong. */
const parts = fc
  .tuple(
    rows,
    fc.array(xmlText, { maxLength: 3 }),
    fc.constantFrom('', '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>'),
  )
  .map(([sheet, strings, behind]) => ({ sheet, strings, behind }));

const workbooks = fc
  .tuple(
    parts,
    fc.array(xmlChange, { maxLength: 2 }),
    fc.array(change, { maxLength: 2 }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([{ sheet, strings, behind }, inside, outside, which]) => {
    const inner = inside.reduce<Buffer>((bytes, each) => each(bytes), Buffer.from(sheet)).toString();
    const file = workbookFile({
      sheets: { A: inner },
      strings: strings.map((text) => `<si><t>${text}</t></si>`).join(''),
      codes: ['yyyy-mm-dd', '0.00'],
      behind,
    });
    // One in four is damaged as a container.
    return which === 0 ? outside.reduce<Buffer>((bytes, each) => each(bytes), Buffer.from(file)) : Buffer.from(file);
  });

function checkRead({ columns, rows: read, said }: ReadInput): void {
  assert.equal(new Set(columns).size, columns.length);
  let before = 0;
  for (const { line, cells: all, wrong } of read) {
    // Rows of JSON may stand on one line.
    assert.ok(line >= before, `${line} behind ${before}`);
    before = line;
    if (wrong === undefined) assert.equal(all.length, columns.length);
    else assert.notEqual(wrong, '');
    for (const cell of all) if (isWrongCell(cell)) assert.notEqual(cell.wrong, '');
  }
  for (const words of said) assert.notEqual(words, '');
}

/** Reads a file twice, which must tell the same. Throws what no refusal is. */
async function readOrRefused(name: string, content: Uint8Array): Promise<void> {
  const read = async (): Promise<ReadInput | string> => {
    try {
      return await readInput(name, content);
    } catch (thrown) {
      // Not by its class: what is loaded while a file is opened has another copy of it under tsx.
      if (!(thrown instanceof Error) || !('kind' in thrown)) throw thrown;
      assert.equal(thrown.kind, 'usage', thrown.message);
      assert.ok(thrown.message.length > 1 && thrown.message.length < 1000, thrown.message);
      assert.doesNotMatch(thrown.message, /[\u0000-\u001f\u007f-\u009f]/);
      return thrown.message;
    }
  };
  const first = await read();
  assert.deepEqual(await read(), first);
  if (typeof first !== 'string') checkRead(first);
}

describe('whatever a file of rows is', () => {
  for (const [what, names, documents] of [
    ['separated values are', ['a.csv', 'a.tsv', 'a'], damaged(mostlyOf(separated), change)],
    ['JSON is', ['a.json', 'a.ndjson', 'a'], damaged(mostlyOf(json), change)],
    ['a workbook is', ['a.xlsx', 'a'], workbooks],
  ] as const)
    it(`${what} read or refused in words, the same each time`, async () => {
      const property = fc.asyncProperty(fc.constantFrom<string>(...names), documents, readOrRefused);
      await fuzz(property, 10);
    }).timeout(0);
});
