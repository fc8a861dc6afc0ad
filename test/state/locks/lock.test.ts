import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Holder } from '../../../src/state/locks/holder.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { takeLock, withLock, type LockOptions } from '../../../src/state/locks/lock.js';
import { assertFailure, child, endOf, place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { skip } from '../../support/skip.js';
import { argv } from '../../support/argv.js';

/** The number of a process that has ended. */
const ended = (): number => spawnSync('true').pid;

const impatient = { patienceMs: 50 };
const holdsForEver = `await room.withLock(args[0], () => { process.stdout.write('held'); return new Promise((done) => setTimeout(done, 60_000)); });`;

describe('withLock', () => {
  const here = place();
  after(() => here.remove());
  const file = here.at('lock');

  /** What a lock of this process looks like. */
  const ownLock = (): Promise<Holder> =>
    withLock(file, () => Promise.resolve(JSON.parse(readFileSync(file, 'utf8')) as Holder));

  afterEach(() => assert.deepEqual(readdirSync(here.folder), [], 'nothing is left behind'));

  it('gives what the work gives, and leaves no file', async () => {
    assert.equal(await withLock(file, () => Promise.resolve(7)), 7);
  });

  it('lets go when the work fails', async () => {
    await assert.rejects(
      withLock(file, () => Promise.reject(new RangeError('no'))),
      RangeError,
    );
    assert.equal(await withLock(file, () => Promise.resolve(1), impatient), 1);
  });

  it('says who holds it', async () => {
    const { host, pid } = await ownLock();
    assert.deepEqual([host, pid], [hostname(), process.pid]);
  });

  it('lets one at a time in, in one process', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => withLock(file, work)));
    assert.deepEqual([inside, most], [0, 1]);
  });

  it('refuses after its patience while another process holds it, naming that; takes over once it was killed', async () => {
    const holder = child(holdsForEver, 'lock', file);
    const ended = endOf(holder);
    await new Promise((resolve) => holder.stdout?.once('data', resolve));
    const error = await failureOf(() => withLock(file, () => assert.fail('two hold it'), impatient));
    assertFailure(error, { kind: 'locked', says: new RegExp(`locked by process ${holder.pid} on `) });
    assert.deepEqual([error.exitCode, error.facts.path], [11, file]);
    assert.ok(error.advice?.includes(`remove the lock file ${file}`));
    holder.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    assert.equal(await withLock(file, () => Promise.resolve('taken over'), impatient), 'taken over');
  });

  it('takes over from a process of before the last start of the machine, where the machine is known', async () => {
    const own = await ownLock();
    here.put('lock', JSON.stringify({ ...own, boot: 'another' }));
    utimesSync(file, 1, 1);
    const outcome = await withLock(file, () => Promise.resolve('taken'), impatient).catch((thrown: unknown) =>
      RelctlError.from(thrown),
    );
    const kind = outcome instanceof RelctlError ? outcome.kind : outcome;
    assert.equal(kind, own.machine === '' ? 'locked' : 'taken');
    rmSync(file, { force: true });
  });

  it('never takes over from a machine of the same name, and says where to look', async () => {
    here.put('lock', JSON.stringify({ ...(await ownLock()), boot: 'another', machine: 'another', pid: ended() }));
    const error = await failureOf(() => withLock(file, () => assert.fail('two hold it'), impatient));
    assertFailure(error, { kind: 'locked', says: /of another machine called .*, or of an earlier start of this one/ });
    assert.match(
      error.advice ?? '',
      /Check whether relctl still runs on all machines .*\. If not, remove the lock file \//,
    );
    rmSync(file);
  });

  it('never takes over from another container, whose processes it cannot see, and says where to look', async () => {
    const own = await ownLock();
    for (const pid of [own.pid, ended()]) {
      here.put('lock', JSON.stringify({ ...own, namespace: 'pid:[1]', pid }));
      const error = await failureOf(() => withLock(file, () => assert.fail('two hold it'), impatient));
      assertFailure(error, { kind: 'locked', says: new RegExp(`by process ${pid} of another container on `) });
      assert.match(error.advice ?? '', /still runs in that container\. If not, remove the lock file \//);
    }
    rmSync(file);
  });

  it('takes away what processes left that were killed while they took it, and nothing else', async () => {
    const own = JSON.stringify(await ownLock());
    const left = ['lock.new.1', 'lock.new.12345-0123456789abcdef', 'lock.0123456789abcdef'];
    left.push('lock.0123456789abcdef.0123456789abcdef', 'lock.0123456789abcdef.new.1-0123456789abcdef');
    const others = argv`
      lock.0123456789abcde lock.0123456789abcdef.csv lock.new lock.new.1.txt lock.news.1 block.new.1 lock.new.x
    `;
    for (const name of [...left, ...others]) here.put(name, own);
    await withLock(file, () => Promise.resolve());
    assert.deepEqual(readdirSync(here.folder).sort(), [...others].sort());
    for (const name of others) rmSync(here.at(name));
  });

  it('takes over when the holder’s number was given to another process', async function () {
    const own = await ownLock();
    if (own.started === '') skip(this, 'the start of a process is not known here');
    here.put('lock', JSON.stringify({ ...own, started: '1' }));
    assert.equal(await withLock(file, () => Promise.resolve(1), impatient), 1);
  });

  /** The lock under which the lock of a holder that ended is removed. */
  const takeoverOf = (name: string, held: string): string =>
    `${name}.${createHash('sha256').update(held).digest('hex').slice(0, 16)}`;

  it('takes over at once, also when one process after the other was killed while it took over', async () => {
    const own = await ownLock();
    const [first, second, third] = [1, 2, 3].map(() => JSON.stringify({ ...own, pid: ended() }));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    here.put('lock', first);
    here.put(takeoverOf('lock', first), second);
    here.put(takeoverOf(takeoverOf('lock', first), second), third);
    assert.equal(await withLock(file, () => Promise.resolve(1), { patienceMs: 0 }), 1);
  });

  it('leaves it to a living process that is taking over', async () => {
    const own = await ownLock();
    const dead = JSON.stringify({ ...own, pid: ended() });
    here.put('lock', dead);
    here.put(takeoverOf('lock', dead), JSON.stringify(own));
    const error = await failureOf(() => withLock(file, () => assert.fail('two take over'), { patienceMs: 0 }));
    assertFailure(error, { kind: 'locked', says: /locked by process/ });
    rmSync(file);
    rmSync(here.at(takeoverOf('lock', dead)));
  });

  it('never takes over from another host, whose processes it cannot see', async () => {
    here.put('lock', JSON.stringify({ ...(await ownLock()), host: 'elsewhere', boot: 'another', pid: 5 }));
    const error = await failureOf(() => withLock(file, () => assert.fail('two hold it'), impatient));
    assertFailure(error, { kind: 'locked', says: /locked by process 5 on elsewhere/ });
    rmSync(file);
  });

  it('ends its wait with the reason of the signal that gives it up', async () => {
    const release = await takeLock(file);
    const signal = AbortSignal.abort(new RangeError('enough'));
    await assert.rejects(takeLock(file, { patienceMs: 60_000, signal }), RangeError);
    const controller = new AbortController();
    const waiting = takeLock(file, { patienceMs: 60_000, signal: controller.signal });
    controller.abort(new RangeError('enough'));
    await assert.rejects(waiting, RangeError);
    release();
  });

  it('waits for as long as it is told to, and takes it when it is free', async () => {
    const release = await takeLock(file);
    const waiting = takeLock(file, { patienceMs: 60_000 });
    release();
    (await waiting)();
  });

  it('has a wait shown, once, until the lock is free or its patience ends', async () => {
    const told: unknown[] = [];
    const onWait: LockOptions['onWait'] = (wait) => {
      told.push(wait);
      return () => told.push('over');
    };
    (await takeLock(file, { patienceMs: 60_000, onWait }))();
    const release = await takeLock(file);
    await failureOf(() => takeLock(file, { patienceMs: 0, onWait }));
    assert.deepEqual(told, [], 'nothing waited');
    const reason = `for process ${process.pid} on ${hostname()} (x.csv is locked)`;
    await failureOf(() => takeLock(file, { patienceMs: 100, what: 'x.csv is', onWait }));
    assert.deepEqual(told, [{ reason, ms: 100 }, 'over']);
    release();
  });

  it('waits without being told to for as long as the lock goes from hand to hand, and ten seconds for one holder', async () => {
    const own = await ownLock();
    const elsewhere = (pid: number): string => JSON.stringify({ ...own, host: 'elsewhere', pid });
    let looks = 0;
    /** A clock that six seconds go by on whenever it is looked at. */
    const lookedAt = (then: () => void): void => {
      looks = 0;
      Object.defineProperty(performance, 'now', {
        configurable: true,
        value: () => {
          looks += 1;
          then();
          return looks * 6000;
        },
      });
    };
    try {
      here.put('lock', elsewhere(1));
      lookedAt(() => (looks < 20 ? here.put('lock', elsewhere(looks + 1)) : rmSync(file, { force: true })));
      (await takeLock(file))();
      assert.ok(looks >= 20);
      here.put('lock', elsewhere(1));
      lookedAt(() => undefined);
      assertFailure(await failureOf(() => takeLock(file)), { kind: 'locked', says: /process 1 on elsewhere/ });
      assert.ok(looks < 6);
    } finally {
      Reflect.deleteProperty(performance, 'now');
      rmSync(file, { force: true });
    }
  });

  it('does not let go of a lock that was taken away by hand, and taken by another since', async () => {
    const release = await takeLock(file);
    const own = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    // Containers give the same numbers to their processes.
    for (const theirs of [
      { ...own, pid: 1 },
      { ...own, namespace: 'pid:[1]' },
    ].map((each) => JSON.stringify(each))) {
      here.put('lock', theirs);
      release();
      assert.equal(readFileSync(file, 'utf8'), theirs);
    }
    rmSync(file);
  });

  for (const content of ['', '{', 'null', '5', '{"pid":"5"}', '{"pid":1e400,"host":"a","started":"","boot":""}']) {
    it(`never takes over from a lock that it cannot read: ${JSON.stringify(content)}`, async () => {
      here.put('lock', content);
      const error = await failureOf(() => withLock(file, () => assert.fail('two hold it'), impatient));
      assertFailure(error, { kind: 'locked', says: /locked by an unknown process/ });
      rmSync(file);
    });
  }
});
