import type { RecordValue, Value } from '../../plain/value.js';
import { Flags } from '@oclif/core';
import { operations } from '../../contract/service.js';
import { nearest } from '../../lexical/nearest.js';
import type { Context } from '../../host/context.js';
import { openCatalogue } from '../../fields/look-up.js';
import { fieldValuesOf } from '../../fields/values.js';
import { integerFlag } from '../../cli/flags/checked.js';
import { guidOf } from '../../cli/flags/values/guid.js';
import { yesNoOf } from '../../cli/flags/typed.js';
import { formatOf } from '../../cli/output/output-choice.js';
import { runCall, type CallFlags } from '../../records/call.js';
import { openSession, type Session } from '../../cli/session.js';
import { checkOrder, timeOf } from '../../cli/times.js';
import { usage } from '../../errors/usage.js';

const helpGroup = 'FOLLOW-UP';

/** Flags of a follow-up (interface document, PvActivityFollowUpData). */
export const followUpFlags = {
  start: Flags.string({
    summary: 'When work on it starts: a time, a date, now, today, -2h.',
    helpValue: 'TIME',
    helpGroup,
  }),
  end: Flags.string({ summary: 'When work on it ends.', helpValue: 'TIME', helpGroup }),
  'in-agenda': Flags.string({ summary: 'Shown in the agenda: true or false.', helpValue: 'YES-NO', helpGroup }),
  reminder: Flags.string({ summary: 'Minutes before the start to remind.', helpValue: 'MINUTES', helpGroup }),
  owner: Flags.string({ summary: 'The user who has it.', helpValue: 'GUID', helpGroup }),
  queue: Flags.string({ summary: 'The queue that it waits in.', helpValue: 'GUID', helpGroup }),
  nil: Flags.string({ summary: 'Members of the follow-up that are meant to be empty.', helpValue: 'A,B', helpGroup }),
};

type Name = Exclude<keyof typeof followUpFlags, 'nil'>;

const members: Readonly<Record<Name, string>> = {
  start: 'Start',
  end: 'End',
  'in-agenda': 'InAgenda',
  reminder: 'ReminderPeriodInMinutes',
  owner: 'OwnerUserId',
  queue: 'PlacedInQueueId',
};
const names = Object.keys(members) as readonly Name[];

/** Flags of `activity update`, as given. */
export type UpdateFlags = CallFlags & {
  readonly [N in Name | 'nil']?: string | undefined;
} & { readonly field?: readonly string[] | undefined; readonly workflow?: string | undefined };

function nilNames(flags: UpdateFlags): readonly Name[] {
  if (flags.nil === undefined) return [];
  return flags.nil.split(',').map((each) => {
    const name = names.find((known) => known === each.trim());
    if (name !== undefined && flags[name] === undefined) return name;
    const near = nearest(each.trim(), names);
    const message =
      name === undefined
        ? `--nil takes ${names.join(', ')}, not '${each.trim()}'`
        : `--nil ${name} and --${name} exclude each other`;
    throw usage('--nil', message, near === undefined || name !== undefined ? undefined : `--nil ${near}`);
  });
}

type ReadTime = (text: string, flag: string) => string;

const readers: Readonly<Record<Name, (text: string, flag: string, readTime: ReadTime) => Value>> = {
  start: (given, flag, readTime) => readTime(given, flag),
  end: (given, flag, readTime) => readTime(given, flag),
  'in-agenda': yesNoOf,
  reminder: (given, flag) => integerFlag(given, flag, { least: 0, most: 2 ** 31 - 1 }) ?? null,
  owner: guidOf,
  queue: guidOf,
};

/** The follow-up as it goes out, and the members that become empty without having been named. */
interface FollowUp {
  readonly value: RecordValue;
  readonly silent: readonly Name[];
}

/** Undefined when no flag of the follow-up was given: then it is left out of the request and stays as it is. */
function followUpOf(flags: UpdateFlags, readTime: ReadTime): FollowUp | undefined {
  const nil = nilNames(flags);
  const isGiven = nil.length > 0 || names.some((name) => flags[name] !== undefined);
  if (!isGiven) return undefined;
  const value: RecordValue = Object.fromEntries(
    names.map((name) => {
      const given = flags[name];
      return [members[name], given === undefined ? null : readers[name](given, `--${name}`, readTime)];
    }),
  );
  const { Start, End } = value;
  if (typeof Start === 'string' && typeof End === 'string') checkOrder(Start, End, ['--start', '--end']);
  return { value, silent: names.filter((name) => flags[name] === undefined && !nil.includes(name)) };
}

function warning({ silent }: FollowUp): { needsYes: string } | Record<string, never> {
  if (silent.length === 0) return {};
  return {
    needsYes: `these members of the follow-up will be empty: ${silent.join(', ')} (--nil ${silent.join(',')} means it)`,
  };
}

async function inputOf(context: Context, session: Session, flags: UpdateFlags): Promise<RecordValue[]> {
  const catalogue = await openCatalogue(context, session, flags);
  const readTime: ReadTime = (given, flag) => timeOf(context, session, { text: given, flag });
  return [...fieldValuesOf(flags.field, { catalogue, use: 'write', readTime })];
}

/** Changes an activity (interface document, Endpoints, ActivityUpdate). Throws what the calls throw. */
export async function updateActivity(context: Context, id: string, flags: UpdateFlags): Promise<void> {
  const activityId = guidOf(id, 'ID');
  formatOf(flags, undefined);
  const session = await openSession(context, flags);
  const followUp = followUpOf(flags, (given, flag) => timeOf(context, session, { text: given, flag }));
  if (followUp === undefined && (flags.field ?? []).length === 0) {
    throw usage(undefined, 'nothing to change was given', '--field NAME=VALUE, or a flag of the follow-up');
  }
  const fieldValues = await inputOf(context, session, flags);
  const input = {
    activityId,
    ...(followUp === undefined ? {} : { followUp: followUp.value }),
    ...(fieldValues.length === 0 ? {} : { fieldValues }),
  };
  await runCall(
    { context, session, flags },
    {
      operation: operations.ActivityUpdate,
      input,
      what: `change activity ${activityId}`,
      ...(followUp === undefined ? {} : warning(followUp)),
    },
  );
}
