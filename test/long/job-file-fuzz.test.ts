import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Config, type Command } from '@oclif/core';
import fc from 'fast-check';
import type { KnownCommands } from '../../src/jobs/job-commands.js';
import { changeOf, damaged, mostlyOf, fuzz, assertTold, yamlMarks } from '../support/fuzz.js';

// As the commands are loaded below: what is required is not what is imported, and errors are told by their class.
const { knownCommands } = await import('../../src/jobs/job-commands.js');
const { planJobs } = await import('../../src/jobs/plan-jobs.js');

const words = fc.constantFrom(
  ...['relation list', 'product list', 'mark list', 'export run', 'relation', 'nothing', 'profile list', 'sql', 'call'],
  ...['csv', 'json', 'xlsx', 'production', 'true', 'no', '1', '-1', '1e9', '', "''", '""', '~', 'null', '@today', '-'],
  ...[
    ...['a.csv', '../a.csv', '/a.csv', 'jobs.yaml', 'a/{date}.csv', '{', 'Id', '[Id, Name]', '{ a: 1 }', '[[]]'],
    '__proto__',
  ],
  ...[
    ...['{date:%Y}', '%', '"\\u0000"', '"\\x1f"', "'é'", 'x'.repeat(300), '|-\n        a', '>\n        b', '*a'],
    ...['&a b', '!!int 1'],
  ],
);
const keys = fc.constantFrom(
  ...[
    ...['command', 'args', 'flags', 'output', 'output-file', 'profile', 'record', 'columns', 'filter', 'page-size'],
    'limit',
  ],
  ...[
    ...['include-fields', 'changes-since', 'sort', 'delimiter', 'outptu', 'Command', '__proto__', 'constructor'],
    ...['?', '""', '1', '[a]'],
  ],
);

const members = (indent: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(keys, words), { maxLength: 6 })
    .map((all) => all.map(([key, word]) => `${indent}${key}: ${word}\n`).join(''));

const jobs = fc
  .array(fc.tuple(fc.constantFrom('all', 'b', 'all', '__proto__', 'a b', '""', '1'), fc.boolean(), members('    ')), {
    maxLength: 4,
  })
  .map((all) =>
    all
      .map(
        ([name, isWhole, more]) =>
          `  ${name}:\n${isWhole ? '    command: relation list\n    output-file: a.csv\n' : ''}${more}`,
      )
      .join(''),
  );

const files = fc
  .tuple(fc.constantFrom('version: 1\n', 'version: 1\n', 'version: 2\n', ''), fc.option(members('  ')), jobs)
  .map(([version, defaults, all]) => `${version}${defaults === null ? '' : `defaults:\n${defaults}`}jobs:\n${all}`);

/** Files without a mistake, before something happens to them. */
const good = fc
  .uniqueArray(fc.constantFrom('all', 'b', 'c', 'nightly', 'a-1'), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc.array(
        fc.constantFrom(
          '',
          '    profile: production\n',
          '    columns: [Id, DisplayName]\n',
          '    flags:\n      include-fields: true\n',
        ),
        { minLength: names.length, maxLength: names.length },
      ),
    ),
  )
  .map(
    ([names, more]) =>
      `version: 1\njobs:\n${names
        .map((name, at) => `  ${name}:\n    command: relation list\n    output-file: ${name}.csv\n${more[at] ?? ''}`)
        .join('')}`,
  );

const pieces = fc.constantFrom(
  ...yamlMarks,
  ...['[[[[[[[[', '- - - - - - -', '? ? ? ? ? ?', '{'.repeat(500), '[{'.repeat(500), '- '.repeat(500)],
  ...['\u0002', '\u0018', '\u001f', 'a'.repeat(5000), '? '.repeat(100), '['.repeat(50_000), '- '.repeat(50_000)],
);

const documents = damaged(mostlyOf(fc.oneof(files, good)), changeOf(pieces)).map((bytes) => bytes.toString('utf8'));

describe('whatever a job file is', () => {
  let commands: KnownCommands;
  before(async () => {
    const config = await Config.load({ root: fileURLToPath(new URL('../../', import.meta.url)) });
    commands = await knownCommands(config, async (id) => {
      const file = `../../src/commands/${id.replaceAll(':', '/')}.js`;
      return ((await import(file)) as { default: Command.Class }).default;
    });
  });

  it('it is planned, or its mistakes are told with their places', async () => {
    let planned = 0;
    const property = fc.property(documents, (text) => {
      const { jobs: found, mistakes } = planJobs(text, {
        commands,
        profiles: ['production', 'sandbox'],
        wrongNameIn: () => undefined,
        folder: '/srv/exports',
        self: '/srv/exports/jobs.yaml',
        now: new Date(2026, 0, 31, 9, 5, 7),
        platform: 'linux',
        restart: false,
      });
      assertTold(mistakes, text);
      if (mistakes.length > 0) return;
      planned += 1;
      // What runs is known: a command, and a file below the folder or where the file says, each of its own.
      assert.equal(new Set(found.map(({ file }) => file)).size, found.length);
      for (const { argv, file } of found) {
        assert.ok(
          argv.every((word) => typeof word === 'string' && !word.includes('\0')),
          JSON.stringify(argv),
        );
        assert.ok(file.startsWith('/') && file !== '/srv/exports/jobs.yaml', file);
      }
    });
    await fuzz(property, 10);
    assert.ok(planned > 0);
  }).timeout(0);
});
