import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTrace } from '../../../src/kit/calls/trace.js';
import type { Attempt } from '../../../src/client/call.js';
import type { Connection } from '../../../src/client/connection.js';
import { operations } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { Context } from '../../../src/kit/host/context.js';
import { ends, home, program, relctl, type Run } from '../../support/relctl.js';
import { skip } from '../../support/skip.js';

describe('A trace', () => {
  const place = home();
  const at = (name: string): string => join(place.folder, name);
  const traced = (target: string, ...args: readonly string[]): Promise<Run> =>
    relctl(['mark', 'list', '--profile', 'sandbox', '-o', 'json', `--trace=${target}`, ...args], { env: place.env });
  /** Redirections belong to a shell: streams with numbers of their own. */
  const inShell = (target: string, redirections: string): ReturnType<typeof spawnSync> =>
    spawnSync(
      'sh',
      [
        '-c',
        `exec "$0" "$1" mark list --profile sandbox -o json --trace="$2" ${redirections}`,
        process.execPath,
        program,
        target,
      ],
      {
        env: place.env,
        encoding: 'utf8',
      },
    );
  before(function () {
    if (process.platform === 'win32') skip(this, 'Windows has no such files');
  });
  after(() => place.remove());

  it('gets nothing more once the command has ended: the number of its handle is that of another file then', async () => {
    const closers: (() => unknown)[] = [];
    const context = {
      environment: { pathOf: (path: string) => path },
      onClose: (close: () => void) => closers.push(close),
    };
    const connection = { url: 'http://127.0.0.1:1/', namespace: 'urn:x', version: '1.2', credentials: {} };
    const tell = openTrace(context as unknown as Context, connection as unknown as Connection, {
      target: at('late'),
      secrets: [],
    });
    const error = new RelctlError('interrupted', 'the call was stopped');
    const attempt: Attempt = {
      operation: operations.MarkGetAll,
      input: {},
      number: 1,
      elapsedMs: 1,
      outcome: { kind: 'error', error },
    };
    await tell(attempt);
    const text = readFileSync(at('late'), 'utf8');
    assert.match(text, /interrupted/);
    for (const close of closers) close();
    const others = Array.from({ length: 8 }, (_, index) => openSync(at(`other-${index}`), 'w'));
    await tell(attempt);
    for (const other of others) closeSync(other);
    assert.deepEqual(others.map((_, index) => readFileSync(at(`other-${index}`), 'utf8')).join(''), '');
    assert.equal(readFileSync(at('late'), 'utf8'), text);
  });

  it('tells attempts on stderr one after the other, and no more of a long answer when the run is stopped', async () => {
    const connection = { url: 'http://127.0.0.1:1/', namespace: 'urn:x', version: '1.2', credentials: {} };
    const list = Array.from({ length: 2000 }, (_, at) => ({ Id: String(at), Name: 'x'.repeat(1000) }));
    const attempt = (number: number): Attempt => ({
      operation: operations.MarkGetAll,
      input: {},
      number,
      elapsedMs: 1,
      outcome: {
        kind: 'reply',
        reply: { result: { Marks: list }, notes: [], version: '1.2', attempts: 1, elapsedMs: 1 },
      },
    });
    const toldBy = async (stopsAt: number): Promise<readonly string[]> => {
      const told: string[] = [];
      const stopping = new AbortController();
      const write = async (text: string): Promise<void> => {
        told.push(text);
        if (told.length === stopsAt) stopping.abort();
        await new Promise((resolve) => void setImmediate(resolve));
      };
      const context = { environment: {}, streams: { err: { write } }, signal: stopping.signal };
      const tell = openTrace(context as unknown as Context, connection as unknown as Connection, {
        target: '-',
        secrets: [],
      });
      await Promise.all([tell(attempt(1)), tell(attempt(2))]);
      return told;
    };
    const all = await toldBy(Infinity);
    assert.ok(all.length > 10, `${all.length} pieces`);
    const [, one = '', other = ''] = all.join('').split(/^> MarkGetAll, attempt \d$/m);
    assert.equal(one, other);
    assert.ok(one.endsWith(`after 1 ms\n${JSON.stringify({ Marks: list })}\n`));
    // The attempt that is told later is told from its beginning, and no further either.
    assert.deepEqual(
      await toldBy(2),
      [0, 1, all.findIndex((text) => text.startsWith('> MarkGetAll, attempt 2'))].map((at) => all[at]),
    );
  });

  it('is for its owner alone, and is added to', async () => {
    const before = process.umask(0);
    try {
      for (const runs of [1, 2]) {
        assert.equal((await traced(at('trace'))).code, 0);
        assert.equal(readFileSync(at('trace'), 'utf8').match(/^> MarkGetAll, attempt 1$/gm)?.length, runs);
      }
    } finally {
      process.umask(before);
    }
    assert.equal(statSync(at('trace')).mode & 0o777, 0o600);
  });

  it('is refused through a link before anything is called, with what to do', async () => {
    writeFileSync(at('target'), 'as it was');
    symlinkSync(at('target'), at('link'));
    const { code, stdout, stderr } = await traced(at('link'));
    assert.deepEqual([code, stdout], [10, '']);
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    assert.equal(error['message'], `${at('link')} cannot be written: it is a symbolic link`);
    assert.match(String(error['advice']), /Choose another file/);
    assert.equal(error['hint'], `ls -ld ${at('link')}`);
    assert.equal(readFileSync(at('target'), 'utf8'), 'as it was');
  });

  it('is refused where a folder is, or none to make it in, before anything is called', async () => {
    for (const [target, words] of [
      [place.folder, / cannot be written: it is a folder/],
      [at('none/trace'), / cannot be written: /],
    ] as const) {
      await ends(traced(target), 10, words, '');
    }
  });

  it('that cannot be written to its end changes no outcome, and is told of at the end', async function () {
    if (!existsSync('/dev/full')) skip(this, 'the system has no device that is always full');
    const whole = await relctl(['mark', 'list', '--profile', 'sandbox', '-o', 'json'], { env: place.env });
    const { code, stdout, stderr } = await traced('/dev/full');
    assert.deepEqual([code, stdout], [10, whole.stdout]);
    assert.match(stderr, /\/dev\/full cannot be written: the disk is full/);
    assert.match(stderr, /The trace is incomplete\. relctl made the calls\./);
  });

  for (const target of ['/dev/stderr', '/dev/fd/2', '-'])
    it(`goes to stderr by the name ${target}, which may be a pipe, a file or closed`, () => {
      const piped = inShell(target, '');
      assert.deepEqual([piped.status, /^> MarkGetAll, attempt 1\n/.test(String(piped.stderr))], [0, true]);
      const filed = inShell(target, `2> '${at('err')}'`);
      assert.equal(filed.status, 0);
      assert.match(readFileSync(at('err'), 'utf8'), /^> MarkGetAll, attempt 1\n/);
      assert.equal(inShell(target, '2>&-').stdout, piped.stdout);
    });

  it('goes to another stream of the process, and to a pipe with a name', () => {
    assert.equal(inShell('/dev/fd/3', `3> '${at('third')}'`).status, 0);
    assert.match(readFileSync(at('third'), 'utf8'), /^> MarkGetAll, attempt 1\n/);
    const script =
      'mkfifo -m 600 "$3"; cat "$3" > "$4" & "$0" "$1" mark list --profile sandbox -q --trace="$3" > /dev/null; wait';
    const words = [process.execPath, program, '', at('pipe'), at('piped')];
    assert.equal(spawnSync('sh', ['-c', script, ...words], { env: place.env }).status, 0);
    assert.match(readFileSync(at('piped'), 'utf8'), /^> MarkGetAll, attempt 1\n/);
    rmSync(at('pipe'));
  });

  it('to a pipe that nobody reads is refused before anything is called, and waited for by nobody', function () {
    if (process.platform === 'win32') skip(this, 'Windows has no such files');
    assert.equal(spawnSync('mkfifo', ['-m', '600', at('unread')]).status, 0);
    // Only a kill ends a process that waits for a reader.
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, 'mark', 'list', '--profile', 'sandbox', `--trace=${at('unread')}`],
      { env: place.env, encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' },
    );
    assert.deepEqual([status, stdout], [10, '']);
    assert.match(stderr, /unread cannot be written: it is a pipe without a reader\n.*Start the reader first\./s);
    rmSync(at('unread'));
  });

  it('is as any log: that of the sandbox is refused through a link too', async () => {
    symlinkSync(at('nowhere'), at('log link'));
    const args = ['sandbox', 'start', '--port', '0', '--log', at('log link')];
    await ends(relctl(args, { env: place.env }), 10, /log link cannot be written: it is a symbolic link/);
    assert.ok(!existsSync(at('nowhere')));
  });
});
