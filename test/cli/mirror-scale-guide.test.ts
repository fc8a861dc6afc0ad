import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { duckdb } from '../support/output/duckdb.js';
import { home, installIn } from '../support/relctl.js';

const guide = readFileSync(new URL('../../docs/mirror-scale.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, mark, text = '']) => ({
  language,
  mark,
  text,
}));

/** The blocks of a language. */
const of = (wanted: string): readonly { readonly mark: string | undefined; readonly text: string }[] =>
  blocks.filter(({ language }) => language === wanted);

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

describe('The guide to more than one machine', function () {
  this.timeout(120_000);
  const place = home();
  const { folder } = place;
  const env = { ...place.env, PATH: installIn(folder).PATH };
  after(() => place.remove());

  function ran(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): void {
    const { status, stdout, stderr } = spawnSync(program, args, { env: { ...env, ...more }, cwd: folder });
    assert.deepEqual([status, stdout.toString(), stderr.toString()], [0, '', '']);
  }

  it('has a job file', () => {
    const files = of('yaml').filter(({ mark }) => mark?.endsWith('.yaml') === true);
    assert.equal(files.length, 1);
    for (const { mark = '', text } of files) writeFileSync(join(folder, mark), text);
  });

  for (const { mark, text } of of('sh')) {
    it(`has commands that work as printed, silently: ${text.split('\n')[0] ?? ''}`, () => {
      assert.equal(mark, 'run');
      ran('bash', ['--norc', '-euo', 'pipefail', '-c', text]);
    });
  }

  it('has SQL that DuckDB runs on those files', async function () {
    const reader = await duckdb(this);
    const sql = of('sql').flatMap(({ text }) => text.replaceAll("'lake/", `'${join(folder, 'lake')}/`).split(';'));
    const asked = sql.filter((each) => each.trim() !== '');
    assert.equal(asked.length, 2);
    for (const each of asked) assert.ok((await reader.rows(each)).length > 0, each);
    reader.close();
  });

  it('has a job in which each pod writes one list, and all of them every list', () => {
    const [job] = of('yaml').filter(({ mark }) => mark === 'kubernetes');
    const { spec } = (parse(job?.text ?? '') as CronJob).spec.jobTemplate;
    const { command, args } = spec.template.spec.containers[0] ?? assert.fail();
    const [shell = '', ...flags] = command;
    const lists = join(folder, 'lists');
    const wanted = Object.keys((parse(readFileSync(join(folder, 'lake.yaml'), 'utf8')) as { jobs: object }).jobs);
    assert.equal(spec.completions, wanted.length);
    wanted.forEach((name, index) => {
      spawnSync('rm', ['-r', lists]);
      spawnSync('mkdir', [lists]);
      ran(shell, [...flags, ...args], { RELCTL_PROFILE: 'sandbox', JOB_COMPLETION_INDEX: String(index) });
      assert.deepEqual(readdirSync(lists), [`${name}.parquet`]);
    });
  });
});
