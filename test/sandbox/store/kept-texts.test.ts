import assert from 'node:assert/strict';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { keepTexts } from '../../../src/sandbox/store/kept-texts.js';
import { type KeptTexts, openStore, type Store } from '../../../src/sandbox/store/open.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('Texts of records that are kept', () => {
  let sandbox: Sandbox;
  let isWanted: boolean;
  let texts: KeptTexts;
  before(async () => {
    sandbox = await temporarySandbox(3);
  });
  after(() => sandbox.close());
  beforeEach(() => {
    isWanted = true;
    texts = keepTexts(sandbox.store, () => isWanted);
  });
  const change = (store: Store): void =>
    store.execute(`INSERT OR REPLACE INTO "Parameter" (name, value) VALUES ('a', random())`);
  const found = (kind: string, seq: number): string | undefined => {
    const bytes = texts.of(kind).of(seq);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };

  it('are those of a kind and a row, as UTF-8', () => {
    texts.of('a').keep(1, '<a>€😀</a>');
    assert.equal(found('a', 1), '<a>€😀</a>');
    assert.equal(found('a', 2), undefined);
    assert.equal(found('b', 1), undefined);
  });

  it('go when a row has changed, by whichever connection', () => {
    const other = openStore(sandbox.file);
    try {
      for (const store of [sandbox.store, other]) {
        texts.of('a').keep(1, 'old');
        assert.equal(found('a', 1), 'old');
        change(store);
        assert.equal(found('a', 1), undefined);
      }
    } finally {
      other.close();
    }
  });

  it('are not kept of rows that have changed since they were read', () => {
    const before = texts.of('a');
    change(sandbox.store);
    texts.of('a').keep(2, 'new');
    before.keep(1, 'old');
    assert.equal(found('a', 1), undefined);
    assert.equal(found('a', 2), 'new');
  });

  it('are kept only while they are wanted', () => {
    isWanted = false;
    texts.of('a').keep(1, 'x');
    isWanted = true;
    assert.equal(found('a', 1), undefined);
    texts.of('a').keep(1, 'x');
    isWanted = false;
    assert.equal(found('a', 1), 'x');
  });

  it('take 16 MiB at most, and make room when as many were not found as there are', () => {
    const text = 'x'.repeat(2 ** 20);
    for (let seq = 0; seq < 20; seq += 1) texts.of('a').keep(seq, text);
    const known = (): readonly number[] =>
      Array.from({ length: 60 }, (_, seq) => seq).filter((seq) => found('a', seq) !== undefined);
    const first = Array.from({ length: 16 }, (_, seq) => seq);
    assert.deepEqual(known(), first);
    for (let seq = 20; seq < 32; seq += 1) texts.of('a').keep(seq, text);
    assert.deepEqual(known(), first, 'sixteen were not found');
    texts.of('a').keep(32, text);
    assert.deepEqual(known(), []);
    texts.of('b').keep(81, text);
    texts.of('a').keep(4, text);
    assert.deepEqual(known(), [4]);
    // What has fewer characters than there is room for may have more bytes.
    texts.of('a').keep(5, '€'.repeat(5 * 2 ** 20));
    assert.deepEqual(known(), [4]);
  });

  it('stay the longer, the more often those before them were of no use', () => {
    const text = 'x'.repeat(2 ** 20);
    let seq = 0;
    /** Keeps sixteen, and says how many others were not kept until they went. */
    const stay = (uses: number): number => {
      const first = seq;
      for (let at = 0; at < 16; at += 1) texts.of('a').keep((seq += 1), text);
      for (let at = 0; at < uses; at += 1) assert.equal(found('a', first + 1 + (at % 16)), text);
      // Bytes that take no room tell whether the others are there still: looking for them would be a use.
      const isFull = (): boolean => {
        texts.of('b').keep((seq += 1), 'x');
        return found('b', seq) === undefined;
      };
      let missed = 0;
      while (isFull()) missed += 1;
      change(sandbox.store);
      return missed;
    };
    assert.deepEqual([0, 15, 0, 0, 0].map(stay), [17, 33, 65, 129, 129]);
    // Those that were used as often as there are of them go at once for others, and the next ones too.
    assert.deepEqual([16, 0, 0, 100, 15].map(stay), [129, 17, 33, 65, 17]);
  });

  it('count once, however often they are kept', () => {
    const text = 'x'.repeat(2 ** 20);
    for (let time = 0; time < 40; time += 1) texts.of('a').keep(1, text);
    for (let seq = 2; seq <= 16; seq += 1) texts.of('a').keep(seq, text);
    assert.equal(found('a', 16), text);
  });
});
