import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsAnswered } from '../../src/client/list-answer.js';
import { readPages, type Claim } from '../../src/client/pages.js';
import type { FetchPage } from '../../src/client/paging.js';
import { recordsIn } from '../../src/mirror/sqlite/changes.js';
import { openSqliteMirror } from '../../src/mirror/sqlite/mirror.js';
import type { Difference, Pass } from '../../src/mirror/store.js';
import { tableNamed } from '../../src/mirror/tables.js';
import type { RecordValue } from '../../src/plain/value.js';
import { openDatabase } from '../../src/sqlite/open.js';
import { readUntilSure } from '../../src/syncs/readings.js';

const service = { url: 'http://127.0.0.1:1/', namespace: 'urn:test', database: '' };

const ofId = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const one = (number: number, name: string): RecordValue => ({ Id: id(number), DisplayName: name });
const nobody = (name: string): RecordValue => ({ DisplayName: name });

describe('Records of a mirror that an Id does not tell apart', function () {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-sync-twins-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  interface Reading {
    readonly firstPage?: number;
    /** Number of calls after which the run is killed. */
    readonly calls?: number;
  }

  async function read(
    records: readonly RecordValue[],
    pass: Pass,
    { firstPage = 1, calls = Infinity }: Reading,
  ): Promise<Claim> {
    let called = 0;
    const fetch: FetchPage = (number, _call, size) => {
      called += 1;
      if (called > calls) return Promise.reject(new Error('killed'));
      const from = (number - firstPage) * size;
      return Promise.resolve({ ...rowsAnswered(from < 0 ? [] : records.slice(from, from + size)), attempts: 1 });
    };
    const { resume } = pass;
    const plan = { firstPage, pageSize: 3, prefetch: 0, signal: new AbortController().signal, idOf: ofId };
    const pages = readPages(fetch, { ...plan, ...(resume === undefined ? {} : { resume }) });
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return step.value;
      await pass.take(step.value);
    }
  }

  let clock = Date.UTC(2026, 0, 1);

  async function sync(file: string, records: readonly RecordValue[], reading: Reading = {}): Promise<Difference> {
    const mirror = openSqliteMirror({ file, service, forget: '' });
    try {
      if ((await mirror.sources()).length === 0) await mirror.add({ name: 'relations', table: 'relations', input: {} });
      const [source] = await mirror.sources();
      assert.ok(source !== undefined);
      const time = (): string => new Date((clock += 1000)).toISOString();
      const pass = await mirror.openPass(source, { startedAt: time(), calls: `${reading.firstPage ?? 1}` });
      await readUntilSure(
        pass,
        () => read(records, pass, reading),
        () => Promise.resolve(),
      );
      return await pass.swap(time());
    } finally {
      await mirror.close();
    }
  }

  /** What `mirror list` prints. */
  function listed(file: string): readonly RecordValue[] {
    const database = openDatabase({ file, what: 'The mirror' });
    try {
      const records = recordsIn(database, tableNamed('relations'), { isGone: false, changedSince: undefined });
      const rows = [...records].map((text) => JSON.parse(text) as RecordValue);
      assert.deepEqual(database.statement('SELECT count(*) FROM "relations"').first(), [rows.length]);
      return rows;
    } finally {
      database.close();
    }
  }

  const states: Readonly<Record<string, readonly (readonly RecordValue[])[]>> = {
    'an Id comes twice on a page': [
      [one(1, 'a'), one(2, 'b')],
      [one(1, 'a'), one(1, 'c'), one(2, 'b')],
      [one(1, 'd'), one(1, 'a'), one(2, 'b')],
      [one(1, 'd'), one(1, 'e'), one(2, 'b')],
      [one(1, 'f'), one(1, 'g'), one(2, 'b')],
      [one(1, 'g'), one(2, 'b')],
    ],
    'records without an Id come': [
      [one(1, 'a'), nobody('x')],
      [one(1, 'a'), nobody('y'), nobody('z')],
      [one(1, 'a'), nobody('x'), nobody('y'), nobody('z')],
      [one(1, 'b'), nobody('x'), nobody('y'), nobody('z'), nobody('v')],
      [one(1, 'b'), nobody('y'), nobody('z'), nobody('w')],
    ],
    'equal records without an Id come': [
      [one(1, 'a'), nobody('x'), nobody('x')],
      [one(1, 'b'), nobody('x'), nobody('x')],
      [one(1, 'b'), nobody('x'), nobody('x'), one(2, 'c'), nobody('x')],
      [one(1, 'b'), nobody('x'), one(2, 'd'), nobody('x')],
    ],
  };

  for (const [name, lists] of Object.entries(states)) {
    it(`are all there when ${name}`, async () => {
      const file = join(folder, `${name}.db`);
      for (const [at, records] of lists.entries()) {
        const { rows } = await sync(file, records);
        assert.deepEqual(listed(file), records, `sync ${at + 1}`);
        assert.equal(rows, records.length);
        const again = await sync(file, records);
        assert.deepEqual(again, { rows: records.length, added: 0, changed: 0, gone: 0 });
      }
    });
  }

  it('are not there when they came and went while the list was read', async () => {
    const file = join(folder, 'passing.db');
    const before = [one(1, 'a'), one(2, 'b'), one(3, 'c'), one(4, 'd')];
    await sync(file, before);
    await assert.rejects(sync(file, [one(9, 'x'), ...before], { calls: 1 }));
    assert.deepEqual(await sync(file, before), { rows: 4, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(listed(file), before);
  });

  it('are changed, not gone, when their Id comes in another case of letters', async () => {
    const file = join(folder, 'case.db');
    const lower = { Id: 'abcdefab-0000-4000-8000-00000000000a', DisplayName: 'a' };
    const upper = { ...lower, Id: lower.Id.toUpperCase() };
    await sync(file, [lower, one(1, 'b')]);
    assert.deepEqual(await sync(file, [upper, one(1, 'b')]), { rows: 2, added: 0, changed: 1, gone: 0 });
    assert.deepEqual(listed(file), [upper, one(1, 'b')]);
    assert.deepEqual(await sync(file, [lower, one(1, 'c')]), { rows: 2, added: 0, changed: 2, gone: 0 });
  });

  it('come once when the page is read again behind which a sync was interrupted', async () => {
    const file = join(folder, 'seam.db');
    const before = [one(1, 'a'), nobody('x'), one(2, 'b'), one(3, 'c')];
    await assert.rejects(sync(file, before, { calls: 1 }));
    const now = [one(1, 'z'), nobody('x'), one(2, 'b'), one(3, 'c')];
    await sync(file, now);
    assert.deepEqual(listed(file), now);
  });

  it('come once when the first page has another number than in the sync before', async () => {
    const file = join(folder, 'first-page.db');
    const records = [1, 2, 3, 4, 5, 6, 7].map((number) => one(number, `name ${number}`));
    await sync(file, records, { firstPage: 0 });
    await sync(file, records, { firstPage: 1 });
    assert.deepEqual(listed(file), records);
    await sync(file, records, { firstPage: 0 });
    assert.deepEqual(listed(file), records);
  });
});
