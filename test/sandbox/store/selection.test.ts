import assert from 'node:assert/strict';
import { openStore, type Store } from '../../../src/sandbox/store/open.js';
import { rowsAt, selectEach, selectPage, selectPart } from '../../../src/sandbox/store/pages.js';

const odd = [
  '',
  ' ',
  '"',
  '\\',
  '\\u0041',
  '[1]',
  '{"a":1}',
  'null',
  '\u0001\u001f\u007f',
  '\r\n\t',
  '\u2028',
  'é',
  '€',
  '😀',
  '\ufffd\uffff',
  '007',
  '1e3',
  '-0',
];
const numbers = [0, -1, 2147483647, -2147483648, Number.MAX_SAFE_INTEGER];

describe('Rows of a page', () => {
  let store: Store;
  before(() => {
    store = openStore(':memory:');
    store.execute('CREATE TABLE "T" (seq INTEGER PRIMARY KEY, a TEXT, b INTEGER) STRICT');
    const insert = store.statement('INSERT INTO "T" (a, b) VALUES (?, ?)');
    for (const [at, text] of odd.entries()) insert.run(text, numbers[at % numbers.length] ?? 0);
    insert.run(null, null);
  });
  after(() => store.close());
  const all = { table: 'T', columns: '"T".seq, a, b, b IS NULL', rest: 'ORDER BY seq', values: [] };

  it('are to the character what the driver gives cell by cell, whichever way they are read', () => {
    const expected = selectEach(store, all);
    assert.equal(expected.length, odd.length + 1);
    assert.deepEqual(
      expected.slice(0, -1).map(([, text]) => text),
      odd,
    );
    assert.deepEqual(selectPage(store, all), expected);
    const part = selectPart(store, all);
    assert.deepEqual([part(), part()], [expected, expected]);
  });

  it('are those of the condition, in its order, and may be none', () => {
    const some = { ...all, rest: 'WHERE seq > ? ORDER BY seq DESC LIMIT ? OFFSET ?', values: [3, 4, 1] };
    assert.deepEqual(selectPage(store, some), selectEach(store, some));
    assert.equal(selectPage(store, some).length, 4);
    const none = { ...all, rest: 'WHERE seq < ?', values: [0] };
    assert.deepEqual(selectPage(store, none), []);
  });

  it('are read one after the other where their text has more than 4 MiB', () => {
    const insert = store.statement('INSERT INTO "T" (seq, a) VALUES (?, ?)');
    const length = 4 * 2 ** 20 - '[["",1]]'.length;
    for (const [seq, more] of [
      [1000, 0],
      [1001, 1],
    ] as const)
      insert.run(seq, 'x'.repeat(length + more));
    const one = (seq: number) => ({ table: 'T', columns: 'a, 1', rest: 'WHERE seq = ?', values: [seq] });
    const asked: string[] = [];
    const spied = {
      ...store,
      statement: (sql: string) => {
        asked.push(sql);
        return store.statement(sql);
      },
    };
    const each = `SELECT a, 1 FROM "T" WHERE seq = ?`;
    assert.deepEqual(selectPage(spied, one(1000)), [['x'.repeat(length), 1]]);
    assert.ok(!asked.includes(each));
    assert.deepEqual(selectPage(spied, one(1001)), [['x'.repeat(length + 1), 1]]);
    assert.ok(asked.includes(each));
  });

  it('are read at once, a hundred with a statement, and given by their index in any order', () => {
    const asked: (readonly number[])[] = [];
    let parsed = 0;
    const seqs = Array.from({ length: 250 }, (_, at) => at * 3);
    const rowAt = rowsAt(seqs, (some) => {
      asked.push(some);
      return () => {
        parsed += 1;
        return some.map((seq) => [seq]);
      };
    });
    assert.deepEqual(asked, [seqs.slice(0, 100), seqs.slice(100, 200), seqs.slice(200)]);
    for (const at of [...seqs.keys(), 249, 0, 100, 99]) assert.deepEqual(rowAt(at), [at * 3]);
    assert.equal(parsed, 3 + 4, 'each part once for whoever walks the list');
    assert.equal(rowAt(250), undefined);
    assert.equal(rowsAt([], () => assert.fail())(0), undefined);
  });
});
