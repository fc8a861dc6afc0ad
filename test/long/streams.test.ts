import http from 'node:http';
import type { AddressInfo } from 'node:net';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { ends, home } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { skip } from '../support/skip.js';
import { relctlProgram, streamProgram, throughShell, throughSlowPipe } from '../support/output/pipe.js';

/** A server in front of another. */
interface BreakingProxy {
  readonly url: string;
  close(): void;
}

/** Hands requests on to a server, but answers one that contains a text with a page of HTML. */
async function breakingProxy(target: string, text: string): Promise<BreakingProxy> {
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      if (body.includes(text)) {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Maintenance</title></html>');
        return;
      }
      const { hostname, port } = new URL(target);
      const headers = { ...request.headers, host: `${hostname}:${port}` };
      const forward = http.request(`${target}${request.url ?? ''}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forward.on('error', () => response.destroy());
      forward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A process of Node whose stdout stays full; `full` resolves once something stands there. It is ended after a minute. */
function unread(
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): { full: Promise<unknown>; interrupt: () => void; ended: Promise<{ end: unknown; stderr: string }> } {
  const child = spawn(process.execPath, args, { env, timeout: 60_000, killSignal: 'SIGKILL' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'exit').then(async ([code, signal]: unknown[]) => {
    if (!child.stderr.readableEnded) await once(child.stderr, 'end');
    child.stdout.destroy();
    return { end: signal ?? code, stderr };
  });
  return { full: once(child.stdout, 'readable'), interrupt: () => void child.kill('SIGINT'), ended };
}

const leave = (code: number): string => `await streams.finish(); process.exit(${code});`;

describe('The streams', () => {
  for (const code of [0, 8]) {
    it(`let 5 MB through a slow pipe whole before the process exits with ${code}`, async () => {
      const script = `streams.out.write(big); streams.err.write('Error: in the end\\n'); ${leave(code)}`;
      const run = await ends(throughSlowPipe(streamProgram(script)), code, 'Error: in the end\n');
      const items = JSON.parse(run.stdout) as string[];
      assert.deepEqual([items.length, items.at(-1)], [50_000, `${'x'.repeat(100)}49999`]);
      assert.ok(run.stdout.length > 5_000_000);
    });
  }

  it('let 5 MB of an error through a slow pipe whole', async () => {
    const run = await throughShell(
      '{ "$0" "$@" 2>&1 >/dev/null; echo "code $?"; } | "$0" -e "$SLOW_READER"',
      streamProgram(`streams.err.write(big); ${leave(4)}`),
    );
    assert.ok(run.stdout.endsWith('code 4\n'));
    assert.equal((JSON.parse(run.stdout.slice(0, -'code 4\n'.length)) as string[]).length, 50_000);
  });

  it('keep the order of what is written without waiting', async () => {
    const script = `for (let index = 0; index < 2000; index += 1) streams.out.write(index + '\\n'); ${leave(0)}`;
    const run = await throughSlowPipe(streamProgram(script));
    assert.equal(run.stdout, Array.from({ length: 2000 }, (_, index) => `${index}\n`).join(''));
  });

  it('tell at once that the reader has gone, fail nothing, and take what is still written', async () => {
    const script = `
      let count = 0;
      while (!streams.outClosed.aborted && count < 1000) { await streams.out.write(big); count += 1; }
      await streams.out.write('to nobody');
      const { kind, facts } = streams.outClosed.reason;
      await streams.err.write(JSON.stringify({ kind, facts, isEarly: count < 5 }));
      ${leave(0)}`;
    const run = await throughShell('"$0" "$@" | head -c 10; exit "${PIPESTATUS[0]}"', streamProgram(script));
    assert.deepEqual([run.code, run.stdout], [0, '["xxxxxxxx']);
    assert.deepEqual(JSON.parse(run.stderr), {
      kind: 'interrupted',
      facts: { code: 'stdout-closed', exitCode: 0 },
      isEarly: true,
    });
  });

  it('do not mind that nobody reads stderr', async () => {
    const script = `
      for (let index = 0; index < 5; index += 1) await streams.err.write(big).catch(() => undefined);
      await streams.out.write('done ' + streams.outClosed.aborted);
      ${leave(0)}`;
    const run = await throughShell(
      '{ "$0" "$@" 2>&1 >&3 | true; } 3>&1; exit "${PIPESTATUS[0]}"',
      streamProgram(script),
    );
    assert.deepEqual([run.code, run.stdout], [0, 'done false']);
  });

  it('give up what no reader takes once the run is to stop, with the reason and all that comes after it', async () => {
    const script = `
      const seen = [];
      const note = (what) => (error) => seen.push(what + ': ' + error?.message);
      const first = streams.out.write(big);
      const second = streams.out.write('behind it');
      setTimeout(() => stopping.abort('stopped'), 100);
      await first.then(note('first'), note('first failed'));
      await second.then(note('second'), note('second failed'));
      await streams.out.write('later').catch(note('third failed'));
      await streams.finish().catch(note('end failed'));
      await streams.err.write(JSON.stringify(seen));
      process.exit(7);`;
    const { end, stderr } = await unread(streamProgram(script)).ended;
    const failed = ['first', 'second', 'third', 'end'].map((what) => `${what} failed: stopped`);
    assert.deepEqual([end, JSON.parse(stderr)], [7, failed]);
  });

  it('leave out what stderr would get once the run is to stop and nobody reads it, and fail nothing', async () => {
    const script = `
      setTimeout(() => stopping.abort(new Error('stopped')), 100);
      await streams.err.write(big.repeat(4));
      await streams.err.write('later');
      await streams.finish();
      process.exit(7);`;
    const child = spawn(process.execPath, streamProgram(script), { timeout: 60_000, killSignal: 'SIGKILL' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    child.stderr.destroy();
    assert.deepEqual([code, signal], [7, null]);
  });

  it('give a slow reader two seconds for each part', async () => {
    const script = `
      setTimeout(() => stopping.abort(new Error('stopped')), 100);
      await streams.out.write(big.slice(0, 600_000) + 'the end');
      ${leave(0)}`;
    const slow = `
      const { readSync } = require('node:fs');
      const rest = new Int32Array(new SharedArrayBuffer(4));
      let last = '';
      for (;;) {
        const piece = Buffer.alloc(65536);
        const size = readSync(0, piece);
        if (size === 0) break;
        last = piece.toString('utf8', 0, size);
        Atomics.wait(rest, 0, 0, 500);
      }
      process.stdout.write(last.slice(-7));`;
    const shell = '"$0" "$@" | "$0" -e "$SLOW"; exit "${PIPESTATUS[0]}"';
    await ends(throughShell(shell, streamProgram(script), { ...process.env, SLOW: slow }), 0, '', 'the end');
  });

  it('write on when the run is to stop, where somebody reads', async () => {
    const script = `
      stopping.abort(new Error('stopped'));
      await streams.out.write(big); await streams.out.write('and the last'); ${leave(0)}`;
    const run = await throughSlowPipe(streamProgram(script));
    assert.deepEqual([run.code, run.stderr, run.stdout.slice(-15)], [0, '', '"]\nand the last']);
  });

  it('say that the disk is full, to every write and at the end', async function () {
    if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full here');
    const script = `
      const seen = [];
      const note = (error) => seen.push([error.kind, error.message, error.reportedCode]);
      await streams.out.write('a').catch(note);
      await streams.out.write('b').catch(note);
      await streams.finish().catch(note);
      await streams.err.write(JSON.stringify(seen));`;
    const run = await throughShell('exec "$0" "$@" >/dev/full', streamProgram(script));
    const said = ['local', 'cannot write to stdout: the disk is full', 'ENOSPC'];
    assert.deepEqual([run.code, JSON.parse(run.stderr)], [0, [said, said, said]]);
  });

  it('know whether a terminal looks, and what a person forces', async () => {
    const script = `
      const { isTerminal, isPipe, width, hasColor } = streams.out;
      await streams.out.write(JSON.stringify({ isTerminal, isPipe, width, hasColor }));`;
    const seen = async (variables: NodeJS.ProcessEnv, shell = '"$0" "$@" | cat'): Promise<unknown> =>
      JSON.parse(
        (await throughShell(shell, streamProgram(script), { PATH: process.env['PATH'], ...variables })).stdout,
      );
    assert.deepEqual(await seen({}), { isTerminal: false, isPipe: true, hasColor: false });
    assert.deepEqual(await seen({ RELCTL_FORCE_TTY: '72' }), {
      isTerminal: true,
      isPipe: false,
      width: 72,
      hasColor: false,
    });
    assert.deepEqual(await seen({ COLUMNS: '72', FORCE_COLOR: '1' }), {
      isTerminal: false,
      isPipe: true,
      width: 72,
      hasColor: true,
    });
    const toFile = 'file=$(mktemp); "$0" "$@" > "$file"; cat "$file"; rm "$file"';
    assert.deepEqual(await seen({}, toFile), { isTerminal: false, isPipe: false, hasColor: false });
  });

  it('wipe a passing line before what is written next, where a line can be wiped', async () => {
    const script = `
      const { pass } = streams.err;
      await pass?.(''); await pass?.('1 s'); await pass?.('2 s');
      await streams.err.write('note\\n'); await streams.err.write('more\\n'); await pass?.('3 s'); await pass?.('');`;
    const seen = async (variables: NodeJS.ProcessEnv): Promise<string> =>
      (await throughShell('"$0" "$@"', streamProgram(script), { PATH: process.env['PATH'], ...variables })).stderr;
    const wipe = '\r\u001b[K';
    const wiped = `${wipe}1 s${wipe}2 s${wipe}note\nmore\n${wipe}3 s${wipe}`;
    assert.equal(await seen({ RELCTL_FORCE_TTY: '72', TERM: 'xterm' }), wiped);
    assert.equal(await seen({ RELCTL_FORCE_TTY: '72', TERM: 'dumb' }), 'note\nmore\n');
    assert.equal(await seen({ TERM: 'xterm' }), 'note\nmore\n');
  });

  it('know the width of a terminal after it was resized', async () => {
    const script = `
      const widths = [100, 40].map((columns) => (Object.assign(process.stdout, { isTTY: true, columns }), streams.out.width));
      await streams.out.write(JSON.stringify(widths));`;
    const seen = await throughShell('"$0" "$@" | cat', streamProgram(script), { PATH: process.env['PATH'] });
    assert.deepEqual(JSON.parse(seen.stdout), [100, 40]);
  });
});

describe('The program behind a pipe', () => {
  const place = home();
  let server: RunningSandbox;
  let proxy: BreakingProxy;
  const list = (...args: readonly string[]): readonly string[] =>
    relctlProgram('relationship', 'list', '--page-size', '500', '--set', 'retries=0', ...args);
  const env = (url: string): NodeJS.ProcessEnv => ({
    ...place.env,
    RELCTL_BASE_URL: url,
    RELCTL_NAMESPACE: 'http://relctl.example/sandbox',
    RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
    RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
    RELCTL_USER_ID: '00000000-0000-4000-8000-000000000011',
    RELCTL_USER_NAME: 'sandbox',
    RELCTL_PASSWORD: 'zandbak',
  });

  before(async () => {
    server = await sandbox(place.env, ['--relations', '4600']);
    proxy = await breakingProxy(server.url, 'pageNumber>10<');
  });
  after(async () => {
    proxy.close();
    await server.stop();
    place.remove();
  });

  it('gives 5 MB of JSON whole to a slow reader', async () => {
    const run = await ends(throughSlowPipe(list('-o', 'json'), env(server.url)), 0, '');
    assert.ok(run.stdout.length > 5_000_000, `${run.stdout.length}`);
    const ids = (JSON.parse(run.stdout) as { Id: string }[]).map(({ Id }) => Id);
    assert.ok(ids.length > 4500 && new Set(ids).size === ids.length, `${ids.length}`);
  });

  it('gives a slow reader every row that it had before the service broke off', async () => {
    const run = await throughSlowPipe(list('-o', 'ndjson'), env(proxy.url));
    const rows = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { Id: string });
    assert.equal(new Set(rows.map(({ Id }) => Id)).size, 4500);
    assert.ok(run.code === 7 || run.code === 8, `${run.code}: ${run.stderr}`);
    assert.equal((JSON.parse(run.stderr) as { error: { exitCode: number } }).error.exitCode, run.code);
  });

  it('ends by the first Ctrl-C though the reader takes nothing', async () => {
    for (const format of ['json', 'csv', 'yaml']) {
      const { full, interrupt, ended } = unread(list('-o', format), env(server.url));
      await full;
      interrupt();
      const { end, stderr } = await ended;
      assert.equal(end, 'SIGINT', stderr);
      assert.match(stderr, /interrupted by Ctrl-C/);
    }
  });

  it('ends quietly with 0 when the reader goes', async () => {
    for (const format of ['json', 'csv']) {
      const run = await throughShell(
        '"$0" "$@" | head -1; exit "${PIPESTATUS[0]}"',
        list('-o', format),
        env(server.url),
      );
      assert.deepEqual([run.code, run.stderr, run.stdout.split('\n').length], [0, '', 2]);
    }
  });
});
