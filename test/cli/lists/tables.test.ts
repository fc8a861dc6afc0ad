import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { findingRequest, summaryOf, type Finding } from '../../../src/kit/findings.js';
import { columnsNamed } from '../../../src/formats/columns.js';
import { table } from '../../../src/formats/writers/table.js';
import { displayWidth } from '../../../src/formats/layout/width.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { printed } from '../../support/output/print.js';
import { ends, home, relctl } from '../../support/relctl.js';

const relation = '00000000-0000-4000-8000-000000000102';
const tasks = '00000000-0040-4000-8000-000000000011';
const inSandbox = ['--limit', '25', '--profile', 'sandbox'];

/** What people look at all day; `doctor` depends on the machine and is below. */
const commands: Readonly<Record<string, readonly string[]>> = {
  'relation-list': ['relation', 'list', ...inSandbox],
  'relationship-list': ['relationship', 'list', ...inSandbox],
  'relation-activities': ['relation', 'activities', relation, ...inSandbox],
  'activity-search': ['activity', 'search', '--entity-type', tasks, ...inSandbox],
  'phone-book': ['relation', 'phone-book', ...inSandbox],
  operations: ['operations'],
  'notification-list': ['notification', 'list', ...inSandbox],
  'product-list': ['product', 'list', ...inSandbox],
};
const widths = [80, 120];

/** Compares with the file that was looked at by eye; with TABLES_WRITE=1 it is written. */
function compare(name: string, width: number, text: string): void {
  const file = new URL(`tables/${name}-${width}.txt`, import.meta.url);
  if (process.env['TABLES_WRITE'] === '1') writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
}

function checkLines(text: string, width: number): void {
  for (const line of text.split('\n')) assert.ok(displayWidth(line) <= width, line);
}

describe('A table of the sandbox', () => {
  const place = home();
  after(() => place.remove());
  const at = (width: number): NodeJS.ProcessEnv => ({ ...place.env, COLUMNS: String(width) });

  for (const width of widths) {
    for (const [name, words] of Object.entries(commands)) {
      it(`${name} looks at ${width} columns as it did when somebody looked at it`, async () => {
        const { stdout, stderr } = await ends(relctl(words, { env: at(width) }), 0);
        compare(name, width, `$ relctl ${words.join(' ')}\n${stdout}${stderr}`);
        checkLines(stdout, width);
      });
    }

    it(`doctor looks at ${width} columns as it did, but for what depends on the machine`, async () => {
      const { stdout } = await relctl(['doctor', '--profile', 'sandbox', '-o', 'json'], { env: at(width) });
      const usual = stdout
        .replaceAll(place.folder, '/home/ada')
        .replaceAll(process.version, 'v20.19.0')
        .replaceAll(`${process.platform} ${process.arch}`, 'linux x64');
      const records = JSON.parse(usual) as (RecordValue & Readonly<Record<'Check' | 'State' | 'Detail', string>>)[];
      const { record, table: titles = [] } = findingRequest({} as never);
      const lines = await printed(table, [records], { columns: columnsNamed(record, titles), width });
      const findings = records.map(({ Check, State, Detail }) => ({ check: Check, state: State, detail: Detail }));
      compare('doctor', width, `$ relctl doctor --profile sandbox\n${lines}${summaryOf(findings as Finding[])}\n`);
      const shown = await relctl(['doctor', '--profile', 'sandbox'], { env: at(width) });
      checkLines(shown.stdout, width);
    });
  }

  it('is cards in a terminal of 40 columns, and a table where that is asked for', async () => {
    const list = ['relation', 'list', '--limit', '3', '--profile', 'sandbox', '-q'];
    const cards = await relctl(list, { env: at(40) });
    assert.match(cards.stdout, new RegExp(`^Id  ${relation}$`, 'm'));
    const run = await relctl([...list, '-o', 'table'], { env: at(40) });
    assert.match(run.stdout, /^DisplayName +ImportKey\n/);
    for (const { stdout, stderr } of [cards, run]) {
      checkLines(stdout, 40);
      assert.equal(stderr, '');
    }
    // A profile, or the environment, may ask for it too.
    const { stdout } = await relctl(list, { env: { ...at(40), RELCTL_OUTPUT: 'table' } });
    assert.equal(stdout, run.stdout);
  });

  it('has what its note names as hidden', async () => {
    const list = ['relation', 'list', '--limit', '3', '--profile', 'sandbox'];
    const { stderr } = await relctl(list, { env: at(80) });
    const [, columns = ''] = /^Note: 2 columns hidden: --columns (\S+), or -o card$/m.exec(stderr) ?? [];
    assert.equal(columns, 'Id,IsInactive,SortingName');
    const hidden = await relctl([...list, '--columns', columns], { env: at(80) });
    assert.match(hidden.stdout, /^Id +IsInactive +SortingName\n/);
    assert.doesNotMatch(hidden.stderr, /hidden/);
  });

  it('has names of the profile in cards alone', async () => {
    const kind = '00000000-0040-4000-8000-000000000001';
    const get = ['relation', 'get', relation, '--profile', 'sandbox'];
    await relctl(['name', 'set', 'entity-type', 'Person', kind, '--profile', 'sandbox'], { env: place.env });
    const card = await relctl(get, { env: place.env });
    assert.match(card.stdout, new RegExp(`^EntityTypeId +${kind} \\(Person\\)$`, 'm'));
    for (const format of ['csv', 'json', 'table'])
      assert.doesNotMatch((await relctl([...get, '-o', format], { env: place.env })).stdout, /Person/);
  });
});
