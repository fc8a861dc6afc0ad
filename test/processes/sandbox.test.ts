import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, program, relctl } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';

describe('The profile sandbox', () => {
  it('serves twenty commands at once on a machine without any set-up, and one after a kill -9', async function () {
    const place = home();
    try {
      const runs = await Promise.all(
        Array.from({ length: 20 }, () =>
          relctl(['relation', 'list', '-p', 'sandbox', '-o', 'csv'], { env: place.env }),
        ),
      );
      assert.deepEqual([...new Set(runs.map((run) => `${String(run.code)} ${run.stderr}`))], ['0 ']);
      assert.equal(new Set(runs.map((run) => run.stdout)).size, 1);
      const child = spawn(process.execPath, [program, 'relation', 'list', '-p', 'sandbox', '--page-size', '1'], {
        env: place.env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      child.stdout.once('data', () => child.kill('SIGKILL'));
      await new Promise((resolve) => child.on('close', resolve));
      const after = await relctl(['relation', 'list', '-p', 'sandbox', '-o', 'csv'], { env: place.env });
      assert.deepEqual([after.code, after.stdout], [0, runs[0]?.stdout]);
    } finally {
      place.remove();
    }
  });
});

describe('sandbox start', () => {
  const place = home();
  const { env } = place;
  let running: RunningSandbox;
  before(async function () {
    running = await sandbox(env);
    await ends(relctl(running.profileAdd, { env, input: running.secrets }), 0, '', '');
  });
  after(async () => {
    if (running.child.exitCode === null) await running.stop('SIGKILL');
    place.remove();
  });

  const commands: readonly (readonly string[])[] = [
    ['relation', 'list'],
    ['relation', 'list', '--include-fields', '--include-counters'],
    ['relation', 'get', '00000000-0000-4000-8000-000000000101', '--include-fields'],
    ['relationship', 'list'],
    ['notification', 'count'],
  ];
  for (const command of commands) {
    it(`gives the same bytes in SOAP 1.1, in SOAP 1.2 and through the built-in profile: ${command.join(' ')}`, async () => {
      const runs = await Promise.all(
        [
          ['--set', 'soapVersion=1.1'],
          ['--set', 'soapVersion=1.2'],
          ['--profile', 'sandbox'],
        ].map((flags) => relctl([...command, ...flags, '-o', 'json'], { env })),
      );
      assert.deepEqual(
        runs.map((run) => [run.code, run.stderr]),
        [
          [0, ''],
          [0, ''],
          [0, ''],
        ],
      );
      assert.equal(new Set(runs.map((run) => run.stdout)).size, 1);
      assert.ok((runs[0]?.stdout.length ?? 0) > 20);
    });
  }

  it('is joined by commands with the built-in profile', async () => {
    const run = await relctl(['profile', 'test', 'sandbox', '-o', 'json'], { env });
    assert.match(run.stdout, new RegExp(running.url));
  });

  it('refuses to start a second time, and says where the first one is', async () => {
    await ends(relctl(['sandbox', 'start', '--port', '0'], { env }), 11, new RegExp(running.url));
  });

  it('says which port is taken', async () => {
    const port = new URL(running.url).port;
    const database = join(place.folder, 'other.db');
    await ends(relctl(['sandbox', 'start', '--port', port, '--db', database], { env }), 10, new RegExp(port));
  });

  for (const [flag, value] of [
    ['--port', '70000'],
    ['--relations', '2'],
    ['--seed', 'x'],
  ] as const) {
    it(`refuses ${flag} ${value} before anything starts`, async () => {
      await ends(relctl(['sandbox', 'start', flag, value], { env }), 2, new RegExp(flag));
    });
  }

  it('stops cleanly on Ctrl-C: exit code 0, nothing left behind but the data', async () => {
    const folder = join(place.folder, 'state/relctl/sandbox');
    assert.ok(existsSync(join(folder, 'sandbox.db.running.json')) && existsSync(join(folder, 'sandbox.db.lock')));
    assert.equal(await running.stop('SIGINT'), 0);
    assert.deepEqual(
      readdirSync(folder).filter((name) => !/^sandbox\.db(-wal|-shm)?$/.test(name)),
      [],
    );
    await ends(relctl(['relation', 'list', '--set', 'retries=0', '-o', 'json'], { env }), 6);
  });

  it('makes a data set of the size asked for', async function () {
    const database = join(place.folder, 'large.db');
    const other = await sandbox(env, ['--relations', '1234', '--seed', '7', '--db', database]);
    try {
      assert.match(other.output(), /1234 relations/);
    } finally {
      assert.equal(await other.stop('SIGTERM'), 0);
    }
  });
});
