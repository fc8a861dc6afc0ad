import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { isGzipName, openGzip } from '../../src/state/gzip.js';

function packed(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const members: Uint8Array[] = [];
  const gzip = openGzip((bytes) => members.push(bytes));
  for (const piece of pieces) gzip.write(piece);
  gzip.end();
  return members;
}

describe('A compressed file', () => {
  it('is told by the ending of its name, in any case', () => {
    assert.deepEqual(['a.csv.gz', 'A.CSV.GZ', 'a.gz.csv', 'gz'].map(isGzipName), [true, true, false, false]);
  });

  it('holds all bytes in their order, in members of about a megabyte', () => {
    for (const count of [1, 2, 9]) {
      const pieces = Array.from({ length: count }, (_, at) => Buffer.alloc(400_000, `${at},`));
      const members = packed(pieces);
      assert.equal(members.length, Math.ceil(count / 3));
      assert.deepEqual(gunzipSync(Buffer.concat(members)), Buffer.concat(pieces));
    }
  });

  it('is one without bytes too', () => {
    assert.equal(gunzipSync(Buffer.concat(packed([]))).length, 0);
    assert.equal(packed([Buffer.alloc(2_000_000)]).length, 1);
  });
});
