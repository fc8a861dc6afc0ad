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

const needsSetUp = /profile (?:add|edit|remove) |profile use|sandbox start/;

describe('The examples of every command', () => {
  const place = home();
  const bin = join(place.folder, 'bin');
  before(() => {
    mkdirSync(bin);
    symlinkSync(program, join(bin, 'relctl'));
  });
  after(() => place.remove());

  for (const { id, examples = [], summary = '' } of Object.values(manifest.commands)) {
    const name = id.replaceAll(':', ' ');
    it(`are there, and there is a sentence about it: ${name}`, () => {
      assert.ok(examples.length > 0);
      assert.match(summary, /^[A-Z].*[.?]$/);
    });
    for (const example of examples) {
      const line = example.replaceAll('<%= config.bin %>', 'relctl');
      if (needsSetUp.test(line)) continue;
      it(`work as printed: ${line}`, () => {
        const env = { ...place.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
        const { status, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${line}`], { env, cwd: place.folder });
        assert.equal(status, 0, stderr.toString());
      });
    }
  }
});
