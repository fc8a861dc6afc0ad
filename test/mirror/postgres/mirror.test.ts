import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import type { Difference, Mirror } from '../../../src/mirror/store.js';
import { mirrorTables } from '../../../src/mirror/tables.js';
import type { RecordValue } from '../../../src/plain/value.js';
import { syncFrom, type ListService } from '../../support/mirror/list-service.js';
import { connectTo, openMirror } from '../../support/mirror/postgres.js';
import { startPostgres, type PostgresServer } from '../../support/postgres.js';
import { valueOf } from '../../support/soap/arbitraries.js';

const guid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const product = (number: number, more: RecordValue = {}): RecordValue => ({
  Id: guid(number),
  Code: `P${number}`,
  Name: `Product ${number}`,
  ...more,
});

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

describe('A mirror in PostgreSQL', function () {
  this.timeout(120_000);
  let server: PostgresServer;
  let address: string;
  let database: string;
  let mirror: Mirror;
  before(async function () {
    server = await startPostgres(this);
  });
  after(() => server.stop());
  beforeEach(async () => {
    address = server.database();
    database = address.slice(address.lastIndexOf('/') + 1);
    ({ mirror } = await openMirror(address));
    await mirror.add({ name: 'products', table: 'products', input: {} });
  });
  afterEach(() => mirror.close());

  const sync = (service: ListService, second: number, pageSize = 3): Promise<Difference> =>
    syncFrom(service, mirror, { source: 'products', pageSize, at: at(second) });
  const json = (sql: string): unknown => server.json(database, sql);
  const shown = (view = 'products'): string[] =>
    (json(`SELECT _record FROM relctl.${view}`) as { _record: string }[]).map(({ _record }) => _record).sort();
  const texts = (records: readonly RecordValue[]): string[] => records.map((record) => JSON.stringify(record)).sort();

  it('shows what the service shows after each sync, and says what changed', async () => {
    const service: ListService = { records: [1, 2, 3, 4, 5].map((number) => product(number)) };
    assert.deepEqual(await sync(service, 1), { rows: 5, added: 5, changed: 0, gone: 0 });
    assert.deepEqual(shown(), texts(service.records));
    service.records = [product(1), product(2, { Name: 'Renamed' }), product(6), product(4), product(5)];
    assert.deepEqual(await sync(service, 2), { rows: 5, added: 1, changed: 1, gone: 1 });
    assert.deepEqual(shown(), texts(service.records));
    assert.deepEqual(
      json(
        'SELECT "Code", extract(second FROM _first_seen)::int AS seen, extract(second FROM _changed_at)::int AS changed, extract(second FROM _gone_at)::int AS gone FROM relctl.all_products ORDER BY "Code"',
      ),
      [
        { Code: 'P1', seen: 1, changed: 1, gone: null },
        { Code: 'P2', seen: 1, changed: 2, gone: null },
        { Code: 'P3', seen: 1, changed: 1, gone: 2 },
        { Code: 'P4', seen: 1, changed: 1, gone: null },
        { Code: 'P5', seen: 1, changed: 1, gone: null },
        { Code: 'P6', seen: 2, changed: 2, gone: null },
      ],
    );
    service.records = [...service.records, product(3)];
    assert.deepEqual(await sync(service, 3), { rows: 6, added: 1, changed: 0, gone: 0 });
    assert.deepEqual(shown(), texts(service.records));
    assert.deepEqual(json(`SELECT "Code" FROM relctl.products WHERE _first_seen = '${at(3)}'`), [{ Code: 'P3' }]);
    const [state] = await mirror.sources();
    assert.deepEqual([state?.syncedFrom, state?.last?.rows, state?.unfinished], [at(3), 6, undefined]);
  });

  it('writes no row when nothing changed', async () => {
    const service: ListService = { records: [1, 2, 3, 4, 5].map((number) => product(number)) };
    await sync(service, 1);
    const places = (): unknown => json('SELECT ctid::text, xmin::text FROM relctl.all_products ORDER BY _seq');
    const before = places();
    assert.deepEqual(await sync(service, 2), { rows: 5, added: 0, changed: 0, gone: 0 });
    // Pages of another size have other signatures: then rows are compared by their hash.
    assert.deepEqual(await sync(service, 3, 2), { rows: 5, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(places(), before);
  });

  it('writes no table but those of its status when nothing changed', async () => {
    const service: ListService = { records: [1, 2, 3, 4, 5].map((number) => product(number)) };
    await sync(service, 1);
    const files = (): unknown =>
      json(
        "SELECT relname, relfilenode FROM pg_class WHERE relnamespace = 'relctl'::regnamespace AND relkind IN ('r', 'i')",
      );
    const written = async (): Promise<string[]> => {
      // Each connection tells what it wrote when it ends.
      await mirror.close();
      const sql =
        "SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'relctl' AND n_tup_ins + n_tup_upd + n_tup_del > 0 ORDER BY 1";
      return server.psql(database, sql).split('\n');
    };
    await mirror.close();
    server.psql(database, 'SELECT pg_stat_reset()');
    ({ mirror } = await openMirror(address, { lockMs: 5000 }));
    const before = files();
    assert.deepEqual(await sync(service, 2), { rows: 5, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(await written(), ['_passes', '_sources']);
    assert.deepEqual(files(), before);
  });

  it('keeps every value: the text of the record to the byte, and columns that lose nothing', async () => {
    const record = product(1, {
      SalesPrice: '00012.500',
      Name: 'tab\t, back\\slash, "quote", line\nCR\r, \\N, \u00e9\u{1f600}\u2028',
      Code: null,
    });
    await sync({ records: [record] }, 1);
    const [row] = json('SELECT * FROM relctl.products') as Record<string, unknown>[];
    assert.equal(row?.['_record'], JSON.stringify(record));
    assert.equal(row['Name'], record['Name']);
    assert.equal(row['Code'], null);
    assert.equal(row['Id'], record['Id']);
  });

  it('keeps each record that the contract allows, of every table', async () => {
    for (const table of mirrorTables.values()) {
      await mirror.add({ name: `any ${table.name}`, table: table.name, input: {} });
      const records = fc.sample(valueOf(table.record, 'response') as fc.Arbitrary<RecordValue>, {
        numRuns: 25,
        seed: 7,
      });
      const plain = records.filter((record) => !JSON.stringify(record).includes('\\u0000'));
      const distinct = new Map(
        plain.map((record, index) => {
          const id = guid(index);
          const named =
            table.idColumn === 'relation_Id'
              ? { ...record, relation: { ...(record['relation'] as RecordValue | null | undefined), Id: id } }
              : { ...record, [table.idColumn]: id };
          return [id, named] as const;
        }),
      );
      const service: ListService = { records: [...distinct.values()] };
      const source = `any ${table.name}`;
      const { rows, added } = await syncFrom(service, mirror, { source, pageSize: 4, at: at(1) });
      assert.deepEqual([rows, added], [distinct.size, distinct.size], table.name);
      assert.deepEqual(shown(`all_${table.name}`), texts(service.records), table.name);
    }
  });

  it('keeps numbers and times to the last digit that a type of PostgreSQL has', async () => {
    await mirror.add({ name: 'sought', table: 'activities', input: { activityEntityTypeId: 'type-1' } });
    const table = mirrorTables.get('activities');
    const times = table?.columns.filter(({ type, path }) => type === 'dateTime' && path.length === 1) ?? [];
    const [time] = times;
    assert.ok(time !== undefined);
    const record = { Id: guid(1), [time.name]: '2024-05-06T07:08:09.1234567+02:00' };
    await syncFrom({ records: [record] }, mirror, { source: 'sought', pageSize: 5, at: at(1) });
    assert.deepEqual(
      json(
        `SELECT "${time.name}" AS text, "${time.name}_instant" AS instant, "ActivityEntityTypeId" FROM relctl.activities`,
      ),
      [
        {
          text: '2024-05-06T07:08:09.1234567+02:00',
          instant: '2024-05-06T05:08:09.123456+00:00',
          ActivityEntityTypeId: 'type-1',
        },
      ],
    );
  });

  it('refuses a text with NUL by the name of its column, and shows what it showed', async () => {
    const service: ListService = { records: [product(1)] };
    await sync(service, 1);
    service.records = [product(1), product(2, { Name: 'a\u0000b' })];
    await assert.rejects(sync(service, 2), (thrown) => {
      assert.ok(thrown instanceof RelctlError);
      assert.match(thrown.message, /products\.Name holds the character NUL/);
      return thrown.kind === 'local';
    });
    assert.deepEqual(shown(), texts([product(1)]));
  });

  it('shows nothing of a sync before its end, to a reader that was there before, too', async () => {
    const service: ListService = { records: [1, 2, 3].map((number) => product(number)) };
    await sync(service, 1);
    const reader = await connectTo(address);
    await reader.transaction(async () => {
      const count = async (): Promise<unknown> => (await reader.first('SELECT count(*) FROM relctl.products'))?.[0];
      assert.equal(await count(), '3');
      service.records = [1, 2, 3, 4, 5, 6, 7].map((number) => product(number, { Code: 'other' }));
      service.onPage = () => assert.equal(shown().length, 3);
      await sync(service, 2);
      assert.equal(shown().length, 7);
      assert.equal(await count(), '3');
    }, 'READ ONLY');
    await reader.close();
  });

  it('says in comments what the contract says', () => {
    const comments = json(
      "SELECT a.attname, col_description(a.attrelid, a.attnum) AS words FROM pg_attribute a WHERE a.attrelid = 'relctl.products'::regclass AND a.attnum > 0",
    ) as { attname: string; words: string | null }[];
    for (const { attname, words } of comments) assert.ok((words ?? '') !== '', attname);
    assert.equal(
      comments.find(({ attname }) => attname === 'Id')?.words,
      mirrorTables.get('products')?.record.fields['Id']?.doc,
    );
  });

  it('finds by Id and by name with an index', async () => {
    await sync({ records: Array.from({ length: 3000 }, (_, index) => product(index)) }, 1, 1000);
    const plan = (where: string): string =>
      server.psql(database, `EXPLAIN SELECT * FROM relctl.products WHERE ${where}`);
    assert.match(plan(`"Id" = '${guid(77)}'`), /products_by_Id/);
    assert.match(plan(`"Name" LIKE 'Product 77%'`), /products_by_Name/);
  });
});
