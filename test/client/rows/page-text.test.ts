import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { OverflowFile } from '../../../src/client/ids/id-set.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { PageText } from '../../../src/client/rows/page-text.js';
import { openTemporaryFile } from '../../../src/state/temporary-file.js';

const mebi = 1024 * 1024;

/** A temporary file that counts what was written to it, and knows whether it was closed. */
interface Watched extends OverflowFile {
  readonly seen: { bytes: number; isClosed: boolean };
}

function watched(): Watched {
  const file = openTemporaryFile(tmpdir());
  const seen = { bytes: 0, isClosed: false };
  return {
    seen,
    write(bytes, at) {
      seen.bytes += bytes.length;
      file.write(bytes, at);
    },
    read: (into, at) => file.read(into, at),
    close() {
      seen.isClosed = true;
      file.close();
    },
  };
}

const hashOf = (pieces: Iterable<Uint8Array | string>): string => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
};

/** Bytes of a text that are in memory, or of the last piece from its file. */
const heldOf = (text: PageText, end: number): number =>
  Array.from(text.piecesOf(0, end), ({ length }) => length).at(-1) ?? 0;

describe('The text of an answer', () => {
  let files: Watched[] = [];
  const openFile = (): OverflowFile => {
    const file = watched();
    files.push(file);
    return file;
  };

  afterEach(() => {
    for (const file of files) file.close();
    files = [];
  });

  it('needs no file while it is short', () => {
    const text = new PageText(openFile);
    for (let at = 0; at < 15; at += 1) text.add('x'.repeat(mebi));
    assert.equal(hashOf(text.piecesOf(0, 15 * mebi)), hashOf(['x'.repeat(15 * mebi)]));
    assert.equal(files.length, 0);
  });

  it('is the same from memory and from a file, and so is each part of it', () => {
    const text = new PageText(openFile);
    const rows = Array.from(
      { length: 90 },
      (_, at) => `${at}:${'a\u00e9\u20ac\u{1f600}'.repeat((at * 7919) % 120_000)}\n`,
    );
    const ends: number[] = [];
    for (const [at, row] of rows.entries()) {
      if (at % 2 === 0) ends.push(text.add(row));
      else {
        const bytes = Buffer.from(row);
        ends.push(text.addBytes(bytes) + bytes.length);
      }
    }
    const whole = Buffer.from(rows.join(''));
    assert.equal(ends.at(-1), whole.length);
    const [file] = files;
    assert.ok(file !== undefined && files.length === 1);
    const { bytes } = file.seen;
    assert.ok(bytes >= 16 * mebi && bytes < whole.length, `${bytes} bytes in the file`);
    assert.equal(hashOf(text.piecesOf(0, whole.length)), hashOf([whole]));
    for (const [at, row] of rows.entries()) {
      const from = ends[at - 1] ?? 0;
      assert.equal(text.textOf(from, ends[at] ?? 0), row);
      if (at % 20 !== 0) continue;
      const to = ends[Math.min(at + 30, 89)] ?? 0;
      assert.equal(hashOf(text.piecesOf(from, to)), hashOf([whole.subarray(from, to)]), `from row ${at}`);
    }
    for (const at of [0, ends[1] ?? 0, bytes, whole.length])
      assert.deepEqual(
        Array.from(text.piecesOf(at, at), ({ length }) => length),
        [0],
      );
  });

  it('holds little of itself in memory, also behind a row that is longer than what it holds', () => {
    const text = new PageText(openFile);
    const rows = [20, 70, 1, 20, 20, 3].map((length, at) => String(at).repeat(length * mebi));
    let end = 0;
    for (const row of rows) {
      end = text.add(row);
      assert.ok(heldOf(text, end) < 16 * mebi);
    }
    const [last = new Uint8Array(0)] = text.piecesOf(end - 1, end);
    assert.ok(last.buffer.byteLength <= 32 * mebi);
    assert.equal(hashOf(text.piecesOf(0, 134 * mebi)), hashOf(rows));
  });

  it('gives its file up when it is cleared, and begins anew', () => {
    const text = new PageText(openFile);
    for (let at = 0; at < 20; at += 1) text.add('x'.repeat(mebi));
    text.clear();
    assert.deepEqual(
      files.map(({ seen }) => seen.isClosed),
      [true],
    );
    const end = text.add('new');
    assert.equal(text.textOf(0, end), 'new');
    for (let at = 0; at < 20; at += 1) text.add('y'.repeat(mebi));
    assert.equal(hashOf(text.piecesOf(3, 3 + 20 * mebi)), hashOf(['y'.repeat(20 * mebi)]));
    assert.equal(files.length, 2);
  });

  it('stays in memory from where the file cannot be written', () => {
    for (const works of [0, 2]) {
      let calls = 0;
      const failing = (): OverflowFile => {
        const file = openFile();
        return {
          ...file,
          write(bytes, at) {
            calls += 1;
            if (calls > works) throw new RelctlError('local', 'the disk is full');
            file.write(bytes, at);
          },
        };
      };
      const text = new PageText(failing);
      const rows = Array.from({ length: 90 }, (_, at) => `${at}`.padStart(mebi, 'x'));
      for (const row of rows) text.add(row);
      assert.equal(calls, works + 1);
      assert.equal(heldOf(text, 90 * mebi), (90 - works * 16) * mebi);
      assert.equal(hashOf(text.piecesOf(0, 90 * mebi)), hashOf(rows));
      assert.equal(text.textOf(20 * mebi, 21 * mebi), rows[20]);
    }
    const text = new PageText(() => {
      throw new RelctlError('local', 'no such folder');
    });
    for (let at = 0; at < 40; at += 1) text.add('x'.repeat(mebi));
    assert.equal(heldOf(text, 40 * mebi), 40 * mebi);
    const defect = new PageText(() => {
      throw new TypeError('a defect');
    });
    assert.throws(() => {
      for (let at = 0; at < 20; at += 1) defect.add('x'.repeat(mebi));
    }, /a defect/);
  });

  it('is all in memory where there is no file for it', () => {
    const text = new PageText(undefined);
    for (let at = 0; at < 40; at += 1) text.add('x'.repeat(mebi));
    assert.equal(heldOf(text, 40 * mebi), 40 * mebi);
  });
});
