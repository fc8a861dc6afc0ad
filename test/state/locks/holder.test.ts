import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fateOf, fateOfTag, isAlive, ownTag, thisProcess, type Holder } from '../../../src/state/locks/holder.js';
import { skip } from '../../support/skip.js';

/** The number of a process that has ended. */
const ended = (): number => spawnSync('true').pid;

describe('The holder of a file', () => {
  const bootedMs = Date.parse('2026-01-31T06:00:00Z');
  const [before, since] = [bootedMs - 60_000, bootedMs + 60_000];
  const own: Holder = { ...thisProcess(), boot: 'this boot', namespace: 'pid:[4026531836]', machine: 'm1' };
  const container: Holder = { ...own, namespace: 'pid:[4026532111]', machine: '' };
  const fate = (holder: Holder, writtenMs = since, by = own): string =>
    fateOf(holder, writtenMs, { own: by, bootMs: () => bootedMs });

  it('is this process, and lives', () => {
    assert.equal(fateOf(thisProcess(), Date.now()), 'living');
    assert.equal(fateOfTag(ownTag(), Date.now()), 'living');
  });

  it('has ended when its number is nobody’s, or another process’s by now', function () {
    assert.equal(fate({ ...own, pid: ended() }), 'ended');
    assert.equal(fateOfTag(ownTag().replace(/^\d+/, String(ended())), Date.now()), 'ended');
    if (own.started === '') skip(this, 'the start of a process is not known here');
    assert.equal(fate({ ...own, started: '1' }), 'ended');
  });

  it('has ended when only its parent has not asked how', async function () {
    if (own.started === '') skip(this, 'the start of a process is not known here');
    // What takes the place of the shell asks for no child, and the child lives until it is there: a shell would ask.
    const child = 'while [ "$(cat /proc/$$/comm)" != sleep ]; do sleep 0.02; done';
    const parent = spawn('sh', ['-c', `{ ${child}; } & echo $!; exec sleep 60`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [text] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(text.toString());
      while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await wait(5);
      assert.equal(isAlive(pid), false);
      assert.equal(fate({ ...own, pid }), 'ended');
      assert.equal(isAlive(parent.pid ?? 0), true);
    } finally {
      parent.kill();
    }
  });

  it('is out of sight in another container of this machine, whatever its number is here', () => {
    for (const pid of [own.pid, ended()]) {
      assert.equal(fate({ ...container, pid }), 'out-of-sight');
      assert.equal(fate({ ...own, pid }, since, container), 'out-of-sight');
      assert.equal(fate({ ...container, pid }, since, { ...container, namespace: 'pid:[4026532222]' }), 'out-of-sight');
    }
  });

  it('is out of sight on another machine, also one of the same name or with the same machine id', () => {
    const gone = { ...own, pid: ended() };
    assert.equal(fate({ ...gone, host: 'elsewhere' }, before), 'out-of-sight');
    assert.equal(fate({ ...gone, host: 'elsewhere', boot: 'another' }, before), 'out-of-sight');
    assert.equal(fate({ ...gone, boot: 'another', machine: 'm2' }, before), 'out-of-sight');
    // A copy of our disk that wrote while we were up.
    assert.equal(fate({ ...gone, boot: 'another' }, since), 'out-of-sight');
  });

  it('has ended when it is of an earlier start of this machine', () => {
    assert.equal(fate({ ...own, boot: 'another' }, before), 'ended');
  });

  it('is out of sight when the machine has no id, or a container has that of its image', () => {
    const [none, unknown] = [{ ...own, machine: '' }, () => Number.NaN];
    assert.equal(fate({ ...none, boot: 'another' }, before, none), 'out-of-sight');
    assert.equal(fate({ ...container, boot: 'another' }, before, container), 'out-of-sight');
    assert.equal(fateOf({ ...own, boot: 'another' }, before, { own, bootMs: unknown }), 'out-of-sight');
    if (thisProcess().namespace !== 'pid:[4026531836]') assert.equal(thisProcess().machine, '');
  });

  it('goes by host name and number where the system tells nothing else', function () {
    const plain: Holder = { ...own, boot: '', namespace: '', machine: '', started: '' };
    // On Linux that is a container without /proc, and could be any.
    const isLinux = process.platform === 'linux';
    assert.equal(fate({ ...plain, pid: ended() }, since, plain), isLinux ? 'out-of-sight' : 'ended');
    assert.equal(fate(plain, since, plain), isLinux ? 'out-of-sight' : 'living');
  });
});
