import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync, closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { boundedLines, readBounded, isPipe, openReadPipe, streamOfPipe } from '../../src/state/input-file.js';
import { place } from '../support/profiles/place.js';
import { needs } from '../support/skip.js';

describe('linesOfGiven', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-given-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    const path = join(folder, 'lines');
    writeFileSync(path, text);
    return path;
  };

  it('gives the lines of a file that ends with a line feed', () => {
    assert.deepEqual([...boundedLines(file('a\n\né\n'), 10)], ['a', '', 'é']);
    assert.deepEqual([...boundedLines(file(''), 10)], []);
  });

  it('refuses what is no file, ends within a line, or has too long a line', () => {
    const long = 'x'.repeat(300_000);
    assert.deepEqual([...boundedLines(file(`${long}\n`), 300_000)], [long]);
    for (const [path, words] of [
      [folder, /is no file/],
      [join(folder, 'nothing'), /there is no such file/],
      [file('a\nb'), /ends within a line/],
    ] as const)
      assert.throws(() => [...boundedLines(path, 10)], words);
    assert.throws(() => [...boundedLines(file(`${long}\n`), 100_000)], /longer than/);
  });
});

/** Pieces of a stream; says how many were asked for. */
function pieces(sizes: readonly number[]): { stream: AsyncIterable<Uint8Array>; asked: () => number } {
  let asked = 0;
  const stream = (async function* () {
    for (const size of sizes) {
      asked += 1;
      yield await Promise.resolve(Buffer.alloc(size, asked));
    }
  })();
  return { stream, asked: () => asked };
}

describe('A bounded read', () => {
  it('gives all bytes in their order, up to the last that is allowed', async () => {
    assert.deepEqual(await readBounded(pieces([2, 0, 3]).stream, 5), Buffer.from([1, 1, 3, 3, 3]));
    assert.deepEqual(await readBounded(pieces([]).stream, 0), Buffer.alloc(0));
  });

  it('gives nothing of too many, and reads no further', async () => {
    const { stream, asked } = pieces([2, 4, 100]);
    assert.equal(await readBounded(stream, 5), undefined);
    assert.equal(asked(), 2);
  });

  it('fails as the stream fails', async () => {
    const broken = (async function* () {
      yield await Promise.resolve(Buffer.from('a'));
      throw new Error('broken');
    })();
    await assert.rejects(readBounded(broken, 5), /broken/);
  });
});

const never = new AbortController().signal;

describe('A pipe with a name', () => {
  const here = place();
  let count = 0;
  before(function () {
    needs(this, 'mkfifo');
  });
  after(() => here.remove());

  function pipe(): string {
    const path = here.at(`pipe ${(count += 1)}`);
    execFileSync('mkfifo', ['-m', '600', path]);
    return path;
  }

  /** What the stream gives, as it comes, and all of it at its end. */
  function reading(path: string): {
    readonly sofar: () => string;
    readonly next: Promise<unknown>;
    readonly whole: Promise<string>;
  } {
    const stream = streamOfPipe(path, never);
    let text = '';
    const next = once(stream, 'data');
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    return { sofar: () => text, next, whole: once(stream, 'end').then(() => text) };
  }

  it('is told from files, folders and what is not there', () => {
    const file = here.at('file');
    writeFileSync(file, 'x');
    assert.deepEqual(
      [pipe(), file, here.folder, here.at('none'), `${file}/below`].map((path) => isPipe(path)),
      [true, false, false, false, false],
    );
  });

  it('is not opened to write while nobody reads it', () => {
    const path = pipe();
    assert.equal(openReadPipe(path, constants.O_WRONLY), undefined);
    // To open a pipe for both waits for nobody.
    const reader = openSync(path, 'r+');
    const writer = openReadPipe(path, constants.O_WRONLY) ?? assert.fail('nobody reads it');
    writeSync(writer, 'a\n');
    const taken = Buffer.alloc(8);
    assert.equal(taken.toString('utf8', 0, readSync(reader, taken)), 'a\n');
    for (const handle of [reader, writer]) closeSync(handle);
  });

  it('waits for a writer, for what that writes late, and ends with it', async () => {
    const path = pipe();
    const { sofar, next, whole } = reading(path);
    let hasEnded = false;
    void whole.then(() => (hasEnded = true));
    for (let turns = 0; turns < 100; turns += 1) await turn();
    assert.deepEqual([sofar(), hasEnded], ['', false]);
    const writer = openSync(path, 'w');
    for (let turns = 0; turns < 100; turns += 1) await turn();
    assert.equal(hasEnded, false);
    writeSync(writer, 'one\n');
    await next;
    for (let turns = 0; turns < 100; turns += 1) await turn();
    assert.deepEqual([sofar(), hasEnded], ['one\n', false]);
    writeSync(writer, 'two\n');
    closeSync(writer);
    assert.equal(await whole, 'one\ntwo\n');
  });

  it('is empty where the writer goes without a word', async () => {
    const path = pipe();
    const { whole } = reading(path);
    closeSync(openSync(path, 'w'));
    assert.equal(await whole, '');
  });

  it('gives what a writer left that has gone already', async () => {
    const path = pipe();
    const { whole } = reading(path);
    const writer = openSync(path, 'w');
    writeSync(writer, 'x'.repeat(8000));
    closeSync(writer);
    assert.equal((await whole).length, 8000);
  });

  it('gives all of what is more than a pipe holds, each byte once', async () => {
    const path = pipe();
    const { whole } = reading(path);
    const numbers = execFileSync('seq', ['300000'], { encoding: 'latin1', maxBuffer: 1e8 });
    spawn('sh', ['-c', 'seq 300000 > "$0"', path], { stdio: 'ignore' });
    assert.equal(await whole, numbers);
  });

  it('is let go of when the signal is aborted, with and without a writer', async () => {
    for (const isWritten of [false, true]) {
      const path = pipe();
      const stopping = new AbortController();
      const stream = streamOfPipe(path, stopping.signal);
      const writer = isWritten ? openSync(path, 'w') : undefined;
      const failed = once(stream, 'error');
      await turn();
      stopping.abort(new Error('enough'));
      const [error] = (await failed) as [Error];
      assert.deepEqual([error.name, error.cause], ['AbortError', stopping.signal.reason]);
      while (!stream.closed) await turn();
      // Nobody reads it any more.
      assert.equal(openReadPipe(path, constants.O_WRONLY), undefined);
      if (writer !== undefined) closeSync(writer);
    }
  });
});
