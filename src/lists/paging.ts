import type { Operation } from '../contract/build.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { FetchPage, PagingPlan, WalkState } from '../client/paging.js';
import { note } from '../kit/host/notes.js';
import { shellWord } from '../core/text/text.js';
import { usage } from '../core/errors/relctl-error.js';
import { isStored, type ResolvedProfile } from '../profiles/resolve.js';
import { settings } from '../profiles/settings/settings.js';
import { tellingFlags } from '../kit/flags/define.js';
import { serviceOf, type Session } from '../kit/session/session.js';
import type { Fingerprint } from './export/export-plan.js';
import { hasMiddleware, pageInput, type ListPlan, type ListRun, type PageNumber, type ResolvedPlan } from './plan.js';
import type { CallOptions, Reply } from '../client/call.js';

/** The request of a list as it was sent: its period may begin at another time than planned. */
export const firstInput = ({ input, request }: ListPlan): RecordValue =>
  request?.start === undefined ? input : { ...input, from: request.start.from };

const asText = (value: number | undefined): string | null => (value === undefined ? null : String(value));

/** What says which calls a list makes, for the fingerprint of an export and for a mirror. */
export function callsOf(
  { session, flags }: ListRun,
  plan: ResolvedPlan,
): Omit<Fingerprint, 'format' | 'columns' | 'style'> {
  const { pageSize, firstPage } = session.connection;
  return {
    operation: plan.operation.name,
    parameters: JSON.stringify({ ...plan.input, limit: asText(flags.limit), page: asText(flags.page) }),
    ...serviceOf(session),
    pageSize,
    firstPage,
    flags: tellingFlags(flags),
    ...defined({ names: plan.names }),
  };
}

/** One call of a list. */
export interface ListCall {
  readonly page?: PageNumber;
  readonly options?: CallOptions;
  /** Called with the Date header of the answer, and how long it took with repeats, in milliseconds. */
  readonly answered?: ((date: string | undefined, tookMs: number) => void) | undefined;
}

function callOnce({ client }: Session, plan: ListPlan, { page, options = {} }: ListCall): Promise<Reply> {
  const { operation, input, request } = plan;
  const start = request?.start;
  const paged = (whole: RecordValue): RecordValue => (page === undefined ? whole : pageInput(plan, whole, page));
  if (start === undefined) return client.callUntyped(operation, paged(input), options);
  return start.ask((from) => client.callUntyped(operation, paged({ ...input, from }), options));
}

/** Makes one call of a list. Throws what the call throws. */
export async function callList(session: Session, plan: ListPlan, call: ListCall): Promise<Reply> {
  const sentMs = performance.now();
  const reply = await callOnce(session, plan, call);
  call.answered?.(reply.serverDate, performance.now() - sentMs);
  return reply;
}

/** The command to try when a service pages in another way than its profile says; without a stored profile, a variable. */
function remedyIn(profile: ResolvedProfile, operation: Operation | undefined): NonNullable<PagingPlan['remedyFor']> {
  const name = shellWord(profile.name);
  // Which list of another service calibration could read, nobody knows here.
  const isOther = operation?.source === 'imported';
  if (isStored(profile) && !isOther) return () => `relctl profile test ${name} --calibrate`;
  return ({ setting, value }) => {
    if (setting === 'firstPage' && value > settings.firstPage.bounds[1]) return undefined;
    if (isStored(profile)) return `relctl profile edit ${name} --set ${setting}=${value}`;
    return `export ${settings[setting].environment}=${value}`;
  };
}

/** How the service of a session pages, by its profile. */
export function pagesOf(
  { connection, profile }: Session,
  operation?: Operation,
): Pick<PagingPlan, 'firstPage' | 'pageSize' | 'listEnd' | 'looksBefore' | 'remedyFor'> {
  const { firstPage, pageSize, listEnd } = connection;
  const looksBefore = profile.values.firstPage?.origin.kind === 'default';
  return { firstPage, pageSize, listEnd, looksBefore, remedyFor: remedyIn(profile, operation) };
}

/** Rows to ask for when nothing is known of the service: a tenth of the calls that pages of 100 take. */
const usualSize = 1000;

/** True when nobody said how many rows a page is to have, and a page may have more than every service gives. */
function isOpen(run: ListRun, { input, request }: ListPlan): boolean {
  const { session, flags } = run;
  if (request?.page?.hasSize === false) return false;
  // A page number means the same rows in each run. With their fields, records are many times as large. What follows changes
  // goes by the clock of the first answer, so the first call is not made twice.
  if (flags.page !== undefined || input['includeFields'] === true || hasMiddleware(run)) return false;
  return session.profile.values.pageSize?.origin.kind === 'default';
}

/** Rows to read at most; undefined where --limit counts what passes --where, or the first ones of --sort. */
export const readLimit = ({ flags }: ListRun): number | undefined =>
  flags.where === undefined && flags.sort === undefined ? flags.limit : undefined;

/** Rows to pass on at most; undefined where --limit is that of the sorted ones. */
export const passLimit = ({ flags }: Pick<ListRun, 'flags'>): number | undefined =>
  flags.sort === undefined ? flags.limit : undefined;

/** How many of the rows that were read and passed --where are printed: --limit cuts them behind --sort. */
export const printedOf = ({ flags }: Pick<ListRun, 'flags'>, rows: number): number =>
  flags.sort === undefined ? rows : Math.min(rows, flags.limit ?? rows);

/** Rows to ask for on the first page of a list: no more than --limit needs, and one more to tell whether there are more. */
export function firstSize(run: ListRun, plan: ListPlan): number {
  const { profile, connection } = run.session;
  const { pageSize } = connection;
  if (!isOpen(run, plan)) return pageSize;
  const most = profile.calibratedPageSize ?? usualSize;
  const limit = readLimit(run) ?? most;
  return Math.min(most, Math.max(pageSize, limit + 1));
}

/**
 * Gives the page sizes of the walks of a run: what one finds out holds for the next.
 * @param fetch fetches the first page, when it may be too large
 * @param resume where an earlier run stopped, whose page size goes on
 */
type PageSizes = (fetch: FetchPage, resume: WalkState | undefined) => Pick<PagingPlan, 'pageSize' | 'trial'>;

/**
 * Refuses to resume by a page size that was chosen, where the export was begun by a larger one that nobody chose: page
 * numbers count by the size that it was begun with. Throws `usage`.
 */
function refuseOtherSize({ session }: ListRun, resume: WalkState | undefined): void {
  const { pageSize } = session.connection;
  const isChosen = session.profile.values.pageSize?.origin.kind !== 'default';
  if (resume === undefined || !isChosen || resume.pageSize <= pageSize) return;
  throw usage(
    '--page-size',
    `the interrupted export used ${resume.pageSize} rows per page, and cannot be resumed with ${pageSize}`,
    { advice: 'Use the same flags as before, or start over.', hint: '--restart' },
  );
}

/** The page sizes of a run that reads the list of a plan, one time or several. */
export function pageSizes(run: ListRun, plan: ListPlan): PageSizes {
  const smallerSize = run.session.connection.pageSize;
  const size = firstSize(run, plan);
  const { name } = run.session.profile;
  const remedy = isStored(run.session.profile)
    ? `relctl profile edit ${shellWord(name)} --set pageSize=${smallerSize}`
    : `export ${settings.pageSize.environment}=${smallerSize}`;
  let known = size > smallerSize ? undefined : size;
  const settled = async (rows: number, refusal?: string): Promise<void> => {
    known = rows;
    if (refusal === undefined) return;
    const words = `a page of ${size} rows failed (${refusal}): relctl requests ${rows} at a time`;
    await note(run.context, run.flags, `${words}; to request no more from now on: ${remedy}`);
  };
  return (fetch, resume) => {
    refuseOtherSize(run, resume);
    // A short list leaves a small page size behind, which is none for another list.
    if (resume !== undefined) known ??= Math.max(resume.pageSize, smallerSize);
    return known === undefined ? { pageSize: size, trial: { smallerSize, fetch, settled } } : { pageSize: known };
  };
}

/** The input of a list's first call. */
export function envelopeInput({ session, flags }: ListRun, plan: ListPlan, size: number): RecordValue {
  const input = firstInput(plan);
  if (plan.operation.paged === undefined) return input;
  return pageInput(plan, input, { number: flags.page ?? session.connection.firstPage, size });
}
