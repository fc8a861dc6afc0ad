import { opt, recordWithoutPresence, req } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import { listIn, wordsOf } from '../../client/list-answer.js';
import type { Context } from '../../host/context.js';
import { printEnvelope } from '../../cli/dry-run.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { warnOfNotes } from '../../host/notes.js';
import { openOutput } from '../../cli/output/record-output.js';
import { openSession } from '../../cli/session.js';

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

function warningOf(isList: boolean, count: number): string | null {
  if (!isList) return 'that is no list: lists of this service end with 7';
  return count > 1 ? 'more rows came than were asked for: pageSize is not respected' : null;
}

/** Calls the service of a profile and prints what answered. Throws what the call throws. */
export async function testProfile(
  context: Context,
  name: string | undefined,
  flags: ConnectionFlags & OutputFlags,
): Promise<void> {
  const session = await openSession(context, name === undefined ? flags : { ...flags, profile: name });
  const { connection, client } = session;
  const input = { includeFields: false, includeCounters: false, pageNumber: connection.firstPage, pageSize: 1 };
  if (flags['dry-run']) return printEnvelope(context, connection, { operation: probedOperation, input });
  const output = await openOutput(context, session, { flags, record: ProfileTest, shape: 'single' });
  const reply = await client.call(probedOperation, input);
  const answer = listIn(probedOperation, reply.result, 'Relations');
  const count = answer.records.length;
  const isList = answer.state !== 'absent' && answer.state !== 'other';
  await output.write([
    {
      Profile: session.profile.name,
      Url: connection.url,
      SoapVersion: reply.version,
      Operation: probedOperation.name,
      Answer: isList ? `a page of ${count} ${count === 1 ? 'relation' : 'relations'}` : wordsOf(answer),
      Milliseconds: Math.round(reply.elapsedMs),
      Attempts: reply.attempts,
      Oddities: reply.notes.length,
      Warning: warningOf(isList, count),
    },
  ]);
  await output.finish();
  await warnOfNotes(context, flags, reply.notes);
}
