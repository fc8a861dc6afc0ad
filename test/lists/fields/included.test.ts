import type { RecordValue } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PvRelationData } from '../../../src/contract/records/relation.js';
import { TabPageType } from '../../../src/contract/enumerations.js';
import { csvReader } from '../../../src/core/text/separated/csv.js';
import { allColumns } from '../../../src/formats/columns.js';
import { csv } from '../../../src/formats/writers/csv.js';
import type { Writer } from '../../../src/formats/writers/format.js';
import { fieldCatalogue } from '../../../src/lists/fields/catalogue.js';
import { fieldColumns } from '../../../src/lists/fields/columns.js';
import { printedWith, type Printed } from '../../../src/lists/fields/included.js';
import { openStaging } from '../../../src/lists/export/staging.js';

const plain: Printed = { type: PvRelationData, of: (record) => record };
const a = '00000000-0000-4000-8000-00000000000a';
const b = '00000000-0000-4000-8000-00000000000b';
const moved = printedWith(plain, {
  fields: [
    { id: a, title: 'A' },
    { id: b, title: b },
  ],
  counters: true,
  moves: true,
});

function written(printed: Printed, records: readonly RecordValue[], nullAs?: string): readonly (readonly string[])[] {
  const columns = allColumns(printed.type);
  const lines = nullAs === undefined ? {} : { nullAs };
  // CSV needs nothing from outside, so that it opens at once.
  const writer = csv.open({
    columns,
    isChosen: false,
    shape: 'list',
    hasHeader: true,
    lines,
  }) as Writer;
  const reader = csvReader();
  const text = writer.begin() + writer.records(records.map(printed.of)) + writer.end();
  return [...reader.push(text), ...reader.end()].map(({ cells }) => cells);
}

/** A cell by the name of its column. */
function cell(rows: readonly (readonly string[])[], row: number, title: string): string {
  const at = rows[0]?.indexOf(title) ?? -1;
  assert.notEqual(at, -1, title);
  return rows[row]?.[at] ?? '';
}

describe('A record with field values', () => {
  it('has a column for each field, in the place of the member that they came in', () => {
    const titles = allColumns(moved.type).map(({ title }) => title);
    const at = titles.indexOf('Field.A');
    assert.deepEqual(titles.slice(at - 1, at + 3), ['IsInactive', 'Field.A', `Field.${b}`, 'FieldValues.Items']);
    const counters = titles.filter((title) => title.startsWith('Counter.'));
    assert.deepEqual(
      counters,
      TabPageType.values.map((tab) => `Counter.${tab}`),
    );
    assert.equal(titles.at(-1), 'CounterValues');
  });

  it('keeps absent, nil and empty values apart where the format can tell them', () => {
    const values = (...Items: RecordValue[]): RecordValue => ({ Id: a, FieldValues: { Items } });
    const rows = written(moved, [values({ Id: a, Value: '' }), values({ Id: a, Value: null }), values({ Id: a })], '∅');
    assert.deepEqual(
      [1, 2, 3].map((row) => cell(rows, row, 'Field.A')),
      ['', '∅', '∅'],
    );
    assert.deepEqual(moved.of(values({ Id: a, Value: null }))['Field'], { A: null });
    assert.deepEqual(moved.of(values({ Id: a }))['Field'], {});
  });

  it('keeps digits, letters and line breaks as they came', () => {
    const texts = ['12345678901234567890.1234567890', ' 007 ', 'a\r\nb', '"', '=1+1', '\u2028', '😀', '-0.00'];
    const records = texts.map((Value) => ({ Id: a, FieldValues: { Items: [{ Id: a.toUpperCase(), Value }] } }));
    const rows = written(moved, records);
    assert.deepEqual(
      texts.map((_, index) => cell(rows, index + 1, 'Field.A')),
      texts,
    );
  });

  it('keeps the second value of a field, and what has no column, where it came', () => {
    const other = '00000000-0000-4000-8000-0000000000ff';
    const items = [
      { Id: a, Value: 'first' },
      { Id: a, Value: 'second' },
      { Id: other, Value: 'new' },
      { Value: 'of no field' },
      { Id: b, Value: 'x', Extra: 'kept' },
    ];
    const record = moved.of({ Id: a, FieldValues: { Items: items } });
    assert.deepEqual(record['Field'], { A: 'first', [b]: 'x' });
    assert.deepEqual(record['FieldValues'], { Items: items.slice(1) });
  });

  it('has nothing in FieldValues.Items when all has columns, and an empty list is still one', () => {
    const rows = written(moved, [
      { Id: a, FieldValues: { Items: [{ Id: a, Value: 'x' }] } },
      { Id: a, FieldValues: { Items: [] } },
      { Id: a, FieldValues: null },
    ]);
    assert.deepEqual(
      [1, 2, 3].map((row) => cell(rows, row, 'FieldValues.Items')),
      ['', '[]', ''],
    );
  });

  it('has its counters as numbers under the names of the contract, and keeps the ones it does not know', () => {
    const record = moved.of({
      CounterValues: [
        { TabPageType: 'Marks', Value: 3 },
        { TabPageType: 'Later', Value: 4 },
      ],
    });
    assert.deepEqual(record['Counter'], { Marks: 3 });
    assert.deepEqual(record['CounterValues'], [{ TabPageType: 'Later', Value: 4 }]);
    assert.deepEqual(moved.of({ CounterValues: null })['CounterValues'], null);
  });

  it('is as it came where columns were chosen', () => {
    const chosen = printedWith(plain, { fields: [{ id: a, title: 'A' }], counters: false, moves: false });
    const record = { Id: a, FieldValues: { Items: [{ Id: a, Value: 'x' }] } };
    assert.deepEqual(chosen.of(record), { ...record, Field: { A: 'x' } });
  });

  it('loses nothing on the way through a staging file to CSV and back', () => {
    const ids = Array.from({ length: 6 }, (_, index) => `00000000-0041-4000-8000-00000000000${index}`);
    const text = fc.string({ unit: 'binary' });
    const value = fc.oneof(text, fc.constant(null));
    const item = fc.record({ Id: fc.constantFrom(...ids), Value: value }, { noNullPrototype: true });
    const record = fc.record({ Id: fc.constantFrom(...ids), FieldValues: fc.record({ Items: fc.array(item) }) });
    fc.assert(
      fc.property(fc.array(record), fc.integer({ min: 1, max: 400 }), (records, most) => {
        const staging = openStaging(most);
        for (const each of records) staging.add([each]);
        const fields = fieldColumns(staging.fieldIds(), fieldCatalogue({ aliases: { First: ids[0] ?? '' } }));
        const printed = printedWith(plain, { fields, counters: false, moves: true });
        const rows = written(printed, [...staging.batches()].flat(), '\u0000nil');
        staging.close();
        records.forEach(({ FieldValues: { Items } }, index) => {
          const left = cell(rows, index + 1, 'FieldValues.Items');
          const rest = (left === '\u0000nil' ? [] : JSON.parse(left)) as typeof Items;
          const read = fields.flatMap(({ id, title }) => {
            const first = Items.find(({ Id }) => Id === id);
            if (first === undefined) return [];
            const value = cell(rows, index + 1, `Field.${title}`);
            assert.equal(value, first.Value ?? '\u0000nil');
            return [first];
          });
          assert.equal(read.length + rest.length, Items.length);
          const repeats = Items.filter((each) => !read.includes(each));
          assert.deepEqual(rest, repeats);
        });
      }),
      { numRuns: 200 },
    );
  });
});
