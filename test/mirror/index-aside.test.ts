import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { noTotals } from '../../src/client/paging.js';
import { indexRows } from '../../src/mirror/search/index-rows.js';
import { openMirror } from '../../src/mirror/mirror.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import type { Pass } from '../../src/mirror/pass.js';
import type { RecordValue } from '../../src/core/values/value.js';
import { openDatabase, type Database, type Row } from '../../src/state/sqlite/open.js';

const service = { url: 'http://127.0.0.1:1/', namespace: 'urn:test', database: '' };
const [pages, rowsOfPage] = [12, 1000];

/** Names of which SQL folds most, and the program the others. */
const names = ['Jansen', 'Müller-Østergård', 'Ελένη Παππά', '株式会社', 'De “Vier” Seizoenen', 'Łukasz €'];

const record = (number: number): RecordValue => ({
  Id: `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  DisplayName: `${names[number % names.length]} ${number}`,
  ImportKey: number % 3 === 0 ? null : `IMP-${number * 7}`,
  SortingName: `${number}`,
  FieldValues: number % 50 === 0 ? { Items: [{ Id: 'f', Value: `waarde ‘${number}’ ☎` }] } : null,
});

const claim = {
  ...noTotals,
  pages,
  rows: pages * rowsOfPage,
  ended: 'empty page',
  shifted: false,
  more: false,
} as const;

describe('The index of names that is made aside while a first sync reads its list', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-aside-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function opened(
    name: string,
  ): Promise<{ readonly file: string; readonly mirror: Mirror; readonly pass: Pass }> {
    const file = join(folder, name);
    const mirror = openMirror({ file, service, forget: '' });
    mirror.add({ name: 'relations', table: 'relations', input: {} });
    const [source] = mirror.sources();
    assert.ok(source !== undefined);
    const pass = await mirror.openPass(source, { startedAt: '2026-01-01T00:00:00.000Z', calls: '' });
    return { file, mirror, pass };
  }

  async function takePages(pass: Pass, from: number, to: number): Promise<void> {
    for (let number = from; number <= to; number += 1) {
      const records = Array.from({ length: rowsOfPage }, (_, at) => record((number - 1) * rowsOfPage + at + 1));
      pass.take({ number, records, duplicates: 0, signature: `${number}`, retries: 0 });
    }
  }

  /** What an index has of each group of three characters: how often, and in which rows and places. */
  function indexed(database: Database): readonly Row[] {
    database.execute('INSERT INTO "_find_relations" ("_find_relations") VALUES (\'integrity-check\')');
    database.execute(
      'CREATE VIRTUAL TABLE IF NOT EXISTS temp."terms" USING fts5vocab(main, "_find_relations", instance)',
    );
    return database
      .statement('SELECT term, count(*), sum(doc), sum(doc * offset) FROM temp."terms" GROUP BY term ORDER BY term')
      .all();
  }

  /** Asserts that a mirror is whole, and has the index that is made of its rows at once. */
  function checkIndex(file: string): void {
    const database = openDatabase({ file, what: 'The mirror' });
    try {
      assert.deepEqual(database.statement('PRAGMA integrity_check').all(), [['ok']]);
      const found = indexed(database);
      assert.ok(found.length > 100);
      database.write(() => indexRows(database, 'all_relations', 'all'));
      assert.deepEqual(found, indexed(database));
    } finally {
      database.close();
    }
  }

  /** Waits until rows are indexed aside. */
  async function untilIndexed(file: string): Promise<void> {
    for (let tries = 0; !existsSync(file) || statSync(file).size < 500_000; tries += 1) {
      assert.ok(tries < 1000, 'nothing is indexed aside');
      await pause(10);
    }
  }

  it('is the one that is made of all rows at once, in a file for the user alone that is gone in the end', async () => {
    const { file, mirror, pass } = await opened('whole.db');
    await takePages(pass, 1, pages);
    await untilIndexed(`${file}-find`);
    if (process.platform !== 'win32') assert.equal(statSync(`${file}-find`).mode & 0o777, 0o600);
    pass.ended(claim);
    assert.equal((await pass.swap('2026-01-01T00:01:00.000Z')).added, pages * rowsOfPage);
    await mirror.close();
    assert.ok(!existsSync(`${file}-find`));
    checkIndex(file);
  });

  it('is put into the mirror as it is', async () => {
    const { file, mirror, pass } = await opened('taken.db');
    await takePages(pass, 1, pages);
    await untilIndexed(`${file}-find`);
    const aside = openDatabase({ file: `${file}-find`, what: 'The index' });
    aside.execute(
      `INSERT INTO "_find_relations" (rowid, text) VALUES (${pages * rowsOfPage + 1}, 'a row of this test')`,
    );
    aside.close();
    pass.ended(claim);
    await pass.swap('2026-01-01T00:01:00.000Z');
    await mirror.close();
    const database = openDatabase({ file, what: 'The mirror' });
    const found = database.statement(
      `SELECT rowid FROM "_find_relations" WHERE "_find_relations" MATCH '"of this test"'`,
    );
    assert.deepEqual(found.all(), [[pages * rowsOfPage + 1]]);
    database.close();
  });

  it('is made anew by the swap when a row that is indexed changes while the list is read', async () => {
    const { file, mirror, pass } = await opened('changed.db');
    await takePages(pass, 1, pages);
    await untilIndexed(`${file}-find`);
    const records = [{ ...record(5), DisplayName: 'Another name' }];
    pass.take({ number: pages + 1, records, duplicates: 0, changed: 1, signature: 'x', retries: 0 });
    pass.ended(claim);
    await pass.swap('2026-01-01T00:01:00.000Z');
    await mirror.close();
    checkIndex(file);
  });

  it('is made anew by the swap when a row that is indexed was not there any more in the last reading', async () => {
    const { file, mirror, pass } = await opened('passing.db');
    const passing = { ...record(pages * rowsOfPage + 1), DisplayName: 'A name that passes' };
    pass.take({ number: 1, records: [passing], duplicates: 0, signature: 'x', retries: 0 });
    await takePages(pass, 2, pages + 1);
    await untilIndexed(`${file}-find`);
    assert.equal(pass.ended({ ...claim, shifted: true }).isRestless, true);
    await takePages(pass, 2, pages + 1);
    pass.ended(claim);
    assert.equal((await pass.swap('2026-01-01T00:01:00.000Z')).added, pages * rowsOfPage);
    await mirror.close();
    checkIndex(file);
  });

  it('begins anew in a sync that goes on after an interruption, and what was left of it is removed', async () => {
    const { file, mirror, pass } = await opened('resumed.db');
    await takePages(pass, 1, pages - 1);
    await untilIndexed(`${file}-find`);
    await mirror.close();
    assert.ok(!existsSync(`${file}-find`));
    writeFileSync(`${file}-find`, 'left by a sync that was killed');
    const again = openMirror({ file, service, forget: '' });
    assert.ok(!existsSync(`${file}-find`));
    const [source] = again.sources();
    assert.ok(source !== undefined);
    const rest = await again.openPass(source, { startedAt: '2026-01-02T00:00:00.000Z', calls: '' });
    assert.equal(rest.resume?.lastPage, pages - 1);
    await takePages(rest, pages, pages);
    await untilIndexed(`${file}-find`);
    rest.ended(claim);
    await rest.swap('2026-01-02T00:01:00.000Z');
    await again.close();
    checkIndex(file);
  });

  it('is made by the swap where its file cannot be', async () => {
    const { file, mirror, pass } = await opened('without.db');
    mkdirSync(`${file}-find`);
    await takePages(pass, 1, pages);
    pass.ended(claim);
    await pass.swap('2026-01-01T00:01:00.000Z');
    await mirror.close();
    checkIndex(file);
  });

  it('serves the next sync, which takes rows out of it and adds others', async () => {
    const { file, mirror, pass } = await opened('next.db');
    await takePages(pass, 1, pages);
    pass.ended(claim);
    await pass.swap('2026-01-01T00:01:00.000Z');
    const [source] = mirror.sources();
    assert.ok(source !== undefined);
    const next = await mirror.openPass(source, { startedAt: '2026-01-02T00:00:00.000Z', calls: '' });
    await takePages(next, 1, pages - 1);
    const records = Array.from({ length: rowsOfPage }, (_, at) => ({
      ...record((pages - 1) * rowsOfPage + at + 1),
      DisplayName: `Changed ${at}`,
    }));
    next.take({ number: pages, records, duplicates: 0, signature: 'y', retries: 0 });
    next.ended(claim);
    assert.equal((await next.swap('2026-01-02T00:01:00.000Z')).changed, rowsOfPage);
    await mirror.close();
    checkIndex(file);
  });
});
