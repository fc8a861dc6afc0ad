import assert from 'node:assert/strict';
import { queueId, workflows } from '../../src/sandbox/dataset/catalogue.js';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { allRefused, endToEnd, callsIn, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const { activityId, workflowId, userId, activityEntityTypeId } = known;
const [subject, amount, deadline] = ['Subject', 'Amount', 'Deadline', 'Handler'].map((name) => fieldId(11, name)) as [
  string,
  string,
  string,
  string,
];
const update = ['activity', 'update', activityId];
const named = [...update, '--workflow', workflowId];
const queue = queueId(workflows[0]);

interface Activity {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] };
}

describe('activity update', () => {
  const here = place();

  /** The follow-up as the store keeps it; no operation reads it. */
  const followUp = (): Record<string, unknown> => {
    const names = ['Start', 'End', 'InAgenda', 'ReminderPeriodInMinutes', 'OwnerUserId', 'PlacedInQueueId'];
    const columns = names.map((name) => `"FollowUp_${name}"`).join(', ');
    const [row = []] = here.rows(`SELECT ${columns} FROM "PvActivityData" WHERE "Id" = ?`, activityId);
    return Object.fromEntries(names.map((name, at) => [name, row[at]]));
  };
  const values = (): Record<string, unknown> =>
    Object.fromEntries(
      here
        .rows(
          `SELECT "Id", "Value" FROM "PvActivityData_FieldValues_Items" WHERE owner =
           (SELECT seq FROM "PvActivityData" WHERE "Id" = ?)`,
          activityId,
        )
        .map(([id, value]) => [String(id), value] as const),
    );
  const planned = {
    Start: '2026-03-01T09:00:00+00:00',
    End: '2026-03-01T10:00:00+00:00',
    InAgenda: 1,
    ReminderPeriodInMinutes: 15,
    OwnerUserId: userId,
    PlacedInQueueId: null,
  };
  const plan = argv`
    --start 2026-03-01T09:00 --end 2026-03-01T10:00 --in-agenda yes --reminder 15m --owner ${userId} --nil Queue
  `;

  endToEnd(here, 'ActivityUpdate', {
    works: {
      'changes the fields that are named, and nothing else; a search finds them': async ({ run, json, soap }) => {
        const [oldValues, oldFollowUp] = [values(), followUp()];
        const text = ` \u{1F35E} <b>&amp;\t"${soap}" `;
        await ends(run([...named, '--field', `Subject=${text}`, '--field', 'Bedrag=1234567.891234']), 0, '');
        const next = { ...oldValues, [subject]: text, [amount]: '1234567.891234' };
        assert.deepEqual([values(), followUp()], [next, oldFollowUp]);
        const [found] = await json<Activity[]>(argv`
          activity search --entity-type ${activityEntityTypeId} --include-fields --field ${subject}=${text}
        `);
        assert.equal(found?.Id, activityId);
        assert.deepEqual(Object.fromEntries(found.FieldValues.Items.map(({ Id, Value }) => [Id, Value])), next);
      },
      'empties a field that is given without a value': async ({ run }) => {
        assert.equal((await run([...named, '--field', 'Deadline=2026-01-31'])).code, 0);
        assert.equal(values()[deadline], '2026-01-31T00:00:00+00:00');
        assert.equal((await run([...update, '--field', `${deadline}=`])).code, 0);
        assert.equal(values()[deadline], '');
      },
      'writes the whole follow-up; what --nil names becomes empty without a question': async ({ run }) => {
        const oldValues = values();
        await ends(run([...update, ...plan]), 0, '');
        assert.deepEqual([followUp(), values()], [planned, oldValues]);
        await ends(run([...update, '--queue', queue, '--nil', 'start,end,in-agenda,reminder,owner']), 0);
        const none = { Start: null, End: null, InAgenda: null, ReminderPeriodInMinutes: null, OwnerUserId: null };
        assert.deepEqual(followUp(), { ...none, PlacedInQueueId: queue });
      },
      'with --yes empties what was not named': async ({ run }) => {
        assert.equal((await run([...update, ...plan])).code, 0);
        assert.equal((await run([...update, '--owner', userId, '--yes'])).code, 0);
        const owned = { OwnerUserId: userId, PlacedInQueueId: null };
        const none = { Start: null, End: null, InAgenda: null, ReminderPeriodInMinutes: null };
        assert.deepEqual(followUp(), { ...none, ...owned });
      },
      'says what the service refuses, with 4, and nothing changes': async ({ run }) => {
        const before = here.digest();
        await ends(run([...update, '--owner', known.relationshipId, '--yes']), 4, /There is no user 00000000-0011/);
        assert.equal(here.digest(), before);
      },
    },
    refuses: [
      [update, /there is nothing to change/],
      [[...update, '--start', '9 uur'], /--start takes a time.*'9 uur'/],
      [[...update, '--start', 'tomorrow', '--end', 'today', '--yes'], /--start .* is after --end/],
      [
        [...update, '--in-agenda', 'perhaps', '--yes'],
        /--in-agenda takes true or false, yes or no, y or n, on or off, 1 or 0, not 'perhaps'/,
      ],
      [[...update, '--reminder', '1.5', '--yes'], /--reminder takes whole minutes/],
      [[...update, '--owner', 'jan', '--yes'], /--owner: 'jan' is not a GUID, .* no user of that name/],
      [[...update, '--queue', `${queue}0`, '--yes'], /--queue takes a GUID/],
      [[...update, '--owner', userId, '--nil', 'owner'], /--nil owner and --owner cannot be used together/],
      [[...update, '--reminder', '90s'], /--reminder takes whole minutes, or a length of time such as 15m, 2h or 1d/],
      [[...update, '--nil', 'ownr'], /--nil takes .*'ownr'\n.*--nil owner/],
      [['activity', 'update', '7', '--nil', 'queue'], /ID: '7' is not a GUID/],
      [[...update, '--field', `${subject}=x`, '--yes', '-o', 'jsn'], /'jsn'/],
    ],
  });

  it('refuses values that do not fit their field, which it knows from the workflow, without writing', async () => {
    const before = here.digest();
    const mistakes: readonly (readonly [text: string, names: RegExp])[] = [
      ['Subject=', /--field Subject is required/],
      [`Subject=${'x'.repeat(201)}`, /--field Subject takes at most 200 characters/],
      ['Reference=1', /--field Reference cannot be written/],
      ['Tags=VIP', /--field Tags holds labels/],
      ['Amount=12,50', /--field Amount takes a Currency, not '12,50'/],
      ['Deadline=morgen', /--field takes a time.*'morgen'/],
      ['Handler=Jan', /--field Handler takes a UniqueIdentifier, not 'Jan'/],
      ['Subjcet=x', /no field 'Subjcet'.*\n.*--field Subject/],
    ];
    const runs = await Promise.all(
      mistakes.map(async ([text, names]) => {
        const trace = here.fresh('trace');
        await ends(here.run([...named, '--field', text, `--trace=${trace}`]), 2, names);
        return callsIn(trace);
      }),
    );
    // The fields may have to be looked up first; nothing else is called.
    assert.ok(runs.flat().every(({ operation }) => operation === 'ActivityGetFields'));
    assert.equal(here.digest(), before);
  });

  it('without a terminal refuses to empty what was not named, and says how to mean it', () =>
    allRefused(here, [
      [
        [...update, '--owner', userId],
        /will be empty: start, end, in-agenda, reminder, queue \(--nil start,end,in-agenda,reminder,queue confirms it\).*\n.*--yes/,
      ],
      [[...update, '--owner', userId, '--nil', 'queue'], /will be empty: start, end, in-agenda, reminder \(/],
    ]));

  it('refuses as one JSON object under -o json', async () => {
    const { code, stdout, stderr } = await here.run([...update, '--owner', userId, '-o', 'json']);
    assert.deepEqual([code, stdout], [2, '']);
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    assert.deepEqual([error['kind'], error['path']], ['usage', '--yes']);
  });
});
