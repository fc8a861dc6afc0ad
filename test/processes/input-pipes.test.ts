import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { known } from '../../src/sandbox/dataset/known.js';
import { home, program, relctl, type Run } from '../support/relctl.js';
import { needs, skip } from '../support/skip.js';

const relationId = known.firstRelationId;

/** Commands that read a file which somebody named, by the name of a pipe. */
const readers: Readonly<Record<string, (pipe: string) => readonly string[]>> = {
  '--ids': (pipe) => ['relation', 'get', '--ids', pipe],
  '--input': (pipe) => ['call', 'NotificationGetCount', '--input', pipe],
  '--file': (pipe) => ['product', 'update', '--file', pipe, '--yes'],
  'notification count --ids': (pipe) => ['notification', 'count', '--ids', pipe],
  '--ca-file': (pipe) => ['mark', 'list', '--set', `caFile=${pipe}`],
  'sql --file': (pipe) => ['sql', '--file', pipe],
  'activity attach': (pipe) => ['activity', 'attach', relationId, pipe, '--name', 'a.txt', '--yes'],
  'export run': (pipe) => ['export', 'run', pipe],
};

describe('A pipe with a name as an input', () => {
  const place = home();
  const env = { ...place.env, RELCTL_PROFILE: 'sandbox' };
  let count = 0;
  before(function () {
    needs(this, 'mkfifo');
    if (process.platform !== 'linux') skip(this, 'what a process has open is told by Linux');
  });
  after(() => place.remove());

  function pipe(): string {
    const path = join(realpathSync(place.folder), `pipe-${(count += 1)}`);
    execFileSync('mkfifo', ['-m', '600', path]);
    return path;
  }

  /** The program once it has the pipe open; one that waits in the system for a writer has not. */
  async function waiting(args: readonly string[], path: string): Promise<{ pid: number; ended: Promise<Run> }> {
    const child = spawn(process.execPath, [program, ...args], { env, timeout: 60_000, killSignal: 'SIGKILL' });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Run>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    const folder = `/proc/${child.pid ?? 0}/fd`;
    const leadsThere = (fd: string): boolean => {
      try {
        return readlinkSync(join(folder, fd)) === path;
      } catch {
        return false;
      }
    };
    const isOpen = (): boolean => {
      try {
        return readdirSync(folder).some(leadsThere);
      } catch {
        return false;
      }
    };
    while (!isOpen()) {
      if (child.exitCode !== null || child.signalCode !== null) assert.fail(`it did not open ${path}: ${stderr}`);
      await wait(5);
    }
    return { pid: child.pid ?? 0, ended };
  }

  for (const [title, line] of Object.entries(readers))
    for (const signal of title === '--ids' ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))
      it(`of ${title} is let go of at ${signal} while nobody writes it`, async () => {
        const path = pipe();
        const { pid, ended } = await waiting(line(path), path);
        process.kill(pid, signal);
        const run = await ended;
        const words = signal === 'SIGINT' ? 'interrupted by Ctrl-C' : 'ended by SIGTERM';
        assert.deepEqual([run.code, run.signal, run.stdout], [null, signal, '']);
        assert.equal(run.stderr.split('\n')[0], `Error: ${words}`);
      });

  it('gives what a writer writes that comes later, as a file does', async () => {
    const ids = await relctl(['relation', 'list', '-o', 'csv', '--columns', 'Id'], { env });
    const file = join(place.folder, 'ids.csv');
    writeFileSync(file, ids.stdout);
    const asked = ['relation', 'get', '-o', 'csv', '--columns', 'Id', '--ids'];
    const path = pipe();
    const { ended } = await waiting([...asked, path], path);
    // In two parts, with time for the first to be read.
    const late = '(head -c 300 "$1"; sleep 0.3; tail -c +301 "$1") > "$2"';
    execFileSync('sh', ['-c', late, '-', file, path]);
    const [fromPipe, fromFile] = [await ended, await relctl([...asked, file], { env })];
    assert.equal(fromFile.stdout, ids.stdout);
    // What a slow machine has noted on stderr is of no matter.
    assert.deepEqual([fromPipe.code, fromPipe.stdout], [0, fromFile.stdout], fromPipe.stderr);
  });

  it('gives rows as a file does, each once', async () => {
    const rows = join(place.folder, 'rows.csv');
    const lines = Array.from({ length: 3000 }, (_, at) => `00001,${at}.50,"${'n'.repeat(40)}"`);
    writeFileSync(rows, `code,salesPrice,description\n${lines.join('\n')}\n`);
    const checking = ['product', 'update', '--dry-run', '-o', 'json', '--file'];
    const fromFile = await relctl([...checking, rows], { env });
    const shown = (text: string, path: string): string => text.replaceAll(path, 'FILE');
    const path = pipe();
    const { ended } = await waiting([...checking, path], path);
    execFileSync('sh', ['-c', 'cat "$1" > "$2"', '-', rows, path]);
    const fromPipe = await ended;
    assert.deepEqual(
      [fromPipe.code, shown(fromPipe.stdout, path), shown(fromPipe.stderr, path)],
      [fromFile.code, shown(fromFile.stdout, rows), shown(fromFile.stderr, rows)],
    );
  });

  it('may be one that a shell makes, also one whose writer has gone or said nothing', function () {
    needs(this, 'bash');
    for (const [command, printed] of [
      [`echo ${relationId}`, `Id\n${relationId}\n`],
      [`sleep 0.5; echo ${relationId}`, `Id\n${relationId}\n`],
      ['true', 'Id\n'],
    ] as const) {
      const line = `"$@" --ids <(${command})`;
      const words = [process.execPath, program, 'relation', 'get', '-o', 'csv', '--columns', 'Id'];
      const run = spawnSync('bash', ['-c', line, '-', ...words], { env, encoding: 'utf8', timeout: 60_000 });
      assert.equal(run.stdout, printed, run.stderr);
    }
  });

  it('is refused where a file is read more than once, or is to be a database, without waiting', () => {
    for (const [args, code, words] of [
      [
        ['export', 'diff', 'PIPE', 'PIPE', '--input-format', 'csv'],
        2,
        /is a pipe, but relctl reads each file of a comparison more/,
      ],
      [['sql', 'SELECT 1', '--mirror', 'PIPE'], 5, /there is no mirror in/],
    ] as const) {
      const path = pipe();
      const line = args.map((word) => (word === 'PIPE' ? path : word));
      const run = spawnSync(process.execPath, [program, ...line], {
        ...{ env, encoding: 'utf8' },
        ...{ timeout: 60_000, killSignal: 'SIGKILL' },
      });
      assert.deepEqual([run.status, run.signal], [code, null], run.stderr);
      assert.match(run.stderr, words);
    }
  });
});
