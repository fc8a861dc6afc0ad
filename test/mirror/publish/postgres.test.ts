import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { list, opt, recordWithoutPresence, req, type Field } from '../../../src/contract/build.js';
import { boolean, dateTime, decimal, int, long, string } from '../../../src/contract/scalars.js';
import { callTable, type CallTable } from '../../../src/mirror/of-call/table.js';
import { publishToPostgres, type PublishedLine } from '../../../src/mirror/publish/postgres.js';
import { openMirror } from '../../../src/mirror/mirror.js';
import type { Service } from '../../../src/mirror/open.js';
import { sourcesIn, tablesWith } from '../../../src/mirror/sources.js';
import { readPostgresAddress } from '../../../src/mirror/postgres/address.js';
import { connectPostgres } from '../../../src/mirror/postgres/connect.js';
import { openDatabase, type Database } from '../../../src/state/sqlite/open.js';
import type { Cell } from '../../../src/contract/columns.js';
import { startPostgres, type PostgresServer } from '../../support/postgres.js';
import { valuesOf } from '../../support/thrown.js';

const service: Service = { url: 'https://crm.test/', namespace: 'urn:test', database: '' };

/** Names that the WSDL of a service may have. */
const named: readonly string[] = ['select', '_seq', '_record', 'xmin', 'Größe', 'größe', 'a.b-c'];
const long63 = ['x'.repeat(80), `${'x'.repeat(80)}y`, '数'.repeat(40)];
const doc = `It's \\ "odd"; $1 %s\n\u2028 é`;

function hostileTable(): CallTable {
  const item = recordWithoutPresence('Item', doc, {
    _owner: opt(string, doc),
    _position: opt(string, doc),
    Amount: opt(decimal, doc),
    At: opt(dateTime, doc),
  });
  const fields: Record<string, Field> = {
    Id: req(string, doc),
    Big: opt(long, doc),
    Is: opt(boolean, doc),
    N: opt(int, doc),
  };
  for (const name of [...named, ...long63]) fields[name] = opt(string, doc);
  fields['Order-Lines'] = opt(list(item), doc);
  const record = recordWithoutPresence('Thing', doc, fields);
  return callTable('call_group', { operation: 'GroupGetAll', list: ['Groups'], key: ['Id'] }, record);
}

describe('Publishing tables of a service to PostgreSQL', () => {
  let server: PostgresServer;
  let folder: string;
  before(async function () {
    server = await startPostgres(this);
    folder = mkdtempSync(join(tmpdir(), 'relctl-publish-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  });

  const file = (): string => join(folder, 'mirror.db');
  let database: Database;
  const table = hostileTable();

  function insert(into: string, cells: Readonly<Record<string, Cell>>): void {
    const names = Object.keys(cells).map((name) => `"${name.replaceAll('"', '""')}"`);
    const places = names.map(() => '?').join(', ');
    database
      .statement(`INSERT OR REPLACE INTO "${into}" (${names.join(', ')}) VALUES (${places})`)
      .run(...Object.values(cells));
  }

  async function publish(address: string): Promise<readonly PublishedLine[]> {
    const postgres = await connectPostgres(readPostgresAddress(address, { path: 'TARGET', variables: {} }), {
      password: () => undefined,
    });
    const sources = sourcesIn(database);
    try {
      return await publishToPostgres(
        {
          postgres,
          database,
          signal: new AbortController().signal,
          onRows: () => undefined,
          onMisfit: (column) => assert.fail(column),
        },
        { sources, tables: tablesWith(sources).filter(({ name }) => name === table.name) },
        { schema: 'relctl', service, lockMs: 0 },
      );
    } finally {
      await postgres.close();
    }
  }

  it('keeps hostile names, texts and words apart and as they are', async () => {
    const mirror = openMirror({ file: file(), service, forget: '' });
    mirror.add({ name: 'call:GroupGetAll', table: table.name, input: {}, own: table });
    await mirror.close();
    database = openDatabase({ file: file(), what: 'The mirror' });
    database.execute(`UPDATE _sources SET synced_at = '2026-01-01T00:00:00.000Z' WHERE "table" = '${table.name}'`);
    const source = sourcesIn(database).find((each) => each.table === table.name)?.id ?? 0;
    const texts = ['a\tb', '\\N', '\\.', `';--"`, 'line\r\nline', '', '\u{1f600}\u2028', '\u0001', 'e\u0301'];
    const began = '2026-01-01T00:00:00.000Z';
    const own = { _source: source, _hash: '0', _first_seen: began, _changed_at: began };
    const columns = table.columns.filter(({ type }) => type === 'string' || type === 'enumeration');
    for (const [seq, text] of texts.entries()) {
      const cells = Object.fromEntries(columns.map(({ name }, at) => [name, `${text}${at}`]));
      const numbers = { Big: '-9223372036854775808', Is: seq % 2, N: -1 };
      insert(`all_${table.name}`, { _seq: seq + 1, ...own, ...cells, ...numbers, _record: JSON.stringify({ text }) });
      const [items] = table.lists;
      const at = items?.columns.find(({ type }) => type === 'dateTime')?.name ?? '';
      const amount = items?.columns.find(({ type }) => type === 'decimal')?.name ?? '';
      const instant = items?.columns.find(({ type }) => type === 'instant')?.name ?? '';
      insert(`all_${items?.name ?? ''}`, {
        ...{ _owner: seq + 1, _position: 0, [at]: '2026-03-29T02:30:00.1234567+02:00', [amount]: '-000.50' },
        [instant]: '2026-03-29T00:30:00.1234567Z',
      });
    }
    const address = server.database();
    const lines = await publish(address);
    assert.deepEqual(valuesOf(lines, 'rows', 'sent'), [
      [texts.length, texts.length],
      [texts.length, texts.length],
    ]);
    const rows = server.json('db1', 'SELECT * FROM relctl.call_group ORDER BY _seq') as readonly Record<
      string,
      unknown
    >[];
    for (const [seq, text] of texts.entries()) {
      for (const [at, { name }] of columns.entries()) assert.equal(rows[seq]?.[name], `${text}${at}`, name);
      assert.deepEqual(
        ['Is', 'N', '_record'].map((name) => rows[seq]?.[name]),
        [seq % 2 === 1, -1, JSON.stringify({ text })],
      );
    }
    assert.equal(server.psql('db1', 'SELECT DISTINCT "Big" FROM relctl.call_group'), '-9223372036854775808');
    const [items] = table.lists;
    assert.equal(
      server.psql('db1', `SELECT DISTINCT "Amount", "At_instant" FROM relctl.${items?.name ?? ''}`),
      '-0.50\t2026-03-29 00:30:00.123456+00',
    );
    const comments = `SELECT DISTINCT col_description('relctl.call_group'::regclass, attnum) FROM pg_attribute
      WHERE attrelid = 'relctl.call_group'::regclass AND attname = 'select'`;
    assert.deepEqual(server.json('db1', comments), [{ col_description: doc }]);
    assert.equal(
      Buffer.byteLength(
        Object.keys(rows[0] ?? {}).reduce((left, right) => (left.length > right.length ? left : right)),
      ) <= 63,
      true,
    );
  });

  it('empties the tables of a list that the mirror has no longer, and fills them again', async () => {
    const address = server.database();
    const counts = (): string =>
      server.psql(
        'db2',
        `SELECT (SELECT count(*) FROM relctl.call_group), (SELECT count(*) FROM relctl.${table.lists[0]?.name ?? ''})`,
      );
    await publish(address);
    assert.equal(counts(), '9\t9');
    server.psql('db2', 'CREATE VIEW public.mine AS SELECT "select" FROM relctl.call_group');
    database.execute(`DELETE FROM _sources WHERE "table" = '${table.name}'`);
    const postgres = await connectPostgres(readPostgresAddress(address, { path: 'TARGET', variables: {} }), {
      password: () => undefined,
    });
    const sending = {
      postgres,
      database,
      signal: new AbortController().signal,
      onRows: () => undefined,
      onMisfit: () => undefined,
    };
    const lines = await publishToPostgres(
      sending,
      { sources: [], tables: [] },
      { schema: 'relctl', service, lockMs: 0 },
    );
    await postgres.close();
    assert.deepEqual(valuesOf(lines, 'rows', 'gone'), [
      [0, 9],
      [0, 9],
    ]);
    assert.equal(counts(), '0\t0');
    database.close();
  });
});
