import { opt, recordWithoutPresence, req } from '../contract/build.js';
import { int, string } from '../contract/scalars.js';
import { operations } from '../contract/service.js';
import type { Context } from './context.js';
import { printEnvelope } from './dry-run.js';
import type { ConnectionFlags } from './flags/connection.js';
import type { OutputFlags } from './flags/output.js';
import { warnOfNotes } from './notes.js';
import { openOutput } from './record-output.js';
import { openSession } from './session.js';

/** A read that needs nothing but credentials. */
export const probedOperation = operations.RelationGetAll;

const ProfileTest = recordWithoutPresence('ProfileTest', 'What a test of a profile found.', {
  Profile: req(string, 'Name of the profile.'),
  Url: req(string, 'Address that was called.'),
  SoapVersion: req(string, 'Version in which the service answered.'),
  Operation: req(string, 'Operation that was called.'),
  Answer: req(string, 'What came back.'),
  Milliseconds: req(int, 'Time from the call to the end of the answer.'),
  Attempts: req(int, 'Attempts that it took.'),
  Oddities: req(int, 'Places where the answer is not what the contract says.'),
  Warning: opt(string, 'Something to look at.'),
});

/** Calls the service of a profile and prints what answered. Throws what the call throws. */
export async function testProfile(
  context: Context,
  name: string | undefined,
  flags: ConnectionFlags & OutputFlags,
): Promise<void> {
  const session = await openSession(context, name === undefined ? flags : { ...flags, profile: name });
  const { connection, client } = session;
  const input = { includeFields: false, includeCounters: false, pageNumber: connection.firstPage, pageSize: 1 };
  if (flags['dry-run'] === true) return printEnvelope(context, connection, { operation: probedOperation, input });
  const output = await openOutput(context, session, { flags, record: ProfileTest, shape: 'single' });
  const reply = await client.call(probedOperation, input);
  const count = reply.result.Relations?.length ?? 0;
  await output.write([
    {
      Profile: session.profile.name,
      Url: connection.url,
      SoapVersion: reply.version,
      Operation: probedOperation.name,
      Answer: `a page of ${count} ${count === 1 ? 'relation' : 'relations'}`,
      Milliseconds: Math.round(reply.elapsedMs),
      Attempts: reply.attempts,
      Oddities: reply.notes.length,
      Warning: count > 1 ? 'more rows came than were asked for: pageSize is not respected' : null,
    },
  ]);
  await output.finish();
  await warnOfNotes(context, flags, reply.notes);
}
