import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { place, undoOf } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const kind = '00000000-0040-4000-8000-000000000011';
const workflow = '00000000-0030-4000-8000-000000000001';
const subject = '00000000-0041-4000-8000-000000001101';
const amount = '00000000-0041-4000-8000-000000001104';
const reference = '00000000-0041-4000-8000-000000001107';

interface Listed {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] };
}

interface Line {
  readonly Id: string;
  readonly Undoes: string | null;
}

describe('writes undo of activities', () => {
  const here = place();
  const valueOf = ({ FieldValues }: Listed, field: string): string =>
    FieldValues.Items.find(({ Id }) => Id === field)?.Value ?? '';
  const all = (): Promise<readonly Listed[]> =>
    here.json(['activity', 'search', '--entity-type', kind, '--fields-of', workflow, '--include-fields']);
  const subjects = async (): Promise<ReadonlyMap<string, string>> =>
    new Map((await all()).map((each) => [each.Id, valueOf(each, subject)]));
  const some = async (count: number): Promise<readonly Listed[]> => {
    const found = (await all()).filter((each) => valueOf(each, reference) !== '').slice(0, count);
    assert.equal(found.length, count);
    return found;
  };
  const last = async (): Promise<Line> => {
    const [line] = await here.json<readonly Line[]>(['writes', 'list', '--limit', '1', '-q']);
    assert.ok(line !== undefined);
    return line;
  };
  const undo = (id: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['writes', 'undo', id, '--yes', ...more]);

  /** Writes subjects, and gives the id of the entry. */
  async function written(
    rows: readonly Listed[],
    text: string,
    finding: readonly string[] = ['--entity-type', kind, '--find-by', 'Reference'],
  ): Promise<{ readonly file: string; readonly id: string }> {
    const file = here.fresh('calls.csv');
    const lines = rows.map((each, index) => `${each.Id},${valueOf(each, reference)},${text} ${index}\n`);
    writeFileSync(file, `id,Reference,Subject\n${lines.join('')}`);
    const words = ['activity', 'update', '--file', file, '--yes', '--workflow', workflow, ...finding];
    await ends(here.run(words), 0);
    return { file, id: (await last()).Id };
  }

  it('puts field values back that were read before, and can be undone', async () => {
    const rows = await some(4);
    const before = await subjects();
    const { id } = await written(rows, 'Call');
    const after = await subjects();
    assert.notDeepEqual(after, before);
    for (const more of [[], ['--workflow', workflow, '--set', 'maxStaleness=10s']]) {
      await ends(undo(id, ...more, '--results', here.fresh('undo.csv'), '--restart'), 0);
      assert.deepEqual(await subjects(), before);
      const { Id, Undoes } = await last();
      assert.equal(Undoes, id);
      assert.equal((await undo(Id)).code, 0);
      assert.deepEqual(await subjects(), after);
    }
  });

  it('says that a field without a value is left empty', async () => {
    const [activity] = (await all()).filter((each) => valueOf(each, amount) === '' && valueOf(each, reference) !== '');
    assert.ok(activity !== undefined);
    const isThere = async (): Promise<boolean> => {
      const now = (await all()).find(({ Id }) => Id === activity.Id);
      return now?.FieldValues.Items.some(({ Id }) => Id === amount) === true;
    };
    assert.equal(await isThere(), false);
    const file = here.fresh('amounts.csv');
    writeFileSync(file, `id,Reference,Amount\n${activity.Id},${valueOf(activity, reference)},7.50\n`);
    const finding = ['--workflow', workflow, '--entity-type', kind, '--find-by', 'Reference'];
    await ends(here.run(['activity', 'update', '--file', file, '--yes', ...finding]), 0);
    const { stdout } = await undo('last', '--workflow', workflow, '--dry-run', '-o', 'json');
    const [row] = JSON.parse(stdout) as readonly { Changes: readonly object[] }[];
    assert.deepEqual(row?.Changes, [{ Member: 'Amount', Before: '7.50', After: '' }]);
    assert.equal((await undo('last', '--workflow', workflow)).code, 0);
    assert.match(readFileSync(undoOf(file), 'utf8'), /Amount: ""7\.50"" -> "{4}/);
    assert.equal(await isThere(), true);
  });

  it('leaves an activity that somebody changed since', async () => {
    const rows = await some(2);
    const before = await subjects();
    const { file, id } = await written(rows, 'Visit');
    const [first = '', second = ''] = rows.map((each) => each.Id);
    const other = ['activity', 'update', second, '--workflow', workflow, '--field', 'Subject=Mine', '--yes'];
    assert.equal((await here.run(other)).code, 0);
    const shown = await undo(id, '--dry-run', '-o', 'csv', '--columns', 'Line,Plan');
    assert.deepEqual(shown.stdout.split(/\r?\n/).slice(1, 3), ['1,change', '2,conflict']);
    await ends(undo(id), 8);
    assert.match(readFileSync(undoOf(file), 'utf8'), /conflict.*was ""Visit 1"", is ""Mine""/);
    const now = await subjects();
    assert.deepEqual([now.get(first), now.get(second)], [before.get(first), 'Mine']);
    // A single update reads nothing.
    assert.equal((await here.run(other)).code, 0);
    await ends(undo('last'), 2, new RegExp(`did not read.*activity ${second}`, 's'));
  });

  it('says that nothing was read where no search was asked for', async () => {
    const { id } = await written(await some(2), 'Blind', ['--map', 'Reference=']);
    const run = await ends(undo(id), 2, /did not read/);
    assert.match(run.stderr, new RegExp(`relctl writes show ${id} --rows`));
  });

  it('leaves follow-ups as they are, and says so', async () => {
    const [activity] = await some(1);
    assert.ok(activity !== undefined);
    const old = valueOf(activity, subject);
    const file = here.fresh('both.csv');
    writeFileSync(
      file,
      `id,Reference,Subject,start,nil\n${activity.Id},${valueOf(activity, reference)},Both,2026-03-01T09:00,"end,in-agenda,reminder,owner,queue"\n`,
    );
    const finding = ['--workflow', workflow, '--entity-type', kind, '--find-by', 'Reference'];
    await ends(here.run(['activity', 'update', '--file', file, '--yes', ...finding]), 0);
    assert.equal((await undo('last')).code, 0);
    assert.match(readFileSync(undoOf(file), 'utf8'), /without its follow-up/);
    assert.equal((await subjects()).get(activity.Id), old);
  });

  it('refuses --workflow for what has no fields', async () => {
    const file = here.fresh('prices.csv');
    writeFileSync(file, 'Code,SalesPrice\n00001,1.77\n');
    assert.equal((await here.run(['product', 'update', '--file', file, '--no-base', '--yes'])).code, 0);
    await ends(undo('last', '--workflow', workflow), 2, /--workflow is for fields/);
  });
});
