import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { takeLock, withLock } from '../../src/files/lock.js';
import { assertFailure, child, endOf, failureOf, place } from '../profiles/place.js';

interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

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
    assert.ok(error.hint?.includes(`remove ${file}`));
    holder.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    assert.equal(await withLock(file, () => Promise.resolve('taken over'), impatient), 'taken over');
  });

  it('takes over from a process of before the last start of the machine', async () => {
    here.put('lock', JSON.stringify({ ...(await ownLock()), boot: 'another' }));
    assert.equal(await withLock(file, () => Promise.resolve(1), impatient), 1);
  });

  it('takes over when the holder’s number was given to another process', async function () {
    const own = await ownLock();
    if (own.started === '') this.skip();
    here.put('lock', JSON.stringify({ ...own, started: '1' }));
    assert.equal(await withLock(file, () => Promise.resolve(1), impatient), 1);
  });

  /** The lock under which the lock of a holder that ended is removed. */
  const graveOf = (name: string, held: string): string =>
    `${name}.${createHash('sha256').update(held).digest('hex').slice(0, 16)}`;

  it('takes over at once, also when one process after the other was killed while it took over', async () => {
    const own = await ownLock();
    const [first, second, third] = ['one', 'two', 'three'].map((boot) => JSON.stringify({ ...own, boot }));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    here.put('lock', first);
    here.put(graveOf('lock', first), second);
    here.put(graveOf(graveOf('lock', first), second), third);
    assert.equal(await withLock(file, () => Promise.resolve(1), { patienceMs: 0 }), 1);
  });

  it('leaves it to a living process that is taking over', async () => {
    const own = await ownLock();
    const dead = JSON.stringify({ ...own, boot: 'another' });
    here.put('lock', dead);
    here.put(graveOf('lock', dead), JSON.stringify(own));
    const error = await failureOf(() => withLock(file, () => assert.fail('two take over'), { patienceMs: 0 }));
    assertFailure(error, { kind: 'locked', says: /locked by process/ });
    rmSync(file);
    rmSync(here.at(graveOf('lock', dead)));
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

  it('does not let go of a lock that was taken away by hand, and taken by another since', async () => {
    const release = await takeLock(file);
    const theirs = JSON.stringify({ host: hostname(), pid: 1, started: '1', boot: 'another' });
    here.put('lock', theirs);
    release();
    assert.equal(readFileSync(file, 'utf8'), theirs);
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
