import assert from 'node:assert/strict';
import { fill, find, openSearched } from '../../support/mirror/files.js';

const openWith = (...numbers: readonly string[]): ReturnType<typeof openSearched> => {
  const database = openSearched();
  const rows = numbers.map((number, at) => ({
    seq: at + 1,
    columns: { relation_Id: `id-${at + 1}`, relation_DisplayName: 'Joëlle Veen' },
    lists: { all_telephone_numbers: [number] },
  }));
  fill(database, 'all_telephone_book', rows);
  return database;
};

const found = async (database: ReturnType<typeof openSearched>, text: string): Promise<readonly string[]> =>
  find(database, text).map(({ match }) => `${match.rank} ${match.values.map(({ text: number }) => number).join()}`);

/** One number, as people and exchanges write it. */
const spellings = [
  '0612345678',
  '06-12345678',
  '06 12 34 56 78',
  '(06) 1234 5678',
  '06.12.34.56.78',
  '06/12345678',
  '+31612345678',
  '+31 6 1234 5678',
  '+31 (0)6 12345678',
  '0031612345678',
  '0031 (0)6-12345678',
  '00 31 6 12345678',
  '+31-6-1234.5678',
];

describe('telephone numbers in a mirror', () => {
  for (const text of spellings) {
    it(`are found by ${text}, however they are kept`, async () => {
      const others = ['020-5550123', '+44 612345678', '0612345679', '0712345678'];
      const database = openWith(...spellings, ...others);
      const hits = await found(database, text);
      assert.deepEqual(
        hits.filter((hit) => !hit.includes('44')),
        spellings.map((each) => `0 ${each}`),
      );
    });
  }

  it('of another country are not found by a number with its country', async () => {
    const database = openWith('+44 612345678', '0612345678');
    assert.deepEqual(await found(database, '+31 612345678'), ['0 0612345678']);
  });

  it('are found by their last digits first, and by any digits', async () => {
    const database = openWith('020-5550123', '055 501 23 99', '+31 20 555 0123');
    assert.deepEqual(await found(database, '55 01 23'), ['1 020-5550123', '1 +31 20 555 0123', '4 055 501 23 99']);
    assert.deepEqual(await found(database, '020 555'), ['4 020-5550123', '4 +31 20 555 0123']);
  });

  it('end where words begin: an extension is no part of them', async () => {
    const database = openWith('030-5550111 tst. 7', 'tel: 030-5550112', 'geheim');
    assert.deepEqual(await found(database, '0305550111'), ['0 030-5550111 tst. 7']);
    assert.deepEqual(await found(database, '030 5550112'), ['0 tel: 030-5550112']);
    assert.deepEqual(await found(database, '5550111 7'), []);
    assert.deepEqual(await found(database, 'geheim'), []);
  });

  it('need three digits', async () => {
    const database = openWith('0612345678');
    assert.deepEqual(await found(database, '78'), []);
    assert.deepEqual(await found(database, '678'), ['1 0612345678']);
  });

  it('of several numbers of one relation show the one that matches', async () => {
    const database = openSearched();
    const lists = { all_telephone_numbers: ['020-5550123', '06-12345678'] };
    fill(database, 'all_telephone_book', [
      { seq: 1, columns: { relation_Id: 'r', relation_DisplayName: 'Veen' }, lists },
    ]);
    const [hit] = find(database, '+31612345678');
    assert.deepEqual([hit?.id, hit?.name, hit?.match.values[0]?.text], ['r', 'Veen', '06-12345678']);
  });
});
