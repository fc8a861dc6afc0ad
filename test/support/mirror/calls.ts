import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordValue } from '../../../src/core/values/value.js';
import type { RunningServer } from '../../../src/sandbox/http/server.js';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import { ends, home, relctl, type Home, type Run } from '../relctl.js';
import { argv } from '../argv.js';
import { broken, order, ordersService, type Orders } from '../sandbox/deployed.js';
import { temporarySandbox } from '../sandbox/temporary.js';
import { valuesOf } from '../thrown.js';

/** A line that is printed. */
type Line = Readonly<Record<string, string | number | boolean | null>>;

/** A service with operations that the contract lacks, which were imported, and mirrors of it. */
export interface CallPlace {
  readonly orders: Orders;
  readonly here: () => Home;
  readonly run: (...words: readonly string[]) => Promise<Run>;
  /** The same; it must end with 0. Gives what it prints. */
  readonly done: (...words: readonly string[]) => Promise<string>;
  readonly json: <T = readonly Line[]>(...words: readonly string[]) => Promise<T>;
  /** It must end with a code, and say something on stderr. */
  readonly fails: (code: number, message: RegExp, ...words: readonly string[]) => Promise<string>;
  /** Imports the WSDL of the service with other texts in it. */
  readonly importWith: (...changes: readonly (readonly [RegExp, string])[]) => Promise<void>;
}

/** The usual orders: those of three pages. */
const someOrders = (): readonly RecordValue[] => Array.from({ length: 25 }, (_, at) => order(at + 1));

/** Makes such a service for the tests of a file, and a profile for it. */
export function callPlace(): CallPlace {
  let place: Home;
  let server: RunningServer;
  let close: () => void;
  const orders = ordersService();
  const run = (...words: readonly string[]): Promise<Run> => relctl(words, { env: place.env });
  const done = async (...words: readonly string[]): Promise<string> => {
    return (await ends(run(...words), 0)).stdout;
  };
  before(async () => {
    place = home();
    const sandbox = await temporarySandbox(30);
    server = await serveSandbox({ ...sandbox, more: orders.more });
    close = () => sandbox.close();
    Object.assign(place.env, {
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: sandbox.namespace,
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
      RELCTL_USER_NAME: 'sandbox',
      RELCTL_PASSWORD: 'zandbak',
      RELCTL_FIRST_PAGE: '1',
    });
  });
  beforeEach(() => {
    orders.rows = someOrders();
    orders.onPage = () => undefined;
    orders.pages.length = 0;
  });
  after(async () => {
    await server.close();
    close();
    place.remove();
  });
  return {
    orders,
    here: () => place,
    run,
    done,
    json: async <T>(...words: readonly string[]) => JSON.parse(await done(...words, '-o', 'json')) as T,
    async fails(code, message, ...words) {
      const ran = await ends(run(...words), code, message);
      return ran.stderr;
    },
    async importWith(...changes) {
      const answer = await fetch(`${server.url}/V1/service.asmx?WSDL`);
      let text = await answer.text();
      for (const [was, is] of changes) {
        assert.match(text, was);
        text = text.replace(was, is);
      }
      const file = join(place.folder, 'service.wsdl');
      writeFileSync(file, text);
      await done('operations', 'import', file, '--reads', 'OrderGet*');
    },
  };
}

const ordersLine = ['mirror', 'add', 'call:OrderGetAll', '--list', 'Orders', '--key', 'Number'] as const;
const table = 'call_order_get_all_orders';

/** How a mirror is named in a command line, and asked. */
export interface CalledMirror {
  /** Words that name it, `--mirror FILE`. */
  readonly to: () => readonly string[];
}

type Bound = CallPlace & { readonly to: () => readonly string[] };

/** Numbers that a mirror has of the orders, in their order. */
const numbers = async ({ json, to }: Bound, name = table): Promise<readonly unknown[]> =>
  (await json('mirror', 'list', name, ...to())).map(({ Number: number }) => number);

const difference = ({ Added, Changed, Gone, Rows }: Line): readonly unknown[] => [Rows, Added, Changed, Gone];

/** Syncs the orders; gives the rows, and how many came, changed and went. */
const sync = async ({ json, to }: Bound, ...words: readonly string[]): Promise<readonly unknown[]> => {
  const [line = {}] = await json('mirror', 'sync', 'call:OrderGetAll', ...words, ...to());
  return difference(line);
};

function readsTests(place: Bound): void {
  const { done, json, fails, orders, to, importWith } = place;

  it('is added, and read to its end into a table of its own, each record byte for byte', async () => {
    await importWith();
    await done(...ordersLine, ...to());
    await done(...ordersLine, ...to());
    assert.deepEqual(await sync(place), [25, 25, 0, 0]);
    const listed = await done('mirror', 'list', table, '-o', 'ndjson', ...to());
    assert.equal(listed, await done('call', 'OrderGetAll', '--list', 'Orders', '--key', 'Number', '-o', 'ndjson'));
    const kept = await json('sql', `SELECT _record AS r FROM ${table}`, ...to());
    assert.equal(kept.map(({ r }) => `${String(r)}\n`).join(''), listed);
    assert.deepEqual(await sync(place), [25, 0, 0, 0]);
  });

  it('has columns of their types and with names that are told apart, and tables of the lists within', async () => {
    const columns = (await json('sql', ...to())).filter(({ Table }) => Table === table);
    assert.deepEqual(
      columns.map(({ Column, Type }) => `${String(Column)} ${String(Type)}`),
      [
        ...['Number int', 'Code string', 'Serial long', 'Serial_number number', 'Total decimal'],
        ...[
          ...['Total_number number', 'PlacedAt dateTime', 'PlacedAt_instant instant', 'Group string'],
          ...['group_2 string', '_hash_2 string', 'Place_City string'],
        ],
        ...['Place_City_2 string', '_record json', '_first_seen instant', '_changed_at instant'],
      ],
    );
    const [first] = await json(
      'sql',
      `SELECT "Number", "Serial", "Total", "Group", "group_2", "_hash_2", "Place_City", "Place_City_2" FROM ${table} WHERE "Number" = 2`,
      ...to(),
    );
    assert.deepEqual(Object.values(first ?? {}).map(String), [
      ...['2', '9007199254740995', '2.50', `it's "2"`, 'small', 'own 2', 'Zürich', 'Delft'],
    ]);
    const oldest = await json('sql', `SELECT "Number" FROM ${table} ORDER BY "PlacedAt_instant" LIMIT 1`, ...to());
    assert.deepEqual(oldest, [{ Number: 25 }]);
    const lines = await json('sql', `SELECT * FROM ${table}_lines WHERE _owner = 5 ORDER BY _position`, ...to());
    assert.deepEqual(lines, [
      { _owner: 5, _position: 0, Sku: 's0', Count: 0 },
      { _owner: 5, _position: 1, Sku: 's1', Count: 1 },
    ]);
    const notes = await json('sql', `SELECT "Value" FROM ${table}_notes WHERE _owner = 6 ORDER BY _position`, ...to());
    assert.deepEqual(notes, [{ Value: 'a' }, { Value: 'b6' }]);
  });

  it('keeps a row for each record, whichever changed, went or came back', async () => {
    const [gone, changed] = [orders.rows[3], order(8, { Total: '0.00', Lines: [] })];
    orders.rows = orders.rows.filter((row) => row !== gone).map((row) => (row['Number'] === 8 ? changed : row));
    orders.rows = [...orders.rows, order(99)];
    assert.deepEqual(await sync(place), [25, 1, 1, 1]);
    assert.deepEqual((await numbers(place)).toSorted(), orders.rows.map(({ Number: number }) => number).toSorted());
    const changes = await json('mirror', 'changes', '--from', 'today', '--tables', table, ...to());
    const told = changes
      .filter(({ Change }) => Change !== 'added')
      .map(({ Change, Id }) => `${String(Change)} ${String(Id)}`);
    assert.deepEqual(told, ['gone 4']);
    assert.equal(changes.length, 26);
    assert.deepEqual(await json('mirror', 'list', table, '--gone', ...to()), [order(4)]);
    assert.deepEqual(await json('sql', `SELECT * FROM ${table}_lines WHERE _owner = 8`, ...to()), []);
    orders.rows = someOrders();
    assert.deepEqual(await sync(place), [25, 1, 1, 1]);
    const count = await json('sql', `SELECT count(*) AS n FROM all_${table}`, ...to());
    assert.deepEqual(count, [{ n: 26 }]);
  });

  it('goes on from its place when a sync was interrupted, and reads no row twice', async () => {
    orders.rows = [...someOrders().map((row) => ({ ...row, Code: 'other' })), order(26)];
    orders.onPage = (page) => (page === 3 ? broken() : undefined);
    await fails(8, /It is broken/, 'mirror', 'sync', table, '--set', 'retries=0', '--concurrency', '1', ...to());
    const [line] = (await json('mirror', 'status', ...to())).filter(({ Table }) => Table === table);
    assert.match(String(line?.['Unfinished']), /^20 rows, 2 pages/);
    assert.equal(new Set((await json('mirror', 'list', table, ...to())).map(({ Code }) => Code)).has('other'), false);
    orders.onPage = () => undefined;
    orders.pages.length = 0;
    // Number 99 came before, and is gone.
    assert.deepEqual(await sync(place), [26, 1, 25, 0]);
    assert.equal(orders.pages.includes(1), false);
    assert.deepEqual(
      await numbers(place),
      orders.rows.map(({ Number: number }) => number),
    );
  });

  it('is listed in status, with its rows, and by sql with the tables of its lists', async () => {
    const listed = (await json('mirror', 'status', ...to())).filter(({ Table }) => Table === table);
    assert.deepEqual(valuesOf(listed, 'Source', 'Rows', 'Operation'), [['call:OrderGetAll', 26, 'OrderGetAll']]);
    const own = (await json('sql', ...to()))
      .map(({ Table }) => String(Table))
      .filter((name) => name.startsWith('call_'));
    assert.deepEqual([...new Set(own)], [table, `${table}_lines`, `${table}_notes`]);
  });
}

function changesTests(place: Bound): void {
  const { done, json, fails, orders, to, importWith } = place;

  it('is refused, and loses nothing, when the columns of its records changed; other lists are read', async () => {
    await importWith(
      [/name="Total"/g, 'name="Sum"'],
      [/name="Serial" type="\w+:long"/g, 'name="Serial" type="s:string"'],
    );
    const before = await done('mirror', 'list', table, '-o', 'ndjson', ...to());
    orders.pages.length = 0;
    const said = await fails(
      3,
      /call:OrderGetAll cannot be read with its parameters: in its records Total is gone, Sum is new, Serial has another type/,
      ...['mirror', 'sync', table, ...to()],
    );
    assert.match(said, /Try: relctl mirror remove .*call:OrderGetAll/);
    assert.deepEqual(orders.pages, []);
    assert.equal(await done('mirror', 'list', table, '-o', 'ndjson', ...to()), before);
    await fails(3, /cannot be read with its parameters/, ...ordersLine, ...to());
    const both = await ends(place.run('mirror', 'sync', table, 'marks', '-o', 'json', ...to()), 8);
    assert.deepEqual(valuesOf(JSON.parse(both.stdout) as readonly Line[], 'Source'), ['marks']);
  });

  it('is refused when the operation or its list is gone, or counts as a write', async () => {
    await importWith([/name="Orders"/g, 'name="Others"']);
    await fails(3, /cannot be read with its parameters: OrderGetAll has no list/, 'mirror', 'sync', table, ...to());
    await importWith([/OrderGetAll/g, 'OrderGetEach']);
    await fails(3, /the profile no longer has the operation OrderGetAll/, 'mirror', 'sync', table, ...to());
    await done('operations', 'import', '--reads', 'Nothing*');
    await fails(3, /OrderGetAll counts as a write/, 'mirror', 'sync', table, ...to());
  });

  it('is read when types changed of which its columns know nothing', async () => {
    await importWith([/name="Count" type="s:int"/g, 'name="Count" type="s:unsignedShort"']);
    assert.equal((await sync(place))[0], 25);
  });

  it('can be read where nothing is known of the operation, and not be synced', async () => {
    const { env, folder } = place.here();
    const elsewhere = { ...env, XDG_CONFIG_HOME: join(folder, 'elsewhere') };
    const listed = await done('mirror', 'list', table, '-o', 'csv', '--sort', 'Number', ...to());
    const read = await relctl(['mirror', 'list', table, '-o', 'csv', '--sort', 'Number', ...to()], { env: elsewhere });
    assert.equal(read.stdout, listed, read.stderr);
    const synced = await relctl(['mirror', 'sync', table, ...to()], { env: elsewhere });
    assert.equal(synced.code, 3, synced.stderr);
    assert.match(synced.stderr, /the profile no longer has the operation OrderGetAll/);
  });

  it('goes with its table and its rows', async () => {
    await done('mirror', 'remove', 'call:OrderGetAll', ...to());
    const left = await json('sql', ...to());
    assert.equal(
      left.some(({ Table }) => String(Table).startsWith('call_')),
      false,
    );
    await fails(2, /no table of records 'call_order_get_all_orders'/, 'mirror', 'list', table, ...to());
    await fails(2, /no source 'call:OrderGetAll'/, 'mirror', 'remove', 'call:OrderGetAll', ...to());
    await importWith([/name="Total"/g, 'name="Sum"']);
    await done(...ordersLine, ...to());
    const names = (await json('sql', ...to())).flatMap(({ Table, Column }) => (Table === table ? [Column] : []));
    assert.ok(names.includes('Sum'));
    await done('mirror', 'remove', 'call:OrderGetAll', ...to());
    await importWith();
  });
}

function keysTests(place: Bound): void {
  const { done, json, fails, orders, to } = place;

  it('tells texts apart by case, and those that are empty by their content', async () => {
    await done('mirror', 'add', 'call:OrderGetOpen', '--list', 'Orders', '--key', 'Code', ...to());
    const open = async (): Promise<readonly unknown[]> => {
      const [line = {}] = await json('mirror', 'sync', 'call:OrderGetOpen', ...to());
      return difference(line);
    };
    orders.rows = [order(1, { Code: 'x' }), order(2, { Code: 'X' }), order(3, { Code: '' }), order(4, { Code: '' })];
    assert.deepEqual(await open(), [4, 4, 0, 0]);
    assert.deepEqual(await open(), [4, 0, 0, 0]);
    orders.rows = [order(5, { Code: 'X' }), order(1, { Code: 'x' }), order(4, { Code: '' }), order(3, { Code: '' })];
    assert.deepEqual(await open(), [4, 0, 1, 0]);
    const name = 'call_order_get_open_orders';
    const rows = await json('sql', `SELECT "Code", "Number" FROM ${name} ORDER BY "Number"`, ...to());
    assert.deepEqual(rows, [
      { Code: 'x', Number: 1 },
      { Code: '', Number: 3 },
      { Code: '', Number: 4 },
      { Code: 'X', Number: 5 },
    ]);
    await done('mirror', 'remove', 'call:OrderGetOpen', ...to());
  });

  for (const [key, other] of [
    ['Serial', { Serial: '9007199254740995' }],
    ['Total', { Total: '1.50' }],
  ] as const) {
    it(`tells records apart by the digits of ${key}`, async () => {
      await done('mirror', 'add', 'call:OrderGetOpen', '--list', 'Orders', '--key', key, ...to());
      const open = async (): Promise<readonly unknown[]> => {
        const [line = {}] = await json('mirror', 'sync', 'call:OrderGetOpen', ...to());
        return difference(line);
      };
      orders.rows = [order(1), order(2, { Total: '1.5' }), order(3)];
      assert.deepEqual(await open(), [3, 3, 0, 0]);
      assert.deepEqual(await open(), [3, 0, 0, 0]);
      orders.rows = [order(1, { ...other, Serial: orders.rows[0]?.['Serial'] ?? '', Code: 'new' }), order(3)];
      assert.deepEqual(await open(), [2, 0, 1, 1]);
      await done('mirror', 'remove', 'call:OrderGetOpen', ...to());
    });
  }

  it('is one of the contract too, beside the table that each mirror has', async () => {
    await done('mirror', 'add', 'call:MarkGetAll', '--list', 'Marks', ...to());
    await done('mirror', 'sync', 'marks', 'call:MarkGetAll', ...to());
    const own = await done('mirror', 'list', 'call_mark_get_all_marks', '-o', 'ndjson', ...to());
    assert.equal(own, await done('mirror', 'list', 'marks', '-o', 'ndjson', ...to()));
    assert.ok(own.length > 100);
    await done('mirror', 'remove', 'call:MarkGetAll', ...to());
  });

  it('is refused where nothing tells its records apart, and where it may write', async () => {
    const add = ['mirror', 'add'] as const;
    await fails(2, /no member Id.*must identify them/s, ...add, 'call:OrderGetAll', '--list', 'Orders', ...to());
    await fails(2, /OrderTouch counts as a write/, ...argv`${add} call:OrderTouch --list Orders --key Number ${to()}`);
    await fails(
      2,
      /ProductUpdate_V2 writes|does not return a list|writes/,
      ...argv`${add} call:ActivityUpdate --list X ${to()}`,
    );
    await fails(2, /which list of OrderGetAll\? its list is Page\.Orders/, ...add, 'call:OrderGetAll', ...to());
    await fails(2, /no parameter 'colour'/, ...ordersLine, '--param', 'colour=red', ...to());
    await fails(2, /sets pageNumber of OrderGetAll itself/, ...ordersLine, '--param', 'pageNumber=2', ...to());
    await fails(2, /'orders' cannot be added/, ...add, 'orders', ...to());
    const sources = (await json('mirror', 'status', ...to())).map(({ Source }) => String(Source));
    assert.equal(
      sources.some((name) => name.startsWith('call:')),
      false,
    );
    await done(...add, 'call:OrderTouch', '--list', 'Orders', '--key', 'Number', '--read', ...to());
    assert.equal((await json('mirror', 'sync', 'call:OrderTouch', ...to()))[0]?.['Rows'], 25);
    await fails(
      2,
      /already, which reads something else/,
      ...argv`${add} call:OrderTouch --list Orders --key Serial --read ${to()}`,
    );
    await done('mirror', 'remove', 'call:OrderTouch', ...to());
  });
}

/** Adds the orders of a city, by a name. */
const ofCity = (city: string, as: string): readonly string[] => [...ordersLine, '--param', `city=${city}`, '--as', as];

function namesTests(place: Bound): void {
  const { done, json, fails, orders, to } = place;

  it('is read twice with other parameters, into tables with names of their own', async () => {
    await done(...ordersLine, ...to());
    const asked = await fails(
      2,
      /already, which reads something else/,
      ...ordersLine,
      '--param',
      'city=Zürich',
      ...to(),
    );
    assert.match(asked, /--as order_get_all_orders_2/);
    for (let times = 0; times < 2; times += 1) await done(...ofCity('Zürich', 'in_zurich'), ...to());
    await done(...ofCity('Delft', 'call_in_delft'), ...to());
    const delft = order(4, { Place: { City: 'Delft' } });
    orders.rows = someOrders().map((row) => (row['Number'] === 4 ? delft : row));
    const lines = await json('mirror', 'sync', 'call:OrderGetAll', 'call_in_zurich', 'call_in_delft', ...to());
    assert.deepEqual(
      lines.map((line) => [line['Source'], line['Table'], ...difference(line)]),
      [
        ['call:OrderGetAll', table, 25, 25, 0, 0],
        ['call_in_zurich', 'call_in_zurich', 19, 19, 0, 0],
        ['call_in_delft', 'call_in_delft', 1, 1, 0, 0],
      ],
    );
    const inZurich = someOrders().flatMap(({ Number: number }) => (Number(number) % 4 === 0 ? [] : [number]));
    assert.deepEqual(await numbers(place, 'call_in_zurich'), inZurich);
    assert.deepEqual(await numbers(place, 'call_in_delft'), [4]);
    const owners = await json('sql', 'SELECT DISTINCT _owner AS o FROM call_in_zurich_notes ORDER BY o', ...to());
    assert.deepEqual(
      owners.map(({ o }) => Number(o)),
      inZurich.filter((number) => Number(number) % 5 !== 0),
    );
  });

  it('is refused a name that is taken, that of a table of each mirror, and what is none', async () => {
    const sources = async (): Promise<readonly unknown[]> =>
      (await json('mirror', 'status', ...to())).map(({ Source, Table, Rows, Request }) => [
        Source,
        Table,
        Rows,
        Request,
      ]);
    const before = await sources();
    await fails(2, /'call_in_delft' already, which reads something else/, ...ofCity('Oslo', 'in_delft'), ...to());
    await fails(2, /'call_in_delft' already, which reads the same/, ...ofCity('Delft', 'elsewhere'), ...to());
    await fails(
      2,
      /call_in_delft_lines is already the name of an object/,
      ...ofCity('Oslo', 'in_delft_lines'),
      ...to(),
    );
    await fails(
      2,
      /call_in_delft_by_id is already the name of an object/,
      ...ofCity('Oslo', 'in_delft_by_id'),
      ...to(),
    );
    await fails(
      2,
      /call_order_get_all_orders is already the name of an object/,
      ...ofCity('Oslo', 'order_get_all_orders'),
      ...to(),
    );
    for (const usual of ['relations', 'telephone_numbers']) {
      await fails(2, new RegExp(`${usual} is a table of every mirror`), ...ofCity('Oslo', usual), ...to());
    }
    for (const bad of ['In_Oslo', 'x"; DROP TABLE relations; --', '', '2nd', 'o'.repeat(36)]) {
      await fails(2, /is not a valid table name/, ...ofCity('Oslo', bad), ...to());
    }
    assert.deepEqual(await sources(), before);
  });

  it('goes by its name with its rows, and leaves the others', async () => {
    const left = await done('mirror', 'list', 'call_in_zurich', '-o', 'ndjson', ...to());
    await done('mirror', 'remove', 'call_in_delft', ...to());
    await fails(2, /no source 'call_in_delft'/, 'mirror', 'remove', 'call_in_delft', ...to());
    assert.equal(await done('mirror', 'list', 'call_in_zurich', '-o', 'ndjson', ...to()), left);
    const sources = (await json('mirror', 'status', ...to())).map(({ Source }) => String(Source));
    assert.deepEqual(
      sources.filter((name) => name.startsWith('call')),
      ['call:OrderGetAll', 'call_in_zurich'],
    );
    await done('mirror', 'remove', 'call_in_zurich', ...to());
    await done('mirror', 'remove', 'call:OrderGetAll', ...to());
  });

  it('is asked for by a name alone too, beside which the usual one stays free', async () => {
    await done(...ofCity('Delft', 'one'), ...to());
    await done(...ordersLine, ...to());
    assert.deepEqual(await sync(place), [25, 25, 0, 0]);
    await done('mirror', 'remove', 'call_one', ...to());
    await done('mirror', 'remove', 'call:OrderGetAll', ...to());
  });
}

/** The tests of lists of operations in a mirror, wherever it is. They follow each other. */
export function mirrorsCalls(place: CallPlace, { to }: CalledMirror): void {
  const bound: Bound = { ...place, to };
  readsTests(bound);
  changesTests(bound);
  keysTests(bound);
  namesTests(bound);
}
