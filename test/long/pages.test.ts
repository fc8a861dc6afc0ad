import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, installIn } from '../support/relctl.js';

const page = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const scriptsIn = (text: string): readonly (readonly [mark: string, script: string])[] =>
  [...text.matchAll(/^```sh(?: (\S+))?\n(.*?)^```$/gms)].map(([, mark = '', script = '']) => [mark, script]);
const readme = page('README.md');
const section = (title: string): string =>
  scriptsIn(readme.slice(readme.indexOf(`\n## ${title}\n`)))[0]?.[1] ?? assert.fail(`no ${title}`);
const writes = page('docs/writes.md');

interface Page {
  readonly title: string;
  readonly scripts: readonly string[];
  /** What the scripts wrote, and what else the page says of them. */
  readonly check: (read: (name: string) => string) => void;
}

/** Pages whose commands are run in their order; those of formats, exports and the cookbook have tests of their own. */
const pages: readonly Page[] = [
  {
    title: 'The README',
    scripts: [...section('Examples').split('\n').filter(Boolean), section('Writes from a file')],
    check: (read) => {
      // As .ci/run reads them.
      for (const mark of ['first', 'second'])
        assert.match(readme, new RegExp(`^\`\`\`sh ${mark}\nnpm ci --no-audit --no-fund && npm [^\n]+\n\`\`\`$`, 'm'));
      assert.match(read('prices.csv.results.csv'), /\r\n2,[^,]*,done,/);
    },
  },
  {
    title: 'The guide to names and fields',
    scripts: scriptsIn(page('docs/names.md')).map(([, script]) => script),
    check: (read) => {
      assert.match(read('relations.csv'), /^Id,.*,Field\.00000000-0041-4000-8000-000000000105,.*,FieldValues\.Items,/);
      assert.match(read('activities.csv'), /^_relationId,Id,/);
      assert.equal(read('again.ndjson').split('\n').length, 251);
    },
  },
  {
    title: 'The page of writes',
    scripts: scriptsIn(writes).map(([, script]) => script),
    check: (read) => {
      for (const [, name = ''] of writes.matchAll(/--file (\S+\.csv)(?=.*--yes)/g)) {
        const rows = read(`${name}.results.csv`).split('\r\n').slice(1, -1);
        assert.ok(rows.length > 0 && rows.every((row) => row.split(',')[2] === 'done'), `${name}: ${rows.join('\n')}`);
      }
      for (const command of ['product update', 'activity update', 'activity add-line', 'activity attach'])
        assert.match(writes, new RegExp(`relctl ${command} --file`));
      assert.match(writes, /relctl subscription add-line --file[^]*relctl relationship add-line --file/);
      assert.match(writes, /relctl datastore create-item \S+ --file[^]*relctl call \w+ --file/);
    },
  },
];

for (const { title, scripts, check } of pages)
  describe(title, () => {
    const place = home();
    const env = { ...place.env, PATH: installIn(place.folder).PATH };
    after(() => place.remove());

    for (const script of scripts) {
      it(`has commands that work as printed: ${script.split('\n')[0]?.split(/ +#/)[0] ?? ''}`, () => {
        const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env, cwd: place.folder });
        assert.equal(ran.status, 0, ran.stderr.toString());
      });
    }

    it('is true of what they wrote', () => check((name) => readFileSync(join(place.folder, name), 'utf8')));
  });

describe('Each script of these pages', () => {
  it('is marked to be run', () => {
    const marks = [...scriptsIn(page('docs/names.md')), ...scriptsIn(writes)].map(([mark]) => mark);
    assert.deepEqual([...new Set(marks)], ['run']);
    assert.ok(section('Examples').split('\n').length > 10);
  });
});
