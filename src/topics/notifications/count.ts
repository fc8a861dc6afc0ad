import type { RecordValue } from '../../core/values/value.js';
import { refuseWith } from '../../kit/flags/define.js';
import type { connectionFlags, CommonFlags, outputFlags } from '../../kit/flags/common.js';
import type { Values } from '../../kit/flags/define.js';
import { userFlag } from '../../kit/flags/kinds.js';

import { printEnvelope } from '../../kit/calls/envelope.js';
import { openOutput } from '../../kit/output/open-output.js';
import { profileNames } from '../../names/profile-names.js';
import { openSession, userOf, type SessionContext } from '../../kit/session/session.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { guid, int, string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import type { ListedId } from '../../lists/ids/parse.js';
import { inOrder } from '../../lists/ids/outcomes.js';
import { readIds } from '../../lists/ids/read.js';
import { idsOptions } from '../../lists/list-flags.js';
import { runCall } from '../../lists/record/call.js';

const operation = operations.NotificationGetCount;

/** Flags of `notification count` beside those of every call. */
export const countFlags = {
  user: userFlag,
  ...idsOptions,
};

type Flags = Values<typeof countFlags & typeof connectionFlags & typeof outputFlags> & CommonFlags;

/** A row of `notification count --ids`. */
export const UserCount = recordWithoutPresence('UserCount', 'Number of notifications of a user.', {
  User: inRole('name', opt(string, 'Name of the user in the profile.')),
  UserId: req(guid, 'Id of the user.'),
  NumberOfNotifications: req(int, 'Number of notifications.'),
});

async function printCounts(
  { context, session, flags }: SessionContext<Flags>,
  users: Iterable<ListedId>,
): Promise<void> {
  const nameOf = profileNames(context, session);
  const ask = async function* ({ id }: ListedId): AsyncGenerator<RecordValue, void> {
    context.signal.throwIfAborted();
    const { NumberOfNotifications: count } = (await session.client.call(operation, { userId: id })).result;
    if (typeof count !== 'number') throw new RelctlError('bad-answer', `${operation.name} returned no number`);
    yield { User: nameOf(id) ?? null, UserId: id, NumberOfNotifications: count };
  };
  const request = { flags, record: UserCount, shape: 'list', table: Object.keys(UserCount.fields) } as const;
  const output = await openOutput(context, session, request);
  for await (const outcome of inOrder(users, ask, flags.concurrency ?? 3)) {
    if (outcome.kind === 'batch') await output.write([outcome.batch]);
    if (outcome.kind !== 'failed') continue;
    throw outcome.error.but({ message: `user ${outcome.item.id}: ${outcome.error.message}` });
  }
  await output.finish();
}

/** Counts the notifications of a user, or of those of a file. Throws `usage` and what the calls throw. */
export async function countNotifications(context: Context, flags: Flags): Promise<void> {
  if (flags.ids !== undefined) refuseWith('--ids', { '--user': flags.user });
  const session = await openSession(context, flags);
  const run = { context, session, flags };
  if (flags.ids === undefined) return runCall(run, { operation, input: { userId: userOf(flags.user, session) } });
  const users = await readIds(context, flags, flags.ids);
  if (!flags.envelope) return printCounts(run, users);
  await printEnvelope(run, { operation, input: { userId: users.first?.id ?? '' } });
}
