import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { started } from '../support/export-lane.js';
import { lots } from '../support/cases.js';
import { place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';

/** So many are quick; RELCTL_TEST_KILLS=200 takes minutes. */
const kills = Number(process.env['RELCTL_TEST_KILLS'] ?? 8);

/** A command that is killed, the one that comes next, and what is to be there then, as the names of files. */
interface Case {
  readonly title: string;
  readonly words: (folder: string) => readonly string[];
  readonly next: (folder: string) => readonly string[];
  readonly withinMs: number;
  /** Files that the next command leaves on purpose. */
  readonly stays: RegExp;
}

const database = (folder: string): string => join(folder, 'made.db');
const mirror = (folder: string): string => join(folder, 'mirror.db');
const list = (folder: string): string => join(folder, 'list.csv');
const data = /^(?:made|mirror)\.db(?:-wal|-shm)?$/;

const cases: readonly Case[] = [
  {
    title: 'sandbox reset, in its own process and in another',
    words: (folder) => ['sandbox', 'reset', '--yes', '--db', database(folder), '--relations', '1500'],
    next: (folder) => ['sandbox', 'reset', '--yes', '--db', database(folder), '--relations', '3'],
    withinMs: 1_500,
    stays: data,
  },
  {
    title: 'sandbox reset of few relations',
    words: (folder) => ['sandbox', 'reset', '--yes', '--db', database(folder), '--relations', '900'],
    next: (folder) => ['sandbox', 'reset', '--yes', '--db', database(folder), '--relations', '3'],
    withinMs: 900,
    stays: data,
  },
  {
    title: 'an export',
    words: (folder) => ['relation', 'list', '-o', 'csv', '--output-file', list(folder), '--restart'],
    next: (folder) => ['relation', 'list', '-o', 'csv', '--output-file', list(folder), '--restart'],
    withinMs: 900,
    stays: /^list\.csv$/,
  },
  {
    title: 'an export that is sorted',
    words: (folder) => ['relation', 'list', '--sort', 'Id', '-o', 'csv', '--output-file', list(folder), '--restart'],
    next: (folder) => ['relation', 'list', '--sort', 'Id', '-o', 'csv', '--output-file', list(folder), '--restart'],
    withinMs: 900,
    stays: /^list\.csv$/,
  },
  {
    title: 'a sync of the mirror',
    words: (folder) => ['mirror', 'sync', 'relations', '--mirror', mirror(folder)],
    next: (folder) => ['mirror', 'sync', 'relations', '--mirror', mirror(folder)],
    withinMs: 900,
    stays: data,
  },
];

describe('What a run leaves that is killed', () => {
  const here = place(['--set', 'pageSize=5']);
  const draw = lots(20_261_125);
  const inFolder = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String);
  const configuration = (): string => join(String(here.env['XDG_CONFIG_HOME']), 'relctl');
  let temporary = '';
  before(() => mkdirSync((temporary = join(here.folder, 'temporary'))));
  const env = (): NodeJS.ProcessEnv => ({ ...here.env, TMPDIR: temporary });

  async function killedWithin(words: readonly string[], ms: number): Promise<void> {
    const run = started(words, { env: env() });
    await Promise.race([pause(draw(ms)), run.ended]);
    run.child.kill('SIGKILL');
    await run.ended;
  }

  /** Runs a command to its end, though processes of the one that was killed may still be ending. */
  async function runNext(words: readonly string[]): Promise<void> {
    await ends(started(words, { env: env() }).ended, 0);
  }

  for (const { title, words, next, withinMs, stays } of cases) {
    it(`is gone after the next run: ${title}`, async () => {
      const folder = here.fresh('litter');
      mkdirSync(folder);
      for (let round = 0; round < kills; round += 1) await killedWithin(words(folder), withinMs);
      // A process that makes data for one that was killed notices it when it tells how far it is.
      await pause(500);
      await runNext(next(folder));
      assert.deepEqual(
        inFolder(folder).filter((name) => !stays.test(name)),
        [],
      );
      assert.deepEqual(inFolder(temporary), []);
    });
  }

  it('is gone after the next run: an edit of a profile', async () => {
    for (let round = 0; round < 2 * kills; round += 1) {
      await killedWithin(['profile', 'edit', 'local', '--set', `pageSize=${String(5 + (round % 5))}`], 500);
    }
    assert.ok(inFolder(configuration()).includes('config.json'));
    // What is killed in the very moment of writing is rare: one that was is laid there by hand.
    writeFileSync(join(configuration(), 'config.json.tmp-1234567890abcdef'), '{"profiles":', { mode: 0o600 });
    await runNext(['profile', 'edit', 'local', '--set', 'pageSize=5']);
    assert.deepEqual(
      inFolder(configuration()).filter((name) => /tmp|lock|part/.test(name)),
      [],
    );
  });
});
