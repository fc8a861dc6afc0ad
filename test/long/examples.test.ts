import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { home, installIn, relctl } from '../support/relctl.js';
import { commands } from '../support/manifest.js';

/** Profiles and mirrors have to be there before they are used, and to go last. */
function rank(line: string): number {
  if (line.includes('profile add')) return 0;
  return /(?:name|bookmark|mirror) remove/.test(line) ? 2 : line.includes('profile remove') ? 3 : 1;
}

/** Databases of other machines are not asked by a test. */
const isFar = (line: string): boolean => line.includes('postgres://');

const examples = Object.values(commands)
  .flatMap((command) => command.examples ?? [])
  .map((example) => example.replaceAll('<%= config.bin %>', 'relctl'))
  .filter((line) => !isFar(line))
  .sort((a, b) => rank(a) - rank(b));

/** What serves until it is interrupted. */
const serves = /relctl sandbox start(?!.*--detach)/;

/** Lines that are more than one program with its words. */
const needsShell = /[|<>&;]/;

/** How a line in the shell ended. */
interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

/** The words that a shell makes of a line. */
function wordsOf(line: string): readonly string[] {
  const { stdout, status } = spawnSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  assert.equal(status, 0);
  return stdout.split('\0').slice(0, -1);
}

/** Runs a line to its end; one that serves is interrupted as soon as it says where. */
async function runLine(line: string, options: { env: NodeJS.ProcessEnv; cwd: string }): Promise<Ended> {
  const isServing = serves.test(line);
  if (!isServing && !needsShell.test(line)) {
    const { code, stderr } = await relctl(wordsOf(line).slice(1), options);
    return { status: code, stderr };
  }
  const typed = isServing ? `exec ${line}` : `set -o pipefail; ${line}`;
  const child = spawn('bash', ['-c', typed], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  child.stdout.on('data', () => {
    if (isServing) child.kill('SIGINT');
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stderr };
}

describe('Every command', () => {
  for (const { id, examples: own = [], summary = '' } of Object.values(commands)) {
    it(`has a sentence about it and examples: ${id.replaceAll(':', ' ')}`, () => {
      assert.ok(own.length > 0);
      assert.match(summary, /^[A-Z].*[.?]$/s);
    });
  }
});

describe('Every example', function () {
  const place = home();
  const env = {
    ...place.env,
    PATH: installIn(place.folder).PATH,
    CRM_KEY: '00000000-0000-4000-8000-000000000001',
    // The mirror of one example does not hold what another one writes to.
    RELCTL_CHECK_IDS: 'no',
  };
  const before_ = process.cwd();
  before(() => process.chdir(place.folder));
  after(() => {
    process.chdir(before_);
    spawnSync('bash', ['-c', 'relctl sandbox stop'], { env });
    place.remove();
  });

  for (const line of examples) {
    it(`works as printed: ${line}`, async () => {
      const { status, stderr } = await runLine(line, { env, cwd: place.folder });
      const isSought = line.startsWith('relctl sandbox st') && status === 5;
      assert.ok(status === 0 || isSought, `${String(status)}: ${stderr}`);
    });
  }
});
