import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import type { OverflowFile } from '../../../src/client/ids/overflow-guids.js';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import { textDigest } from '../../../src/export/since/digest.js';
import { RowCollector } from '../../../src/export/since/row-collector.js';
import { openTemporaryFile } from '../../../src/files/temporary-file.js';
import { packedRows } from '../../support/export/rows.js';

const idOf = (at: number): string => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
const added = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.string()), { maxLength: 100 });

/** What the rows of a collector are to be. */
function wanted(rows: readonly (readonly [number, string])[]): Buffer {
  const last = [...new Map(rows)].sort(([left], [right]) => left - right);
  return Buffer.concat(
    last.flatMap(([at, text]) => [Buffer.from(idOf(at).replaceAll('-', ''), 'hex'), textDigest(text)]),
  );
}

describe('Rows that are collected', () => {
  it('are sorted, each Id once with its last digest, however few of them stay in memory', () => {
    const file = openTemporaryFile(tmpdir());
    fc.assert(
      fc.property(added, fc.integer({ min: 1, max: 20 }), (rows, runRows) => {
        const collector = new RowCollector({ openOverflow: () => file, runRows });
        for (const [at, text] of rows) collector.add(idOf(at), textDigest(text));
        assert.deepEqual(packedRows(collector), wanted(rows));
        // They may be asked for again.
        assert.deepEqual(packedRows(collector), wanted(rows));
      }),
    );
    file.close();
  });

  it('go to the file but for the last of them', () => {
    let bytes = 0;
    const openOverflow = (): OverflowFile => {
      const file = openTemporaryFile(tmpdir());
      return {
        ...file,
        write(piece, at) {
          bytes += piece.length;
          file.write(piece, at);
        },
      };
    };
    const collector = new RowCollector({ openOverflow, runRows: 100 });
    const rows = Array.from({ length: 1050 }, (_, at) => [(at * 7919) % 1051, ''] as const);
    for (const [at, text] of rows) collector.add(idOf(at), textDigest(text));
    assert.equal(bytes, 1000 * 32);
    assert.deepEqual(packedRows(collector), wanted(rows));
  });

  it('stay in memory when the disk is full, and are lost to nobody', () => {
    const file = openTemporaryFile(tmpdir());
    let writes = 0;
    const openOverflow = (): OverflowFile => ({
      ...file,
      write(piece, at) {
        writes += 1;
        if (writes % 2 === 0) throw new RelctlError('local', 'the disk is full');
        file.write(piece, at);
      },
    });
    const rows = Array.from({ length: 95 }, (_, at) => [(at * 37) % 60, String(at)] as const);
    const collector = new RowCollector({ openOverflow, runRows: 10 });
    for (const [at, text] of rows) collector.add(idOf(at), textDigest(text));
    assert.deepEqual(packedRows(collector), wanted(rows));
    assert.ok(writes > 4);
    file.close();
  });
});
