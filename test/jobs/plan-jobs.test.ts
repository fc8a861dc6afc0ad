import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Config, type Command } from '@oclif/core';
import fc from 'fast-check';
import type { FlagFacts, KnownCommands } from '../../src/jobs/job-commands.js';
import type { JobContext } from '../../src/jobs/plan-jobs.js';

// As the commands are loaded below: what is required is not what is imported, and errors are told by their class.
const { knownCommands } = await import('../../src/jobs/job-commands.js');
const { commandLine, planJobs } = await import('../../src/jobs/plan-jobs.js');

let commands: KnownCommands;
const place = (): JobContext => ({
  commands,
  profiles: ['production', 'acceptance', 'sandbox'],
  wrongNameIn: (profile, { kind, texts: [text] }) =>
    text === 'Sales' ? undefined : `${profile ?? 'no profile'} has no ${kind} ${text ?? ''}`,
  folder: '/srv/exports',
  self: '/srv/exports/jobs.yaml',
  now: new Date(2026, 0, 31, 9, 5, 7),
  platform: 'linux',
  restart: false,
});

const argv = (text: string, more: Partial<JobContext> = {}): (readonly string[])[] => {
  const { jobs, mistakes } = planJobs(text, { ...place(), ...more });
  assert.deepEqual(mistakes, []);
  return jobs.map((job) => job.argv);
};

const told = (text: string): string[] =>
  planJobs(text, place()).mistakes.map(({ at, message }) => `${at.line}:${at.column} ${message}`);

const byPlace = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

const job = (lines: string): string => `version: 1\njobs:\n  all:\n    command: relation list\n${lines}`;

describe('A job file', () => {
  before(async () => {
    const config = await Config.load({ root: fileURLToPath(new URL('../../', import.meta.url)) });
    // The sources of the commands, not the program that was built.
    commands = await knownCommands(config, async (id) => {
      const file = `../../src/commands/${id.replaceAll(':', '/')}.js`;
      return ((await import(file)) as { default: Command.Class }).default;
    });
  });

  it('asks for no format that is not for files', () => {
    const text =
      'version: 1\njobs:\n  one: { command: datastore items, args: [00000000-0040-4000-8000-000000000021], output: tree, output-file: x }\n';
    assert.match(told(text).join('\n'), /^3:\d+ unknown output format 'tree'; the formats are /);
  });

  it('takes the names of ids that the profile of the job has, in arguments and in flags', () => {
    const text = (workflow: string, type: string): string => `version: 1
jobs:
  steps: { command: workflow steps, args: [${workflow}], profile: acceptance, output-file: a.csv }
  found: { command: activity search, output-file: b.csv, flags: { entity-type: ${type}, fields-of: Sales } }
`;
    const named = argv(text('Sales', '00000000-0040-4000-8000-000000000011'));
    assert.equal(named[0]?.[2], 'Sales');
    assert.ok(named[1]?.includes('--fields-of=Sales'));
    assert.deepEqual(told(text('Sale', 'Calls')), [
      '3:3 acceptance has no workflow Sale',
      '4:80 no profile has no entity-type Calls',
    ]);
    assert.match(told(text('Sales', '00000000-0040-4000'))[0] ?? '', /^4:80 --entity-type takes a GUID such as/);
  });

  it('holds no argument that no process can be given', () => {
    const text = 'version: 1\njobs:\n  one: { command: relation marks, args: ["a\\0b"], output-file: x.csv }\n';
    assert.deepEqual(told(text), ['3:42 an argument holds a line break or a control character']);
  });

  it('stands for command lines, flag by flag', () => {
    const text = `
version: 1
defaults:
  profile: production
  output: csv
  lock-wait: 10m
  flags:
    page-size: 500
    meta: true
jobs:
  relations:
    command: relation list
    output-file: relations-{date}.csv.gz
    columns: [Id, DisplayName]
    deadline: 2h
    flags:
      include-fields: Yes
      no-header: ON
  marks-of-one:
    command: relation marks
    args: [00000000-0000-4000-8000-000000000101]
    profile: acceptance
    output-file: /var/crm/{job}-{time}.json
    output: json
  phone-book:
    command: relation phone-book
    output-file: phones.csv
    lock-wait: null
    flags:
      page-size: ~
      meta: false
`;
    assert.deepEqual(argv(text), [
      [
        ...['relation', 'list', '--profile=production', '--output=csv', '--lock-wait=10m', '--page-size=500', '--meta'],
        ...['--columns=Id,DisplayName', '--deadline=2h', '--include-fields', '--no-header'],
        ...['--output-file=/srv/exports/relations-2026-01-31.csv.gz', '--resume'],
      ],
      [
        ...['relation', 'marks', '00000000-0000-4000-8000-000000000101', '--profile=acceptance', '--output=json'],
        '--output-file=/var/crm/marks-of-one-090507.json',
      ],
      [
        ...['relation', 'phone-book', '--profile=production', '--output=csv', '--output-file=/srv/exports/phones.csv'],
        '--resume',
      ],
    ]);
  });

  it('takes values to the letter: as written, not as numbers', () => {
    const text = job('    output-file: a.csv\n    flags: { null-as: 1e5, delimiter: "|", limit: 007 }\n');
    assert.deepEqual(argv(text)[0]?.slice(2, 5), ['--null-as=1e5', '--delimiter=|', '--limit=007']);
  });

  it('takes a list, or keys with values, for a flag that may be repeated', () => {
    const search = (field: string): string =>
      `version: 1\njobs: {a: {command: activity search, output-file: a.csv, flags: {entity-type: 00000000-0040-4000-8000-000000000011, field: ${field}}}}`;
    for (const field of ['[A=1, "B=x y"]', '{A: 1, B: x y}']) {
      assert.deepEqual(argv(search(field))[0]?.slice(3, 5), ['--field=A=1', '--field=B=x y']);
    }
    assert.deepEqual(argv(search('A=1'))[0]?.slice(3, 4), ['--field=A=1']);
  });

  it('passes over a default that a command does not have, when another has it', () => {
    const text = `
version: 1
defaults: { lock-wait: 1m, flags: { include-fields: true } }
jobs:
  relations: { command: relation list, output-file: r.csv }
  products: { command: product list, output-file: p.csv }
`;
    assert.deepEqual(argv(text), [
      [
        ...['relation', 'list', '--lock-wait=1m', '--include-fields', '--output=csv'],
        ...['--output-file=/srv/exports/r.csv', '--resume'],
      ],
      ['product', 'list', '--output=csv', '--output-file=/srv/exports/p.csv'],
    ]);
  });

  it('passes over a default that says nothing in the format of a job, and refuses a flag of its own that does not', () => {
    const text = (own = ''): string => `
version: 1
defaults: { flags: { delimiter: ";", null-as: "-", no-header: true } }
jobs:
  a: { command: mark list, output-file: a.csv }
  b: { command: mark list, output-file: b.json }
  c: { command: mark list, output-file: c.gz, output: tsv${own} }
`;
    assert.deepEqual(
      argv(text()).map((words) => words.slice(2, -1)),
      [
        ['--delimiter=;', '--null-as=-', '--no-header', '--output=csv'],
        ['--output=json'],
        ['--null-as=-', '--no-header', '--output=tsv'],
      ],
    );
    assert.deepEqual(told(text(', flags: { delimiter: ";" }')), [
      "7:69 'delimiter' has no effect in tsv: it is for csv",
    ]);
    assert.deepEqual(told(job('    output-file: a.json\n    flags: { no-header: true }\n')), [
      "6:14 'no-header' has no effect in json: it is for table, csv, tsv and xlsx",
    ]);
  });

  it('goes on with what was interrupted, unless it says otherwise', () => {
    const last = (lines: string, restart = false): string | undefined =>
      argv(job(`    output-file: a.csv\n${lines}`), { restart })[0]?.at(-1);
    assert.equal(last(''), '--resume');
    assert.equal(last('    resume: true\n'), '--resume');
    assert.equal(last('    resume: false\n'), '--output-file=/srv/exports/a.csv');
    assert.equal(last('    restart: true\n'), '--restart');
    assert.equal(last('', true), '--restart');
  });

  it('takes the format from the name of the file when it says none', () => {
    const format = (file: string): string | undefined =>
      argv(job(`    output-file: ${file}\n`))[0]?.find((word) => word.startsWith('--output='));
    assert.equal(format('a.csv'), '--output=csv');
    assert.equal(format('a.NDJSON.gz'), '--output=ndjson');
    assert.equal(format('a.xlsx'), '--output=xlsx');
    assert.deepEqual(told(job('    output-file: a.txt\n')), [
      '3:3 the job all has no output (csv, json, …), and /srv/exports/a.txt does not end in one',
    ]);
  });

  it('has paths that start from its folder, those of flags as well', () => {
    const words =
      argv(job('    output-file: ../a.csv\n    flags: { set: { caFile: ca.pem, retries: 0 }, trace: "-" }\n'))[0] ?? [];
    assert.deepEqual(words.slice(2, 5), ['--set=caFile=/srv/exports/ca.pem', '--set=retries=0', '--trace=-']);
    assert.ok(words.includes('--output-file=/srv/a.csv'));
  });

  it('is told of all its mistakes at once, each with its place', () => {
    const text = `version: 2
defaults:
  profile: prodution
  page-siez: 10
  flags: { inculde-fields: true }
jobs:
  relations:
    command: relaton list
    output-file: r.csv
  r2:
    command: relation list
    colums: [Id]
    output-file: x.csv
    password: hunter2
    deadline: soon
    flags:
      limit: 1e5
      include-fields: maybe
      page-size: 0
  bad name:
    command: activity update
    output-file: y.csv
  steps:
    command: workflow steps
    output-file: x.csv
  search:
    command: activity search
    output-file: "{dat}.csv"
    flags: { entity-type: 12, no-input: true, set: { soapVersion: 1.3 }, from: someday }
`;
    assert.deepEqual(told(text).sort(byPlace), [
      '1:10 this version of relctl reads version 1 of job files',
      "3:12 there is no profile 'prodution'; did you mean production?",
      "4:3 unknown key 'page-siez'",
      "5:12 no job here has a flag 'inculde-fields'; did you mean include-fields?",
      "8:14 unknown command 'relaton list'; did you mean relation list?",
      "12:5 unknown key 'colums'; did you mean columns?",
      "14:5 'password' is not allowed: a job file has no secrets; use a profile",
      "15:15 --deadline takes a length of time such as 30s, 10m or 2h, 24 days at most, not 'soon'",
      "17:14 --limit takes a whole number from 1 to 2147483647, not '1e5'",
      '18:23 --include-fields takes true or false',
      "19:18 --page-size takes a whole number from 1 to 1000000, not '0'",
      "20:3 'bad name' cannot be the name of a job: letters, digits, - and _",
      "21:14 'activity update' is not a command for a job: a job only reads lists",
      '23:3 workflow steps needs args: ID',
      '25:18 /srv/exports/x.csv is already written by the job r2',
      '28:18 unknown placeholder {dat}; the placeholders are {job}, {date}, {time}; did you mean date?',
      '29:27 prodution has no entity-type 12',
      "29:31 'no-input' is not a flag for a job: a job never asks",
      "29:52 --set soapVersion takes 1.1, 1.2, not '1.3'",
      "29:80 --from takes a time such as 2026-01-31T09:30, 2026-01-31, now, today, yesterday, -7d or -2h, not 'someday'",
    ]);
  });

  for (const [what, lines, mistake] of [
    ['no file to write', '', '3:3 the job all has no output-file'],
    ['stdout for its file', '    output-file: "-"\n', '5:18 a job writes to a file: stdout is for the summary'],
    ['a folder for its file', '    output-file: out/\n', '5:18 output-file must be the name of a file'],
    [
      'the job file for its file',
      '    output-file: ./jobs.yaml\n',
      '5:18 /srv/exports/jobs.yaml is the job file itself',
    ],
    [
      'a brace that stands alone',
      '    output-file: "a}.csv"\n',
      '5:18 an unmatched brace: write placeholders as {date}',
    ],
    [
      'a flag in two places',
      '    output-file: a.csv\n    columns: Id\n    flags: { columns: Id }\n',
      "7:14 'columns' is already on line 6",
    ],
    ['a flag without a value', '    output-file: a.csv\n    columns:\n', "6:5 'columns' has no value"],
    [
      'a list for one value',
      '    output-file: a.csv\n    profile: [a, b]\n',
      '6:14 --profile must be one value, not a list',
    ],
    [
      'a column with a comma',
      '    output-file: a.csv\n    columns: ["Id,X"]\n',
      "6:14 --columns: 'Id,X' holds a comma",
    ],
    [
      'both ways to begin',
      '    output-file: a.csv\n    resume: true\n    restart: true\n',
      "7:14 'resume' and 'restart' cannot be used together",
    ],
    ['a quoted true', '    output-file: a.csv\n    flags: { meta: "true" }\n', '6:20 --meta takes true or false'],
    ['an argument too many', '    output-file: a.csv\n    args: [x]\n', '6:5 relation list takes 0 args, not 1'],
    [
      'a line break in a value',
      '    output-file: "a\\nb.csv"\n',
      '5:18 --output-file holds a line break or a control character',
    ],
    [
      'a flag that the command lacks',
      '    output-file: a.csv\n    flags: { include-field: true }\n',
      "6:14 relation list has no flag 'include-field'; did you mean include-fields?",
    ],
    [
      'a command that stands twice',
      '    output-file: a.csv\n    command: relation list\n',
      "6:5 'command' is repeated here; the first is on line 4",
    ],
  ] as const) {
    it(`is refused for ${what}`, () => assert.ok(told(job(lines)).includes(mistake), told(job(lines)).join('\n')));
  }

  it('is refused for what its command does not have, and for what it must have', () => {
    const text = (lines: string): string => `version: 1\njobs:\n${lines}`;
    assert.deepEqual(told(text('  a: { command: relation get, output-file: a.csv, flags: { ids: "-" } }\n')), [
      '3:65 --ids: a job cannot read stdin',
    ]);
    assert.deepEqual(told(text('  a: { command: activity search, output-file: a.csv }\n')), [
      "3:3 the job a lacks 'entity-type', which activity search needs",
    ]);
    assert.deepEqual(told(text('  a: { command: product list, output-file: a.csv, deadline: 1m }\n')), [
      "3:51 product list has no flag 'deadline'",
    ]);
  });

  it('is refused for an argument that its command refuses, and that YAML reads as keys', () => {
    const text = (arg: string): string =>
      `version: 1\njobs:\n  a: { command: relation marks, output-file: a.csv, args: [${arg}] }\n`;
    assert.deepEqual(told(text('" "')), ["3:60 ID takes a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff, not ' '"]);
    assert.match(told(text('{12}')).join(), /^3:\d+ an argument cannot have keys; quote a text that begins with \{$/);
    assert.equal(argv(text('"{00000000-0000-4000-8000-000000000101}"')).length, 1);
  });

  it('is refused when one job writes what another keeps beside its file', () => {
    const text = `version: 1\njobs:\n  a: { command: relation list, output-file: x.csv }\n  b: { command: relation list, output-file: x.csv.part, output: csv }\n`;
    assert.deepEqual(told(text), ['4:45 /srv/exports/x.csv.part is already written by the job a']);
  });

  it('names the placeholder that keeps two jobs apart', () => {
    const text = `version: 1\ndefaults: { output-file: "{job}.csv" }\njobs:\n  a: { command: relation list }\n  b: { command: product list }\n`;
    assert.deepEqual(
      argv(text).map((words) => words.find((word) => word.startsWith('--output-file'))),
      ['--output-file=/srv/exports/a.csv', '--output-file=/srv/exports/b.csv'],
    );
  });

  for (const [text, mistakes] of [
    ['', ["1:1 the file has no version: begin with 'version: 1'", "1:1 the file has no 'jobs'"]],
    [
      'just text',
      [
        '1:1 a job file takes keys with values',
        "1:1 the file has no version: begin with 'version: 1'",
        "1:1 the file has no 'jobs'",
      ],
    ],
    ['version: 1\njobs: {}', ["2:1 'jobs' names no job"]],
    ['version: 1\njobs:\n', ['2:6 jobs takes keys with values']],
    ['version: 1\njobs: [a]', ['2:7 jobs takes keys with values']],
    ['version: 1\njobs: {a: }', ['2:11 the job a takes keys with values']],
  ] as const) {
    it(`is refused when it holds ${JSON.stringify(text)}`, () => assert.deepEqual(told(text), mistakes));
  }

  it('offers every command that only reads and prints to a file, and no other', () => {
    for (const name of ['relation list', 'activity search', 'product list', 'datastore items', 'mark list']) {
      assert.ok(commands.jobs.has(name), name);
    }
    for (const name of ['activity update', 'product update', 'profile list', 'doctor', 'export run', 'operations']) {
      assert.ok(!commands.jobs.has(name), name);
    }
  });

  it('offers call for lists alone: --list is needed, and no flag of writes is there', () => {
    const { flags = new Map<string, FlagFacts>() } = commands.jobs.get('call') ?? {};
    assert.deepEqual(
      [...flags.values()].flatMap(({ name, required }) => (required === true ? [name] : [])),
      ['list'],
    );
    for (const name of ['from', 'write', 'yes', 'confirm', 'plan', 'results']) assert.ok(!flags.has(name), name);
    for (const name of ['param', 'input', 'read', 'page-params', 'changes-since', 'output-file', 'profile'])
      assert.ok(flags.has(name), name);
  });

  it('stands for command lines that a shell takes apart into the same words', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii' }).filter((text) => !text.includes('\u0000')),
        (text) => {
          const words = ['relation', `--null-as=${text}`];
          const line = commandLine({ name: 'a', operations: [], file: '/a', argv: words });
          const { stdout } = spawnSync('sh', ['-c', `relctl() { printf '%s\\0' "$@"; }; ${line}`]);
          assert.deepEqual(stdout.toString().split('\u0000').slice(0, -1), words);
        },
      ),
      { numRuns: 60 },
    );
  });
});
