import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

describe('The report of an export', () => {
  const here = place([], true);
  const asked = (): number => here.requests('RelationGetAll').length;
  const beside = (file: string): readonly string[] =>
    readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  const kinds = [
    ['an export', []],
    ['an export with --sort', ['--sort', 'Id']],
  ] as const;

  for (const [kind, more] of kinds) {
    const words = (file: string) => ['relation', 'list', ...more, '-o', 'csv', '--output-file', file, '--meta'];

    for (const [title, make, says] of [
      [
        'a folder has its name',
        (path: string): void => {
          mkdirSync(path);
        },
        'cannot be written: it is a folder',
      ],
      [
        'a pipe has its name',
        (path: string): void => {
          execFileSync('mkfifo', [path]);
        },
        'cannot be written: it is a device or a pipe, not a file',
      ],
    ] as const) {
      it(`is exit code 10 before anything is called where ${title}, forced or not: ${kind}`, async () => {
        const file = here.fresh('list.csv');
        make(`${file}.meta.json`);
        const before = asked();
        for (const force of [[], ['--force']]) {
          const run = await ends(here.run([...words(file), ...force]), 10);
          assert.ok(run.stderr.startsWith(`Error: ${file}.meta.json ${says}\n`), run.stderr);
        }
        assert.deepEqual([asked(), beside(file)], [before, [`${basename(file)}.meta.json`]]);
      });
    }

    it(`replaces a file that is no report only with --force: ${kind}`, async () => {
      const file = here.fresh('list.csv');
      const report = `${file}.meta.json`;
      writeFileSync(report, '{"theirs":1}');
      const before = asked();
      const refused = await ends(here.run(words(file)), 10);
      assert.ok(
        refused.stderr.startsWith(
          `Error: ${report} already exists, and relctl did not write this content\n  Try: relctl `,
        ),
        refused.stderr,
      );
      assert.match(refused.stderr, / --force\n$/);
      assert.deepEqual([asked(), existsSync(file), readFileSync(report, 'utf8')], [before, false, '{"theirs":1}']);
      for (const force of [['--force'], []]) {
        await ends(here.run([...words(file), ...force]), 0, '');
        assert.match(readFileSync(report, 'utf8'), /"sha256": "[0-9a-f]{64}"/);
      }
      assert.deepEqual(beside(file), [basename(file), basename(report)]);
    });
  }

  it('is exit code 10 before anything is called where its name is too long for the folder', async () => {
    const short = here.fresh('list.csv');
    // The names of the other files beside it have up to 255 characters.
    const long = short.replace(/list(?=\.csv$)/, 'l'.repeat(221 - basename(short).length + 4));
    const words = ['relation', 'list', '--output-file', long];
    const before = asked();
    await ends(here.run([...words, '--meta']), 10, /l\.csv\.meta\.json cannot be written: the name is too long\n/);
    assert.deepEqual([asked(), beside(long)], [before, []]);
    assert.equal((await here.run(words)).code, 0);
  });
});
