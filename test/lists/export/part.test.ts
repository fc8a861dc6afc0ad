import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { countSound, openPart, type Checkpoint } from '../../../src/lists/export/part.js';
import { removeOwn } from '../../../src/state/own-file.js';
import { assertFailure, place } from '../../support/profiles/place.js';
import { valuesOf, failureOf } from '../../support/thrown.js';

const plain = { isGzip: false, mode: 0o600 };

describe('A part file', () => {
  const here = place();
  after(() => here.remove());
  const file = here.at('list.csv.part');
  beforeEach(() => rmSync(file, { force: true }));

  /** Writes pieces, and gives the mark behind each. */
  function written(pieces: readonly string[], options = plain): Checkpoint[] {
    const part = openPart(file, options);
    const marks = pieces.map((piece) => {
      part.write(piece);
      return { bytes: part.length, sha256: part.digest() };
    });
    part.close();
    return marks;
  }

  it('is what was written, and known by its hash', () => {
    const marks = written(['one\n', 'twö\n', '']);
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwö\n');
    assert.deepEqual(valuesOf(marks, 'bytes'), [4, 9, 9]);
    assert.equal(marks[0]?.sha256, createHash('sha256').update('one\n').digest('base64'));
    assert.equal(marks.at(-1)?.sha256, createHash('sha256').update('one\ntwö\n').digest('base64'));
  });

  it('is resumed behind a mark: what stood there is gone, and the hash is that of the whole', () => {
    const [first] = written(['one\n', 'torn']);
    const part = openPart(file, { ...plain, ...(first === undefined ? {} : { keep: first }) });
    part.write('two\n');
    const { bytes, sha256, inode, modifiedMs } = part.seal();
    part.close();
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
    const { ino, mtimeMs } = statSync(file);
    assert.deepEqual([bytes, inode, modifiedMs], [8, ino, mtimeMs]);
    assert.equal(sha256, createHash('sha256').update('one\ntwo\n').digest('hex'));
  });

  it('is known by its seal also under its final name', () => {
    const part = openPart(file, plain);
    part.write('one\n');
    const seal = part.seal();
    part.close();
    renameSync(file, here.at('list.csv'));
    const { ino, size, mtimeMs } = statSync(here.at('list.csv'));
    assert.deepEqual([seal.inode, seal.bytes, seal.modifiedMs], [ino, size, mtimeMs]);
  });

  it('bears out the marks before the place where it was cut or changed, and none behind', () => {
    const marks = written(['one\n', 'two\n', 'three\n']);
    const whole = readFileSync(file);
    for (let length = 0; length <= whole.length; length += 1) {
      writeFileSync(file, whole.subarray(0, length));
      assert.equal(countSound(file, marks), marks.filter(({ bytes }) => bytes <= length).length);
    }
    for (let spot = 0; spot < whole.length; spot += 1) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(spot) ^ 0x10, spot);
      writeFileSync(file, changed);
      assert.equal(countSound(file, marks), marks.filter(({ bytes }) => bytes <= spot).length);
    }
  });

  it('that a loss of power left with zeros at its end is not resumed there', async () => {
    const [first, second] = written(['one\n', 'two\n']);
    assert.ok(first !== undefined && second !== undefined);
    writeFileSync(file, 'one\n\0\0\0\0');
    assert.equal(countSound(file, [first, second]), 1);
    const error = await failureOf(() => openPart(file, { ...plain, keep: second }));
    assertFailure(error, { kind: 'local', says: /does not match its journal/ });
  });

  it('that is compressed is one valid file, resumed or empty', () => {
    const gzip = { ...plain, isGzip: true };
    const [first] = written(['one\n', 'torn'], gzip);
    const part = openPart(file, { ...gzip, ...(first === undefined ? {} : { keep: first }) });
    part.write('two\n');
    part.seal();
    part.close();
    assert.equal(gunzipSync(readFileSync(file)).toString(), 'one\ntwo\n');
    const empty = openPart(file, gzip);
    empty.seal();
    empty.close();
    assert.equal(gunzipSync(readFileSync(file)).length, 0);
  });

  it('has the permissions asked for, whatever the mask of the process', () => {
    const before = process.umask(0o077);
    try {
      written(['one\n'], { ...plain, mode: 0o664 });
    } finally {
      process.umask(before);
    }
    assert.equal(statSync(file).mode & 0o777, 0o664);
  });

  it('replaces a link, and does not follow it', async () => {
    here.put('victim', 'precious');
    symlinkSync('victim', file);
    assertFailure(await failureOf(() => countSound(file, [])), { kind: 'local', says: /symbolic link/ });
    written(['one\n']);
    assert.equal(readFileSync(here.at('victim'), 'utf8'), 'precious');
    rmSync(file);
    linkSync(here.at('victim'), file);
    assertFailure(await failureOf(() => countSound(file, [])), {
      kind: 'local',
      says: /is not the file that relctl wrote/,
    });
    written(['one\n']);
    assert.equal(readFileSync(here.at('victim'), 'utf8'), 'precious');
  });

  it('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [file]);
    assertFailure(await failureOf(() => countSound(file, [])), {
      kind: 'local',
      says: /is not the file that relctl wrote/,
    });
  });

  it('is taken away, or was not there', () => {
    written(['one\n']);
    removeOwn(file);
    removeOwn(file);
    assert.equal(existsSync(file), false);
  });

  it('of a folder that is not there cannot be made', async () => {
    const error = await failureOf(() => openPart(here.at('none/list.csv.part'), plain));
    assertFailure(error, { kind: 'local', says: /the folder does not exist/ });
  });
});
