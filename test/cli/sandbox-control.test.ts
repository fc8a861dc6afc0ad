import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { home, relctl, type Run } from '../support/relctl.js';

describe('Controlling the sandbox', function () {
  this.timeout(30_000);
  const place = home();
  const run = (...args: string[]): Promise<Run> => relctl(args, { env: place.env });
  const status = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await run('sandbox', 'status', '-o', 'json')).stdout) as Record<string, unknown>;
  after(async () => {
    await run('sandbox', 'stop');
    place.remove();
  });

  it('says with exit code 5 that none runs', async () => {
    const none = await run('sandbox', 'status');
    assert.equal(none.code, 5);
    assert.match(none.stdout, /Running\s+false/);
    assert.equal((await run('sandbox', 'stop')).code, 5);
  });

  it('leaves one running in the background, joins it, and stops it', async () => {
    const started = await run('sandbox', 'start', '--detach', '--port', '0', '--relations', '40');
    assert.deepEqual([started.code, started.stderr], [0, '']);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(started.stdout)?.[0] ?? '';
    assert.deepEqual([(await status())['Running'], (await status())['Url']], [true, url]);
    const listed = await run('relation', 'list', '-p', 'sandbox', '-o', 'ndjson');
    assert.equal(listed.stdout.trim().split('\n').length, 40);
    const locked = await run('sandbox', 'reset');
    assert.equal(locked.code, 11);
    assert.match(locked.stderr, /relctl sandbox stop/);
    assert.deepEqual((await run('sandbox', 'stop')).code, 0);
    assert.equal((await status())['Running'], false);
  });

  it('says why one did not start', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const refused = await run('sandbox', 'start', '--detach', '--port', String(port));
    taken.close();
    assert.equal(refused.code, 10);
    assert.match(refused.stderr, new RegExp(`cannot listen on 127.0.0.1:${port}`));
    const wrong = await run('sandbox', 'start', '--detach', '--port', '70000');
    assert.equal(wrong.code, 2);
  });

  it('makes the data anew: what was written is gone, the same seed gives the same', async () => {
    const file = join(place.folder, 'state/relctl/sandbox/sandbox.db');
    assert.equal((await run('sandbox', 'reset', '--relations', '30', '--seed', '5')).code, 0);
    assert.ok(existsSync(file));
    const list = ['product', 'get', '00001', '-p', 'sandbox', '-o', 'json'];
    const before = await run(...list);
    assert.equal((await run('product', 'update', '00001', '--name', 'Changed', '--yes', '-p', 'sandbox')).code, 0);
    assert.match((await run(...list)).stdout, /Changed/);
    assert.equal((await run('sandbox', 'reset', '--relations', '30', '--seed', '5')).code, 0);
    assert.equal((await run(...list)).stdout, before.stdout);
    const other = join(place.folder, 'other.db');
    assert.equal((await run('sandbox', 'reset', '--db', other, '--relations', '5')).code, 0);
    assert.ok(existsSync(other));
    assert.equal((await run(...list)).stdout, before.stdout);
  });

  it('passes over what a killed one left', async () => {
    const started = await run('sandbox', 'start', '--detach', '--port', '0');
    assert.equal(started.code, 0);
    process.kill(Number((await status())['ProcessId']), 'SIGKILL');
    const listed = await run('relation', 'list', '-p', 'sandbox', '--limit', '1', '-q');
    assert.equal(listed.code, 0, listed.stderr);
    assert.equal((await status())['Running'], false);
  });
});
