import { defined, type RecordValue } from '../../core/values/value.js';
import type { operations } from '../../contract/service.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import { withChoices } from '../../lists/fields/choices.js';
import { openCatalogue, type CatalogueFlags } from '../../lists/fields/look-up.js';
import { fieldValuesOf } from '../../lists/fields/catalogue.js';
import { inGroup, type Values, neutralGroup, repeated } from '../../kit/flags/define.js';
import { idOption, namesOption, timeOption, minutesOption, yesNoOption, textOption } from '../../kit/flags/kinds.js';
import { fieldFlag, workflowFlag } from '../../lists/fields/field-flags.js';
import type { WritePlan } from '../../lists/record/call.js';
import type { SessionContext } from '../../kit/session/session.js';
import { checkOrder, timeReader } from '../../kit/session/times.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { settleFlag } from '../../writes/flags.js';

/** Flags that say how the activities of rows are found by a search, so that they can be read before and after they are written. */
export const findingFlags = neutralGroup('ROWS OF A FILE', {
  'entity-type': idOption('entity-type')({
    summary: 'Kind of the activities, to search for them and compare them with the rows.',
  }),
  'find-by': textOption({
    ...repeated,
    summary: 'A column to search by, not to write; without one, relctl reads all of the kind; may be repeated.',
    helpValue: 'COLUMN',
  }),
  ...settleFlag,
});

/** Values of those flags. */
export type FindingFlags = Values<typeof findingFlags>;

const followUpFlags = inGroup('FOLLOW-UP', {
  start: timeOption({ summary: 'Start of the work: a time, a date, now, today, -2h.' }),
  end: timeOption({ summary: 'End of the work.' }),
  'in-agenda': yesNoOption({ summary: 'Show it in the agenda: true or false.' }),
  reminder: minutesOption({ summary: 'Time of the reminder before the start; a number without a unit is minutes.' }),
  owner: idOption('user')({ summary: 'The user who owns it.' }),
  queue: idOption('queue')({ summary: 'The queue of the activity.' }),
  nil: namesOption({
    offers: ['start', 'end', 'in-agenda', 'reminder', 'owner', 'queue'],
    summary: 'Members of the follow-up to make empty.',
  }),
});

/** Flags of `activity update`. */
export const updateFlags = { field: fieldFlag, workflow: workflowFlag, ...followUpFlags };

/** Values of those flags. */
export type UpdateFlags = Values<typeof updateFlags> & CatalogueFlags;

type Name = Exclude<keyof typeof followUpFlags, 'nil'>;

/** The flags of a follow-up, and its members (interface document, PvActivityFollowUpData). */
export const followUpMembers: Readonly<Record<Name, string>> = {
  start: 'Start',
  end: 'End',
  'in-agenda': 'InAgenda',
  reminder: 'ReminderPeriodInMinutes',
  owner: 'OwnerUserId',
  queue: 'PlacedInQueueId',
};
const names = Object.keys(followUpMembers) as readonly Name[];

function nilNames(flags: UpdateFlags): readonly Name[] {
  if (flags.nil === undefined) return [];
  return flags.nil.split(',').map((each) => {
    const name = inAnyCase(each.trim(), names);
    if (name !== undefined && flags[name] === undefined) return name;
    const near = nearest(each.trim(), names);
    const message =
      name === undefined
        ? `--nil takes ${names.join(', ')}, not '${each.trim()}'`
        : `--nil ${name} and --${name} cannot be used together`;
    throw usage('--nil', message, name === undefined ? perhaps(each.trim(), near) : {});
  });
}

/**
 * The follow-up as it is sent, and the members that become empty although --nil does not name them. Undefined when no flag of
 * it was given: it is then left out of the request, and the service keeps it. Throws `usage`.
 */
export function followUpOf(
  flags: UpdateFlags,
  readTime: (text: string, flag: string) => string,
): { readonly value: RecordValue; readonly silent: readonly Name[] } | undefined {
  const nil = nilNames(flags);
  const hasFollowUp = nil.length > 0 || names.some((name) => flags[name] !== undefined);
  if (!hasFollowUp) return undefined;
  const value: RecordValue = Object.fromEntries(
    names.map((name) => {
      const value = flags[name] ?? null;
      // Which time is meant depends on the profile.
      const isTime = (name === 'start' || name === 'end') && typeof value === 'string';
      return [followUpMembers[name], isTime ? readTime(value, `--${name}`) : value];
    }),
  );
  const { Start, End } = value;
  if (typeof Start === 'string' && typeof End === 'string') checkOrder(Start, End, ['--start', '--end']);
  return { value, silent: names.filter((name) => flags[name] === undefined && !nil.includes(name)) };
}

/** The change of an activity (interface document, Endpoints, ActivityUpdate). Throws `usage` and what the look-up of fields throws. */
export async function planUpdate({
  args,
  flags,
  context,
  session,
}: SessionContext<UpdateFlags> & { readonly args: { readonly id: string } }): Promise<
  WritePlan<typeof operations.ActivityUpdate>
> {
  const readTime = timeReader(context, session);
  const followUp = followUpOf(flags, readTime);
  if (followUp === undefined && (flags.field ?? []).length === 0) {
    throw usage(undefined, 'there is nothing to change', {
      advice: 'Use --field NAME=VALUE, or a flag of the follow-up.',
    });
  }
  const catalogue = await openCatalogue(context, session, flags);
  const { texts, said } = await withChoices({ context, session }, flags.field, { catalogue, use: 'write' });
  const fieldValues = fieldValuesOf(texts, { catalogue, use: 'write', readTime });
  const { silent = [], value } = followUp ?? {};
  const needsYes = `these members of the follow-up will be empty: ${silent.join(', ')} (--nil ${silent.join(',')} confirms it)`;
  return {
    what: `change activity ${args.id}`,
    said,
    ...(silent.length === 0 ? {} : { needsYes }),
    input: {
      activityId: args.id,
      ...defined({ followUp: value }),
      ...(fieldValues.length === 0 ? {} : { fieldValues }),
    },
  };
}
