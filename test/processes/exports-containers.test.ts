import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, started, until, type Started } from '../support/export-lane.js';
import { ends, home, relctl, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { skip } from '../support/skip.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';

/** Words before a command that give it processes and a /proc of its own, as a container has; its end is theirs. */
const ways = [[], ['--map-root-user']].map((more) => argv`unshare --pid --fork --kill-child --mount-proc ${more}`);

/** The words, or why there are none. */
type Container = { readonly words: readonly string[] } | { readonly reason: string };

let known: Container | undefined;

function tried(): Container {
  let reason = '';
  for (const words of ways) {
    const { error, status, stderr } = spawnSync('unshare', [...words.slice(1), 'true'], { encoding: 'utf8' });
    if (status === 0) return { words };
    reason = error === undefined ? stderr.trim() : 'unshare is not installed';
  }
  return { reason: `no process can be given a pid namespace of its own: ${reason}` };
}

/** The words to put before a command for it to run like in a container of its own, or why that cannot be had. */
const container = (): Container => (known ??= tried());

describe('Two containers of one host name that export to one file', function () {
  const place = home();
  const within = container();
  const words = 'words' in within ? within.words : [];
  let service: RunningSandbox | undefined;
  let url = '';
  let wanted: string | undefined;
  const at = (name: string): string => join(place.folder, name);
  const exporting = (name: string, ...more: readonly string[]): string[] =>
    argv`relation list -p local --page-size 10 -o csv --output-file ${at(name)} ${more}`;
  const begin = (name: string, under: readonly string[], ...more: readonly string[]): Started =>
    started(exporting(name, ...more), { env: place.env, under });
  const run = (name: string, under: readonly string[], ...more: readonly string[]): Promise<Run> =>
    begin(name, under, ...more).ended;
  const fault = async (spec: string): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const told = await fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify({ spec }), headers });
    assert.equal(told.status, 201);
  };
  const free = async (): Promise<void> => {
    await fetch(`${url}/faults`, { method: 'DELETE' });
  };

  /** An export that has the lock and waits for its eighth page. */
  async function stuck(name: string): Promise<Started> {
    await fault('stall=head;page=8');
    // It gives the page up after some seconds and asks again, until it is sent.
    const env = { ...place.env, RELCTL_IDLE_TIMEOUT: '3', RELCTL_RETRIES: '20' };
    const begun = started(exporting(name), { env, under: words });
    const journal = `${at(name)}.journal`;
    const lines = (): number => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0);
    assert.ok(await until(begun, () => lines() >= 9), 'it ended by itself');
    return begun;
  }

  before(async () => {
    if ('reason' in within) return;
    service = await sandbox(place.env);
    url = service.url.replace(/\/V1.*$/, '');
    await ends(relctl(service.profileAdd, { env: place.env, input: `${service.secrets}\n` }), 0);
    assert.equal((await run('whole.csv', [])).code, 0);
    wanted = hashOf(at('whole.csv'));
  });
  after(async () => {
    await service?.stop();
    place.remove();
  });
  beforeEach(function () {
    if ('reason' in within) skip(this, within.reason);
  });
  afterEach(async () => {
    if (service !== undefined) await free();
  });

  for (const [title, second] of [
    ['of the machine itself', []],
    ['of another container', words],
  ] as const) {
    it(`leave each other alone: a run ${title} ends with 11, and the first with every row`, async () => {
      const name = `alive-${second.length}.csv`;
      const first = await stuck(name);
      const lock = readFileSync(`${at(name)}.lock`, 'utf8');
      const refused = await run(name, second, '--restart');
      assert.equal(refused.code, 11, refused.stderr);
      assert.match(refused.stderr, /is locked by process \d+ of another container on /);
      assert.match(
        refused.stderr,
        /Check whether relctl still runs in that container\. If not, remove the lock file \//,
      );
      assert.equal(readFileSync(`${at(name)}.lock`, 'utf8'), lock);
      await free();
      const done = await first.ended;
      assert.deepEqual([done.code, hashOf(at(name))], [0, wanted], done.stderr);
    });
  }

  it('leave the lock of one that was killed to whoever knows that it was', async () => {
    const first = await stuck('dead.csv');
    first.child.kill('SIGKILL');
    await first.ended;
    await free();
    assert.equal((await run('dead.csv', words, '--resume')).code, 11);
    assert.equal((await run('dead.csv', [], '--resume')).code, 11);
    rmSync(`${at('dead.csv')}.lock`);
    const next = await run('dead.csv', words, '--resume');
    assert.deepEqual([next.code, next.stderr, hashOf(at('dead.csv'))], [0, '', wanted]);
    assert.deepEqual(
      readdirSync(place.folder).filter((name) => name.startsWith('dead.csv')),
      ['dead.csv'],
    );
  });

  it('refuse a run in a container the lock of one outside', async () => {
    await fault('stall=head;page=8');
    const first = begin('outside.csv', []);
    assert.ok(await until(first, () => existsSync(`${at('outside.csv')}.lock`)));
    assert.equal((await run('outside.csv', words)).code, 11);
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
