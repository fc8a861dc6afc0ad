import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { place } from '../../support/operations/place.js';
import { program } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';
import { openTerminal } from '../../support/terminal.js';

const kind = '00000000-0040-4000-8000-000000000011';
const workflow = '00000000-0030-4000-8000-000000000001';
const reference = '00000000-0041-4000-8000-000000001107';

interface Listed {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] };
}

describe('Progress of the check of rows', () => {
  const here = place();
  const update = ['activity', 'update', '--workflow', workflow, '--entity-type', kind, '--find-by', 'Reference'];

  before(function () {
    needs(this, 'tmux');
  });

  it('is shown in a terminal while each row is searched for', async () => {
    const read = ['activity', 'search', '--entity-type', kind, '--fields-of', workflow, '--include-fields'];
    const found = (await here.json<readonly Listed[]>(read)).flatMap(({ Id, FieldValues: { Items } }) => {
      const value = Items.find((item) => item.Id === reference)?.Value ?? '';
      return value === '' ? [] : [`${Id},${value},x`];
    });
    const rows = found.slice(0, 6);
    assert.equal(rows.length, 6);
    const path = here.fresh('calls.csv');
    writeFileSync(path, ['id,Reference,Subject', ...rows].map((line) => `${line}\n`).join(''));
    const answer = await fetch(`${here.url()}/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ spec: 'latency=700ms;operation=ActivitySearchByField' }),
    });
    assert.ok(answer.ok);
    const terminal = openTerminal([process.execPath, program, ...update, '--file', path, '--dry-run'], here.env);
    try {
      assert.match(await terminal.until(/rows checked/), /[1-6] rows checked, [\d.]+ rows\/s, \d+s/);
      assert.doesNotMatch(await terminal.until(/Pane is dead/), /rows checked/);
    } finally {
      terminal.close();
    }
  });
});
