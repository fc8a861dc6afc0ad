import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm run -s release-notes -- VERSION: prints what CHANGELOG.md says of a version, for the page of a release.

/**
 * What a changelog says of a version: its section without the heading.
 * @param changelog text in the form of Keep a Changelog
 * @param version as in its heading: `1.2.0`, or `Unreleased`
 * @throws Error that names the versions that there are, where this one is not, or has no text
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.replaceAll('\r\n', '\n').matchAll(/^## \[?([^\]\s]+)[^\n]*\n((?:(?!## ).*\n?)*)/gm);
  const notes = new Map([...sections].map(([, name, text]) => [name, text?.trim() ?? '']));
  const found = notes.get(version);
  if (found === undefined) throw new Error(`there is no version ${version}; there are ${[...notes.keys()].join(', ')}`);
  if (found === '') throw new Error(`version ${version} has no text`);
  return `${found}\n`;
}

function main(version: string | undefined): void {
  if (version === undefined) throw new Error('no version is given: npm run -s release-notes -- 1.2.0');
  process.stdout.write(releaseNotes(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), version));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv[2]);
  } catch (thrown) {
    console.error(`CHANGELOG.md: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    process.exitCode = 1;
  }
}
