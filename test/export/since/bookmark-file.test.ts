import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textDigest } from '../../../src/export/since/digest.js';
import { jobDifferences, writeBookmarkFile, type BookmarkState } from '../../../src/export/since/bookmark-file.js';
import { openPending, readPending, type Window } from '../../../src/export/since/pending.js';
import { openBookmarkFile, readBookmarkFile } from '../../../src/export/since/read-bookmark.js';
import { RowCollector } from '../../../src/export/since/row-collector.js';
import { noRows, RowIndex } from '../../../src/export/since/rows.js';

describe('A bookmark on the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-kept-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a', 'b', 'nightly.bookmark');
  const collector = new RowCollector();
  // A line feed among the bytes of an Id must not end the head.
  for (const id of ['0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a', 'no-guid', 'ë']) collector.add(id, textDigest(id));
  const kept: BookmarkState = {
    kind: 'bookmark',
    profile: 'production',
    name: 'nightly',
    job: { operation: 'RelationGetAll', 'parameter a': '"\\n"' },
    serverMs: 1_772_355_600_123,
    writtenAt: '2026-03-01T09:00:00.000Z',
    rows: collector.rows(),
  };

  it('reads back as it was written, for its owner alone, and leaves nothing beside it', () => {
    writeBookmarkFile(file, kept);
    const { rows, ...facts } = readBookmarkFile(file) ?? { rows: noRows };
    const { rows: wanted, ...wantedFacts } = kept;
    assert.deepEqual(facts, wantedFacts);
    assert.deepEqual([Buffer.from(rows.packed), rows.others], [Buffer.from(wanted.packed), wanted.others]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
    writeBookmarkFile(file, { ...kept, job: undefined, rows: noRows });
    assert.equal(readBookmarkFile(file)?.job, undefined);
    assert.deepEqual(readdirSync(join(file, '..')), ['nightly.bookmark']);
    assert.equal(readBookmarkFile(`${file}.none`), undefined);
  });

  it('is refused when any byte of it is another one, or missing', () => {
    writeBookmarkFile(file, kept);
    const whole = readFileSync(file);
    const torn = join(folder, 'torn.bookmark');
    const refused = (bytes: Uint8Array): void => {
      writeFileSync(torn, bytes);
      assert.throws(() => readBookmarkFile(torn), { kind: 'local', message: /is damaged; it was left as it is/ });
    };
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      refused(bytes);
      refused(whole.subarray(0, at));
    }
  });

  it('of a snapshot is read from the bytes that it always had, rows and all', () => {
    const head = JSON.stringify({
      version: 1,
      kind: 'snapshot',
      profile: 'production',
      name: 'weekly',
      job: { operation: 'ProductGetAll' },
      serverMs: 1_772_355_600_000,
      writtenAt: '2026-03-01T09:00:00.000Z',
      others: [['no-guid', textDigest('c').toString('base64')]],
    });
    const ids = ['00000000-0000-0000-0000-000000000000', '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a'];
    const rows = ids.map((id, at) => [Buffer.from(id.replaceAll('-', ''), 'hex'), textDigest(String(at))]).flat();
    const content = Buffer.concat([Buffer.from(`${head}\n`), ...rows]);
    const old = join(folder, 'old.bookmark');
    writeFileSync(old, Buffer.concat([content, createHash('sha256').update(content).digest()]));
    const found = openBookmarkFile(old);
    assert.ok(found !== undefined);
    const index = new RowIndex(found.rows);
    assert.deepEqual([found.kind, found.serverMs, index.size], ['snapshot', 1_772_355_600_000, 3]);
    const digestOf = (id: string): string => Buffer.from(index.find(id)?.digest ?? []).toString('hex');
    for (const [id, text] of [...ids.map((each, at) => [each, String(at)] as const), ['no-guid', 'c'] as const]) {
      assert.equal(digestOf(id), textDigest(text).toString('hex'));
    }
    assert.equal(index.find('0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0b'), undefined);
    found.rows.close();
    found.rows.close();
  });

  it('that is open is read from the disk, and is damaged when it has become shorter', () => {
    const many = new RowCollector();
    const idOf = (at: number): string => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
    for (let at = 0; at < 5000; at += 1) many.add(idOf(at), textDigest(String(at)));
    writeBookmarkFile(file, { ...kept, rows: many.rows() });
    const found = openBookmarkFile(file);
    assert.ok(found !== undefined);
    const index = new RowIndex(found.rows);
    for (const at of [0, 63, 64, 4999]) assert.equal(index.find(idOf(at))?.place, at);
    assert.equal(index.find(idOf(5000)), undefined);
    truncateSync(file, 64 * 1024);
    const damaged = { kind: 'local', message: /is damaged; it was left as it is/ };
    assert.throws(() => index.find(idOf(4000)), damaged);
    // What could not be read is not taken for what is there.
    assert.throws(() => index.find(idOf(4000)), damaged);
    assert.throws(() => index.find(idOf(4999)), damaged);
    assert.equal(index.find(idOf(1))?.place, 1);
    index.close();
  });

  it('says how a job differs', () => {
    assert.deepEqual(jobDifferences({ a: '1', b: '2' }, { a: '1', b: '2' }), []);
    // Earlier versions kept GUIDs as they were typed.
    const upper = '6F9619FF-8B86-D011-B42D-00C04FC964FF';
    assert.deepEqual(jobDifferences({ a: `"${upper}"` }, { a: `"${upper.toLowerCase()}"` }), []);
    assert.equal(jobDifferences({ a: 'X' }, { a: 'x' }).length, 1);
    assert.deepEqual(jobDifferences({ a: '1', b: '2' }, { a: '3', c: '4' }), [
      'a was 1, is 3',
      'b was 2, is nothing',
      'c was nothing, is 4',
    ]);
  });
});

describe('A window on its way', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-pending-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const window: Window = {
    job: { operation: 'X' },
    from: '2026-01-01',
    to: '2079-01-01',
    bookmarkMs: null,
    file: '/x.csv',
  };

  it('has all complete lines, wherever the file was cut, and of a page that is there twice the last', () => {
    const file = join(folder, 'x.pending');
    const pending = openPending(file);
    assert.equal(readPending(file), undefined);
    pending.begin(window);
    assert.deepEqual(readPending(file), { window, clock: undefined, pages: [] });
    pending.time({ serverMs: 1000, aheadMs: 5 });
    pending.page({ page: 1, rows: [['a', 'b']] });
    pending.page({ page: 2, rows: [] });
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.slice(0, -5));
    const left = readPending(file);
    assert.deepEqual(left?.pages, [{ page: 1, rows: [['a', 'b']] }]);
    pending.goOn(left);
    assert.deepEqual(readPending(file), left);
    // What was told and is not resumed is not there any more.
    pending.goOn({ ...left, pages: [] });
    assert.deepEqual(readPending(file)?.pages, []);
    pending.page({ page: 1, rows: [['a', 'b']] });
    pending.page({ page: 1, rows: [['c', 'd']] });
    pending.time({ serverMs: 2000, aheadMs: 7 });
    assert.deepEqual(readPending(file), {
      window,
      clock: { serverMs: 1000, aheadMs: 5 },
      pages: [{ page: 1, rows: [['c', 'd']] }],
    });
    pending.begin({ ...window, bookmarkMs: 5 });
    assert.deepEqual(readPending(file)?.pages, []);
    pending.remove();
    pending.remove();
    assert.equal(readPending(file), undefined);
  });
});
