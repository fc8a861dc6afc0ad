import assert from 'node:assert/strict';
import { ends, program } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { place } from '../../support/operations/place.js';
import { needs } from '../../support/skip.js';
import { openTerminal } from '../../support/terminal.js';

describe('Records that would act on a terminal', () => {
  const here = place();
  const hostile = 'a\u009b31mb\u202ec\rd';
  const seen = 'a\\u{9b}31mb\\u{202e}c';

  before(function () {
    needs(this, 'tmux');
    here.execute(`UPDATE "PvRelationData" SET "DisplayName" = '${hostile}'`);
  });

  const lists: readonly (readonly string[])[] = [
    ['relation', 'list', '--columns', 'DisplayName,Id', '--limit', '2', '-o', 'csv'],
    ['relation', 'list', '--columns', 'DisplayName,Id', '--limit', '2', '-o', 'tsv'],
    ['relation', 'list', '--limit', '2', '--sort', 'DisplayName', '-o', 'csv'],
    argv`
      call RelationGetAll --param pageNumber=1 --param pageSize=2 --param includeFields=false --param
      includeCounters=false --raw-output
    `,
  ];

  for (const list of lists) {
    it(`are shown as they are, and piped as they are, by ${list.join(' ')}`, async () => {
      const piped = await ends(here.run(list), 0);
      const terminal = openTerminal([process.execPath, program, ...list], here.env, 200);
      try {
        const shown = (await terminal.until(/Pane is dead/)).replaceAll('\n', '');
        assert.match(shown, /status 0/);
        assert.ok(shown.includes(seen), shown);
        assert.ok(piped.stdout.includes('a\u009b31mb\u202ec'), piped.stdout);
      } finally {
        terminal.close();
      }
    });
  }
});

describe('A file of a format that is written at the end', () => {
  const here = place();

  it('is told in a terminal with its rows, and nowhere else', async function () {
    needs(this, 'tmux');
    const file = here.fresh('list.xlsx');
    const list = ['relation', 'list', '--columns', 'Id', '--output-file', file];
    const terminal = openTerminal([process.execPath, program, ...list], here.env, 200);
    try {
      assert.ok((await terminal.until(/Pane is dead/)).includes(`Note: 60 rows to ${file}`), terminal.shown());
    } finally {
      terminal.close();
    }
    await ends(here.run([...list, '--force']), 0, '', '');
  });
});
