import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hashOf, started, until, type Started } from '../support/export-lane.js';
import { ends, home, program, relctl, type Run } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';

interface Meta {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly firstId: string;
  readonly lastId: string;
  readonly pages: number;
  readonly resumed: boolean;
  readonly mode: string;
}

/** True when a small disk can be made to fill. */
function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]);
  if (status === 0) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return status === 0;
}

describe('An export to a file', function () {
  const place = home();
  let service: RunningSandbox;
  let wanted: string | undefined;

  const at = (name: string): string => join(place.folder, name);
  /** A list of 25 pages. */
  const list = ['relation', 'list', '--profile', 'sandbox', '--page-size', '10', '-o'];
  const exporting = (name: string, ...more: readonly string[]): string[] => {
    const format = name.includes('ndjson') ? 'ndjson' : 'csv';
    return [...list, format, '--output-file', at(name), ...more];
  };
  const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env: place.env });
  const beside = (name: string): string[] =>
    readdirSync(place.folder).filter((each) => each.startsWith(`${name}.`) && !each.endsWith('.meta.json'));

  const faults = (): string => `${service.url.replace(/\/V1.*$/, '')}/faults`;
  /** Has the service misbehave, until it is told otherwise. */
  const befall = async (spec: string): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(faults(), { method: 'POST', body: JSON.stringify({ spec }), headers });
    assert.equal(answer.status, 201);
  };
  const free = async (): Promise<void> => {
    await fetch(faults(), { method: 'DELETE' });
  };

  /** Starts an export that stops at its eighth page, until its journal has the seven before. */
  async function stuck(name: string, ...more: readonly string[]): Promise<Started> {
    await befall('stall=head;page=8');
    const begun = started(exporting(name, ...more), { env: place.env });
    const journal = `${at(name)}.journal`;
    const pages = (): number => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 2 : 0);
    assert.ok(await until(begun, () => pages() >= 7), 'it ended by itself');
    return begun;
  }

  async function interrupted(name: string, signal: NodeJS.Signals, ...more: readonly string[]): Promise<Run> {
    const begun = await stuck(name, ...more);
    begun.child.kill(signal);
    const ended = await begun.ended;
    await free();
    return ended;
  }

  /** The command that a message says to try. */
  function toTry({ stderr }: Run): string {
    const [, command] = /^ {2}Try: (relctl .*)$/m.exec(stderr) ?? [];
    return command ?? assert.fail(`nothing to try: ${stderr}`);
  }

  /** Runs a line as a shell does, with relctl on the path. */
  function pasted(line: string): Run {
    const bin = at('bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'relctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
    const env = { ...place.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const { status, signal, stdout, stderr } = spawnSync('sh', ['-c', line], { env, encoding: 'utf8' });
    return { code: status, signal, stdout, stderr };
  }

  before(async () => {
    service = await sandbox(place.env);
    await ends(run(...exporting('whole.csv')), 0, '', '');
    wanted = hashOf(at('whole.csv'));
  });
  afterEach(free);
  after(async () => {
    await service.stop();
    place.remove();
  });

  it('says nothing at all when all is well, and leaves nothing but the file, which only its owner reads', async () => {
    await ends(run(...exporting('quiet.csv')), 0, '', '');
    assert.deepEqual(beside('quiet.csv'), []);
    assert.equal(statSync(at('quiet.csv')).mode & 0o777, 0o600);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`that ${signal} interrupts ends as a shell expects (${code}) and prints the command that goes on, to be pasted`, async () => {
      const name = `it's ${signal}.csv`;
      const ended = await interrupted(name, signal);
      // A process that a signal ended has no code of its own; a shell shows 128 and the signal's number.
      assert.equal(ended.signal, signal);
      assert.equal(ended.stdout, '');
      assert.equal(existsSync(at(name)), false);
      const again = await ends(run(...exporting(name)), 8, /was interrupted after 7 pages, 70 rows/);
      assert.equal(toTry(again), toTry(ended));
      const resumed = pasted(toTry(ended));
      assert.deepEqual([resumed.code, resumed.stdout, resumed.stderr], [0, '', '']);
      assert.equal(hashOf(at(name)), wanted);
      assert.deepEqual(beside(name), []);
    });
  }

  it('that was interrupted is thrown away with --restart, and begun anew', async () => {
    await interrupted('restart.csv', 'SIGKILL');
    const done = await run(...exporting('restart.csv', '--restart'));
    assert.deepEqual([done.code, done.stderr, hashOf(at('restart.csv'))], [0, '', wanted]);
  });

  it('that was interrupted is not resumed by another one, which is told what differs', async () => {
    await interrupted('other.csv', 'SIGKILL');
    const resumed = await run(...exporting('other.csv', '--resume', '--columns', 'Id', '--include-fields'));
    assert.equal(resumed.code, 2, resumed.stderr);
    assert.match(resumed.stderr, /parameters was .* is .*columns was .* is "Id"/);
    const anew = await run(...exporting('other.csv', '--limit', '5'));
    assert.equal(anew.code, 8);
    assert.match(anew.stderr, /another export to .* was interrupted after 7 pages, 70 rows: parameters was /);
    assert.equal(pasted(toTry(anew)).code, 0);
    assert.equal(readFileSync(at('other.csv'), 'utf8').split('\n').length, 7);
  });

  it('that got no page leaves nothing in the way of the next run', async () => {
    await befall('fault=Client;first=1');
    const failed = await run(...exporting('none.csv'));
    await free();
    assert.equal(failed.code, 4, failed.stderr);
    assert.deepEqual(beside('none.csv'), []);
    assert.equal((await run(...exporting('none.csv'))).code, 0);
  });

  it('that --deadline stops is exit 8, and can be resumed', async () => {
    await befall('stall=head;page=8');
    const late = await run(...exporting('late.csv', '--deadline', '10s'));
    await free();
    assert.equal(late.code, 8, late.stderr);
    assert.match(late.stderr, /--deadline/);
    const resumed = pasted(toTry(late));
    assert.deepEqual([resumed.code, hashOf(at('late.csv'))], [0, wanted], resumed.stderr);
  });

  it('waits with --lock-wait for the run that writes the file; without, it is exit 11 at once', async () => {
    const first = await stuck('locked.csv');
    await ends(run(...exporting('locked.csv')), 11, new RegExp(`locked by process ${first.child.pid} on `));
    const waiting = started(exporting('locked.csv', '--lock-wait', '1m', '--resume'), { env: place.env });
    first.child.kill('SIGTERM');
    await first.ended;
    await free();
    const second = await waiting.ended;
    assert.deepEqual([second.code, second.stderr, hashOf(at('locked.csv'))], [0, '', wanted]);
  });

  it('notices pages that are damaged on the disk, reads them again and says so', async () => {
    await interrupted('damaged.csv', 'SIGKILL');
    const part = readFileSync(`${at('damaged.csv')}.part`);
    part.writeUInt8(part.readUInt8(part.length >> 1) ^ 1, part.length >> 1);
    writeFileSync(`${at('damaged.csv')}.part`, part);
    const next = await run(...exporting('damaged.csv', '--resume'));
    assert.deepEqual([next.code, hashOf(at('damaged.csv'))], [0, wanted], next.stderr);
    assert.match(next.stderr, /^Note: \d pages of the interrupted export were damaged; relctl read them again\n$/);
  });

  it('never makes wrong rows of a journal in which a byte was changed, or of which the end is missing', async () => {
    await interrupted('flipped.csv', 'SIGKILL');
    const [journal, part] = [readFileSync(`${at('flipped.csv')}.journal`), readFileSync(`${at('flipped.csv')}.part`)];
    const headEnds = journal.indexOf('\n');
    const placed = (changed: Buffer): void => {
      rmSync(at('flipped.csv'), { force: true });
      writeFileSync(`${at('flipped.csv')}.journal`, changed, { mode: 0o600 });
      writeFileSync(`${at('flipped.csv')}.part`, part, { mode: 0o600 });
    };
    const codes = new Set<number | null>();
    for (let step = 0; step < 12; step += 1) {
      const spot = Math.floor((journal.length * step) / 12);
      const flipped = Buffer.from(journal);
      flipped.writeUInt8(flipped.readUInt8(spot) ^ (1 << (step % 8)), spot);
      placed(step % 3 === 2 ? journal.subarray(0, spot) : flipped);
      const next = await run(...exporting('flipped.csv', '--resume'));
      codes.add(next.code);
      if (next.code === 0) assert.equal(hashOf(at('flipped.csv')), wanted, `byte ${spot}`);
      else {
        assert.deepEqual([next.code, spot < headEnds], [10, true], next.stderr);
        assert.match(next.stderr, /journal .* is damaged/);
      }
    }
    assert.deepEqual([...codes].sort(), [0, 10]);
    assert.equal((await run(...exporting('flipped.csv', '--restart'))).code, 0);
  });

  it('says in FILE.meta.json what is true of the file, also when it was interrupted', async () => {
    for (const name of ['meta.csv', 'meta.ndjson.gz']) {
      await interrupted(name, 'SIGKILL', '--meta');
      await ends(run(...exporting(name, '--meta', '--resume')), 0, '');
      const meta = JSON.parse(readFileSync(`${at(name)}.meta.json`, 'utf8')) as Meta;
      const bytes = readFileSync(at(name));
      const text = name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
      const ids = text.match(/(?<=^|^\{"Id":")[0-9a-f-]{36}(?=[,"])/gm) ?? [];
      assert.equal(meta.sha256, createHash('sha256').update(bytes).digest('hex'));
      assert.deepEqual(
        [meta.rows, meta.bytes, meta.firstId, meta.lastId, meta.pages, meta.resumed, meta.mode],
        [250, bytes.length, ids[0], ids.at(-1), 26, true, 'one pass'],
      );
      assert.equal(new Set(ids).size, 250);
    }
  });

  it('takes the meta of an earlier export away when nothing of it holds any more', async () => {
    assert.equal((await run(...exporting('stale.csv', '--meta'))).code, 0);
    assert.equal((await run(...exporting('stale.csv', '--limit', '3', '-q'))).code, 0);
    assert.equal(existsSync(`${at('stale.csv')}.meta.json`), false);
  });

  it('with --consistent agrees on a list that stands still, and gives up with 8 on one that does not', async () => {
    const still = await run(...exporting('still.csv', '--consistent', '--meta'));
    assert.deepEqual([still.code, still.stderr, hashOf(at('still.csv'))], [0, '', wanted]);
    const meta = JSON.parse(readFileSync(`${at('still.csv')}.meta.json`, 'utf8')) as Meta;
    assert.equal(meta.mode, 'consistent: two of 2 passes agreed');
    await befall('unstable-order=across');
    const restless = await run(...exporting('restless.csv', '--consistent'));
    await free();
    assert.equal(restless.code, 8, restless.stderr);
    assert.equal(existsSync(at('restless.csv')), false);
    assert.deepEqual(beside('restless.csv'), []);
  });

  it('tells how far it is, and what it came to, in a terminal only', async () => {
    const env = { ...place.env, RELCTL_FORCE_TTY: '200' };
    await ends(relctl(exporting('seen.csv'), { env }), 0, /250 rows, 26 pages, \d+ bytes to \S+seen\.csv\n/, '');
    await ends(relctl(exporting('seen.csv', '--quiet'), { env }), 0, '', '');
  });

  it('does not replace a file that somebody else wrote while it ran', async () => {
    const begun = await stuck('raced.csv');
    writeFileSync(at('raced.csv'), 'theirs\n');
    await free();
    begun.child.kill('SIGTERM');
    await begun.ended;
    const kept = await run(...exporting('raced.csv', '--resume'));
    assert.deepEqual([kept.code, readFileSync(at('raced.csv'), 'utf8')], [10, 'theirs\n'], kept.stderr);
    const forced = await run(...exporting('raced.csv', '--resume', '--force'));
    assert.deepEqual([forced.code, hashOf(at('raced.csv'))], [0, wanted], forced.stderr);
  });

  // Where nobody may mount, the limit on the size of files above stands for it.
  if (mayMount()) {
    it('is exit 10 when the disk is full, keeps the last good file, and goes on when there is room', async () => {
      const disk = at('disk');
      mkdirSync(disk);
      assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48k', 'tmpfs', disk]).status, 0);
      try {
        assert.equal((await run(...exporting('disk/list.csv', '--limit', '3', '-q'))).code, 0);
        const good = hashOf(at('disk/list.csv'));
        await ends(run(...exporting('disk/list.csv')), 10, /the disk is full/);
        assert.equal(hashOf(at('disk/list.csv')), good);
        execFileSync('mount', ['-o', 'remount,size=1m', disk]);
        const resumed = await run(...exporting('disk/list.csv', '--resume'));
        assert.deepEqual([resumed.code, hashOf(at('disk/list.csv'))], [0, wanted], resumed.stderr);
      } finally {
        execFileSync('umount', [disk]);
      }
    });
  }

  it('works without a home, without a terminal, with stdin closed, beside a configuration that cannot be written', async () => {
    assert.equal((await relctl(['profile', 'list'], { env: place.env })).code, 0);
    const config = at('config/relctl');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    chmodSync(config, 0o500);
    const { PATH, XDG_STATE_HOME, XDG_CONFIG_HOME } = place.env;
    const line = `exec '${process.execPath}' '${program}' ${exporting('bare.csv').join(' ')} <&-`;
    const env = { PATH, XDG_STATE_HOME, XDG_CONFIG_HOME };
    const bare = spawnSync('sh', ['-c', line], { env, encoding: 'utf8' });
    chmodSync(config, 0o700);
    assert.deepEqual([bare.status, bare.stdout, bare.stderr], [0, '', '']);
    assert.equal(hashOf(at('bare.csv')), wanted);
  });
});
