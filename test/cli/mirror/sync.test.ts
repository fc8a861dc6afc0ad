import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Row } from '../../../src/state/sqlite/open.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

interface Line {
  readonly Source: string;
  readonly Rows: number;
  readonly Added: number;
  readonly Changed: number;
  readonly Gone: number;
}

describe('A mirror', function () {
  const here = place();
  const sync = async (...words: readonly string[]): Promise<readonly Line[]> => here.json(['mirror', 'sync', ...words]);
  const folder = (): string => {
    const found = readdirSync(here.folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith('mirrors'),
    );
    return join(here.folder, found ?? '');
  };
  const file = (): string => join(folder(), readdirSync(folder()).find((name) => name.endsWith('.db')) ?? '');
  const rows = (sql: string, path = file()): readonly Row[] => {
    const database = openDatabase({ file: path, what: 'The mirror' });
    try {
      return database.statement(sql).all();
    } finally {
      database.close();
    }
  };

  it('holds each record byte for byte as its list prints it, in the order of the list', async () => {
    const lines = await sync();
    assert.ok(lines.length > 8);
    const lists = {
      relations: ['relation', 'list'],
      relationships: ['relationship', 'list'],
      telephone_book: ['relation', 'phone-book'],
      products: ['product', 'list'],
      marks: ['mark', 'list'],
      campaign_marks: ['mark', 'list', '--campaign'],
      sbi_codes: ['datastore', 'sbi-codes'],
    };
    for (const [table, list] of Object.entries(lists)) {
      const { stdout } = await here.run([...list, '-o', 'ndjson']);
      const mirrored = rows(`SELECT "_record" FROM "${table}"`).map(([record]) => `${String(record)}\n`);
      assert.equal(mirrored.join(''), stdout, table);
    }
  });

  it('tells what was added, changed and removed, and keeps what is gone', async () => {
    await sync('relations');
    const [changed, removed] = rows('SELECT "Id" FROM "relations" LIMIT 2 OFFSET 10').flat();
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'moved' WHERE "Id" = '${String(changed)}'`);
    here.execute(`DELETE FROM "PvRelationData" WHERE "Id" = '${String(removed)}'`);
    const [line] = await sync('relations');
    assert.deepEqual([line?.Added, line?.Changed, line?.Gone], [0, 1, 1]);
    assert.deepEqual(rows(`SELECT "Info" FROM "relations" WHERE "Id" = '${String(changed)}'`), [['moved']]);
    assert.deepEqual(rows(`SELECT count(*) FROM "relations" WHERE "Id" = '${String(removed)}'`), [[0]]);
    assert.deepEqual(rows(`SELECT "_gone_at" IS NOT NULL FROM "all_relations" WHERE "Id" = '${String(removed)}'`), [
      [1],
    ]);
  });

  it('is for its user alone', async () => {
    await sync('marks');
    for (const name of readdirSync(folder())) assert.equal(statSync(join(folder(), name)).mode & 0o777, 0o600, name);
    assert.equal(statSync(folder()).mode & 0o777, 0o700);
  });

  it('is shown with its age, and removed with all its files', async () => {
    await sync('marks');
    const lines = await here.json<readonly { Source: string; Rows: number | null; Age: string | null }[]>([
      'mirror',
      'status',
    ]);
    assert.match(lines.find(({ Source }) => Source === 'marks')?.Age ?? '', /^\d+s$/);
    assert.deepEqual((await here.run(['mirror', 'remove', '--all'])).code, 0);
    assert.deepEqual(readdirSync(folder()), []);
    assert.equal((await here.run(['mirror', 'remove', '--all'])).code, 5);
    await ends(here.run(['mirror', 'status']), 5, /Try: relctl mirror sync/);
  });

  it('is read anew when a sync was refused because too much is gone', async () => {
    const words = ['mirror', 'sync', 'relations', '--page-size', '10', '--mirror', here.fresh('shrunk.db')];
    await here.json(words);
    const [early, ...removed] = (await here.json<readonly { Id: string }[]>(['relation', 'list'])).map(({ Id }) => Id);
    const gone = removed.slice(-20).map((id) => `'${id}'`);
    here.execute(`DELETE FROM "PvRelationData" WHERE "Id" IN (${gone.join()})`);
    await ends(here.run([...words, '--max-shrink', '10']), 8);
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'later' WHERE "Id" = '${String(early)}'`);
    const [line] = await here.json<readonly Line[]>([...words, '--max-shrink', '50']);
    assert.deepEqual([line?.Added, line?.Changed, line?.Gone], [0, 1, 20]);
    const listed = await here.run(['relation', 'list', '-o', 'ndjson']);
    const mirrored = rows('SELECT "_record" FROM "relations"', words.at(-1));
    assert.equal(mirrored.map(([record]) => `${String(record)}\n`).join(''), listed.stdout);
  });

  it('that is none is neither changed nor removed', async () => {
    const [letter, foreign, empty] = ['letter.txt', 'foreign.db', 'empty.db'].map((name) => here.fresh(name)) as [
      string,
      string,
      string,
    ];
    const database = openDatabase({ file: foreign, what: 'The test' });
    database.execute('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    database.close();
    writeFileSync(letter, 'Dear all,');
    writeFileSync(empty, '');
    for (const path of [letter, foreign]) {
      chmodSync(path, 0o600);
      const before = readFileSync(path);
      for (const args of [
        ['mirror', 'sync', 'marks', '--mirror', path],
        ['mirror', 'remove', '--all', '--yes', '--mirror', path],
      ])
        assert.notEqual((await here.run(args)).code, 0, args.join(' '));
      assert.deepEqual(readFileSync(path), before);
    }
    assert.equal((await here.run(['mirror', 'remove', '--all', '--yes', '--mirror', empty])).code, 0);
    assert.ok(!existsSync(empty));
  });

  it('of another service is refused', async () => {
    const path = here.fresh('own.db');
    await sync('marks', '--mirror', path);
    assert.ok(existsSync(path));
    const database = openDatabase({ file: path, what: 'The mirror' });
    database.execute(`UPDATE "_mirror" SET value = 'http://127.0.0.1:1' WHERE name = 'url'`);
    database.close();
    const { code, stderr } = await here.run(['mirror', 'sync', 'marks', '--mirror', path]);
    assert.equal(code, 3);
    assert.match(stderr, /belongs to another service: url http:\/\/127\.0\.0\.1:1, not /);
    assert.match(stderr, /Try: relctl mirror remove --all/);
  });

  it('makes no folder for --mirror, as exports do', async () => {
    const folder = here.fresh('no-folder');
    for (const words of [
      ['sync', 'marks'],
      ['add', 'marks', '--by-relation'],
    ]) {
      const { code, stderr } = await here.run(['mirror', ...words, '--mirror', join(folder, 'x.db')]);
      assert.equal(code, 10, stderr);
      assert.match(stderr, /the folder does not exist\n.*Try: mkdir -p \S+no-folder\S* && relctl mirror/s);
      assert.ok(!existsSync(folder));
    }
  });

  it('that --mirror does not find is made by the command that errors show', async () => {
    const other = here.fresh('other.db');
    for (const words of [
      ['sql', 'SELECT 1'],
      ['mirror', 'list', 'marks'],
    ]) {
      const { code, stderr } = await here.run([...words, '--mirror', other]);
      assert.equal(code, 5, stderr);
      assert.match(stderr, /there is no mirror in \S+other\S*\n.*Try: relctl mirror sync.* --mirror \S+other\S*\n/s);
    }
  });
});
