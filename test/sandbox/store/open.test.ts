import assert from 'node:assert/strict';
import { openStore, type Store } from '../../../src/sandbox/store/open.js';

const odd = [
  ...['', ' ', '"', '\\', '\\u0041', '[1]', '{"a":1}', 'null', '\u0001\u001f\u007f', '\r\n\t', '\u2028', 'é', '€'],
  ...['😀', '\ufffd\uffff', '007', '1e3', '-0'],
];
const numbers = [0, -1, 2147483647, -2147483648, Number.MAX_SAFE_INTEGER];

describe('Rows of a store', () => {
  let store: Store;
  before(() => {
    store = openStore(':memory:');
    store.execute('CREATE TABLE "T" (seq INTEGER PRIMARY KEY, a TEXT, b INTEGER) STRICT');
    const insert = store.statement('INSERT INTO "T" (a, b) VALUES (?, ?)');
    for (const [at, text] of odd.entries()) insert.run(text, numbers[at % numbers.length] ?? 0);
    insert.run(null, null);
  });
  after(() => store.close());
  const columns = 'SELECT seq, a, b, b IS NULL FROM "T"';

  it('are to the character what was stored', () => {
    const expected = odd.map((text, at) => [at + 1, text, numbers[at % numbers.length], 0]);
    const rows = store.statement(`${columns} ORDER BY seq`).all();
    assert.deepEqual(rows, [...expected, [odd.length + 1, null, null, 1]]);
  });
});
