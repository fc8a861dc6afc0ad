import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { BoundedKeys } from '../../../src/kit/host/prompt.js';

/** What comes of chunks of keys, each given when the one before it was taken. */
async function typed(room: number, chunks: readonly (string | Buffer)[]): Promise<string> {
  const keys = new BoundedKeys(new PassThrough(), room);
  let text = '';
  keys.setEncoding('utf8').on('data', (part: string) => (text += part));
  for (const chunk of chunks) await new Promise((done) => keys.write(chunk, done));
  keys.end();
  await once(keys, 'end');
  return text;
}

describe('The keys of a prompt', () => {
  it('come as they are while there is room, in whatever parts their bytes come', async () => {
    const bytes = Buffer.from('zoë 😀');
    assert.equal(await typed(5, ['abcde']), 'abcde');
    assert.equal(
      await typed(
        7,
        [...bytes].map((byte) => Buffer.of(byte)),
      ),
      'zoë 😀',
    );
  });

  it('are cut where there is no room, between characters', async () => {
    assert.equal(await typed(5, ['abcdefgh']), 'abcde');
    assert.equal(await typed(5, ['abcd😀efgh']), 'abcd');
    assert.equal(await typed(0, ['a', 'b']), '');
  });

  it('come without room when they are no text: arrows, backspace, Enter', async () => {
    assert.equal(await typed(0, ['\u001b[A', '\u007f', '\r', '\u0015']), '\u001b[A\u007f\r\u0015');
  });

  it('come again after a key that removed what was typed, also when they come at once', async () => {
    const keys = new BoundedKeys(new PassThrough(), 3);
    let text = '';
    keys.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      keys.room = part === '\u0015' ? 3 : 0;
    });
    await new Promise((done) => keys.write(`${'a'.repeat(9)}\u001b[1;5Cb\u0015veen`, done));
    assert.equal(text, 'aaa\u001b[1;5C\u0015vee');
  });

  it('leave the prompt behind much text', async () => {
    assert.equal(await typed(2, [`${'a'.repeat(10_000)}\u0003`]), 'aa\u0003');
    assert.equal(await typed(2, [`${'a'.repeat(10_000)}\u0004`]), 'aa\u0004');
  });

  it('are let go of at the terminal when the prompt ends', async () => {
    const terminal = Object.assign(new PassThrough(), { modes: [] as boolean[], isRaw: true });
    const keys = new BoundedKeys(
      Object.assign(terminal, { setRawMode: (mode: boolean) => terminal.modes.push(mode) }),
      5,
    );
    const resumed = once(keys, 'resume');
    keys.resume();
    await resumed;
    keys.setRawMode(false);
    const paused = once(terminal, 'pause');
    keys.pause();
    await paused;
    assert.deepEqual(
      [keys.isRaw, terminal.modes, terminal.isPaused(), terminal.listenerCount('data')],
      [true, [false], true, 0],
    );
  });
});
