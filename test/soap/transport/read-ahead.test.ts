import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { readAhead } from '../../../src/soap/transport/read-ahead.js';

const mebibyte = 1024 * 1024;

/** A stream that is fed by the test, and what is told of it. */
function fed() {
  const stream = new Readable({ read: () => undefined, highWaterMark: mebibyte });
  const told: (number | 'came')[] = [];
  const chunks = readAhead(stream, { came: () => void told.push('came'), ended: (bytes) => void told.push(bytes) });
  return { stream, told, chunks };
}

const textOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
};

describe('A stream that is read ahead', () => {
  it('is given when all of it is here, and is told before', async () => {
    const { stream, told, chunks } = fed();
    let given: string | undefined;
    const first = chunks.next().then(({ value }) => (given = String(value)));
    stream.push('one');
    await turn();
    assert.equal(given, undefined);
    stream.push('two');
    stream.push(null);
    await first;
    assert.deepEqual(told, ['came', 'came', 6]);
    assert.equal(`${given}${await textOf(chunks)}`, 'onetwo');
  });

  it('is given in part when it stalls', async () => {
    const { stream, chunks } = fed();
    stream.push('one');
    assert.equal(String((await chunks.next()).value), 'one');
    stream.push('two');
    stream.push(null);
    assert.equal(await textOf(chunks), 'two');
  });

  it('is not read further than a mebibyte', async () => {
    const { stream, chunks } = fed();
    const first = chunks.next();
    for (let count = 0; count < 20; count += 1) stream.push(Buffer.alloc(mebibyte / 8));
    stream.push(null);
    await first;
    assert.equal(stream.isPaused(), true);
    assert.equal(stream.readableLength >= mebibyte, true);
    let bytes = mebibyte / 8;
    for await (const chunk of chunks) bytes += chunk.length;
    assert.equal(bytes, (20 * mebibyte) / 8);
  });

  it('is given in few chunks when it comes in very many, whole and in order', async () => {
    const { stream, told, chunks } = fed();
    const first = chunks.next();
    const sent = Buffer.alloc(100_000, 'a small chunk, and a large one ');
    const large = Buffer.alloc(20_000, 'x');
    for (let at = 0; at < sent.length; at += 1) stream.push(sent.subarray(at, at + 1));
    stream.push(large);
    for (let at = 0; at < sent.length; at += 3) stream.push(sent.subarray(at, at + 3));
    stream.push(null);
    const given = [Buffer.from((await first).value ?? [])];
    for await (const chunk of chunks) given.push(Buffer.from(chunk));
    assert.deepEqual(Buffer.concat(given), Buffer.concat([sent, large, sent]));
    assert.equal(given.length < 1000, true, `${given.length} chunks`);
    assert.equal(told.at(-1), 220_000);
  });

  it('gives what came before its error, and then the error', async () => {
    const { stream, told, chunks } = fed();
    const first = chunks.next();
    stream.push('one');
    await turn();
    stream.destroy(new Error('broken'));
    assert.equal(String((await first).value), 'one');
    await assert.rejects(chunks.next(), { message: 'broken' });
    assert.deepEqual(told, ['came']);
  });

  it('is an error when it closes before its end', async () => {
    const { stream, chunks } = fed();
    const first = chunks.next();
    await turn();
    stream.destroy();
    await assert.rejects(first, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('is given up when nobody takes the rest', async () => {
    const { stream, chunks } = fed();
    const first = chunks.next();
    stream.push('one');
    await first;
    await chunks.return(undefined);
    await pause(0);
    assert.equal(stream.destroyed, true);
  });
});
