import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/plain/value.js';
import { hashContent } from '../../src/client/content-hash.js';
import { contentsOf, placeOf, Renderer, writeContent } from '../../src/client/rendered.js';

const record = (number: number): RecordValue => ({ Id: `id-${number}`, Name: `né ${number} \u{1d4b3}` });

const textIn = (rows: readonly RecordValue[]): string =>
  rows
    .map((row) => {
      const at = placeOf(row) ?? assert.fail('not rendered');
      return Buffer.from(at.page.textOf(at.row, at.row + 1)).toString('utf8');
    })
    .join('');

describe('A list that is rendered while it is decoded', () => {
  const nameOf = ({ Name }: RecordValue): string => `${JSON.stringify(Name)}\n`;

  it('keeps of each record its Id, its text and the hash of its content', () => {
    const records = Array.from({ length: 3000 }, (_, index) => record(index));
    const rows = records.map(new Renderer(nameOf).page()) as RecordValue[];
    assert.deepEqual(
      rows.map(({ Id }) => Id),
      records.map(({ Id }) => Id),
    );
    assert.deepEqual(Object.keys(rows[0] ?? {}), ['Id']);
    assert.equal(textIn(rows), records.map(nameOf).join(''));
    assert.deepEqual(contentsOf(rows), contentsOf(records));
    const [one, other] = [new Uint32Array(3), new Uint32Array(3)];
    writeContent(rows[2999] ?? {}, one, 1);
    hashContent(record(2999), other, 1);
    assert.deepEqual(one, other);
  });

  it('makes room for texts of any length', () => {
    const long = (number: number): string => `${number}${'\u20ac'.repeat(number * 40_000)}\n`;
    const records = Array.from({ length: 12 }, (_, number) => ({ Id: `id-${number}`, Name: number }));
    const rows = records.map(new Renderer(({ Name }) => long(Number(Name))).page()) as RecordValue[];
    assert.equal(textIn(rows), records.map(({ Name }) => long(Name)).join(''));
  });

  it('leaves alone a record that has no Id, or no text of its own', () => {
    const take = new Renderer((each) => (each['Name'] === 'odd' ? undefined : 'text')).page();
    for (const odd of [{ Name: 'a' }, { Id: null, Name: 'a' }, { Id: 'i', Name: 'odd' }]) {
      assert.equal(take(odd), odd);
      assert.equal(placeOf(odd), undefined);
    }
  });

  it('fills a page again only when it was given back', () => {
    const renderer = new Renderer(nameOf);
    const first = [record(1)].map(renderer.page()) as RecordValue[];
    const second = [record(2)].map(renderer.page()) as RecordValue[];
    assert.equal(textIn([...first, ...second]), nameOf(record(1)) + nameOf(record(2)));
    const page = placeOf(first[0] ?? {})?.page ?? assert.fail();
    renderer.release(page);
    const third = [record(3)].map(renderer.page()) as RecordValue[];
    assert.equal(placeOf(third[0] ?? {})?.page, page);
    assert.equal(textIn([...third, ...second]), nameOf(record(3)) + nameOf(record(2)));
  });
});
