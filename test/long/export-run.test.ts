import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, installIn, program, relctl, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { valuesOf } from '../support/thrown.js';

interface Line {
  readonly Job: string;
  readonly Outcome: string;
  readonly ExitCode: number | null;
  readonly Rows: number | null;
  readonly File: string;
  readonly Reason: string | null;
}

const good = `version: 1
defaults:
  profile: sandbox
jobs:
  relations:
    command: relation list
    output-file: "{job}.csv"
    columns: [Id, DisplayName]
    flags: { page-size: 100, include-fields: false }
  products:
    command: product list
    output-file: products.json
  catalogue:
    command: product list
    output-file: catalogue.tsv
    columns: [Code, Description]
    flags: { no-header: true, null-as: "a 'nil' $HOME" }
`;

const failing = (flags: string): string => `  ${flags}:
    command: activity search
    output-file: ${flags}.csv
    flags: { entity-type: 00000000-0040-4000-8000-000000000011, from: 2026-01-01 }
`;

describe('export run', function () {
  const place = home();
  let count = 0;
  /** A folder of its own with a job file in it. */
  const folder = (text: string): string => {
    const path = join(place.folder, `jobs-${(count += 1)}`);
    mkdirSync(path);
    writeFileSync(join(path, 'jobs.yaml'), text);
    return path;
  };
  const run = (path: string, ...args: string[]): Promise<Run> =>
    relctl(['export', 'run', join(path, 'jobs.yaml'), ...args], { env: place.env });
  const lines = ({ stdout }: Run): Line[] => JSON.parse(stdout) as Line[];
  after(() => place.remove());

  it('writes every file and says nothing, as cron wants it', async () => {
    const path = folder(good);
    const ran = await run(path);
    assert.deepEqual(ran, { code: 0, signal: null, stdout: '', stderr: '' });
    assert.equal(readFileSync(join(path, 'relations.csv'), 'utf8').split('\n').length, 252);
    assert.equal((JSON.parse(readFileSync(join(path, 'products.json'), 'utf8')) as unknown[]).length, 50);
    assert.deepEqual(readdirSync(path).sort(), ['catalogue.tsv', 'jobs.yaml', 'products.json', 'relations.csv']);
    assert.equal((await run(path)).code, 0, 'the next night, the files are replaced');
  });

  it('gives its summary as JSON', async () => {
    const path = folder(good);
    const ran = await ends(run(path, '-o', 'json'), 0, '');
    assert.deepEqual(valuesOf(lines(ran), 'Job', 'Outcome', 'ExitCode', 'Rows', 'File'), [
      ['relations', 'complete', 0, 250, join(path, 'relations.csv')],
      ['products', 'complete', 0, 50, join(path, 'products.json')],
      ['catalogue', 'complete', 0, 50, join(path, 'catalogue.tsv')],
    ]);
    assert.match((await run(path, '--summary')).stdout, /^Job +Profile +Outcome +Rows +Seconds +File/);
  });

  it('records the calls of the jobs that name no folder themselves', async () => {
    const path = folder(
      'version: 1\ndefaults: { profile: sandbox, output: ndjson }\njobs:\n' +
        '  marks: { command: mark list, output-file: marks.ndjson }\n' +
        `  few: { command: relation list, output-file: relations.ndjson, flags: { limit: 2, record: ${join(place.folder, 'own')} } }\n`,
    );
    const [all, own] = [join(place.folder, 'case'), join(place.folder, 'own')];
    const done = await run(path, '--record', all);
    assert.deepEqual([done.code, done.stdout], [0, '']);
    const recorded = (where: string): readonly unknown[] =>
      readFileSync(join(where, 'index.ndjson'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { operation?: string }).operation)
        .filter((name) => name !== undefined);
    assert.deepEqual([...new Set(recorded(all))], ['MarkGetAll']);
    assert.deepEqual([...new Set(recorded(own))], ['RelationGetAll']);
    const shown = await run(path, '--dry-run', '--record', all);
    assert.match(shown.stdout, new RegExp(`mark list [^\n]*--record=${all}`));
  });

  it('-p is the profile of the jobs that name none themselves, before that of the defaults and RELCTL_PROFILE', async () => {
    const add = (name: string, url: string): Promise<Run> =>
      relctl(['profile', 'add', name, '--base-url', url, '--namespace', 'http://crm.example/api'], { env: place.env });
    await Promise.all([add('one', 'http://127.0.0.1:1'), add('two', 'http://127.0.0.1:2')]);
    const path = folder(
      'version: 1\ndefaults: { profile: one, output: csv }\njobs:\n' +
        '  plain: { command: mark list, output-file: a.csv }\n' +
        '  own: { command: mark list, output-file: b.csv, profile: two }\n' +
        '  bare: { command: mark list, output-file: c.csv, profile: null }\n',
    );
    const used = async (env: NodeJS.ProcessEnv, ...args: string[]): Promise<readonly unknown[]> => {
      const ran = await relctl(
        ['export', 'run', join(path, 'jobs.yaml'), '-n', '--only', 'plain', '--only', 'own', '--only', 'bare', ...args],
        {
          env: { ...place.env, ...env },
        },
      );
      assert.deepEqual([ran.code, ran.stderr], [0, '']);
      return [...ran.stdout.matchAll(/^relctl .*$/gm)].map(([line]) => /--profile=(\S+)/.exec(line)?.[1]);
    };
    assert.deepEqual(await used({ RELCTL_PROFILE: 'sandbox' }), ['one', 'two', undefined]);
    assert.deepEqual(await used({}, '-p', 'sandbox'), ['sandbox', 'two', 'sandbox']);
    await ends(run(path, '-p', 'three'), 3, /there is no profile 'three'/, '');
    const failed = await relctl(
      argv`export run ${join(path, 'jobs.yaml')} --profile sandbox -o csv --columns Job,Profile,ExitCode`,
      {
        env: { ...place.env, RELCTL_RETRIES: '0' },
      },
    );
    assert.equal(failed.stdout, 'Job,Profile,ExitCode\nplain,sandbox,0\nown,two,3\nbare,sandbox,0\n');
    assert.match(failed.stderr, /Try: relctl export run \S+ --profile sandbox --only own\n/);
    const named = { ...place.env, RELCTL_PROFILE: 'sandbox', RELCTL_RETRIES: '0' };
    const byVariable = await relctl(['export', 'run', join(path, 'jobs.yaml'), '-o', 'csv', '--columns', 'Profile'], {
      env: named,
    });
    assert.equal(byVariable.stdout, 'Profile\none\ntwo\nsandbox\n');
    assert.match(byVariable.stderr, /Try: relctl export run \S+ --only plain --only own\n/, 'which needs no profile');
  });

  it('shows a table, and each end as it comes, to somebody who looks', async () => {
    const path = folder(good);
    const env = { ...place.env, RELCTL_FORCE_TTY: '100' };
    const ran = await relctl(['export', 'run', join(path, 'jobs.yaml'), '--only', 'products'], { env });
    assert.match(ran.stdout, /^Job +Profile +Outcome +Rows.*\nproducts +sandbox +complete +50 /);
    assert.match(ran.stderr, /^\[products\] complete, 50 rows, [\d.]+ s\n$/);
    await ends(relctl(['export', 'run', join(path, 'jobs.yaml'), '--only', 'products', '-q'], { env }), 0, '', '');
  });

  it('prints commands that do the same when they are pasted into a shell', async () => {
    const path = folder(good);
    const script = await run(path, '--dry-run');
    assert.deepEqual([script.code, script.stderr, existsSync(join(path, 'products.json'))], [0, '', false]);
    const env = { ...place.env, PATH: installIn(path).PATH };
    const pasted = spawnSync('bash', ['-e', '-c', script.stdout], { env, cwd: '/' });
    assert.equal(pasted.status, 0, pasted.stderr.toString());
    const files = ['relations.csv', 'products.json', 'catalogue.tsv'].map((name) => join(path, name));
    const byHand = files.map((file) => readFileSync(file, 'utf8'));
    // What the shell wrote must not be taken for what the run writes.
    for (const file of files) rmSync(file);
    assert.equal((await run(path)).code, 0);
    assert.deepEqual(
      files.map((file) => readFileSync(file, 'utf8')),
      byHand,
    );
    assert.deepEqual(byHand[0]?.split('\n')[0], 'Id,DisplayName');
    assert.match(byHand[2] ?? '', /^00001\ta 'nil' \$HOME\n/);
  });

  it('tells all mistakes with their places and calls nothing', async () => {
    const path = folder('version: 1\njobs:\n  a: { command: relation lst, output-file: a.csv }\n  b: {}\n');
    const ran = await run(path);
    const file = join(path, 'jobs.yaml');
    assert.equal(ran.code, 2);
    assert.deepEqual(ran.stderr.split('\n').slice(0, 3), [
      `${file}:3:17: unknown command 'relation lst'; did you mean relation list?`,
      `${file}:4:3: the job b has no command`,
      `Error: ${file} has 2 mistakes; nothing was run`,
    ]);
    const asJson = await run(path, '-o', 'json');
    const { error } = JSON.parse(asJson.stderr) as { error: { kind: string; data: object[] } };
    assert.deepEqual(
      [asJson.code, error.kind, error.data[0]],
      [
        2,
        'usage',
        { file, line: 3, column: 17, message: "unknown command 'relation lst'; did you mean relation list?" },
      ],
    );
  });

  it('goes on with the others when one fails, and ends with the code of the failure', async () => {
    const path = folder(good + failing('broken'));
    const ran = await ends(run(path, '-o', 'json'), 2);
    assert.deepEqual(valuesOf(lines(ran), 'Outcome', 'ExitCode'), [
      ...Array.from({ length: 3 }, () => ['complete', 0]),
      ['failed', 2],
    ]);
    const { error } = JSON.parse(ran.stderr) as { error: { message: string; exitCode: number; notes: string[] } };
    assert.equal(error.message, '1 of 4 jobs failed: broken (exit code 2)');
    assert.match(error.notes.join('\n'), /^broken: Error: a period needs --date-field/);
    const inText = await run(path);
    assert.match(inText.stderr, /^\[broken\] Error: a period needs --date-field/);
    assert.match(inText.stderr, new RegExp(`Try: relctl export run ${path}/jobs.yaml --only broken\n`));
  });

  it('goes on with the others when the process of one cannot be started, and says why', async () => {
    const columns = Array.from({ length: 50_000 }, () => 'Id').join(',');
    const long = `  long: { command: product list, output-file: long.csv, columns: "${columns}" }\n`;
    const path = folder(good.replace('jobs:\n', `jobs:\n${long}`));
    const ran = await ends(run(path, '-o', 'json', '--concurrency', '1'), 10);
    assert.deepEqual(valuesOf(lines(ran), 'Job', 'Outcome', 'Reason'), [
      ['long', 'failed', 'its flags are too long for a process'],
      ['relations', 'complete', null],
      ['products', 'complete', null],
      ['catalogue', 'complete', null],
    ]);
  });

  it('ends with 8 when failures differ, and with theirs when they agree', async () => {
    const missing = '  nowhere: { command: mark list, output-file: nowhere/marks.csv }\n';
    assert.equal((await run(folder(good + missing + failing('broken')))).code, 8);
    assert.equal((await run(folder(good + missing))).code, 10);
    assert.equal((await run(folder(good + failing('one') + failing('two')))).code, 2);
  });

  it('begins no job after a failure with --fail-fast', async () => {
    const text = `version: 1\ndefaults: { profile: sandbox }\njobs:\n${failing('broken')}  marks: { command: mark list, output-file: marks.csv }\n`;
    const ran = await ends(run(folder(text), '--fail-fast', '--concurrency', '1', '-o', 'json'), 2);
    assert.deepEqual(valuesOf(lines(ran), 'Outcome'), ['failed', 'not started']);
    assert.match(ran.stderr, /not started: marks/);
  });

  it('runs only what is named', async () => {
    const path = folder(good);
    const ran = await run(path, '--only', 'catalogue', '--only', 'products', '-o', 'json');
    assert.deepEqual(valuesOf(lines(ran), 'Job'), ['products', 'catalogue']);
    assert.ok(!existsSync(join(path, 'relations.csv')));
    await ends(run(path, '--only', 'product'), 2, /Try: relctl export run .*--only products/);
  });

  for (const [what, bytes, words] of [
    ['not UTF-8', Buffer.from([0x61, 0x3a, 0xff]), /is not UTF-8/],
    ['larger than a job file can be', Buffer.alloc(300_000, '#'), /is larger than 256 KiB/],
  ] as const) {
    it(`refuses a file that is ${what}`, async () => {
      const path = folder('');
      writeFileSync(join(path, 'jobs.yaml'), bytes);
      await ends(run(path), 2, words);
    });
  }
});

const slow = `version: 1
defaults: { profile: sandbox, lock-wait: 30s, flags: { page-size: 5, concurrency: 1 } }
jobs:
  one: { command: relation list, output-file: one.csv }
  two: { command: relationship list, output-file: two.csv }
  three: { command: relation list, output-file: three.csv }
`;

describe('export run, stopped from outside', function () {
  const place = home();
  let server: RunningSandbox;
  before(async () => {
    server = await sandbox(place.env, ['--relations', '120', '--fault', 'latency=60ms']);
  });
  after(async () => {
    await server.stop();
    place.remove();
  });

  const start = (name: string): { child: ChildProcess; path: string; ended: Promise<Run> } => {
    const path = join(place.folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'jobs.yaml'), slow);
    const child = spawn(process.execPath, [program, 'export', 'run', join(path, 'jobs.yaml'), '-o', 'json'], {
      env: place.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const ended = new Promise<Run>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    return { child, path, ended };
  };

  /** Resolves when two jobs have written their first pages. */
  const underWay = async (path: string): Promise<void> => {
    const size = (name: string): number => {
      const file = join(path, `${name}.csv.journal`);
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0;
    };
    while (size('one') < 4 || size('two') < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  const finishes = async (path: string): Promise<void> => {
    const again = await relctl(['export', 'run', join(path, 'jobs.yaml'), '-o', 'json'], {
      env: place.env,
    });
    assert.equal(again.code, 0, again.stderr);
    for (const name of ['one', 'two', 'three']) {
      const ids = readFileSync(join(path, `${name}.csv`), 'utf8').match(/^[0-9a-f-]{36}/gm) ?? [];
      assert.ok(ids.length >= 120, name);
      assert.equal(new Set(ids).size, ids.length);
    }
    assert.deepEqual(readdirSync(path).sort(), ['jobs.yaml', 'one.csv', 'three.csv', 'two.csv']);
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`stops every job cleanly at ${signal}, raises it again, and goes on the next time`, async () => {
      const { child, path, ended } = start(signal);
      await underWay(path);
      child.kill(signal);
      const run = await ended;
      assert.equal(run.signal, signal);
      assert.deepEqual(valuesOf(JSON.parse(run.stdout) as Line[], 'Outcome'), [
        'interrupted',
        'interrupted',
        'not started',
      ]);
      const left = readdirSync(path).sort();
      assert.deepEqual(left, ['jobs.yaml', 'one.csv.journal', 'one.csv.part', 'two.csv.journal', 'two.csv.part']);
      assert.match(run.stderr, /0 of 3 jobs are complete/);
      await finishes(path);
    });
  }

  it('ends at once at a second signal, and leaves nothing that the next run cannot go on with', async () => {
    const { child, path, ended } = start('twice');
    await underWay(path);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    assert.ok(['SIGINT', 'SIGTERM'].includes((await ended).signal ?? ''));
    await finishes(path);
  });

  it('leaves no job behind when it is killed: they stop, resumable, and let their locks go', async () => {
    const { child, path, ended } = start('killed');
    await underWay(path);
    child.kill('SIGKILL');
    assert.equal((await ended).signal, 'SIGKILL');
    await finishes(path);
  });

  it('lets no job begin whose run is gone already', async () => {
    const file = join(place.folder, 'orphan.csv');
    const child = spawn(
      process.execPath,
      [program, 'relation', 'list', '-p', 'sandbox', `--output-file=${file}`, '-o', 'csv'],
      {
        env: { ...place.env, RELCTL_JOB: 'orphan' },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    child.disconnect();
    const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
    assert.deepEqual([code, existsSync(file)], [143, false]);
  });

  it('stops once when the signal reaches the whole group, as Ctrl-C does', async () => {
    const path = join(place.folder, 'group');
    mkdirSync(path);
    writeFileSync(join(path, 'jobs.yaml'), slow);
    const child = spawn(process.execPath, [program, 'export', 'run', join(path, 'jobs.yaml')], {
      env: place.env,
      stdio: 'ignore',
      detached: true,
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
    await underWay(path);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    assert.equal(await ended, 'SIGINT');
    assert.ok(!readdirSync(path).some((name) => name.endsWith('.lock')));
    await finishes(path);
  });

  it('takes a job that somebody kills for partly done, and says which', async () => {
    const { path, ended } = start('victim');
    await underWay(path);
    const lock = JSON.parse(readFileSync(join(path, 'one.csv.lock'), 'utf8')) as { pid: number };
    process.kill(lock.pid, 'SIGKILL');
    const run = await ends(ended, 8);
    const [one, two, three] = JSON.parse(run.stdout) as Line[];
    assert.deepEqual(
      [one?.Outcome, one?.Reason, two?.Outcome, three?.Outcome],
      ['failed', 'ended by SIGKILL', 'complete', 'complete'],
    );
    await finishes(path);
  });
});
