import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import type { Difference, Mirror } from '../../../src/mirror/store.js';
import { mirrorTables } from '../../../src/mirror/tables.js';
import type { Postgres } from '../../../src/postgres/connect.js';
import type { RecordValue } from '../../../src/plain/value.js';
import { syncFrom, type ListService } from '../../support/mirror/list-service.js';
import { connectTo, openMirror } from '../../support/mirror/postgres.js';
import { startPostgres, type PostgresServer } from '../../support/postgres.js';
import { valueOf } from '../../support/soap/arbitraries.js';

interface Opened {
  mirror: Mirror;
  postgres: Postgres;
  readonly place: string;
  clock: number;
}

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

  it('refuses records that their Id does not tell apart, and shows what it showed', async () => {
    const service: ListService = { records: [product(1)] };
    await sync(service, 1);
    const nobody = Object.fromEntries(Object.entries(product(2)).filter(([name]) => name !== 'Id'));
    for (const records of [
      [product(1), nobody],
      [product(2, { Name: 'one' }), product(2, { Name: 'other' })],
    ]) {
      service.records = records;
      await assert.rejects(sync(service, 2), /which a mirror in PostgreSQL cannot tell apart/);
      assert.deepEqual(shown(), texts([product(1)]));
    }
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

  describe('with random changes and kills', () => {
    interface Change {
      readonly add: number;
      readonly remove: number;
      readonly alter: number;
      readonly rotate: number;
      readonly pageSize: number;
      /** The page before which the sync is killed, and the one before which the list changes. */
      readonly killAt: number | null;
      readonly during: number | null;
    }
    const change: fc.Arbitrary<Change> = fc.record({
      add: fc.nat(4),
      remove: fc.nat(3),
      alter: fc.nat(3),
      rotate: fc.nat(7),
      pageSize: fc.integer({ min: 1, max: 6 }),
      killAt: fc.option(fc.integer({ min: 1, max: 12 })),
      during: fc.option(fc.integer({ min: 1, max: 6 })),
    });
    let made = 0;
    const altered = (
      before: readonly RecordValue[],
      { add, remove, alter, rotate }: Change,
    ): readonly RecordValue[] => {
      const added = [...before, ...Array.from({ length: add }, () => product((made += 1)))];
      const turn = rotate % (added.length + 1);
      return [...added.slice(turn), ...added.slice(0, turn)]
        .slice(remove)
        .map((record, index) => (index < alter ? { ...record, Name: `changed ${(made += 1)}` } : record));
    };

    /** Changes the list, syncs it, perhaps with a kill, and syncs it once more while nothing changes. */
    async function oneRound(here: Opened, service: ListService, each: Change): Promise<void> {
      const run = (): Promise<Difference> => {
        here.clock += 1;
        return syncFrom(service, here.mirror, { source: 'products', pageSize: each.pageSize, at: at(here.clock) });
      };
      service.records = altered(service.records, each);
      let pages = 0;
      service.onPage = () => {
        pages += 1;
        if (pages === each.during) service.records = altered(service.records, { ...each, remove: 1, alter: 1 });
        if (pages === each.killAt) throw new Error('killed');
      };
      const outcome = await run().catch((thrown: unknown) => RelctlError.from(thrown));
      delete service.onPage;
      if (outcome instanceof RelctlError) {
        // A list that changes while it is read may look as if it did not end.
        assert.ok(outcome.message === 'killed' || outcome.kind !== 'bug', outcome.message);
        // What a kill leaves: the connection is gone, and nothing was said to the server.
        await here.postgres.close();
        Object.assign(here, await openMirror(here.place, { lockMs: 5000 }));
        await run();
      }
      await run();
    }

    it('equals the service after a quiet sync, and tells each difference once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
          const place = server.database();
          const here: Opened = { ...(await openMirror(place)), place, clock: 0 };
          const read = (sql: string): unknown => server.json(place.slice(place.lastIndexOf('/') + 1), sql);
          await here.mirror.add({ name: 'products', table: 'products', input: {} });
          const service: ListService = { records: [] };
          for (const each of changes) {
            const before = new Map(service.records.map((record) => [record['Id'], JSON.stringify(record)]));
            const since = at(here.clock);
            await oneRound(here, service, each);
            const now = new Map(service.records.map((record) => [record['Id'], JSON.stringify(record)]));
            const kept = read('SELECT _record FROM relctl.products') as {
              _record: string;
            }[];
            assert.deepEqual(kept.map(({ _record }) => _record).sort(), [...now.values()].sort());
            const told = read(
              `SELECT "Id", _gone_at FROM relctl.all_products WHERE greatest(_changed_at, _gone_at) > '${since}' AND (_gone_at IS NULL OR _first_seen <= '${since}')`,
            ) as { Id: string; _gone_at: string | null }[];
            const differs = [...now].filter(([id, text]) => before.get(id) !== text).map(([id]) => id);
            const gone = [...before.keys()].filter((id) => !now.has(id));
            const named = told.map(({ Id }) => Id);
            assert.equal(new Set(named).size, named.length);
            for (const id of [...differs, ...gone]) assert.ok(named.includes(id as string));
            if (each.during === null) assert.deepEqual(named.sort(), [...differs, ...gone].sort());
          }
          await here.mirror.close();
        }),
        { numRuns: 8 },
      );
    });
  });
});
