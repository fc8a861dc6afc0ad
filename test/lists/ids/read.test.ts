import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../../src/kit/host/context.js';
import { readIds, textOf } from '../../../src/lists/ids/read.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';

const idOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

describe('The file of --ids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-ids-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Whether garbage is to be collected early while so many ids are read. */
  async function isEarly(count: number): Promise<boolean> {
    const file = join(folder, 'ids.txt');
    writeFileSync(file, Array.from({ length: count }, (_, at) => `${idOf(at)}\n`).join(''));
    let isTold = false;
    const context: Partial<Context> = {
      environment: { pathOf: (path: string) => path } as Context['environment'],
      signal: new AbortController().signal,
      collectGarbage: () => void (isTold = true),
    };
    const ids = await readIds(context as Context, { quiet: true }, file);
    assert.equal(ids.size, count);
    return isTold;
  }

  it('has garbage collected early before many ids are read, and as usual for a few', async () => {
    assert.equal(await isEarly(9), false);
    assert.equal(await isEarly(10), true);
    assert.equal(await isEarly(20_000), true);
  });
});

/** The bytes that are given of a content that comes in pieces of so many bytes. */
async function read(content: Uint8Array, size: number): Promise<Buffer> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += size) yield Uint8Array.from(content.subarray(at, at + size));
  }
  const pieces: Buffer[] = [];
  for await (const piece of textOf(chunks(), 'ids.txt')) pieces.push(piece);
  return Buffer.concat(pieces);
}

const sizes = [1, 2, 3, 4, 5, 1000];

describe('The bytes of a file of ids', () => {
  it('are given as they are, in pieces of any size', async () => {
    for (const text of ['', 'a', 'a\n\u20ac', '\ufeffId\r\nJo\u00eblle \u{1f600}\r\n', 'PK', 'PAR\n', 'aaa\nPAR1\n'])
      for (const size of sizes) assert.equal((await read(Buffer.from(text), size)).toString(), text);
  });

  it('that are no text are refused, in words that say what to do', async () => {
    const refused: readonly (readonly [content: Uint8Array, words: RegExp])[] = [
      [Buffer.from('PK\u0003\u0004\u0000x'), /^ids\.txt is a workbook, .*save the sheet .* as "CSV UTF-8"$/],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]), /^ids\.txt is an old or an encrypted workbook: save the sheet/],
      [Buffer.from([0x1f, 0x8b, 8, 0]), /^ids\.txt is compressed: .*`gzip -dc FILE \| relctl … --ids -`$/],
      [Buffer.from('\ufeffId', 'utf16le'), /^ids\.txt is UTF-16: .*iconv -f utf-16/],
      [Buffer.from('\ufeffId', 'utf16le').swap16(), /^ids\.txt is UTF-16: /],
      [Buffer.from('Id\n', 'utf16le'), /^ids\.txt has zero bytes, .*: save it as "CSV UTF-8"$/],
      [Buffer.from('PAR1x'), /^ids\.txt is a Parquet file: write it as CSV or NDJSON$/],
      [Buffer.from('Id\nJo\u00eblle\n', 'latin1'), /^ids\.txt is not UTF-8 on line 2: .*iconv -f windows-1252/],
      [Buffer.from([0x61, 0x0a, 0x0a, 0xe2, 0x82]), /^ids\.txt is not UTF-8 on line 3: /],
    ];
    for (const [content, words] of refused)
      for (const size of sizes)
        await assert.rejects(read(content, size), (thrown: unknown) => {
          assert.ok(thrown instanceof RelctlError);
          assert.deepEqual([thrown.kind, thrown.facts.path], ['usage', '--ids']);
          assert.match(thrown.message, words);
          return true;
        });
  });
});
