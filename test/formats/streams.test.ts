import assert from 'node:assert/strict';
import { maskedSink, type Sink, sinkUntil } from '../../src/formats/streams.js';

describe('A sink that masks', () => {
  it('masks texts and lines that pass, leaves bytes, and is otherwise the sink that it is made of', async () => {
    const seen: unknown[] = [];
    const keep = (piece: unknown): Promise<void> => {
      seen.push(piece);
      return Promise.resolve();
    };
    let width = 80;
    const sink: Sink = {
      write: keep,
      writeBytes: keep,
      pass: keep,
      isTerminal: true,
      isPipe: false,
      hasColor: true,
      get width() {
        return width;
      },
    };
    const masked = maskedSink(sink, (text) => text.replaceAll('hunter2', '***'));
    await masked.write('a hunter2');
    await masked.pass?.('b hunter2');
    await masked.writeBytes(Buffer.from('hunter2'));
    assert.deepEqual(seen, ['a ***', 'b ***', Buffer.from('hunter2')]);
    width = 120;
    assert.deepEqual([masked.isTerminal, masked.isPipe, masked.hasColor, masked.width], [true, false, true, 120]);
    assert.equal(maskedSink({ ...sink, pass: undefined }, String).pass, undefined);
  });
});

describe('A sink until a signal', () => {
  const taken: (string | Uint8Array)[] = [];
  const take = (piece: string | Uint8Array): Promise<void> => Promise.resolve(void taken.push(piece));
  const facts = { isTerminal: true, isPipe: false, width: 44, hasColor: true };
  const sink: Sink = { write: take, writeBytes: take, pass: take, ...facts };

  it('passes on what comes before, fails with its reason behind it, and is otherwise as the sink', async () => {
    const stopping = new AbortController();
    const until = sinkUntil(sink, stopping.signal);
    const ways = [
      () => until.write('a'),
      () => until.writeBytes(Buffer.from('b')),
      () => until.pass?.('c') ?? assert.fail(),
    ];
    for (const way of ways) await way();
    assert.deepEqual(taken.splice(0).map(String), ['a', 'b', 'c']);
    const { isTerminal, isPipe, width, hasColor } = until;
    assert.deepEqual({ isTerminal, isPipe, width, hasColor }, facts);
    stopping.abort(new Error('enough'));
    for (const way of ways) await assert.rejects(way, /^Error: enough$/);
    assert.deepEqual(taken, []);
  });

  it('passes no line where the sink does not', () => {
    assert.equal(sinkUntil({ ...sink, pass: undefined }, new AbortController().signal).pass, undefined);
  });
});
