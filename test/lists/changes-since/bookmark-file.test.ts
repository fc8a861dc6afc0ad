import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobDifferences, writeBookmarkFile, type Bookmark } from '../../../src/lists/changes-since/bookmark-file.js';
import { openBookmarkFile } from '../../../src/lists/changes-since/read-bookmark.js';
import { RowIndex } from '../../../src/lists/changes-since/snapshot-rows.js';
import { packedRows, rowsOfTexts } from './rows-of-texts.js';

describe('A bookmark on the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-kept-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a', 'b', 'nightly.bookmark');
  // A line feed among the bytes of an Id must not end the head.
  const few = ['0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a', 'no-guid', 'ë'].map((id) => [id, id] as const);
  const kept: Bookmark = {
    profile: 'production',
    name: 'nightly',
    job: { operation: 'RelationGetAll', 'parameter a': '"\\n"' },
    writtenAt: '2026-03-01T09:00:00.000Z',
  };

  it('reads back as it was written, for its owner alone, and leaves nothing beside it', () => {
    for (const rows of [rowsOfTexts(few), rowsOfTexts([])]) {
      writeBookmarkFile(file, kept, rows);
      const { rows: found, records, ...facts } = openBookmarkFile(file) ?? assert.fail();
      assert.deepEqual([facts, [...records()]], [kept, []]);
      const packed = Buffer.alloc(found.guids * 32);
      found.read(packed, 0);
      assert.deepEqual([packed, found.others], [packedRows(rows), rows.others]);
      found.close();
      found.close();
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
    }
    assert.deepEqual(readdirSync(join(file, '..')), ['nightly.bookmark']);
    assert.equal(openBookmarkFile(`${file}.none`), undefined);
  });

  it('is refused when any byte of it is another one, or missing', () => {
    writeBookmarkFile(file, kept, rowsOfTexts(few));
    const whole = readFileSync(file);
    const torn = join(folder, 'torn.bookmark');
    const refused = (bytes: Uint8Array): void => {
      writeFileSync(torn, bytes);
      assert.throws(() => openBookmarkFile(torn), { kind: 'local', message: /is damaged; relctl did not change it/ });
    };
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      refused(bytes);
      refused(whole.subarray(0, at));
    }
  });

  it('that is open is read from the disk, and is damaged when it has become shorter', () => {
    const idOf = (at: number): string => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const many = Array.from({ length: 5000 }, (_, at) => [idOf(at), String(at)] as const);
    writeBookmarkFile(file, kept, rowsOfTexts(many));
    const found = openBookmarkFile(file);
    assert.ok(found !== undefined);
    const index = new RowIndex(found.rows);
    for (const at of [0, 63, 64, 4999]) assert.equal(index.find(idOf(at))?.place, at);
    assert.equal(index.find(idOf(5000)), undefined);
    truncateSync(file, 64 * 1024);
    const damaged = { kind: 'local', message: /is damaged; relctl did not change it/ };
    assert.throws(() => index.find(idOf(4000)), damaged);
    // What could not be read is not taken for what is there.
    assert.throws(() => index.find(idOf(4000)), damaged);
    assert.throws(() => index.find(idOf(4999)), damaged);
    assert.equal(index.find(idOf(1))?.place, 1);
    index.close();
  });

  it('says how a job differs', () => {
    assert.deepEqual(jobDifferences({ a: '1', b: '2' }, { a: '1', b: '2' }), []);
    assert.equal(jobDifferences({ a: 'X' }, { a: 'x' }).length, 1);
    assert.deepEqual(jobDifferences({ a: '1', b: '2' }, { a: '3', c: '4' }), [
      'a was 1, is 3',
      'b was 2, is nothing',
      'c was nothing, is 4',
    ]);
  });
});
