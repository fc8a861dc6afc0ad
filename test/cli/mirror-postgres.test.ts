import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../support/operations/place.js';
import { program } from '../support/relctl.js';
import { startPostgres, superuser, superuserPassword, type PostgresServer } from '../support/postgres.js';

describe('A mirror in PostgreSQL, by its commands', function () {
  this.timeout(120_000);
  const here = place();
  let server: PostgresServer;
  let address: string;
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    address = server.database();
  });
  after(() => server.stop());
  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    here.run([...words, ...(words.includes('--to') ? [] : ['--to', address])], {
      env: { ...here.env, PGPASSWORD: superuserPassword, ...environment },
    });

  it('holds each record byte for byte as its list prints it, and says so in its status', async () => {
    const synced = await run(['mirror', 'sync', 'relations', 'products', '-o', 'ndjson']);
    assert.equal(synced.code, 0, synced.stderr);
    assert.equal(synced.stderr, '');
    for (const [table, list] of [
      ['relations', ['relation', 'list']],
      ['products', ['product', 'list']],
    ] as const) {
      const { stdout } = await here.run([...list, '-o', 'ndjson']);
      const rows = server.json('db1', `SELECT _record FROM relctl.all_${table} ORDER BY _seq`) as { _record: string }[];
      assert.equal(rows.map(({ _record }) => `${_record}\n`).join(''), stdout, table);
    }
    const status = await run(['mirror', 'status', '-o', 'json']);
    const lines = JSON.parse(status.stdout) as { Source: string; Rows: number | null }[];
    const counted = server.psql('db1', 'SELECT count(*) FROM relctl.relations');
    assert.equal(lines.find(({ Source }) => Source === 'relations')?.Rows, Number(counted));
    assert.equal(lines.find(({ Source }) => Source === 'marks')?.Rows, null);
  });

  it('shows what it showed when a sync is killed, which the next one ends from its place', async () => {
    const words = ['mirror', 'sync', 'relations', '--page-size', '5'];
    const shown = (): string => server.psql('db1', 'SELECT _record FROM relctl.relations ORDER BY "Id"');
    const until = async (sql: string, wanted: string): Promise<void> => {
      for (let round = 0; server.psql('db1', sql) !== wanted; round += 1) {
        assert.ok(round < 300, sql);
        await pause(50);
      }
    };
    assert.equal((await run(words)).code, 0);
    const before = shown();
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'changed' WHERE "Id" IS NOT NULL`);
    const child = spawn(process.execPath, [program, ...words, '--rate', '4', '--to', address], {
      env: { ...here.env, PGPASSWORD: superuserPassword },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    await until("SELECT count(*) FROM relctl._passes WHERE (state::json->>'pages')::integer >= 3", '1');
    child.kill('SIGKILL');
    await ended;
    assert.equal(shown(), before);
    const began = server.psql('db1', 'SELECT began_at FROM relctl._passes');
    await until("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", '0');
    const next = await run([...words, '-o', 'json']);
    assert.equal(next.code, 0, next.stderr);
    assert.equal(server.psql('db1', "SELECT synced_from FROM relctl._sources WHERE name = 'relations'"), began);
    const { stdout } = await here.run(['relation', 'list', '-o', 'ndjson']);
    assert.deepEqual(shown().split('\n').sort(), stdout.trimEnd().split('\n').sort());
  });

  it('adds and removes what it reads', async () => {
    assert.equal((await run(['mirror', 'remove', 'marks'])).code, 0);
    const again = await run(['mirror', 'remove', 'marks']);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /no source 'marks'/);
  });

  it('asks for a password where there is none, and never shows one', async () => {
    const none = await here.run(['mirror', 'status', '--to', address], {
      env: { ...here.env, PGPASSFILE: '/no/such' },
    });
    assert.equal(none.code, 3);
    assert.match(none.stderr, /asks for a password, and there is none.*PGPASSWORD/s);
    const wrong = await run(['mirror', 'sync', 'products', '--trace'], { PGPASSWORD: 'Wr0ngSecret' });
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /refuses the password/);
    const inAddress = address.replace(`${superuser}@`, `${superuser}:Wr0ngSecret@`);
    const given = await here.run(['mirror', 'status', '--to', inAddress, '-o', 'json']);
    assert.equal(given.code, 2);
    for (const { stdout, stderr } of [wrong, given]) assert.doesNotMatch(stdout + stderr, /Wr0ngSecret/);
  });

  it('is searched with the answer of a mirror in a file, by a user that only reads', async () => {
    const file = here.fresh('found.db');
    for (const to of [address, file]) assert.equal((await run(['mirror', 'sync', '--to', to])).code, 0, to);
    server.psql(
      'db1',
      "CREATE ROLE reader LOGIN PASSWORD 'readerpass'; GRANT USAGE ON SCHEMA relctl TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA relctl TO reader",
    );
    const reader = address.replace(`${superuser}@`, 'reader@');
    for (const words of [['van'], ['an', '--limit', '3'], ['07', '--type', 'telephone'], ['zzqq']]) {
      const [own, expected] = [
        await here.run(['find', ...words, '-o', 'ndjson', '--to', reader], {
          env: { ...here.env, PGPASSWORD: 'readerpass' },
        }),
        await here.run(['find', ...words, '-o', 'ndjson', '--to', file]),
      ];
      assert.deepEqual([own.code, own.stdout], [0, expected.stdout], words.join(' '));
    }
    const some = await run(['find', 'van', '--count']);
    assert.ok(Number(some.stdout) > 0, some.stderr);
  });

  it('gives what a mirror in a file gives, to each command that reads it', async () => {
    const file = here.fresh('read.db');
    // A test above took the marks out.
    for (const words of [['marks'], []]) {
      for (const to of [address, file]) assert.equal((await run(['mirror', 'sync', ...words, '--to', to])).code, 0, to);
    }
    for (const words of [
      ['mirror', 'list', 'relations', '-o', 'ndjson'],
      ['mirror', 'list', 'telephone_book', '-o', 'csv', '--limit', '7'],
      ['mirror', 'list', 'relations', '-o', 'csv', '--limit', '3', '--filter', "contains(DisplayName, 'e')"],
      ['mirror', 'changes', '--since', '2000-01-01', '-o', 'csv', '--columns', 'Table,Change,Id,Name'],
      ['mirror', 'tables', '-o', 'csv', '--columns', 'Table,Rows,Holds,Sources,Operation,Query'],
    ]) {
      const [own, expected] = [await run(words), await run([...words, '--to', file])];
      assert.deepEqual([own.code, own.stdout], [expected.code, expected.stdout], words.join(' '));
      assert.equal(own.code, 0, own.stderr);
      assert.ok(own.stdout.length > 100, words.join(' '));
    }
    const [folder, other] = [here.fresh('exported'), here.fresh('exported')];
    assert.equal((await run(['mirror', 'export', folder, '-o', 'ndjson'])).code, 0);
    assert.equal((await run(['mirror', 'export', other, '-o', 'ndjson', '--to', file])).code, 0);
    const names = readdirSync(folder).sort();
    assert.deepEqual(names, readdirSync(other).sort());
    for (const name of names) {
      const [one, two] = [folder, other].map((each) => readFileSync(join(each, name), 'utf8'));
      const times = /"_(?:first_seen|changed_at)":"[^"]*"/g;
      assert.equal(one?.replace(times, ''), two?.replace(times, ''), name);
    }
  });

  it('lists what came, changed and went as a mirror in a file does, with the Ids to the letter', async () => {
    const file = here.fresh('changes.db');
    const sync = async (): Promise<void> => {
      for (const to of [address, file])
        assert.equal((await run(['mirror', 'sync', 'relations', '--page-size', '7', '--to', to])).code, 0, to);
    };
    await sync();
    const since = new Date().toISOString();
    const [[changed], [gone]] = here.rows('SELECT "Id" FROM "PvRelationData" ORDER BY "Id" LIMIT 2') as [
      [string],
      [string],
    ];
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'other', "DisplayName" = 'Other' WHERE "Id" = '${changed}'`);
    here.execute(`DELETE FROM "PvRelationData" WHERE "Id" = '${gone}'`);
    here.execute(
      `UPDATE "PvRelationData" SET "Id" = upper("Id") WHERE "Id" = (SELECT max("Id") FROM "PvRelationData")`,
    );
    await sync();
    for (const [words, rows] of [
      [['mirror', 'list', 'relations', '-o', 'ndjson', '--gone'], 1],
      [['mirror', 'list', 'relations', '-o', 'ndjson', '--changed-since', since], 2],
      [['mirror', 'list', 'relations', '-o', 'ndjson', '--changed-since', since, '--limit', '1'], 1],
      [['mirror', 'changes', '--since', since, '-o', 'ndjson', '--columns', 'Table,Change,Id,Name'], 3],
    ] as const) {
      const [own, expected] = [await run(words), await run([...words, '--to', file])];
      assert.deepEqual([own.code, own.stdout], [0, expected.stdout], words.join(' '));
      assert.equal(own.stdout.trimEnd().split('\n').length, rows, own.stdout);
    }
    const plain = await run(['mirror', 'list', 'relations', '-o', 'ndjson', '--changed-since', since]);
    assert.match(plain.stdout, /"Id":"[^"]*[A-F][^"]*"/);
  });

  it('is where names stand for Ids and behind Ids, as in a mirror in a file', async () => {
    const ids = here.rows('SELECT "Id" FROM "PvRelationData" ORDER BY "Id" LIMIT 6').flat().map(String);
    const names = ['Jo\u00eblle Kok', 'PLAIN name', 'Twins', 'Twins', 'Kelvin \u212a', '100% _b\\c'];
    for (const [at, id] of ids.entries())
      here.execute(`UPDATE "PvRelationData" SET "DisplayName" = '${names[at] ?? ''}' WHERE "Id" = '${id}'`);
    // The default of the profile, so that each command is the same but for where its mirror is.
    const inFile = (words: readonly string[]) => here.run(words);
    const inPostgres = (words: readonly string[]) =>
      here.run(words, {
        env: { ...here.env, RELCTL_MIRROR: address, RELCTL_MIRROR_SCHEMA: 'named', PGPASSWORD: superuserPassword },
      });
    for (const each of [inFile, inPostgres])
      assert.equal((await each(['mirror', 'sync', 'relations', 'relationships', 'marks'])).code, 0);
    for (const [words, code] of [
      [['relation', 'get', 'Jo\u00eblle Kok', '-o', 'json'], 0],
      [['relation', 'get', 'Joe\u0308lle Kok', '-o', 'json'], 0],
      [['relation', 'get', '100% _b\\c', '-o', 'csv'], 0],
      [['relation', 'get', 'Kelvin K', '-o', 'csv'], 0],
      [['relation', 'get', 'plain NAME', '-o', 'csv'], 2],
      [['relation', 'get', 'JO\u00cbLLE kok', '-o', 'csv'], 2],
      [['relation', 'get', 'Twins', '-o', 'csv'], 2],
      [['relation', 'get', 'nobody', '-o', 'csv'], 2],
      [['relationship', 'list', '--with-names', '-o', 'json'], 0],
      [['relationship', 'list', '--with-names', '-o', 'csv', '--filter', '"ChildRelationId.Name" != `null`'], 0],
    ] as const) {
      const [own, expected] = [await inPostgres(words), await inFile(words)];
      const bare = (text: string): string => text.replace(/synced .*? ago/g, '');
      assert.deepEqual(
        [own.code, own.stdout, bare(own.stderr)],
        [code, expected.stdout, bare(expected.stderr)],
        words.join(' '),
      );
      assert.ok(own.stdout.length + own.stderr.length > 50, words.join(' '));
    }
    const listed = here.fresh('ids.txt');
    writeFileSync(listed, `${ids[0] ?? ''}\nPLAIN name\n`);
    const each = ['relation', 'get', '--ids', listed, '-o', 'ndjson'];
    const [own, expected] = [await inPostgres(each), await inFile(each)];
    assert.deepEqual([own.code, own.stdout], [0, expected.stdout], own.stderr);
    const named = await inPostgres(['relationship', 'list', '--with-names', '-o', 'csv']);
    assert.match(named.stdout, /^[^\n]*ChildRelationId\.Name/);
    const gone = await here.run(['relation', 'get', 'Twins'], {
      env: { ...here.env, RELCTL_MIRROR: address, RELCTL_MIRROR_SCHEMA: 'none', PGPASSWORD: superuserPassword },
    });
    assert.deepEqual([gone.code, /there is none yet/.test(gone.stderr)], [2, true], gone.stderr);
  });

  it('says where a flag or an address is not taken', async () => {
    const schema = await here.run(['mirror', 'status', '--schema', 'other']);
    assert.equal(schema.code, 2);
    assert.match(schema.stderr, /--schema goes with --to postgres:/);
    const absent = await run(['mirror', 'status', '--schema', 'other']);
    assert.equal(absent.code, 5);
    const name = await run(['mirror', 'status', '--schema', 'pg_catalog']);
    assert.equal(name.code, 2);
  });

  it('is the one of a profile, with a password that is kept as a secret, and never shown', async () => {
    const env = { ...here.env, DB_PW: superuserPassword };
    const own = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      here.run(words, { env: { ...env, ...more } });
    const [{ Name: profile }] = await here.json<[{ Name: string }]>(['profile', 'list']);
    const refused = await own(['profile', 'edit', profile, '--mirror', address.replace('@', ':Wr0ngSecret@')]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /without a password.*--mirror-password-stdin/s);
    assert.doesNotMatch(refused.stdout + refused.stderr, /Wr0ngSecret/);
    const words = ['--mirror', address, '--mirror-schema', 'kept', '--mirror-password-from', 'env:DB_PW'];
    const edited = await own(['profile', 'edit', profile, ...words]);
    assert.deepEqual([edited.code, edited.stdout, edited.stderr], [0, '', '']);
    assert.equal((await own(['mirror', 'sync', 'products'])).code, 0);
    assert.match((await own(['mirror', 'status', '-o', 'csv'])).stdout, /^products,products,\d+,/m);
    const asked = await own(['sql', 'SELECT count(*) FROM products', '-o', 'tsv']);
    assert.equal(asked.code, 3, 'a superuser asks nothing');
    const shown = await own(['profile', 'show', profile, '--origin'], { RELCTL_MIRROR_PASSWORD: superuserPassword });
    assert.match(shown.stdout, /mirror .*postgres:.*mirrorPassword .*\*\*\*/s);
    assert.doesNotMatch(shown.stdout, new RegExp(superuserPassword));
    // A file is still named by --to, and an address without a mirror says how it is filled.
    assert.equal((await own(['mirror', 'status', '--to', here.fresh('none.db')])).code, 5);
    assert.equal((await own(['mirror', 'forget'])).code, 0);
    const none = await own(['mirror', 'status']);
    assert.equal(none.code, 5);
    assert.match(none.stderr, /no mirror in postgres:.*schema kept.*Try: relctl mirror sync\n/s);
    assert.equal((await own(['profile', 'edit', profile, '--unset', 'mirror', '--unset', 'mirrorSchema'])).code, 0);
  });

  it('is removed, and then is not there', async () => {
    assert.equal((await run(['mirror', 'forget'])).code, 0);
    assert.equal((await run(['mirror', 'forget'])).code, 5);
    assert.equal(server.psql('db1', "SELECT count(*) FROM pg_namespace WHERE nspname = 'relctl'"), '0');
  });
});
