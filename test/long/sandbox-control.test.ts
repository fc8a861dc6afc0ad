import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { thisProcess } from '../../src/state/locks/holder.js';
import { openSandbox } from '../../src/sandbox/sandbox.js';
import { ends, home, program, relctl, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { needs, skip } from '../support/skip.js';
import { openTerminal } from '../support/terminal.js';

interface Status {
  readonly Running: boolean;
  readonly Url: string | null;
  readonly ProcessId: number | null;
  readonly Database: string;
}

describe('Controlling the sandbox', function () {
  const place = home();
  const run = (...args: string[]): Promise<Run> => relctl(args, { env: place.env });
  const statuses = async (): Promise<readonly Status[]> =>
    JSON.parse((await run('sandbox', 'status', '-o', 'json')).stdout) as readonly Status[];
  const status = async (): Promise<Status | undefined> => (await statuses())[0];
  after(async () => {
    await run('sandbox', 'stop');
    place.remove();
  });

  it('says with exit code 5 that none runs', async () => {
    const none = await ends(run('sandbox', 'status'), 5);
    assert.match(none.stdout, /Running.*\nfalse/);
    assert.equal((await run('sandbox', 'stop')).code, 5);
  });

  it('leaves one running in the background, joins it, and stops it', async () => {
    const started = await ends(run('sandbox', 'start', '--detach', '--port', '0', '--relations', '40'), 0, '');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(started.stdout)?.[0] ?? '';
    assert.deepEqual([(await status())?.Running, (await status())?.Url], [true, url]);
    const listed = await run('relation', 'list', '-p', 'sandbox', '-o', 'ndjson');
    assert.equal(listed.stdout.trim().split('\n').length, 40);
    await ends(run('sandbox', 'reset'), 11, /relctl sandbox stop/);
    assert.deepEqual((await run('sandbox', 'stop')).code, 0);
    assert.equal((await status())?.Running, false);
  });

  it('finds one that answers nobody', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux tells when a process started');
    assert.equal((await run('sandbox', 'start', '--detach', '--port', '0')).code, 0);
    const { ProcessId } = (await status()) ?? {};
    assert.ok(ProcessId);
    process.kill(ProcessId, 'SIGSTOP');
    assert.deepEqual([(await status())?.Running, (await status())?.ProcessId], [true, ProcessId]);
    process.kill(ProcessId, 'SIGCONT');
    assert.equal((await run('sandbox', 'stop')).code, 0);
  });

  it('says why one did not start', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const refused = await run('sandbox', 'start', '--detach', '--port', String(port));
    taken.close();
    assert.equal(refused.code, 10);
    const why = `the sandbox did not start: The sandbox cannot listen on 127.0.0.1:${port}`;
    assert.ok(refused.stderr.startsWith(`Error: ${why}`), refused.stderr);
    const line = (...words: string[]): string => `Try: relctl sandbox start ${words.join(' ')}\n`;
    assert.ok(refused.stderr.endsWith(`another port; 0 chooses a free one.\n  ${line('--port 0', '--detach')}`));
    await ends(run('sandbox', 'start', '--detach', '--port', '70000'), 2);
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

  it('uses a database that is there as it is, whatever number of relations is asked for', async () => {
    const file = join(place.folder, 'kept.db');
    for (const relations of ['4', '9']) {
      const started = await run('sandbox', 'start', '--detach', '--port=0', '--db', file, '--relations', relations);
      assert.match(started.stdout, /^The sandbox serves 4 relations /, started.stderr);
      const asked = `do not change: 4 relations, seed 1; to create them again: relctl sandbox reset --db ${file} --relations 9`;
      assert.equal(started.stderr.replaceAll('\n', ' ').includes(asked), relations === '9', started.stderr);
      assert.equal((await run('sandbox', 'stop', '--db', file)).code, 0);
    }
  });

  it('passes over what a killed one left', async () => {
    await ends(run('sandbox', 'start', '--detach', '--port', '0'), 0);
    process.kill(Number((await status())?.ProcessId), 'SIGKILL');
    await ends(run('relation', 'list', '-p', 'sandbox', '--limit', '1', '-q'), 0);
    assert.equal((await status())?.Running, false);
  });

  describe('on another database', () => {
    const start = async (file: string): Promise<string> => {
      const started = await run('sandbox', 'start', '--detach', '--port', '0', '--relations', '5', '--db', file);
      assert.equal(started.code, 0, started.stderr);
      assert.match(started.stdout, /relctl sandbox stop --db \S+ stops it\./);
      return /http:\/\/127\.0\.0\.1:\d+/.exec(started.stdout)?.[0] ?? '';
    };

    it('shows it and stops it, by its file or as the only one', async () => {
      const file = join(place.folder, 'other', 'mine.db');
      const url = await start(file);
      const [usual, other] = await statuses();
      assert.deepEqual([usual?.Running, other?.Running, other?.Url, other?.Database], [false, true, url, file]);
      assert.equal((await run('sandbox', 'status', '--db', file)).code, 0);
      const only = await run('sandbox', 'stop');
      const said = `Note: Done: stopped the sandbox at ${url}, on ${file}, the only one\n`;
      assert.deepEqual([only.code, only.stderr], [0, said]);
      assert.equal((await run('sandbox', 'status', '--db', file)).code, 5);
      await start(file);
      await ends(run('sandbox', 'stop', '--db', file), 0, '');
      assert.equal((await statuses()).length, 1);
      assert.deepEqual(
        readdirSync(join(place.folder, 'other')).filter((name) => !/^mine\.db(-wal|-shm)?$/.test(name)),
        [],
      );
    });

    it('refuses a second server and a reset, with the address of the first, also from another state folder', async () => {
      const file = join(place.folder, 'one.db');
      const url = await start(file);
      const elsewhere = { ...place.env, XDG_STATE_HOME: join(place.folder, 'another-state') };
      const second = ['sandbox', 'start', '--port', '0', '--db', file];
      for (const refused of [
        await run(...second),
        await run(...second, '--detach'),
        await relctl(second, { env: elsewhere }),
        await run('sandbox', 'reset', '--db', file, '--relations', '5'),
      ]) {
        assert.equal(refused.code, 11, refused.stderr);
        assert.ok(refused.stderr.includes(`, at ${url}, as process `), refused.stderr);
        assert.match(refused.stderr, /Try: relctl sandbox stop --db \S+one\.db/);
      }
      assert.equal((await run('sandbox', 'stop', '--db', file)).code, 0);
    });

    it('asks which one to stop when several run', async () => {
      const files = ['first.db', 'second.db'].map((name) => join(place.folder, name));
      for (const file of files) await start(file);
      const unclear = await ends(run('sandbox', 'stop'), 2);
      for (const file of files) assert.ok(unclear.stderr.includes(`relctl sandbox stop --db ${file}`), unclear.stderr);
      for (const file of files) assert.equal((await run('sandbox', 'stop', '--db', file)).code, 0);
    });
  });

  describe('making many data', () => {
    const file = join(place.folder, 'many', 'many.db');
    const folder = join(place.folder, 'many');
    const many = ['sandbox', 'reset', '--db', file, '--relations', '300000'];
    const listed = (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
    /** Starts the making, and waits until rows are written. */
    const making = async (args: readonly string[]): Promise<ReturnType<typeof spawn>> => {
      const child = spawn(process.execPath, [program, ...args], { env: place.env, stdio: 'ignore' });
      const isUnderWay = (): boolean =>
        listed().some((name) => {
          const work = join(folder, name);
          if (!name.startsWith('.relctl-sandbox-')) return false;
          return readdirSync(work).some((inner) => inner.startsWith('.relctl-sandbox-'));
        });
      while (!isUnderWay()) await new Promise((resolve) => setTimeout(resolve, 20));
      return child;
    };
    const ended = (child: ReturnType<typeof spawn>): Promise<NodeJS.Signals | number | null> =>
      new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));

    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      it(`ends at ${signal}, and leaves what was there and nothing else`, async () => {
        assert.equal((await run('sandbox', 'reset', '--db', file, '--relations', '5')).code, 0);
        const before = readFileSync(file);
        const child = await making(many);
        const end = ended(child);
        child.kill(signal);
        assert.equal(await end, signal);
        assert.ok(readFileSync(file).equals(before));
        assert.deepEqual(
          listed().filter((name) => !/^many\.db(-wal|-shm)?$/.test(name)),
          [],
        );
      });
    }

    it('of a start that is interrupted leaves no database', async () => {
      const child = await making(argv`sandbox start --port 0 --db ${join(folder, 'none.db')} ${many.slice(-2)}`);
      const end = ended(child);
      child.kill('SIGTERM');
      assert.equal(await end, 'SIGTERM');
      assert.ok(!listed().some((name) => name.startsWith('none.db') || name.startsWith('.relctl')));
    });

    it('of a start in the background that is interrupted leaves no process, no lock and no folder', async () => {
      const words = ['sandbox', 'start', '--detach', '--port', '0', '--db', join(folder, 'few.db')];
      const child = spawn(process.execPath, [program, ...words, '--relations', '1000'], {
        env: place.env,
        stdio: 'ignore',
      });
      const end = ended(child);
      while (!listed().some((name) => name.startsWith('.relctl')))
        await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGTERM');
      assert.equal(await end, 'SIGTERM');
      const left = listed().filter((name) => name.startsWith('.relctl') || /^few\.db\.(?:lock|running)/.test(name));
      assert.deepEqual(left, []);
    });

    it('that was killed leaves nothing behind the next start, which makes none', async () => {
      assert.equal((await run('sandbox', 'reset', '--db', file, '--relations', '5')).code, 0);
      const child = await making(many);
      const end = ended(child);
      child.kill('SIGKILL');
      await end;
      const next = spawn(process.execPath, [program, 'sandbox', 'start', '--port', '0', '--db', file], {
        env: place.env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const over = ended(next);
      await new Promise((resolve) => next.stdout.once('data', resolve));
      assert.deepEqual(
        listed().filter((name) => name.startsWith('.relctl-sandbox-')),
        [],
      );
      next.kill('SIGTERM');
      assert.equal(await over, 0);
    });

    it('ends with a run that was killed, whose folder the next one takes away', async () => {
      const child = await making(many);
      const end = ended(child);
      child.kill('SIGKILL');
      await end;
      assert.ok(listed().some((name) => name.startsWith('.relctl-sandbox-')));
      assert.equal((await run('sandbox', 'reset', '--db', file, '--relations', '5')).code, 0);
      assert.ok(!listed().some((name) => name.startsWith('.relctl-sandbox-') || name.endsWith('.lock')));
    });

    it('gives the data that a making in one process gives', async () => {
      const [one, two] = [join(folder, 'one.db'), join(folder, 'two.db')];
      assert.equal((await run('sandbox', 'reset', '--db', one, '--relations', '1200', '--seed', '3')).code, 0);
      (await openSandbox({ file: two, relations: 1200, seed: 3 })).close();
      assert.ok(readFileSync(one).equals(readFileSync(two)));
    });
  });

  it('asks in a terminal before data are lost, tells how far it is, and is not asked with --yes or in a script', async function () {
    needs(this, 'tmux');
    const file = join(place.folder, 'asked.db');
    const reset = [process.execPath, program, 'sandbox', 'reset', '--db', file];
    assert.equal((await run('sandbox', 'reset', '--db', file, '--relations', '5')).code, 0);
    const before = readFileSync(file);
    const refused = openTerminal([...reset, '--relations', '6'], place.env);
    try {
      await refused.until(/All that \S+asked\.db holds will be lost\. Continue\?/);
      refused.press('n');
      refused.press('Enter');
      await refused.until(/not confirmed; relctl did not change the data/);
      await refused.until(/Pane is dead \(status 2/);
    } finally {
      refused.close();
    }
    assert.ok(readFileSync(file).equals(before));
    const watched = openTerminal([...reset, '--relations', '60000'], place.env);
    try {
      await watched.until(/Continue\?/);
      watched.press('y');
      watched.press('Enter');
      await watched.until(/creating the data: \w+ \d+ of \d+ \(\d+ %(?:, [\dms]+ left)?\), \d+s/);
      watched.press('C-c');
      await watched.until(/interrupted by Ctrl-C/);
    } finally {
      watched.close();
    }
    assert.ok(readFileSync(file).equals(before));
    const agreed = openTerminal([...reset, '--yes', '--relations', '7'], place.env);
    try {
      await agreed.until(/Pane is dead \(status 0/);
      assert.doesNotMatch(agreed.shown(), /Go on/);
    } finally {
      agreed.close();
    }
    assert.ok(!readFileSync(file).equals(before));
  });

  it('takes no record of another process for a sandbox', async () => {
    const file = join(place.folder, 'stale.db');
    assert.equal((await run('sandbox', 'reset', '--db', file, '--relations', '3')).code, 0);
    const record = { pid: process.pid, baseUrl: 'http://127.0.0.1:9', namespace: 'urn:x' };
    writeFileSync(`${file}.running.json`, JSON.stringify(record));
    assert.equal((await run('sandbox', 'stop', '--db', file)).code, 5);
    assert.equal((await run('sandbox', 'status', '--db', file)).code, 5);
  });

  it('takes no process for a sandbox that has its number since it ended', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux tells when a process started');
    const file = join(place.folder, 'number.db');
    assert.equal((await run('sandbox', 'reset', '--db', file, '--relations', '3')).code, 0);
    let status = 200;
    const other = createHttpServer((_, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const record = { pid: process.pid, baseUrl: `http://127.0.0.1:${port}`, namespace: 'urn:x' };
    const codeWith = async (holder: object): Promise<number | null> => {
      writeFileSync(`${file}.running.json`, JSON.stringify({ ...record, ...holder }));
      return (await run('sandbox', 'status', '--db', file)).code;
    };
    assert.equal(await codeWith({ holder: { ...thisProcess(), started: '1' } }), 5);
    assert.equal(await codeWith({ holder: thisProcess() }), 0);
    status = 500;
    assert.equal(await codeWith({ holder: thisProcess() }), 0);
    assert.equal(await codeWith({}), 5);
    status = 200;
    // Of one that does not say when it started, the address is asked.
    assert.equal(await codeWith({}), 0);
    other.close();
    assert.equal(await codeWith({ holder: thisProcess() }), 5);
  });
});
