import type { RecordValue } from '../../plain/value.js';
import { refuseWith } from '../../cli/operations/legacy.js';
import type { connectionFlags } from '../../cli/flags/connection.js';
import type { Values } from '../../cli/flags/define.js';
import { inputFileOption, wholeOption } from '../../cli/flags/kinds.js';
import type { CommonFlags, outputFlags } from '../../cli/flags/output.js';
import { callsAtOnce } from '../../cli/flags/lists/export.js';
import { userFlag } from '../../cli/flags/values/user.js';
import { printEnvelope } from '../../cli/calls/envelope.js';
import { openOutput } from '../../cli/output/open-output.js';
import { openSession, userOf, type Session } from '../../cli/session/session.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { guid, int, string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { inOrder } from '../../lists/ids/in-order.js';
import { runCall } from '../../records/call.js';
import { readUsers, type User } from './users.js';

const operation = operations.NotificationGetCount;

/** Flags of `notification count` beside those of every call. */
export const countFlags = {
  user: userFlag,
  ids: inputFileOption({
    summary: 'Ask for each user in this file, or in stdin by -: an Id or a name of the profile a line.',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'With --ids, calls under way at once: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
};

type Flags = Values<typeof countFlags & typeof connectionFlags & typeof outputFlags> & CommonFlags;

/** A row of `notification count --ids`. */
export const UserCount = recordWithoutPresence('UserCount', 'How many notifications a user has.', {
  User: inRole('name', req(string, 'The user as the file has it.')),
  UserId: req(guid, 'Id of the user.'),
  NumberOfNotifications: req(int, 'Number of notifications.'),
});

interface Run {
  readonly context: Context;
  readonly session: Session;
  readonly flags: Flags;
}

/** The counts of users in their order, one at a time; a failure names its user. */
async function* counted({ session, context, flags }: Run, users: readonly User[]): AsyncGenerator<[User, number]> {
  const ask = async function* ({ id }: User): AsyncGenerator<number, void> {
    context.signal.throwIfAborted();
    const { NumberOfNotifications: count } = (await session.client.call(operation, { userId: id })).result;
    if (typeof count !== 'number') throw new RelctlError('bad-answer', `${operation.name} gave no number`);
    yield count;
  };
  for await (const outcome of inOrder(users, ask, flags.concurrency ?? 3)) {
    if (outcome.kind === 'batch') yield [outcome.item, outcome.batch];
    if (outcome.kind !== 'failed') continue;
    const { error, item } = outcome;
    throw error.but({ message: `user ${item.name}: ${error.message}` });
  }
}

const rowOf = ([{ name, id }, count]: readonly [User, number]): RecordValue => ({
  User: name,
  UserId: id,
  NumberOfNotifications: count,
});

/** Prints a row a user, each as it comes. */
async function printCounts(run: Run, users: readonly User[]): Promise<void> {
  const { context, session, flags } = run;
  const request = { flags, record: UserCount, shape: 'list', table: Object.keys(UserCount.fields) } as const;
  const output = await openOutput(context, session, request);
  for await (const count of counted(run, users)) await output.write([rowOf(count)]);
  await output.finish();
}

/** The users that are asked for: those of the file, else one. Throws `usage`. */
async function usersOf({ context, session, flags }: Run): Promise<readonly User[]> {
  if (flags.ids !== undefined) return readUsers(context, session, flags.ids);
  const id = userOf(flags.user, session);
  return [{ name: id, id }];
}

/** Counts the notifications of a user, or of those of a file. Throws `usage` and what the calls throw. */
export async function countNotifications(context: Context, flags: Flags): Promise<void> {
  if (flags.ids !== undefined) refuseWith('--ids', { '--user': flags.user });
  const session = await openSession(context, flags);
  const run = { context, session, flags };
  const users = await usersOf(run);
  const input = { userId: users[0]?.id ?? '' };
  if (flags.ids === undefined) return runCall(run, { operation, input });
  return flags.envelope ? printEnvelope({ context, session, flags }, { operation, input }) : printCounts(run, users);
}
