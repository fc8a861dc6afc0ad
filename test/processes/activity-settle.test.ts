import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { ends, program } from '../support/relctl.js';
import { callsIn, place } from '../support/operations/place.js';
import { needs } from '../support/skip.js';
import { openTerminal } from '../support/terminal.js';
import { valuesOf } from '../support/thrown.js';

const kind = '00000000-0040-4000-8000-000000000011';
const workflow = '00000000-0030-4000-8000-000000000001';

const subject = '00000000-0041-4000-8000-000000001101';
const reference = '00000000-0041-4000-8000-000000001107';

interface Listed {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] };
}

interface Activity {
  readonly Id: string;
  readonly Field: { readonly Subject?: string; readonly Reference?: string };
}

describe('Rows of activities, found by a search', () => {
  const here = place();
  const found = ['--workflow', workflow, '--entity-type', kind, '--find-by', 'Reference'];
  const update = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['activity', 'update', '--file', path, '--yes', ...more]);
  const all = async (): Promise<readonly Activity[]> => {
    const read = ['activity', 'search', '--entity-type', kind, '--fields-of', workflow, '--include-fields'];
    const listed = await here.json<readonly Listed[]>(read);
    return listed.map(({ Id, FieldValues: { Items } }) => {
      const valueOf = (field: string): string | undefined => Items.find((item) => item.Id === field)?.Value;
      return { Id, Field: { Subject: valueOf(subject) ?? '', Reference: valueOf(reference) ?? '' } };
    });
  };
  /** Activities that have a reference, which is what they are found by. */
  const some = async (count: number): Promise<readonly Activity[]> => {
    const known = (await all()).filter(({ Field }) => Field.Reference !== '').slice(0, count);
    assert.equal(known.length, count);
    return known;
  };
  const subjects = async (): Promise<ReadonlyMap<string, string>> =>
    new Map((await all()).map(({ Id, Field }) => [Id, Field.Subject ?? '']));
  const fileOf = (rows: readonly Activity[], wanted: (index: number) => string, ...more: readonly string[]): string => {
    const path = here.fresh('calls.csv');
    const lines = rows.map(({ Id, Field }, index) => [Id, Field.Reference, wanted(index), ...more.slice(1)].join(','));
    writeFileSync(path, `${['id,Reference,Subject', ...more.slice(0, 1)].join(',')}\n${lines.join('\n')}\n`);
    return path;
  };
  /** Outcomes and messages by activity, as the results tell them. */
  const outcomes = (path: string): ReadonlyMap<string, readonly [string, string]> =>
    new Map(
      readFileSync(`${path}.results.csv`, 'utf8')
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line): readonly [string, readonly [string, string]] => {
          const [, , outcome = ''] = line.split(',');
          return [/[0-9a-f]{8}-[-0-9a-f]{27}/.exec(line)?.[0] ?? '', [outcome, line]];
        }),
    );
  const isSome = (path: string, wanted: string): boolean =>
    [...outcomes(path).values()].some(([outcome]) => outcome === wanted);

  afterEach(() => here.calm());

  for (const seed of [1, 2, 3, 4])
    it(`settles each unknown row when answers are lost before and behind the effect (${seed})`, async () => {
      const rows = await some(18);
      const old = await subjects();
      const wanted = new Map(rows.map(({ Id }, index) => [Id, `Subject ${seed}.${index}`]));
      const path = fileOf(rows, (index) => `Subject ${seed}.${index}`);
      await here.fault(`reset=request;operation=ActivityUpdate;share=25%;seed=${seed}`);
      await here.fault(`reset=before;operation=ActivityUpdate;share=25%;seed=${seed + 100}`);
      await update(path, ...found);
      for (let turn = 0; turn < 20 && isSome(path, 'not sent'); turn += 1) await update(path, ...found, '--resume');
      assert.ok(isSome(path, 'unknown'));
      await here.calm();
      const settled = await update(path, ...found, '--settle');
      const now = await subjects();
      for (const [id, text] of wanted) {
        const [outcome = '', line = ''] = outcomes(path).get(id) ?? [];
        assert.ok(outcome === 'done' || outcome === 'failed', line);
        assert.equal(now.get(id), outcome === 'done' ? text : old.get(id), line);
      }
      assert.equal(settled.code, isSome(path, 'failed') ? 8 : 0, settled.stderr);
      assert.equal((await update(path, ...found, '--resume')).code, 0);
      const end = await subjects();
      for (const [id, text] of wanted) assert.equal(end.get(id), text);
      // What nobody wrote to is as it was.
      for (const [id, text] of old) if (!wanted.has(id)) assert.equal(end.get(id), text);
    });

  it('settles rows that were sent without a search: those that are as sent are done, of others nobody can say it', async () => {
    const rows = await some(4);
    const path = fileOf(rows, (index) => `Sent ${index}`);
    const plain = ['--workflow', workflow, '--map', 'Reference='];
    await here.fault('reset=request;operation=ActivityUpdate;first=2');
    await here.fault('reset=before;operation=ActivityUpdate;after=2');
    assert.equal((await update(path, ...plain)).code, 9);
    await here.calm();
    const before = await subjects();
    const trace = here.fresh('trace');
    await ends(update(path, ...plain, '--settle'), 9);
    assert.match(readFileSync(`${path}.results.csv`, 'utf8'), /relctl cannot find its activity without --entity-type/);
    await ends(update(path, ...found, '--settle', `--trace=${trace}`), 9);
    assert.deepEqual(
      [...outcomes(path).values()].map(([outcome]) => outcome),
      ['unknown', 'unknown', 'done', 'done'],
    );
    assert.match(
      readFileSync(`${path}.results.csv`, 'utf8'),
      /Subject was sent as ""Sent 0"", is .*relctl does not know its former values; check activity [-0-9a-f]{36} in the CRM/,
    );
    assert.ok(callsIn(trace).every(({ operation }) => operation === 'ActivitySearchByField'));
    assert.deepEqual(await subjects(), before);
  });

  it('leaves a row with a follow-up unknown, which no operation reads', async () => {
    const path = fileOf(await some(1), () => 'With a follow-up', 'owner', '00000000-0000-4000-8000-000000000011');
    const flags = [...found, '--nil', 'start,end,in-agenda,reminder,queue'];
    await here.fault('reset=before;operation=ActivityUpdate');
    assert.equal((await update(path, ...flags)).code, 9);
    await here.calm();
    assert.equal((await update(path, ...flags, '--settle')).code, 9);
    const [[outcome = '', line = ''] = []] = outcomes(path).values();
    assert.equal(outcome, 'unknown');
    assert.match(
      line,
      /its fields have the sent values, and no operation reads its follow-up; check activity [-0-9a-f]{36}/,
    );
  });

  it('shows before and after, and does not send what changes nothing', async () => {
    const [first, second] = await some(2);
    assert.ok(first !== undefined && second !== undefined);
    const same = first.Field.Subject ?? '';
    const path = fileOf([first, second], (index) => (index === 0 ? same : 'Another one'));
    const digest = here.digest();
    // What is searched for is not written, whether it is ignored as well or not.
    for (const how of [
      found,
      [...found, '--map', 'Reference='],
      ['--workflow', workflow, '--entity-type', kind, '--map', 'Reference='],
    ]) {
      const shown = await here.run(['activity', 'update', '--file', path, ...how, '--dry-run', '-o', 'json', '-q']);
      assert.equal(shown.code, 0, shown.stderr);
      const lines = JSON.parse(shown.stdout) as readonly { Plan: string; Changes: readonly object[] }[];
      assert.deepEqual(valuesOf(lines, 'Plan', 'Changes'), [
        ['unchanged', []],
        ['change', [{ Member: 'Subject', Before: second.Field.Subject, After: 'Another one' }]],
      ]);
    }
    assert.equal(here.digest(), digest);
    const trace = here.fresh('trace');
    assert.equal((await update(path, ...found, `--trace=${trace}`)).code, 0);
    const written = callsIn(trace).filter(({ operation }) => operation === 'ActivityUpdate');
    assert.deepEqual([written.length, (await subjects()).get(second.Id)], [1, 'Another one']);
  });

  it('has a conflict for an activity that somebody changed since it was shown, unless it is as wanted', async function () {
    needs(this, 'tmux');
    const rows = await some(3);
    const path = fileOf(rows, (index) => `Planned ${index}`);
    const one = async (index: number, text: string): Promise<void> => {
      const id = rows[index]?.Id ?? '';
      await ends(here.run(['activity', 'update', id, '--workflow', workflow, '--field', `Subject=${text}`]), 0);
    };
    const words = ['activity', 'update', '--file', path, ...found, '--set', 'maxStaleness=0'];
    const terminal = openTerminal([process.execPath, program, ...words], here.env);
    try {
      await terminal.until(/Really change 3 records/);
      await one(0, 'By somebody else');
      await one(1, 'Planned 1');
      terminal.press('y');
      terminal.press('Enter');
      await terminal.until(/status 8/);
    } finally {
      terminal.close();
    }
    const lines = [...outcomes(path).values()];
    assert.deepEqual(
      lines.map(([outcome]) => outcome),
      ['conflict', 'unchanged', 'done'],
    );
    assert.match(lines[0]?.[1] ?? '', /was changed by somebody else: \S+ was .*, is ""By somebody else""/);
    assert.equal((await subjects()).get(rows[0]?.Id ?? ''), 'By somebody else');
  });

  it('tells rows that the search does not find, and reads nothing where the service gives no fields', async () => {
    const [first, second] = await some(2);
    assert.ok(first !== undefined && second !== undefined);
    const swapped = [{ ...first, Field: second.Field }, second];
    const run = await update(
      fileOf(swapped, () => 'x'),
      ...found,
    );
    assert.equal(run.code, 2);
    assert.match(run.stderr, /calls\.csv:2:id: the search finds no activity .* by Reference "/);
    assert.match(run.stderr, /1 of 2 rows have mistakes; nothing was sent/);
    await here.fault('nested=nil');
    const blind = await update(
      fileOf([first], () => 'y'),
      ...found,
    );
    assert.equal(blind.code, 7, blind.stderr);
    assert.match(blind.stderr, /does not return its field values/);
  });

  it('needs columns that are there, with values', async () => {
    const [first] = await some(1);
    assert.ok(first !== undefined);
    const path = fileOf([first, { Id: first.Id.replace(/.$/, '0'), Field: {} }], () => 'x');
    const refused = async (flags: readonly string[], told: RegExp): Promise<void> => {
      await ends(update(path, '--workflow', workflow, ...flags), 2, told);
    };
    await refused(['--entity-type', kind, '--find-by', 'Reference'], /calls\.csv:3:Reference: it is empty/);
    await refused(['--entity-type', kind, '--find-by', 'Refrence'], /--find-by names 'Refrence'.*is not a column/);
    await refused(['--find-by', 'Reference'], /--find-by needs --entity-type/);
    await refused(['--entity-type', kind, '--find-by', 'id', '--map', 'Reference='], /there is no field 'id'/);
  });
});
