import assert from 'node:assert/strict';
import type { RecordValue } from '../../../src/core/values/value.js';
import { hashContent } from '../../../src/core/values/content-hash.js';
import { idIn } from '../../../src/lists/plan.js';
import { rowsAnswered } from '../../support/soap/answered-rows.js';
import { refuseEarlierPage } from '../../../src/client/pages.js';
import type { PagingPlan } from '../../../src/client/paging.js';
import { contentsOf, rowId, writeContent, writeIdOf } from '../../../src/client/rows/row.js';
import { renderedAt } from '../rendered-rows.js';
import { Renderer } from '../../../src/client/rows/renderer.js';
import { idWords } from '../page-keys.js';
import { valuesOf } from '../../support/thrown.js';

const record = (number: number): RecordValue => ({ Id: `id-${number}`, Name: `né ${number} \u{1d4b3}` });

const textIn = (rows: readonly RecordValue[]): string =>
  rows
    .map((row) => {
      const at = renderedAt(row) ?? assert.fail('not rendered');
      return at.page.textOf(at.row);
    })
    .join('');

describe('A list that is rendered while it is decoded', () => {
  const nameOf = ({ Name }: RecordValue): string => `${JSON.stringify(Name)}\n`;

  it('keeps of each record its Id, its text and the hash of its content', () => {
    const records = Array.from({ length: 3000 }, (_, index) => record(index));
    const rows = records.map(new Renderer({ text: nameOf }).page().of) as RecordValue[];
    assert.deepEqual(
      valuesOf(rows, 'Id'),
      records.map(({ Id }) => Id),
    );
    assert.equal(textIn(rows), records.map(nameOf).join(''));
    assert.deepEqual(contentsOf(rows), contentsOf(records));
    const [one, other] = [new Uint32Array(3), new Uint32Array(3)];
    writeContent(rows[2999] ?? {}, one, 1);
    hashContent(record(2999), other, 1);
    assert.deepEqual(one, other);
  });

  it('keeps the Id that a plan gives, of any form, and leaves a record that has none', () => {
    const byNumber = ({ Number: number }: RecordValue): string | undefined =>
      typeof number === 'number' ? String(number) : undefined;
    const guid = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
    const records = [{ Number: 0, Id: guid }, { Number: 12 }, { Id: guid }];
    const idsOf = (mayLackId: boolean): unknown => {
      const rows = records.map(new Renderer({ text: nameOf, idOf: byNumber, mayLackId }).page().of) as RecordValue[];
      return rows.map((row) => [renderedAt(row) !== undefined, rowId(row, byNumber)]);
    };
    assert.deepEqual(idsOf(false), [
      [true, '0'],
      [true, '12'],
      [false, undefined],
    ]);
    assert.deepEqual(idsOf(true), [
      [true, '0'],
      [true, '12'],
      [true, undefined],
    ]);
    const words = [{ Key: 1 }].map(new Renderer({ text: nameOf, idOf: () => guid }).page().of) as RecordValue[];
    assert.deepEqual(
      words.map((row) => rowId(row, () => assert.fail('it was rendered'))),
      [guid],
    );
  });

  it('tells rows without an Id on the page before the first by what they hold, not by their place', async () => {
    const nobody = '00000000-0000-0000-0000-000000000000';
    const pageWith = (name: string): RecordValue[] =>
      [...Array.from({ length: 5000 }, (_, at) => record(at)), { Id: nobody, Name: name }].map(
        new Renderer({ text: nameOf }).page().of,
      ) as RecordValue[];
    const refused = (before: string): Promise<void> =>
      refuseEarlierPage(
        async (page) => ({ ...rowsAnswered(pageWith(page === 0 ? before : 'first')), attempts: 1 }),
        { firstPage: 1, idOf: idIn({}), signal: new AbortController().signal } as unknown as PagingPlan,
        () => false,
      );
    await refused('first');
    await assert.rejects(refused('another'), { facts: { code: 'first-page', page: 0 } });
  });

  it('makes room for texts of any length', () => {
    const long = (number: number): string => `${number}${'\u20ac'.repeat(number * 40_000)}\n`;
    const records = Array.from({ length: 12 }, (_, number) => ({ Id: `id-${number}`, Name: number }));
    const rows = records.map(new Renderer({ text: ({ Name }) => long(Number(Name)) }).page().of) as RecordValue[];
    assert.equal(textIn(rows), records.map(({ Name }) => long(Name)).join(''));
  });

  it('leaves alone a record that has no Id, or no text of its own', () => {
    const text = (each: RecordValue): string | undefined => (each['Name'] === 'odd' ? undefined : 'text');
    const { of: take } = new Renderer({ text }).page();
    for (const odd of [{ Name: 'a' }, { Id: null, Name: 'a' }, { Id: 'i', Name: 'odd' }]) {
      assert.equal(take(odd), odd);
      assert.equal(renderedAt(odd), undefined);
    }
  });

  it('fills a page again only when it was given back', () => {
    const renderer = new Renderer({ text: nameOf });
    const first = [record(1)].map(renderer.page().of) as RecordValue[];
    const second = [record(2)].map(renderer.page().of) as RecordValue[];
    assert.equal(textIn([...first, ...second]), nameOf(record(1)) + nameOf(record(2)));
    const page = renderedAt(first[0] ?? {})?.page ?? assert.fail();
    renderer.release(page);
    const third = [record(3)].map(renderer.page().of) as RecordValue[];
    assert.equal(renderedAt(third[0] ?? {})?.page, page);
    assert.equal(textIn([...third, ...second]), nameOf(record(3)) + nameOf(record(2)));
  });

  it('fills a page again when its answer is not taken, and gives its file up', () => {
    let open = 0;
    const openFile = () => {
      open += 1;
      return { write: () => undefined, read: () => undefined, close: () => (open -= 1) };
    };
    const renderer = new Renderer({ text: () => 'x'.repeat(9 * 1024 * 1024), openFile });
    const { of: take, drop } = renderer.page();
    const rows = [1, 2].map((number) => take(record(number)) as RecordValue);
    assert.equal(open, 1);
    drop?.();
    assert.equal(open, 0);
    const again = [record(3)].map(renderer.page().of) as RecordValue[];
    assert.equal(renderedAt(again[0] ?? {})?.page, renderedAt(rows[0] ?? {})?.page);
    assert.equal(renderedAt(again[0] ?? {})?.row, 0);
  });

  it('keeps a GUID in lower case as words, and any other Id as it is', () => {
    const guids = ['6f9619ff-8b86-d011-b42d-00c04fc964ff', '00000000-0000-0000-0000-000000000001'];
    const others = [
      '6F9619FF-8b86-d011-b42d-00c04fc964ff',
      '00000000-0000-0000-0000-000000000000',
      '6f9619ff-8b86-d011-b42d-00c04fc964f',
      '6f9619ff-8b86-d011-b42d-00c04fc964f\u0130',
      '6f9619ff-8b86-d011-b42d-00c04fc964g0',
      '6f9619ff_8b86-d011-b42d-00c04fc964ff',
    ];
    const wordsOf = (row: RecordValue): readonly number[] | undefined => {
      const into = new Uint32Array(4);
      return writeIdOf(row, ({ Id }) => (typeof Id === 'string' ? Id : undefined), into) ? [...into] : undefined;
    };
    const rowsOf = (ids: readonly string[]): RecordValue[] =>
      ids.map((Id) => ({ Id, Name: Id })).map(new Renderer({ text: nameOf }).page().of) as RecordValue[];
    for (const ids of [guids, ...others.map((other) => [...guids, other])]) {
      const rows = rowsOf(ids);
      assert.deepEqual(valuesOf(rows, 'Id'), ids);
      assert.deepEqual(rows.map(wordsOf), ids.map(idWords), ids.join(' '));
    }
    // Also of records that are no rows.
    assert.deepEqual(wordsOf({ Id: guids[0]?.toUpperCase() ?? '' }), idWords(guids[0] ?? ''));
    assert.equal(wordsOf({}), undefined);
  });
});
