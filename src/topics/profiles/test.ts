import { operations } from '../../contract/service.js';
import type { Reply } from '../../client/call.js';
import { listIn, describeAnswer, type ListAnswer } from '../../client/list-answer.js';
import { endOfTime } from '../../lists/list-flags.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { knownOperations } from '../../kit/operations/described.js';
import { shellWord } from '../../core/text/text.js';
import { firstMoment } from '../../core/text/time/moment.js';
import type { Context } from '../../kit/host/context.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import { findingRecords, findingRequest, printSummary, type Finding } from '../../kit/findings.js';
import type { ConnectionFlags, OutputFlags } from '../../kit/flags/common.js';
import { warnOfNotes, note, noteInTerminal } from '../../kit/host/notes.js';
import { openOutput } from '../../kit/output/open-output.js';
import { openSession, type Session } from '../../kit/session/session.js';
import { endpointOf, risksOf } from '../../kit/session/connection.js';
import { watchFilled } from '../../kit/session/filled.js';
import { differencesFromContract } from '../../profiles/descriptions/against-contract.js';
import { storedOfService } from '../../profiles/descriptions/stored.js';
import type { SettingName } from '../../profiles/settings/settings.js';
import { calibrationOf, calibrationKey, isStored, isSandbox } from '../../profiles/resolve.js';
import { folderOfProfiles, profileOf, profileStore } from '../../kit/session/profile-store.js';
import { list, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { boolean, int, string } from '../../contract/scalars.js';
import { calibrate, relationsList, type Calibration, type ProbedList } from '../../client/calibrate.js';
import { defined } from '../../core/values/value.js';

/** A read that needs nothing but credentials. */
export const probedOperation = operations.RelationGetAll;

interface Came {
  readonly reply: Reply;
  readonly answer: ListAnswer;
}

const isList = ({ answer }: Came): boolean => answer.state !== 'absent' && answer.state !== 'other';

function answerWords(came: Came): string {
  const count = came.answer.records.length;
  return isList(came) ? `a page of ${count} ${count === 1 ? 'relation' : 'relations'}` : describeAnswer(came.answer);
}

function warningOf(came: Came): string | null {
  if (!isList(came)) return 'that is not a list: lists of this service end with 7';
  return came.answer.records.length > 1 ? 'the service returned more rows than requested: it ignores pageSize' : null;
}

function addressFinding({ profile, connection: { url } }: Session): Finding {
  const detail = `${url} (profile '${profile.name}')`;
  const [risk] = risksOf(new URL(url), profile.values.insecureTls?.value === true);
  if (risk === undefined) return { check: 'address', state: 'ok', detail };
  const hint = `relctl profile edit ${profile.name} ${risk.mend}`;
  return { check: 'address', state: 'warning', detail: `${detail} ${risk.words}`, hint };
}

function pagingFinding(context: Context, { profile }: Session): Finding {
  const { name, values } = profile;
  const of = (setting: SettingName): string => `${setting} ${String(values[setting]?.value ?? '')}`;
  const calibration = `${of('firstPage')}, ${of('pageSize')}, ${of('listEnd')}`;
  // Nothing can be kept in the others.
  if (!isStored(profile)) return { check: 'paging', state: 'ok', detail: `${calibration}; not saved in this profile` };
  const { day, pageSize } = calibrationOf(profileStore(context).get(name));
  const hint = `relctl profile test ${name} --calibrate`;
  if (day === undefined) return { check: 'paging', state: 'warning', detail: `${calibration}; never calibrated`, hint };
  const whole = pageSize === undefined ? '' : `, whole lists with ${pageSize} rows per page`;
  return { check: 'paging', state: 'ok', detail: `${calibration}; calibrated ${day}${whole}` };
}

/** That a gateway let the call through; nothing where the profile sends nothing for one. */
const gatewayFindings = ({ connection: { gatewayHeaders = [] } }: Session): readonly Finding[] =>
  gatewayHeaders.length === 0
    ? []
    : [{ check: 'gateway', state: 'ok', detail: `accepted the call, with ${gatewayHeaders.join(', ')}` }];

function contractFinding({ reply }: Came, { profile }: Session): Finding {
  const { length } = reply.notes;
  if (length === 0) return { check: 'contract', state: 'ok', detail: 'the answer matches the contract' };
  const detail = `${length} ${length === 1 ? 'place' : 'places'} of the answer differ from the contract; --trace shows them`;
  return { check: 'contract', state: 'warning', detail, hint: `relctl profile test ${profile.name} --trace` };
}

/** What the WSDL that was imported means for commands, in one line; undefined without an import. Throws `profile` and `local`. */
function wsdlFinding(context: Context, { profile, connection }: Session): Finding | undefined {
  const of = { folder: folderOfProfiles(context), profile: profile.name, service: endpointOf(profile) };
  const storedDescription = storedOfService(of);
  if (storedDescription === undefined) return undefined;
  const { description } = storedDescription;
  const differences = differencesFromContract(description, connection.namespace);
  if (differences.length === 0) return { check: 'wsdl', state: 'ok', detail: 'the imported WSDL matches the contract' };
  return {
    check: 'wsdl',
    state: 'warning',
    detail: `the imported WSDL differs from the contract in ${differences.length} ${differences.length === 1 ? 'place' : 'places'}`,
    hint: `relctl operations diff --profile ${profile.name}`,
  };
}

function findingsOf(context: Context, session: Session, came: Came): readonly Finding[] {
  const { profile } = session;
  const { elapsedMs, attempts, version } = came.reply;
  const warning = warningOf(came);
  const wsdl = wsdlFinding(context, session);
  const time = `after ${Math.round(elapsedMs)} ms, in SOAP ${version}`;
  const repeated = attempts > 1 ? `, at attempt ${attempts}` : '';
  return [
    addressFinding(session),
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

/** Calls the service of a profile and prints what answered, check by check. Throws what the call throws. */
export async function testProfile(context: Context, flags: ConnectionFlags & OutputFlags): Promise<void> {
  const session = await openSession(context, flags);
  const { connection, client } = session;
  const input = { includeFields: false, includeCounters: false, pageNumber: connection.firstPage, pageSize: 1 };
  if (flags.envelope) return printEnvelope({ context, session, flags }, { operation: probedOperation, input });
  const output = await openOutput(context, session, findingRequest(flags));
  const reply = await client.call(probedOperation, input);
  const findings = findingsOf(context, session, { reply, answer: listIn(probedOperation, reply.result, 'Relations') });
  await output.write(findingRecords(findings));
  await output.finish();
  await printSummary(context, { flags, session }, findings);
  await warnOfNotes(context, flags, reply.notes);
}

const CalibrationRecord = recordWithoutPresence('Calibration', 'How a service pages.', {
  Profile: req(string, 'Name of the profile.'),
  FirstPage: req(int, 'Number of the first page.'),
  PageCap: opt(int, 'Maximum rows on a page; absent if relctl reached no limit.'),
  PageSize: opt(int, 'Rows per page for lists: the largest page that the service returned within ten seconds.'),
  RespectsPageNumber: req(boolean, 'Whether the service uses the page number.'),
  ListEnd: opt(string, 'Form of the end of a list: empty or absent; absent if unknown.'),
  Kept: req(boolean, 'Whether relctl saved it in the profile.'),
  Evidence: opt(list(string, 'Line'), 'Observations.'),
});

/** Writes what was found into the profile. The built-in one and that of the environment cannot be written. */
async function storeCalibration(context: Context, session: Session, found: Calibration): Promise<boolean> {
  const store = profileStore(context);
  const { name } = session.profile;
  if (isSandbox(session.profile) || !store.names().includes(name)) return false;
  const { firstPage, pageCap, pageSize, listEnd, evidence } = found;
  await store.update(name, () => ({
    firstPage,
    ...defined({
      listEnd,
      pageSize: pageCap !== undefined && pageCap < session.connection.pageSize ? pageCap : undefined,
    }),
  }));
  const date = context.clock.date().toISOString();
  const calibration = { date, ...defined({ pageSize }), evidence };
  await store.change(name, (stored) => ({ ...stored, [calibrationKey]: calibration }));
  return true;
}

const mostRelations = 5;

/** Looks at an activity in a list for members that the interface document has nil there, and keeps those that are not. */
async function lookAtActivity(context: Context, session: Session, pageNumber: number): Promise<void> {
  const { RelationGetActivitiesModified_V2: listing } = operations;
  const watch = watchFilled(context, session, Object.keys(listing.leavesNil ?? {}));
  const input = { pageNumber, pageSize: mostRelations, includeFields: false, includeCounters: false };
  const period = { from: firstMoment, to: endOfTime };
  if (watch === undefined) return;
  try {
    const { result } = await session.client.callUntyped(probedOperation, input);
    for (const { Id: relationId = null } of listIn(probedOperation, result, 'Relations').records.slice(
      0,
      mostRelations,
    )) {
      const reply = await session.client.callUntyped(listing, { ...input, relationId, ...period });
      const { records } = listIn(listing, reply.result, 'Activities');
      await watch.keep(records);
      if (records.length > 0) break;
    }
  } catch (thrown) {
    // How the service pages is known all the same.
    context.signal.throwIfAborted();
    if (!(thrown instanceof RelctlError)) throw thrown;
  }
}

/** The list whose pages are read: that of relations, or another one of a service that has none by its WSDL. Throws `usage`. */
async function probedListOf(context: Context, flags: ConnectionFlags): Promise<ProbedList> {
  const profile = profileOf(context, flags);
  const { name } = profile;
  const stored = storedOfService({ folder: folderOfProfiles(context), profile: name, service: endpointOf(profile) });
  const names = stored?.description.operations.map((each) => each.name);
  if (names === undefined || names.includes(probedOperation.name)) return relationsList;
  const { find } = knownOperations(context, name);
  const { probedList } = await import('../../lists/of-operation/list.js');
  const probed = probedList(names.flatMap((each) => find(each) ?? []));
  if (probed !== undefined) return probed;
  const words = `according to its WSDL the service has no ${probedOperation.name}, and no other list with pages that only reads and needs nothing else`;
  throw usage('--calibrate', words, {
    advice: `\`relctl operations import --reads PATTERN\` marks operations as reading; \`relctl profile edit ${shellWord(name)} --set firstPage=0\` sets page numbers from 0.`,
    hint: 'relctl operations',
  });
}

/**
 * Finds out how the service of a profile pages, and keeps it in the profile. Throws `usage` where nothing shows that, and what
 * the calls throw.
 */
export async function calibrateProfile(context: Context, flags: ConnectionFlags & OutputFlags): Promise<void> {
  const probed = await probedListOf(context, flags);
  const session = await openSession(context, flags, probed.operation);
  const output = await openOutput(context, session, { flags, record: CalibrationRecord, shape: 'single' });
  const calibration = await calibrate({ client: session.client, list: probed }, { signal: context.signal });
  const isSaved = await storeCalibration(context, session, calibration);
  if (isSaved && probed === relationsList) await lookAtActivity(context, session, calibration.firstPage);
  const { firstPage, pageCap, pageSize, respectsPageNumber, listEnd, evidence } = calibration;
  await output.write([
    {
      Profile: session.profile.name,
      FirstPage: firstPage,
      PageCap: pageCap ?? null,
      PageSize: pageSize ?? null,
      RespectsPageNumber: respectsPageNumber,
      ListEnd: listEnd ?? null,
      Kept: isSaved,
      Evidence: evidence,
    },
  ]);
  await output.finish();
  if (isSaved) await noteInTerminal(context, flags, 'saved in the profile');
  if (!respectsPageNumber)
    await note(context, flags, 'this service ignores pageNumber: read lists with --page 1 and a large --page-size');
}
