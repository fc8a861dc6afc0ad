import type { Config } from '@oclif/core';
import { connectionFlags, outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { option, switchFlag, type Values, repeated } from '../../kit/flags/define.js';
import { inputFileOption } from '../../kit/flags/kinds.js';
import { endpointOf } from '../../kit/session/connection.js';
import { printRecords } from '../../kit/output/open-output.js';
import { openRoute, type ServiceRoute } from '../../kit/session/session.js';
import { folderOfProfiles, profileOf } from '../../kit/session/profile-store.js';
import { wsdlUrl } from '../../client/explain.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import type { InputOf } from '../../contract/infer.js';
import { string } from '../../contract/scalars.js';
import { findOperation } from '../../contract/service.js';
import { changesBetween } from '../../profiles/descriptions/changes.js';
import {
  removeStored,
  storeDescription,
  storedOfService,
  matches,
  type StoredDescription,
  type OfService,
} from '../../profiles/descriptions/stored.js';
import { loadingOf } from '../../profiles/descriptions/load.js';
import { badAnswer, RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import type { Job } from '../../jobs/plan-jobs.js';
import { note } from '../../kit/host/notes.js';
import { defined } from '../../core/values/value.js';
import { shellCommand } from '../../core/text/text.js';
import type { Description } from '../../wsdl/reading/described.js';
import { readDocuments } from '../../wsdl/reading/documents.js';
import { describe } from '../../wsdl/reading/operations.js';
import { allowFlag, documentsOf } from './diff.js';

function patternOf(text: string, path: string): string {
  if (/^[\p{L}\p{N}_.*-]+$/u.test(text)) return text;
  throw usage(path, `${path} must be the name of an operation, with * for any letters, not '${text}'`);
}

/** Flags of `operations import`. */
export const importFlags = {
  reads: option(patternOf, { helpValue: 'PATTERN' })({
    ...repeated,
    summary: 'Treat operations of this name as reading, such as "*GetAll"; may be repeated.',
  }),
  ...allowFlag,
  port: option((text: string): string => text, { helpValue: 'NAME' })({
    summary:
      'Read the operations of this port, also next time; the default is the port with the most callable operations.',
  }),
  jobs: inputFileOption({
    ...repeated,
    summary: 'List the jobs of this job file whose operation changed; may be repeated.',
  }),
  forget: switchFlag({ summary: 'Remove the imported operations of the profile.' }),
  ...connectionFlags,
  'dry-run': switchFlag({ char: 'n', summary: 'Read the WSDL and report changes, but save nothing.' }),
  ...outputFlags,
};

type ImportFlags = Values<typeof importFlags> & CommonFlags;

/** A row of `operations import`. */
export const ImportLine = recordWithoutPresence('ImportLine', 'A result of the import of a WSDL.', {
  Name: inRole('key', req(string, 'The operation, or the type or element.')),
  Change: req(string, 'new, changed or gone: an operation; unread: something that relctl does not read.'),
  What: inRole('words', req(string, 'Description.')),
});

type Row = InputOf<typeof ImportLine>;

function whatOf(operation: { readonly name: string; readonly doc: string } | undefined, access: string): string {
  return operation === undefined || operation.doc === '' ? access : `${operation.doc} (${access})`;
}

function changeRows(before: StoredDescription | undefined, after: StoredDescription): readonly Row[] {
  const { description, reads } = after;
  const empty: Description = { ...description, operations: [], types: [], unread: [] };
  const byName = new Map(description.operations.map((each) => [each.name, each]));
  const was = before?.description;
  const changes = changesBetween(was ?? empty, description).filter(
    ({ name }) => was !== undefined || findOperation(name) === undefined,
  );
  const moved: readonly Row[] =
    was === undefined || was.namespace === description.namespace
      ? []
      : [{ Name: description.namespace, Change: 'changed', What: `The namespace was ${was.namespace}` }];
  const accessOf = (name: string): string => {
    const own = findOperation(name)?.access;
    if (own !== undefined) return own === 'read' ? 'reads' : 'writes';
    return matches(reads, name) ? 'reads' : 'counts as a write';
  };
  return [
    ...moved,
    ...changes.map(({ name, change }) => ({
      Name: name,
      Change: change,
      What: change === 'gone' ? 'The service no longer has it.' : whatOf(byName.get(name), accessOf(name)),
    })),
    ...description.unread.map(({ place: where, what }) => ({ Name: where, Change: 'unread', What: what })),
  ];
}

async function reportImport(
  context: Context,
  flags: ImportFlags,
  { profile, kept: stored }: { profile: string; kept: StoredDescription },
): Promise<void> {
  const { operations } = stored.description;
  const knows = flags['dry-run'] ? 'would know' : 'knows';
  const others = operations.filter(({ name }) => findOperation(name) === undefined).length;
  const see = shellCommand(['operations', '--profile', profile]);
  await note(
    context,
    flags,
    `profile '${profile}' ${knows} ${operations.length} operations of ${stored.source}, ${others} of them not in the contract: \`${see}\``,
  );
}

/** An address without what may be a secret, or differs for nothing. */
const plainAddress = (text: string): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/$/, '')}`;
};

/** Tells that the WSDL says another address than that of the profile, where calls go. */
async function reportAddress(
  context: Context,
  flags: ImportFlags,
  storedDescription: StoredDescription,
): Promise<void> {
  const { service, description } = storedDescription;
  const { address = '' } = description;
  if (service === undefined || !URL.canParse(address) || plainAddress(address) === plainAddress(service)) return;
  const [there, here] = [plainAddress(address), plainAddress(service)];
  await note(context, flags, `the WSDL says that its service is at ${there}; calls go to ${here}, that of the profile`);
}

async function reportNowWrites(
  context: Context,
  flags: ImportFlags,
  { before, kept: stored }: { before: StoredDescription | undefined; kept: StoredDescription },
): Promise<void> {
  if (before === undefined) return;
  const names = stored.description.operations
    .map(({ name }) => name)
    .filter((name) => findOperation(name) === undefined && matches(before.reads, name) && !matches(stored.reads, name));
  if (names.length === 0) return;
  const now = flags['dry-run'] ? 'would count' : 'count';
  await note(context, flags, `operations that were reads before, and ${now} as writes now: ${names.join(', ')}`);
}

async function forget(context: Context, flags: ImportFlags, folder: string): Promise<void> {
  const { name } = profileOf(context, flags);
  removeStored(folder, name);
  await note(context, flags, `profile '${name}' has only the operations of the contract`);
}

type JobFile = readonly [file: string, jobs: readonly Job[]];

async function readJobFiles(running: Running, files: readonly string[] = []): Promise<readonly JobFile[]> {
  if (files.length === 0) return [];
  const { readJobFile } = await import('../../jobs/read-job-file.js');
  const jobFiles: JobFile[] = [];
  for (const file of files) {
    const jobs = await readJobFile(running, file, { restart: false, undone: 'nothing was imported' });
    jobFiles.push([file, jobs]);
  }
  return jobFiles;
}

async function reportCallers(
  { context }: Running,
  flags: ImportFlags,
  { rows, profile, jobFiles }: { rows: readonly Row[]; profile: string; jobFiles: readonly JobFile[] },
): Promise<void> {
  const changed = rows.filter(({ Change }) => Change === 'changed' || Change === 'gone').map(({ Name }) => Name);
  if (changed.length === 0 || jobFiles.length === 0) return;
  const operations = new Set(changed);
  const { jobsCalling } = await import('../../jobs/read-job-file.js');
  for (const [file, jobs] of jobFiles) {
    const calling = jobsCalling(jobs, { operations, profile });
    if (calling.length > 0)
      await note(context, flags, `jobs of ${file} with changed operations: ${calling.join(', ')}`);
  }
}

function mostFrequentReason({ leftOut: unusable, unread }: Description): string {
  const counts = new Map<string, number>();
  for (const { what } of unusable) counts.set(what, (counts.get(what) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most === undefined
    ? (unread[0]?.what ?? 'it has none')
    : `${most[1]} of ${unusable.length} omitted: ${most[0]}`;
}

const counted = (operations: readonly unknown[]): string =>
  operations.length === 1 ? 'one operation' : `${operations.length || 'no'} operations`;

function refuseTooFew(
  before: StoredDescription | undefined,
  { source, port, description }: StoredDescription,
): RelctlError | undefined {
  const { operations } = description;
  // Another port has other operations.
  const known = before?.port === port ? (before?.description.operations ?? []) : [];
  if (operations.length > 0 && operations.length * 2 >= known.length) return undefined;
  const than = known.length === 0 ? '' : `; it knew ${counted(known)}`;
  const message = `relctl can call ${counted(operations)} of ${source} (${mostFrequentReason(description)})${than}; relctl saved nothing`;
  return badAnswer('wsdl', message).but({
    advice: 'relctl is not a general SOAP client: it reads only document/literal, and no SOAP headers.',
    // A trace tells nothing of documents.
    hint: known.length === 0 ? '' : shellCommand(['operations', 'import', '--forget']),
  });
}

/**
 * What was stored of this service. What was stored of another one says nothing of it: least of all which operations only read.
 * What cannot be read is replaced, which is reported.
 */
async function storedBefore(
  context: Context,
  flags: ImportFlags,
  of: OfService,
): Promise<StoredDescription | undefined> {
  try {
    return storedOfService(of);
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    if (kind !== 'profile') throw thrown;
    const words = flags['dry-run'] ? 'would be' : 'is';
    await note(context, flags, `${message}: it ${words} replaced, and its settings of --reads and --port are lost`);
    return undefined;
  }
}

/** What flags say, and where they say nothing, what the flags of the import before said. */
const optionsOf = ({ reads, port }: ImportFlags, before: StoredDescription | undefined, from: string) => ({
  reads: reads ?? before?.reads ?? [],
  port: port ?? (before?.source === from ? before.port : undefined),
});

async function readDescription(
  { context, way: route }: { readonly context: Context; readonly way: ServiceRoute },
  flags: ImportFlags,
  { from, port }: { readonly from: string; readonly port: string | undefined },
): Promise<Description> {
  const load = loadingOf({ get: documentsOf(context, route), allowed: flags.allow ?? [] });
  const documents = await readDocuments(from, load);
  try {
    return describe(documents, port);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (error.kind !== 'usage' || flags.port !== undefined) throw thrown;
    throw badAnswer('wsdl', `${error.message}; the WSDL imports it, and relctl saved nothing`).but({
      hint: `${shellCommand(['operations', 'import', from])} --port NAME`,
    });
  }
}

interface Running {
  readonly context: Context;
  readonly config: Config;
}

/**
 * Reads the WSDL of a service and keeps it with the profile; prints what changed since the last time, and what is not read.
 * Throws `profile`, `usage`, `bad-answer`, `no-answer` and `local`.
 * @param source an address or a path; undefined for the WSDL of the profile's own service
 */
export async function importOperations(
  { context, config }: Running,
  flags: ImportFlags,
  source: string | undefined,
): Promise<void> {
  const folder = folderOfProfiles(context);
  if (flags.forget) return forget(context, flags, folder);
  const jobFiles = await readJobFiles({ context, config }, flags.jobs);
  const route = await openRoute(context, flags);
  const { name } = route.profile;
  const service = endpointOf(route.profile);
  const before = await storedBefore(context, flags, { folder, profile: name, service });
  const from = source ?? wsdlUrl(route.connection.url);
  const { reads, port } = optionsOf(flags, before, from);
  const stored: StoredDescription = {
    ...{ source: from, importedAt: context.clock.date().toISOString(), reads, ...defined({ service, port }) },
    description: await readDescription({ context, way: route }, flags, { from, port }),
  };
  const failure = refuseTooFew(before, stored);
  if (!flags['dry-run'] && failure === undefined) storeDescription(folder, name, stored);
  const rows = changeRows(before, stored);
  const table = ['Name', 'Change', 'What'];
  const blank = 'Nothing changed.';
  await printRecords(context, { flags, record: ImportLine, shape: 'list', table, blank }, () => rows);
  if (failure !== undefined) throw failure;
  await reportImport(context, flags, { profile: name, kept: stored });
  await reportAddress(context, flags, stored);
  await reportNowWrites(context, flags, { before, kept: stored });
  await reportCallers({ context, config }, flags, { rows, profile: name, jobFiles });
}
