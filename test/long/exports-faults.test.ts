import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, inLanes, started } from '../support/export-lane.js';
import { ends, home, type Run } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { skip } from '../support/skip.js';
import { callsIn, failing, recording, whyNoTracer, type TracedCall } from '../support/tracer.js';

const old = 'what was there before\n';

interface Target {
  readonly folder: string;
  readonly file: string;
  readonly paths: readonly string[];
}

describe('A system call that fails in an export', function () {
  const place = home();
  const reason = whyNoTracer();
  let service: RunningSandbox | undefined;
  let calls: readonly TracedCall[] = [];
  let wanted: string | undefined;
  let before_: string | undefined;
  let made = 0;

  const target = (): Target => {
    made += 1;
    const folder = join(place.folder, `target-${made}`);
    const file = join(folder, 'list.csv');
    mkdirSync(folder);
    writeFileSync(file, old, { mode: 0o600 });
    const beside = ['.part', '.journal', '.lock', '.meta.json'].map((ending) => file + ending);
    return { folder, file, paths: [folder, file, ...beside] };
  };
  const run = (
    { file }: Target,
    { under = [], more = [] }: { readonly under?: readonly string[]; readonly more?: readonly string[] } = {},
  ): Promise<Run> => {
    const what = ['relation', 'list', '-p', 'sandbox', '-o', 'csv', '--page-size', '150', '--columns', 'Id'];
    return started([...what, '--output-file', file, '--force', ...more], { env: place.env, under }).ended;
  };

  before(async function () {
    if (reason !== undefined) skip(this, reason);
    service = await sandbox(place.env);
    const there = target();
    before_ = hashOf(there.file);
    const log = join(place.folder, 'calls');
    await ends(run(there, { under: recording(there.paths, log) }), 0, '');
    wanted = hashOf(there.file);
    calls = callsIn(readFileSync(log, 'utf8'));
  });
  after(async () => {
    await service?.stop();
    place.remove();
  });

  /** What only comes behind the new file's taking its place. */
  const isBehind = (call: TracedCall): boolean => {
    const renamed = calls.findIndex(({ name }) => name.startsWith('rename'));
    return calls.findIndex(({ text, number }) => text === call.text && number === call.number) > renamed;
  };

  async function checkFailure(call: TracedCall, error: string): Promise<void> {
    const there = target();
    const failed = await run(there, { under: failing(there.paths, call, `error=${error}`) });
    const title = `${error} from ${call.text}: ${failed.stderr}`;
    // The lock of a run that has ended is in nobody's way, and neither is what a run left that was killed with one.
    const isLockLeft = call.text.includes('.lock"') && isBehind(call);
    const isSweep = call.text.includes('O_DIRECTORY');
    assert.ok(failed.code === 10 || (failed.code === 0 && (isLockLeft || isSweep)), `${failed.code} ${title}`);
    assert.equal(failed.stdout, '', title);
    // A slow machine syncs more often, so that the n-th call of a name, which no path tells from others, may be another one.
    const isNamed = call.text.includes('"');
    const isNew = isNamed ? failed.code === 0 || isBehind(call) : hashOf(there.file) === wanted;
    if (failed.code === 0) assert.ok(isNew, title);
    assert.equal(hashOf(there.file), isNew ? wanted : before_, title);
    const more = /^ {2}Try: relctl .* --resume$/m.test(failed.stderr) ? ['--resume'] : [];
    await ends(run(there, { more }), 0, '');
    assert.equal(hashOf(there.file), wanted, `after ${title}`);
    assert.deepEqual(readdirSync(there.folder), ['list.csv'], `after ${title}`);
  }

  const checkAll = async (error: string, isMeant: (call: TracedCall) => boolean): Promise<void> => {
    const meant = calls.filter(isMeant);
    assert.ok(meant.length > 0, 'no call to fail');
    await inLanes(3, meant, (call) => checkFailure(call, error));
  };

  it('is there to be tried: the export opens, writes, syncs, cuts, links, renames and removes', () => {
    const names = new Set(calls.map(({ name }) => name));
    for (const name of ['openat', 'pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'link', 'rename', 'unlink']) {
      assert.ok(names.has(name), `${name} is not among ${[...names].join(', ')}`);
    }
  });

  it('for want of space, at each of them, is exit 10; the old file stays, and the next run puts it right', async () => {
    await checkAll('ENOSPC', () => true);
  });

  it('because the disk fails, where something is written, is so too', async () => {
    await checkAll('EIO', ({ name }) => ['pwrite64', 'fsync', 'fdatasync'].includes(name));
  });

  for (const [error, name] of [
    ['EROFS', 'openat'],
    ['EMFILE', 'openat'],
    ['EXDEV', 'rename'],
  ] as const) {
    it(`is so too as ${error} from ${name}`, async () => {
      await checkAll(error, (call) => call.name === name);
    });
  }

  it('that is the last before kill -9, at each of them, leaves the old file or the new one, and the next run is right', async () => {
    await inLanes(3, calls, async (call) => {
      const there = target();
      const killed = await run(there, { under: failing(there.paths, call, 'signal=SIGKILL') });
      const title = `killed at ${call.text}`;
      assert.ok(killed.signal === 'SIGKILL' || killed.code === 137, title);
      assert.ok([before_, wanted].includes(hashOf(there.file)), title);
      await ends(run(there, { more: ['--resume'] }), 0, '');
      assert.equal(hashOf(there.file), wanted, `after ${title}`);
      assert.deepEqual(readdirSync(there.folder), ['list.csv'], `after ${title}`);
    });
  });

  it('behind the rename makes no export out of one that was finished: without --force the next run is right too', async () => {
    const removal = calls.find(({ name, text }) => name === 'unlink' && text.includes('.journal"'));
    assert.ok(removal !== undefined);
    const there = target();
    const killed = await run(there, { under: failing(there.paths, removal, 'signal=SIGKILL') });
    assert.ok(killed.signal === 'SIGKILL' || killed.code === 137);
    assert.ok(existsSync(`${there.file}.journal`) || !existsSync(`${there.file}.part`));
    const args = ['relation', 'list', '-p', 'sandbox', '-o', 'csv', '--page-size', '150', '--columns', 'Id'];
    await ends(started([...args, '--output-file', there.file], { env: place.env }).ended, 0, '');
    assert.equal(hashOf(there.file), wanted);
  });
});
