import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { textDigest } from '../../../src/lists/changes-since/digest.js';
import { noRows, RowIndex, SnapshotRows } from '../../../src/lists/changes-since/snapshot-rows.js';
import { openTemporaryFile, type TemporaryFile } from '../../../src/state/temporary-file.js';
import { indexOf, packedRows, rowsOfTexts } from './rows-of-texts.js';

const ids = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((at) => `${String((at * 5) % 7).padStart(8, '0')}-0000-4000-8000-000000000000`),
  fc.constantFrom('x', 'y', ''),
);
const lists = fc.array(fc.tuple(ids, fc.constantFrom('a', 'b')), { maxLength: 60 });

describe('The rows of a list beside those of its snapshot', () => {
  it('become a snapshot of the list alone, whatever came twice, changed or is gone', () =>
    fc.assert(
      fc.property(lists, lists, (before, now) => {
        const known = new Map(before);
        const rows = new SnapshotRows(indexOf(rowsOfTexts(before)), openTemporaryFile);
        for (const [id, text] of now) {
          const old = known.get(id);
          assert.equal(
            rows.take(id, textDigest(text)),
            old === undefined ? 'new' : old === text ? undefined : 'changed',
          );
        }
        assert.equal(rows.there.size, [...known.keys()].filter((id) => now.some(([each]) => each === id)).length);
        const next = indexOf(rows);
        assert.equal(next.size, new Map(now).size);
        for (const [id, text] of new Map(now))
          assert.ok(textDigest(text).equals(next.find(id)?.digest ?? Buffer.alloc(0)));
      }),
    ));

  const idOf = (at: number): string => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const wanted = (count: number): Buffer =>
    Buffer.concat(
      Array.from({ length: count }, (_, at) => [
        Buffer.from(idOf(at).replaceAll('-', ''), 'hex'),
        textDigest(String(at)),
      ]).flat(),
    );
  const collected = (count: number, openFile: () => TemporaryFile): SnapshotRows => {
    const rows = new SnapshotRows(new RowIndex(noRows), openFile);
    for (let at = 0; at < count; at += 1) rows.take(idOf(at), textDigest(String(at)));
    return rows;
  };

  it('go to a file from two MiB of them on, and may be asked for again', () => {
    const file = openTemporaryFile();
    const rows = collected(70_000, () => file);
    assert.equal(file.length, 2 * 1024 * 1024);
    for (let times = 0; times < 2; times += 1) assert.ok(packedRows(rows).equals(wanted(70_000)));
    file.close();
  });

  it('stay in memory while the disk is full, and are lost to nobody', () => {
    const file = openTemporaryFile();
    let writes = 0;
    const rows = collected(140_000, () => ({
      ...file,
      pieces: () => file.pieces(),
      append(piece) {
        writes += 1;
        if (writes % 7 === 3) throw new RelctlError('local', 'the disk is full');
        file.append(piece);
      },
    }));
    assert.ok(writes > 7 && file.length < 140_000 * 32);
    assert.ok(packedRows(rows).equals(wanted(140_000)));
    file.close();
  });
});
