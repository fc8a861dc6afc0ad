import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { createStop } from '../../../src/topics/mcp/run-tool.js';

const minute = 60_000;
const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
const codeOf = ({ reason }: AbortSignal): unknown => (reason instanceof RelctlError ? reason.reportedCode : reason);

describe('What stops the call of a tool', () => {
  const stops: ReturnType<typeof createStop>[] = [];
  const stopBy = (signal: AbortSignal): ReturnType<typeof createStop> => {
    const stop = createStop([signal], minute);
    stops.push(stop);
    return stop;
  };
  afterEach(() => {
    for (const stop of stops.splice(0)) stop.end();
  });

  it('is its deadline, which ends with the call, as do its signals', () => {
    const before = timers();
    const client = new AbortController();
    const stop = stopBy(client.signal);
    assert.equal(timers(), before + 1);
    stop.end();
    client.abort();
    assert.deepEqual([timers(), stop.signal.aborted], [before, false]);
  });

  it('is a client that cancels, whatever its reason is', () => {
    const client = new AbortController();
    const stop = stopBy(client.signal);
    assert.equal(stop.signal.aborted, false);
    client.abort('no more');
    assert.equal(codeOf(stop.signal), 'cancelled');
  });

  it('is a signal that was aborted before, with its reason', () => {
    const reason = new RelctlError('interrupted', 'ended by SIGTERM', { facts: { foreignCode: 'SIGTERM' } });
    const stop = stopBy(AbortSignal.abort(reason));
    assert.equal(stop.signal.reason, reason);
  });

  it('waits until the outcome of a write is known', async () => {
    const client = new AbortController();
    const stop = stopBy(client.signal);
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
    const stop = stopBy(client.signal);
    let fail = (): void => undefined;
    const write = stop.guardWrite(() => new Promise<never>((_, reject) => (fail = () => reject(new Error('lost')))));
    client.abort();
    fail();
    await assert.rejects(write, /lost/);
    assert.equal(stop.signal.aborted, true);
  });
});
