import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { findMirrorSchema } from '../../../src/mirror/postgres/open.js';
import { postgresReader } from '../../../src/mirror/postgres/reading/reader.js';
import { findRows, type Hit, type Wanted } from '../../../src/mirror/search/find.js';
import { questionOf } from '../../../src/mirror/search/question.js';
import { openSqliteMirror } from '../../../src/mirror/sqlite/mirror.js';
import { readMirrorFile } from '../../../src/mirror/sqlite/open.js';
import { sqliteReader } from '../../../src/mirror/sqlite/reader.js';
import type { RecordValue } from '../../../src/plain/value.js';
import { syncFrom, type ListService } from '../../support/mirror/list-service.js';
import { openMirror, service as of } from '../../support/mirror/postgres.js';
import { startPostgres, type PostgresServer } from '../../support/postgres.js';

const guid = (number: number): string => `0000000A-0000-4000-8000-${String(number).padStart(12, '0')}`;

const relation = (number: number, DisplayName: string | null, more: RecordValue = {}): RecordValue => ({
  Id: guid(number),
  DisplayName,
  ...more,
});

const entry = (number: number, ...values: readonly string[]): RecordValue => ({
  relation: { Id: guid(number), DisplayName: `Entry ${number}` },
  TelephoneNumbers: values.map((Value) => ({ Value })),
});

/** The same lists in a mirror in a file and in one in PostgreSQL. */
interface Twins {
  sync(table: string, records: readonly RecordValue[]): Promise<void>;
  remove(table: string): Promise<void>;
  /** What both find, which must be the same. */
  find(text: string, more?: Partial<Wanted>): Promise<readonly Hit[]>;
  close(): Promise<void>;
}

async function twins(server: PostgresServer): Promise<Twins> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-twins-'));
  const place = { file: join(folder, 'm.db'), service: of, forget: '' };
  const file = openSqliteMirror(place);
  const { mirror, postgres } = await openMirror(server.database());
  const names = await findMirrorSchema(postgres, { schema: 'relctl', forget: '' });
  assert.ok(names !== undefined);
  const inPostgres = postgresReader(postgres, names);
  let second = 0;
  const known = new Set<string>();
  return {
    async sync(table, records) {
      second += 1;
      const service: ListService = { records };
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      for (const each of [file, mirror]) {
        if (!known.has(table)) await each.add({ name: table, table, input: {} });
        await syncFrom(service, each, { source: table, pageSize: 4, at });
      }
      known.add(table);
    },
    async remove(table) {
      for (const each of [file, mirror]) await each.remove(table);
      known.delete(table);
    },
    async find(text, more = {}) {
      const wanted = { question: questionOf(text), types: undefined, limit: 20, gone: false, ...more };
      const database = readMirrorFile(place);
      assert.ok(database !== undefined);
      const expected = await findRows(sqliteReader(database).search, wanted);
      database.close();
      const found = await findRows(inPostgres.search, wanted);
      assert.deepEqual(found, expected, JSON.stringify(text));
      return found;
    },
    async close() {
      await mirror.close();
      await file.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const letters = [...Array.from('abnvABNVéÉöØøßłæ’%_\\-.1 3עאהж한Ωώ🍞𠮷ñç'), 'é', 'ö́', '  '];

const names = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 10 })
  .map((all) => all.join(''))
  .filter((name) => /\S/u.test(name));

const digits = fc.stringMatching(/^(\+31|0031|0)[ ()0-9./-]{3,11}( tst [0-9]{1,3})?$/);

describe('Finding in a mirror in PostgreSQL', function () {
  this.timeout(240_000);
  let server: PostgresServer;
  let both: Twins;
  before(async function () {
    server = await startPostgres(this);
  });
  after(() => server.stop());
  beforeEach(async () => {
    both = await twins(server);
  });
  afterEach(() => both.close());

  const found = async (text: string, more: Partial<Wanted> = {}): Promise<readonly (string | undefined)[]> =>
    (await both.find(text, more)).map(({ name }) => name);

  it('gives what the same records in a file give, in the same order, whatever they are called', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { minLength: 1, maxLength: 12 }),
        fc.array(names, { maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        async (all, asked, limit) => {
          await both.sync(
            'relations',
            all.map((name, at) => relation(at, name, { ImportKey: `K${at}` })),
          );
          const parts = all.flatMap((name) => [name, name.slice(1), name.slice(0, 2), name.toUpperCase()]);
          for (const text of [...asked, ...parts]) if (/[^\s\p{M}]/u.test(text)) await both.find(text, { limit });
        },
      ),
      { numRuns: 15 },
    );
  });

  it('finds numbers however they are typed, as the file does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(digits, { minLength: 1, maxLength: 6 }), async (all) => {
        await both.sync(
          'telephone_book',
          all.map((value, at) => entry(at, value, '070-123 45 67')),
        );
        for (const text of [...all, ...all.map((value) => value.slice(-5)), '70 1234567', '+31 70 123'])
          if (/[^\s]/.test(text)) await both.find(text, { limit: 3 });
      }),
      { numRuns: 10 },
    );
  });

  it('knows the letters of an Id, accents, and both ends of a value', async () => {
    await both.sync('relations', [relation(1, 'Joëlle van Veen'), relation(2, 'Van Veenendaal'), relation(3, null)]);
    await both.sync('telephone_book', [entry(1, '+31 (0)6 12 34 56 78'), entry(2, '0031 70 1234567 tst 12')]);
    assert.deepEqual(await found('veen'), ['Joëlle van Veen', 'Van Veenendaal']);
    assert.deepEqual(await found('JOELLE'), ['Joëlle van Veen']);
    assert.equal((await both.find('joelle'))[0]?.id, guid(1));
    assert.deepEqual(await found('06-12345678'), ['Entry 1']);
    assert.deepEqual(await found('070 123 45 67'), ['Entry 2']);
    assert.deepEqual(await found('%'), []);
    assert.deepEqual(await found('ve_n'), []);
  });

  it('follows what syncs change, and keeps nothing of a list that is removed', async () => {
    await both.sync(
      'products',
      [1, 2].map((number) => ({ Id: guid(number), Code: `P${number}`, Name: 'Café' })),
    );
    assert.deepEqual(await found('cafe'), ['Café', 'Café']);
    await both.sync('products', [{ Id: guid(1), Code: 'P1', Name: 'Tea' }]);
    assert.deepEqual(await found('cafe'), []);
    assert.deepEqual(await found('cafe', { gone: true }), ['Café']);
    assert.deepEqual(await found('tea'), ['Tea']);
    await both.remove('products');
    assert.deepEqual(await found('tea', { gone: true }), []);
  });
});

describe('The search index of a mirror in PostgreSQL', function () {
  this.timeout(120_000);
  let server: PostgresServer;
  before(async function () {
    server = await startPostgres(this);
  });
  after(() => server.stop());

  const fill = async (address: string): Promise<void> => {
    const { mirror } = await openMirror(address);
    await mirror.add({ name: 'relations', table: 'relations', input: {} });
    const service = { records: [relation(1, 'Joëlle van Veen'), relation(2, 'Piet Bakker')] };
    await syncFrom(service, mirror, { source: 'relations', pageSize: 4, at: '2026-01-01T00:00:00.000Z' });
    await mirror.close();
  };
  const nameOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);
  const indexes = (address: string): string =>
    server.psql(nameOf(address), "SELECT indexname FROM pg_indexes WHERE indexname LIKE '%trigrams' ORDER BY 1");
  const findAs = async (address: string, text: string): Promise<readonly (string | undefined)[]> => {
    const { connectTo } = await import('../../support/mirror/postgres.js');
    const postgres = await connectTo(address);
    try {
      const names = await findMirrorSchema(postgres, { schema: 'relctl', forget: '' });
      assert.ok(names !== undefined);
      const wanted = { question: questionOf(text), types: undefined, limit: 20, gone: false };
      return (await findRows(postgresReader(postgres, names).search, wanted)).map(({ name }) => name);
    } finally {
      await postgres.close();
    }
  };

  it('is one of trigrams where the extension may be made, and a table that is read where it may not', async () => {
    const address = server.database();
    await fill(address);
    assert.equal(indexes(address), '_find_relations_trigrams');
    const other = server.database();
    server.psql(nameOf(other), 'CREATE ROLE plain LOGIN; CREATE SCHEMA relctl AUTHORIZATION plain');
    const asPlain = other.replace(/\/\/[^@]*@/, '//plain@');
    await fill(asPlain);
    assert.equal(indexes(other), '');
    assert.deepEqual(await findAs(asPlain, 'veen'), ['Joëlle van Veen']);
  });

  it('is read by a user that may only SELECT', async () => {
    const address = server.database();
    server.psql(nameOf(address), 'CREATE ROLE reader LOGIN');
    await fill(address);
    server.psql(
      nameOf(address),
      'GRANT USAGE ON SCHEMA relctl TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA relctl TO reader',
    );
    assert.deepEqual(await findAs(address.replace(/\/\/[^@]*@/, '//reader@'), 'joelle'), ['Joëlle van Veen']);
  });

  it('is made once for a mirror of an earlier version, by its next sync', async () => {
    const address = server.database();
    await fill(address);
    const tables = server.psql(nameOf(address), "SELECT tablename FROM pg_tables WHERE tablename LIKE '\\_find%'");
    for (const table of tables.split('\n')) server.psql(nameOf(address), `DROP TABLE relctl.${table}`);
    await assert.rejects(findAs(address, 'veen'), /has no search index/);
    await (await openMirror(address)).mirror.close();
    assert.deepEqual(await findAs(address, 'veen'), ['Joëlle van Veen']);
    assert.equal(indexes(address), '_find_relations_trigrams');
  });
});
