import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}docs/architecture.md`, 'utf8');

const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/${path.replaceAll('\\', '/')}`);

/** The paths in a text of the page, from the root of the project. */
function pathsIn(text: string): readonly string[] {
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path);
  return named.map((path) => (/^(?:src|bin|scripts|test|docs|dist)\//.test(path) ? path : `src/${path}`));
}

/** The files of src that a file loads, at its start or later; not those whose types it names. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export) (?!type )(?:[^;']* from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
  );
  return [...statements].map(([, first, later = '']) => join(dirname(file), first ?? later).replace(/\.js$/, '.ts'));
}

/** Every file that is loaded from these, those too. */
function loadedFrom(starts: readonly string[]): ReadonlySet<string> {
  const found = new Set(starts);
  // A set that grows is walked to what was added last.
  for (const file of found) for (const imported of importsOf(file)) found.add(imported);
  return found;
}

/** The steps of each flow: the sections of the page that are a request followed from file to file. */
const flows = page
  .split(/^## /m)
  .filter((section) => section.startsWith('One '))
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    steps: [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, text = '']) =>
      pathsIn(text).filter((path) => path.startsWith('src/')),
    ),
  }));

describe('The architecture page', () => {
  const decisions = readdirSync(`${root}docs/decisions`).map((name) => `docs/decisions/${name}`);

  it('names files and folders that are there, as the pages of decisions do', () => {
    const paths = ['docs/architecture.md', ...decisions]
      .flatMap((file) => pathsIn(readFileSync(`${root}${file}`, 'utf8')))
      .filter((path) => !/[A-Z]{4}|^dist\//.test(path));
    assert.ok(paths.length > 100);
    assert.deepEqual(
      paths.filter((path) => !existsSync(`${root}${path}`)),
      [],
    );
  });

  it('has each decision in its index, with its number and title, and context, figures and decision on the page', () => {
    const index = readFileSync(`${root}docs/decisions/README.md`, 'utf8');
    const pages = decisions.filter((file) => !file.endsWith('README.md')).sort();
    for (const [at, file] of pages.entries()) {
      const text = readFileSync(`${root}${file}`, 'utf8');
      const [, number = '', title = ''] = /^# (\d+)\. (.*)$/m.exec(text) ?? [];
      assert.equal(Number(number), at + 1, file);
      assert.ok(index.includes(`${number}. [${title}](${file.slice('docs/decisions/'.length)})`), file);
      // One that lost its subject says so in a line.
      const isGone = text.includes('Its subject is gone');
      assert.deepEqual(text.match(/^## .*$/gm), isGone ? null : ['## Context', '## Figures', '## Decision'], file);
    }
  });

  it('follows a record, a page of a list, a write from a file and a request of the embedded service', () => {
    assert.deepEqual(
      flows.map(({ title }) => title.split(':')[0]),
      ['One record', 'One page of a list', 'One write from a file', 'One request of the embedded service'],
    );
    for (const { steps } of flows) assert.ok(steps.length >= 10);
  });

  for (const { title, steps } of flows) {
    it(`names at each step what the step before loads, or the program or the command: ${title}`, () => {
      const [start = []] = steps;
      const fromStart = loadedFrom([...start, ...steps.flat().filter((path) => path.startsWith('src/commands/'))]);
      for (const [index, step] of steps.entries()) {
        const fromBefore = loadedFrom(steps[index - 1] ?? []);
        const away = step.filter((path) => path.endsWith('.ts') && !fromBefore.has(path) && !fromStart.has(path));
        assert.deepEqual([step.length > 0, away], [true, []], `step ${index + 1}`);
      }
    });
  }

  it('names every package, and the files that import it', () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    for (const name of Object.keys(dependencies)) {
      const row = rows.find((each) => each.startsWith(`| \`${name}\``)) ?? assert.fail(name);
      // oclif is in many files.
      if (name === '@oclif/core') continue;
      const importers = sources.filter((file) =>
        readFileSync(`${root}${file}`, 'utf8').match(new RegExp(`(?:from |import\\()'${name}'`)),
      );
      assert.deepEqual(
        pathsIn(row)
          .filter((path) => path.endsWith('.ts'))
          .toSorted(),
        importers.toSorted(),
        name,
      );
    }
  });
});
