import assert from 'node:assert/strict';
import { maskedSink, type Sink } from '../../src/formats/streams.js';

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
