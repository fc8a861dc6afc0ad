import assert from 'node:assert/strict';
import fc from 'fast-check';
import { indexRows, unindexRows } from '../../../src/mirror/search/index-rows.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { fill, find, openSearched, writeRows, type Row } from '../../support/mirror/files.js';
import { valuesOf } from '../../support/thrown.js';

const relation = (seq: number, DisplayName: string, more: Readonly<Record<string, string | null>> = {}): Row => ({
  seq,
  columns: { Id: `id-${seq}`, DisplayName, ...more },
});

const named = (...names: readonly string[]): readonly Row[] => names.map((name, at) => relation(at + 1, name));

/** Names without case and accents, said once more: the marks of Unicode, by their own class. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}|\p{Mc}|\p{Me}/gu, '')
    .toLowerCase()
    .normalize('NFC');

const seqs = (hits: readonly { readonly id: string }[]): readonly number[] =>
  hits.map(({ id }) => Number(id.slice(3))).sort((one, other) => one - other);

const letters = [...Array.from('abnvABNVéÉöØøßłæ’-.1 3עאהж한ΩώςſµϑK🍞𠮷ñç'), 'é', 'ö́', '  '];

const names = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 14 })
  .map((all) => all.join(''))
  .filter((name) => name.trim() !== '');

/** A part of a word of a name, of two characters or more: what somebody may type of it. */
const partOf = (name: string, from: number, length: number): string | undefined => {
  const words = plain(name)
    .split(/\s+/u)
    .map((word) => Array.from(word))
    .filter((word) => word.length > 1);
  const word = words[from % (words.length || 1)];
  if (word === undefined) return undefined;
  const begin = from % (word.length - 1);
  return word.slice(begin, begin + Math.max(2, length)).join('');
};

describe('finding in a mirror', () => {
  it('finds every record by every part of its name of two and more characters, as a plain scan does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { minLength: 1, maxLength: 25 }),
        fc.nat(60),
        fc.nat(5),
        async (all, from, length) => {
          const database = openSearched();
          fill(database, 'all_relations', named(...all));
          for (const name of all) {
            const part = partOf(name, from, length);
            if (part === undefined) continue;
            const scanned = all.flatMap((other, at) => (plain(other).includes(part) ? [at + 1] : []));
            assert.deepEqual(seqs(find(database, part, { limit: 100 })), scanned, JSON.stringify({ part, all }));
          }
          database.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds a part that ends one word and begins the next', () => {
    const database = openSearched();
    fill(database, 'all_relations', named('Café Zuid', 'Zoë van der Jansen', 'Maas Automatisering'));
    for (const [text, seq] of [
      ['é Zui', 1],
      ['ë v', 2],
      ['s A', 3],
    ] as const)
      assert.deepEqual(seqs(find(database, text, { limit: 100 })), [seq], text);
    database.close();
  });

  it('takes a limit that is the beginning of all hits, best first', async () => {
    const few = ['van', 'Van', 'van Dam', 'Jan van Dam', 'Jan Vanderbilt', 'Silvan', 'Ivana', 'Dam'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 40 }),
        fc.constantFrom('van', 'va', 'van dam', 'v', 'dam van', 'an'),
        fc.integer({ min: 1, max: 12 }),
        async (all, text, limit) => {
          const database = openSearched();
          fill(database, 'all_relations', named(...all));
          const whole = find(database, text, { limit: 100 });
          const ranks = whole.map(({ match }) => match.rank);
          assert.deepEqual(ranks, [...ranks].sort());
          assert.deepEqual(find(database, text, { limit }), whole.slice(0, limit));
          database.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('knows of every letter how the index writes it', () => {
    const ranges = [
      [0x30, 0x600],
      [0x1e00, 0x2000],
      [0x2100, 0x2150],
    ] as const;
    const all = ranges
      .flatMap(([first, end]) => Array.from({ length: end - first }, (_, at) => String.fromCodePoint(first + at)))
      .filter((letter) => /[\p{L}\p{N}]/u.test(letter));
    const database = openSearched();
    fill(database, 'all_relations', named(...all.map((letter) => `q${letter}w`)));
    const written = all.map((letter) => plain(`q${letter}w`));
    for (const part of new Set(all.map((letter) => `q${plain(letter)}`))) {
      const scanned = written.flatMap((word, at) => (word.includes(part) ? [at + 1] : []));
      assert.deepEqual(seqs(find(database, part, { limit: 1000 })), scanned, part);
    }
    database.close();
  });

  it('refuses short words that begin thousands of others, and finds longer ones', () => {
    const database = openSearched();
    const letter = (at: number): string => String.fromCodePoint(0x4e00 + at);
    const strange = Array.from({ length: 3000 }, (_, at) => `a${letter(at)} b${letter(at)} c${letter(at % 1500)}`);
    fill(database, 'all_relations', named(...strange));
    for (const text of ['a', 'b a', `${letter(7)} a`, Array.from('abcdefghijklmnop').join(' ')]) {
      assert.throws(
        () => find(database, text),
        (thrown) => thrown instanceof RelctlError && thrown.kind === 'usage' && /short words/.test(thrown.message),
        text,
      );
    }
    assert.equal(find(database, 'c', { limit: 5000 }).length, 3000);
    assert.deepEqual(seqs(find(database, `a${letter(2999)}`)), [3000]);
    database.close();
  });

  it('puts what is looked for first, then what begins with it, has it as words, begins words, has it as a part', () => {
    const database = openSearched();
    fill(database, 'all_relations', named('Silvana', 'Jan Vanderbilt', 'Jan van Dam', 'Van Dam', 'VAN'));
    assert.deepEqual(valuesOf(find(database, 'van'), 'name'), [
      'VAN',
      'Van Dam',
      'Jan van Dam',
      'Jan Vanderbilt',
      'Silvana',
    ]);
  });

  it('wants all words, in any order and in any value of the record', () => {
    const database = openSearched();
    const relationship = (seq: number, DisplayName: string, DisplayCity: string): Row => ({
      seq,
      columns: { Id: `id-${seq}`, DisplayName, DisplayCity },
    });
    fill(database, 'all_relationships', [
      relationship(1, 'Joëlle Veen', 'Breda'),
      relationship(2, 'Piet Veen', 'Goes'),
    ]);
    for (const text of ['veen joelle', 'breda VEEN', 'Joëlle bre', 'j v br']) {
      assert.deepEqual(seqs(find(database, text)), [1], text);
    }
    const [hit] = find(database, 'breda veen');
    assert.deepEqual(valuesOf(hit?.match.values, 'column'), ['DisplayCity', 'DisplayName']);
    assert.deepEqual(find(database, 'veen amsterdam'), []);
  });

  it('finds field values, codes and translations where they are mirrored', async () => {
    const database = openSearched();
    const email = { all_relation_field_values: ['1980', 'J.Veen+crm@mail.example'] };
    fill(database, 'all_relations', [{ ...relation(1, 'Joëlle Veen'), lists: email }]);
    fill(database, 'all_products', [{ seq: 1, columns: { Id: 'id-1', Name: 'Helm & slot', Code: 'A-00 1/b' } }]);
    const translated = { all_datastore_item_translations: ['Bäckerei'] };
    fill(database, 'all_datastore_items', [
      { seq: 1, columns: { Id: 'id-1', Description: 'Bakkerij' }, lists: translated },
    ]);
    const found = async (text: string): Promise<readonly string[]> =>
      find(database, text).map(({ type, match }) => `${type} ${match.values[0]?.column}`);
    assert.deepEqual(await found('j.veen+CRM@mail'), ['relation FieldValues']);
    assert.deepEqual(await found('1/B'), ['product Code']);
    assert.deepEqual(await found('backerei'), ['datastore-item Translations']);
    assert.deepEqual(await found('"helm" OR *'), []);
  });

  it('leaves gone records out, unless they are asked for', () => {
    const database = openSearched();
    const gone = Array.from({ length: 30 }, (_, at) => relation(at + 1, 'Veen', { _gone_at: '2026-01-01T00:00:00Z' }));
    fill(database, 'all_relations', [...gone, relation(31, 'Veen')]);
    assert.deepEqual(seqs(find(database, 'veen', { limit: 5 })), [31]);
    assert.deepEqual(seqs(find(database, 'veen', { limit: 2, gone: true })), [1, 2]);
  });

  it('of all rows of a table leaves the index with the usual settings for rows that come later', () => {
    const database = openSearched();
    fill(database, 'all_relations', named('Joëlle Veen', 'Νίκος'));
    const kept = database.statement(`SELECT k, v FROM "_find_relations_config" WHERE k <> 'version'`).all();
    assert.deepEqual(Object.fromEntries(kept as [string, number][]), {
      automerge: 4,
      crisismerge: 16,
      hashsize: 1024 * 1024,
    });
    database.close();
  });

  it('follows new, changed and deleted rows', () => {
    const database = openSearched();
    fill(database, 'all_relations', named('Joëlle Veen', 'Piet Bakker'));
    database.execute('CREATE TABLE "_stage" ("_seq" INTEGER); INSERT INTO "_stage" VALUES (1), (3)');
    writeRows(database, 'all_relations', [relation(1, 'Joëlle Çelik'), relation(3, 'Ærø')]);
    indexRows(database, 'all_relations', { seqs: 'SELECT "_seq" FROM "_stage"' });
    assert.deepEqual(seqs(find(database, 'veen')), []);
    assert.deepEqual(seqs(find(database, 'celik')), [1]);
    assert.deepEqual(seqs(find(database, 'æR')), [3]);
    assert.deepEqual(seqs(find(database, 'bakker')), [2]);
    unindexRows(database, 'all_relations', 'SELECT 2');
    assert.deepEqual(seqs(find(database, 'bakker')), []);
  });

  it('looks only among the types that are asked for', () => {
    const database = openSearched();
    fill(database, 'all_relations', named('Veen'));
    fill(database, 'all_marks', [{ seq: 1, columns: { Id: 'm', Name: 'Veen' } }]);
    assert.deepEqual(valuesOf(find(database, 'veen'), 'type'), ['relation', 'mark']);
    assert.deepEqual(valuesOf(find(database, 'veen', { types: ['mark'] }), 'id'), ['m']);
  });

  for (const text of ['', ' \t', '\u0301', 'a'.repeat(201), Array.from({ length: 17 }, (_, at) => at).join(' ')]) {
    it(`refuses ${JSON.stringify(text.slice(0, 12))} of ${text.length} characters`, () =>
      assert.throws(
        () => find(openSearched(), text),
        (thrown) => thrown instanceof RelctlError && thrown.kind === 'usage',
      ));
  }
});

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
  ...['0612345678', '06-12345678', '06 12 34 56 78', '(06) 1234 5678', '06.12.34.56.78', '06/12345678'],
  ...['+31612345678', '+31 6 1234 5678', '+31 (0)6 12345678', '0031612345678', '0031 (0)6-12345678'],
  ...['00 31 6 12345678', '+31-6-1234.5678'],
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
