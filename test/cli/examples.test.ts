import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { home, program } from '../support/relctl.js';

interface Manifest {
  readonly commands: Readonly<
    Record<string, { readonly id: string; readonly summary?: string; readonly examples?: readonly string[] }>
  >;
}

const manifest = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8')) as Manifest;

/** Profiles have to be there before they are changed, and to go last. */
function rank(line: string): number {
  if (line.includes('profile add') || line.includes('bookmark set')) return 0;
  return /(?:alias|bookmark) remove/.test(line) ? 2 : line.includes('profile remove') ? 3 : 1;
}

const examples = Object.values(manifest.commands)
  .flatMap((command) => command.examples ?? [])
  .map((example) => example.replaceAll('<%= config.bin %>', 'relctl'))
  .sort((a, b) => rank(a) - rank(b));

/** What serves until it is interrupted is interrupted after a while. */
const serves = /relctl sandbox start(?!.*--detach)/;

describe('Every command', () => {
  for (const { id, examples: own = [], summary = '' } of Object.values(manifest.commands)) {
    it(`has a sentence about it and examples: ${id.replaceAll(':', ' ')}`, () => {
      assert.ok(own.length > 0);
      assert.match(summary, /^[A-Z].*[.?]$/s);
    });
  }
});

describe('Every example', function () {
  const place = home();
  const bin = join(place.folder, 'bin');
  const env = {
    ...place.env,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    CRM_KEY: '00000000-0000-4000-8000-000000000001',
  };
  before(() => {
    mkdirSync(bin);
    symlinkSync(program, join(bin, 'relctl'));
    // What serves is interrupted after a while, and is not to be making its data by then.
    spawnSync('bash', ['-c', 'relctl sandbox reset'], { env });
  });
  after(() => {
    spawnSync('bash', ['-c', 'relctl sandbox stop'], { env });
    place.remove();
  });

  for (const line of examples) {
    it(`works as printed: ${line}`, () => {
      const typed = serves.test(line) ? `timeout --preserve-status -s INT 3 ${line}` : line;
      const { status, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${typed}`], { env, cwd: place.folder });
      const isSought = line.startsWith('relctl sandbox st') && status === 5;
      assert.ok(status === 0 || isSought, `${String(status)}: ${stderr.toString()}`);
    });
  }
});
