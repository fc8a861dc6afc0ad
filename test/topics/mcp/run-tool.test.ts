import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { createStop } from '../../../src/topics/mcp/run-tool.js';

const minute = 60_000;
const codeOf = ({ reason }: AbortSignal): unknown => (reason instanceof RelctlError ? reason.reportedCode : reason);

describe('What stops the call of a tool', () => {
  it('is a client that cancels, whatever its reason is', () => {
    const client = new AbortController();
    const stop = createStop([client.signal], minute);
    assert.equal(stop.signal.aborted, false);
    client.abort('no more');
    assert.equal(codeOf(stop.signal), 'cancelled');
  });

  it('is a signal that was aborted before, with its reason', () => {
    const reason = new RelctlError('interrupted', 'ended by SIGTERM', { facts: { foreignCode: 'SIGTERM' } });
    const stop = createStop([AbortSignal.abort(reason)], minute);
    assert.equal(stop.signal.reason, reason);
  });

  it('waits until the outcome of a write is known', async () => {
    const client = new AbortController();
    const stop = createStop([client.signal], minute);
    let finish = (): void => undefined;
    const write = stop.guardWrite(() => new Promise<string>((resolve) => (finish = () => resolve('done'))));
    client.abort();
    assert.equal(stop.signal.aborted, false);
    finish();
    assert.equal(await write, 'done');
    assert.equal(codeOf(stop.signal), 'cancelled');
  });

  it('waits for a write that fails, too', async () => {
    const client = new AbortController();
    const stop = createStop([client.signal], minute);
    let fail = (): void => undefined;
    const write = stop.guardWrite(() => new Promise<never>((_, reject) => (fail = () => reject(new Error('lost')))));
    client.abort();
    fail();
    await assert.rejects(write, /lost/);
    assert.equal(stop.signal.aborted, true);
  });
});
