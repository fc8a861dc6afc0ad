import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ends, home, installIn, program, relctl } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const guide = page('formats') + page('exports');

/** Blocks of the pages by what stands behind their fence. */
const blocks = [...guide.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language = '', mark, text = '']) => ({
  language,
  mark,
  text,
}));

/** A job of which each pod does a part. */
interface CronJob {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly completions: number;
        readonly template: { readonly spec: { readonly containers: readonly { command: string[]; args: string[] }[] } };
      };
    };
  };
}

/** Lines of a block that are complete commands: a `\`, `||` or `&&` at the end goes on in the next. */
const title = (text: string): string => text.split('\n')[0] ?? '';

describe('The pages of formats and exports', function () {
  const place = home();
  const { bin, PATH } = installIn(place.folder);
  const folder = join(place.folder, 'work');
  const env = { ...place.env, PATH };
  let server: RunningSandbox;
  before(async () => {
    mkdirSync(folder);
    server = await sandbox(env);
    const name = server.profileAdd.indexOf('add') + 1;
    const args = server.profileAdd.map((word, index) => (index === name ? 'production' : word));
    await ends(relctl(args, { env, input: server.secrets }), 0);
  });
  after(async () => {
    await server.stop();
    place.remove();
  });

  for (const { language, mark, text } of blocks) {
    if (language === 'yaml' && mark?.endsWith('.yaml') === true) {
      it(`has a file ${mark}`, () => writeFileSync(join(folder, mark), text));
    }
    if (language === 'sh' && mark === 'run') {
      it(`has commands that work as printed, silently where they write files: ${title(text)}`, () => {
        const isToFiles = text
          .split('\n')
          .every((line) => !/^relctl .* list\b/.test(line) || line.includes('--output-file'));
        const quiet = isToFiles && !/--dry-run|--summary|--deadline|export diff/.test(text);
        const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', text], { env, cwd: folder });
        assert.equal(ran.status, 0, ran.stderr.toString());
        if (quiet) assert.equal(ran.stdout.toString() + ran.stderr.toString(), '');
      });
    }
  }

  it('marks every block of shell commands to be run', () => {
    const shells = blocks.filter(({ language }) => language === 'sh');
    assert.ok(shells.length >= 8);
    assert.deepEqual(
      shells.filter(({ mark }) => mark !== 'run'),
      [],
    );
  });

  it('has an init container that removes the locks of others, and nothing else', () => {
    const unlock = blocks.find(({ language, text }) => language === 'yaml' && text.startsWith('initContainers:'));
    const { initContainers } = parse(unlock?.text ?? '') as { initContainers: { command: string[] }[] };
    const [find = '', , ...rest] = initContainers[0]?.command ?? [];
    const locks = join(folder, 'locks');
    mkdirSync(locks);
    for (const name of ['a.csv', 'a.csv.lock', 'a.csv.journal']) writeFileSync(join(locks, name), '');
    assert.equal(spawnSync(find, [locks, ...rest]).status, 0);
    assert.deepEqual(readdirSync(locks).sort(), ['a.csv', 'a.csv.journal']);
  });

  it('wrote the files that it says', () => {
    assert.equal(readFileSync(join(folder, 'relations.csv'), 'utf8').match(/^[0-9a-f-]{36},/gm)?.length, 250);
    assert.match(readFileSync(join(folder, 'products.csv'), 'utf8'), /^\ufeffId;.*\r\n/);
    for (const name of ['products.xlsx', 'products.xlsx.meta.json', 'campaigns.json']) {
      assert.equal(existsSync(join(folder, name)), !name.endsWith('.meta.json'), name);
    }
  });

  it('has a crontab whose command works in the environment that cron gives', () => {
    const crontab = blocks.find(({ language }) => language === 'cron')?.text ?? '';
    const line = /^[\d* ]+ {2}(.*)$/m.exec(crontab)?.[1] ?? '';
    const paths = `${bin}:${/^PATH=(.*)$/m.exec(crontab)?.[1] ?? ''}`;
    const words = line.replace('/srv/crm', folder).replace('relctl', `${process.execPath} ${program}`);
    const variables = { HOME: place.folder, LOGNAME: 'crm', SHELL: '/bin/sh', PATH: paths };
    const xdg = { XDG_CONFIG_HOME: place.env['XDG_CONFIG_HOME'], XDG_STATE_HOME: place.env['XDG_STATE_HOME'] };
    const ran = spawnSync('/bin/sh', ['-c', words], {
      env: { ...variables, ...xdg },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.deepEqual([ran.status, ran.stdout.toString(), ran.stderr.toString()], [0, '', '']);
  });

  it('has a job in which each pod writes one list, and all of them every list', () => {
    const { spec } = parse(blocks.find(({ mark }) => mark === 'kubernetes')?.text ?? '') as CronJob;
    const { completions, template } = spec.jobTemplate.spec;
    const { command, args } = template.spec.containers[0] ?? assert.fail();
    const [shell = '', ...flags] = command;
    const lists = join(folder, 'lists');
    const wanted = Object.keys((parse(readFileSync(join(folder, 'lists.yaml'), 'utf8')) as { jobs: object }).jobs);
    assert.equal(completions, wanted.length);
    wanted.forEach((name, index) => {
      rmSync(lists, { recursive: true, force: true });
      const pod = { ...env, RELCTL_PROFILE: 'production', JOB_COMPLETION_INDEX: String(index) };
      const { status, stdout, stderr } = spawnSync(shell, [...flags, ...args], { env: pod, cwd: folder });
      assert.deepEqual([status, stdout.toString(), stderr.toString()], [0, '', '']);
      assert.deepEqual(readdirSync(lists), [`${name}.parquet`]);
    });
  });

  it('has a CronJob that is YAML and runs a command that there is', () => {
    const text = blocks.find(({ text: each }) => each.includes('kind: CronJob'))?.text ?? '';
    const cronJob = parse(text) as {
      spec: { jobTemplate: { spec: { template: { spec: { containers: { args: string[] }[] } } } } };
    };
    const [container] = cronJob.spec.jobTemplate.spec.template.spec.containers;
    const args = container?.args.map((word) => word.replace('/etc/exports', folder)) ?? [];
    const ran = spawnSync(process.execPath, [program, ...args, '--dry-run'], { env });
    assert.equal(ran.status, 0, ran.stderr.toString());
  });
});
