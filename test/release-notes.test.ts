import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { releaseNotes } from '../scripts/release-notes.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const changelog = `# Changelog

Words about the form.

## [Unreleased]

## [1.10.0] - 2030-02-03

### Fixed

- A list ends.
- \`## \` in a line is text.

## [1.1.0] - 2030-01-02

### Added

- The first.
`;

const script = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/release-notes.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });

describe('Release notes', () => {
  it('are the section of a version in the changelog, the last one too', () => {
    assert.equal(releaseNotes(changelog, '1.10.0'), '### Fixed\n\n- A list ends.\n- `## ` in a line is text.\n');
    assert.equal(releaseNotes(changelog, '1.1.0'), '### Added\n\n- The first.\n');
    assert.equal(releaseNotes(changelog.replaceAll('\n', '\r\n'), '1.1.0'), '### Added\n\n- The first.\n');
  });

  it('of a version that is not there, or has no text, are an error', () => {
    const there = /there is no version 1\.1; there are Unreleased, 1\.10\.0, 1\.1\.0/;
    assert.throws(() => releaseNotes(changelog, '1.1'), there);
    assert.throws(() => releaseNotes(changelog, 'Unreleased'), /version Unreleased has no text/);
  });

  it('come from the changelog of relctl by a script, which ends with 1 where there are none', () => {
    const { status, stdout } = script('0.1.0');
    assert.equal(status, 0);
    assert.equal(stdout, releaseNotes(readFileSync(`${root}CHANGELOG.md`, 'utf8'), '0.1.0'));
    assert.match(stdout, /^### \w+\n/);
    const absent = script('0.0.0');
    assert.deepEqual([absent.status, absent.stdout], [1, '']);
    assert.match(absent.stderr, /^CHANGELOG\.md: there is no version 0\.0\.0; there are 0\.1\.0/);
  });
});
