import { list, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import type { Reply } from '../../client/client.js';
import { listIn, wordsOf, type ListAnswer } from '../../client/list-answer.js';
import type { Context } from '../../host/context.js';
import { printEnvelope } from '../../cli/calls/envelope.js';
import { findingRecords, findingRequest, FindingRecord, printSummary, type Finding } from '../../cli/findings.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { warnOfNotes } from '../../host/notes.js';
import { formats } from '../../output/formats/index.js';
import { openOutput } from '../../cli/output/open-output.js';
import { formatFor, type OutputRequest } from '../../cli/output/record-output.js';
import { openSession, type Session } from '../../cli/session/session.js';
import { wsdlFinding } from '../../cli/operations/wsdl-finding.js';
import type { RecordValue } from '../../plain/value.js';
import { calibrationOf } from '../../profiles/kept/calibration.js';
import { isStored } from '../../profiles/resolve.js';
import { profileStore } from '../../cli/session/profile-store.js';

/** A read that needs nothing but credentials. */
export const probedOperation = operations.RelationGetAll;

/** What `profile test` prints. */
export const ProfileTest = recordWithoutPresence('ProfileTest', 'What a test of a profile found.', {
  Profile: req(string, 'Name of the profile.'),
  Url: req(string, 'Address that was called.'),
  SoapVersion: req(string, 'Version in which the service answered.'),
  Operation: req(string, 'Operation that was called.'),
  Answer: req(string, 'What came back.'),
  Milliseconds: req(int, 'Time from the call to the end of the answer.'),
  Attempts: req(int, 'Attempts that it took.'),
  Oddities: req(int, 'Places where the answer is not what the contract says.'),
  Warning: opt(string, 'Something to look at.'),
  Checks: req(list(FindingRecord, 'Check'), 'Each thing that was looked at, with its state.'),
});

/** The answer to the call, and the list in it. */
interface Came {
  readonly reply: Reply;
  readonly answer: ListAnswer;
}

const isList = ({ answer }: Came): boolean => answer.state !== 'absent' && answer.state !== 'other';

function answerWords(came: Came): string {
  const count = came.answer.records.length;
  return isList(came) ? `a page of ${count} ${count === 1 ? 'relation' : 'relations'}` : wordsOf(came.answer);
}

function warningOf(came: Came): string | null {
  if (!isList(came)) return 'that is no list: lists of this service end with 7';
  return came.answer.records.length > 1 ? 'more rows came than were asked for: pageSize is not respected' : null;
}

function pagingFinding(context: Context, { profile }: Session): Finding {
  const { name } = profile;
  const { day } = calibrationOf(isStored(profile) ? profileStore(context).get(name) : {});
  if (day !== undefined) return { check: 'paging', state: 'ok', detail: `calibrated ${day}` };
  // Nothing can be kept in the others.
  if (!isStored(profile)) return { check: 'paging', state: 'ok', detail: 'the usual one; this profile keeps nothing' };
  const hint = `relctl profile test ${name} --calibrate`;
  return { check: 'paging', state: 'warning', detail: 'never calibrated', hint };
}

/** That a gateway let the call through; nothing where the profile sends nothing for one. */
const gatewayFindings = ({ connection: { gatewayHeaders = [] } }: Session): readonly Finding[] =>
  gatewayHeaders.length === 0
    ? []
    : [{ check: 'gateway', state: 'ok', detail: `let the call through, with ${gatewayHeaders.join(', ')}` }];

function contractFinding({ reply }: Came, { profile }: Session): Finding {
  const { length } = reply.notes;
  if (length === 0) return { check: 'contract', state: 'ok', detail: 'the answer is as the contract says' };
  const detail = `${length} ${length === 1 ? 'place' : 'places'} of the answer differ from the contract; --trace shows them`;
  return { check: 'contract', state: 'warning', detail, hint: `relctl profile test ${profile.name} --trace` };
}

/** What the answer says about the service, thing by thing. */
function findingsOf(context: Context, session: Session, came: Came): readonly Finding[] {
  const { profile, connection } = session;
  const { elapsedMs, attempts, version } = came.reply;
  const warning = warningOf(came);
  const wsdl = wsdlFinding(context, profile, connection.namespace);
  const time = `after ${Math.round(elapsedMs)} ms, in SOAP ${version}`;
  const repeated = attempts > 1 ? `, at attempt ${attempts}` : '';
  return [
    { check: 'address', state: 'ok', detail: `${connection.url} (profile '${profile.name}')` },
    { check: 'answer', state: attempts > 1 ? 'warning' : 'ok', detail: `${time}${repeated}` },
    ...gatewayFindings(session),
    { check: 'credentials', state: 'ok', detail: 'taken' },
    {
      check: 'list',
      state: warning === null ? 'ok' : 'warning',
      detail: warning === null ? answerWords(came) : `${answerWords(came)}: ${warning}`,
      ...(warning === null ? {} : { hint: `relctl profile test ${profile.name} --calibrate` }),
    },
    contractFinding(came, session),
    ...(wsdl === undefined ? [] : [wsdl]),
    pagingFinding(context, session),
  ];
}

function recordOf({ profile, connection }: Session, came: Came, findings: readonly Finding[]): RecordValue {
  const { reply } = came;
  return {
    Profile: profile.name,
    Url: connection.url,
    SoapVersion: reply.version,
    Operation: probedOperation.name,
    Answer: answerWords(came),
    Milliseconds: Math.round(reply.elapsedMs),
    Attempts: reply.attempts,
    Oddities: reply.notes.length,
    Warning: warningOf(came),
    Checks: findingRecords(findings),
  };
}

/** Calls the service of a profile and prints what answered: a table of checks for people. Throws what the call throws. */
export async function testProfile(
  context: Context,
  name: string | undefined,
  flags: ConnectionFlags & OutputFlags,
): Promise<void> {
  const session = await openSession(context, name === undefined ? flags : { ...flags, profile: name });
  const { connection, client } = session;
  const input = { includeFields: false, includeCounters: false, pageNumber: connection.firstPage, pageSize: 1 };
  if (flags.envelope) return printEnvelope({ context, session, flags }, { operation: probedOperation, input });
  const whole: OutputRequest = { flags, record: ProfileTest, shape: 'single' };
  // Columns can be those of the record only.
  const isTable = flags.columns === undefined && formats[formatFor(context, session, whole)].audience === 'people';
  const output = await openOutput(context, session, isTable ? findingRequest(flags) : whole);
  const reply = await client.call(probedOperation, input);
  const came = { reply, answer: listIn(probedOperation, reply.result, 'Relations') };
  const findings = findingsOf(context, session, came);
  await output.write(isTable ? findingRecords(findings) : [recordOf(session, came, findings)]);
  await output.finish();
  if (isTable) await printSummary(context, { flags, session }, findings);
  await warnOfNotes(context, flags, reply.notes);
}
