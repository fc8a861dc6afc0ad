import type { Claim } from '../../../client/pages.js';
import { refuseShrink } from '../../../lists/export/shrink.js';
import { noteInTerminal } from '../../../kit/host/notes.js';
import { openProgress } from '../../../kit/host/progress.js';
import { callsOf } from '../../../lists/paging.js';
import { wholeLines } from '../../../formats/writers/json.js';
import { isInBytes, rendererFor } from '../../../lists/rendering.js';
import { drain, openWalk } from '../../../lists/source.js';
import { type ListPlan, type ListRun, relationId, type ListFlags } from '../../../lists/plan.js';
import type { SyncCounts, SourceState, Source } from '../../../mirror/sources.js';
import type { Mirror } from '../../../mirror/mirror.js';
import type { Pass } from '../../../mirror/pass.js';
import type { PassStart } from '../../../mirror/pass-state.js';
import { profileStore } from '../../../kit/session/profile-store.js';
import type { Session } from '../../../kit/session/session.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import { fieldsSeenBy } from '../../../lists/fields/look-up.js';
import type { Context } from '../../../kit/host/context.js';
import type { FieldNames } from '../../../mirror/fields/views.js';
import { namesOf } from '../../../profiles/names.js';
import type { Operation } from '../../../contract/build.js';
import { operations } from '../../../contract/service.js';
import type { RecordValue } from '../../../core/values/value.js';
import { tableNamed } from '../../../mirror/tables.js';
import { type CallTable, callTable, differencesOf, isTooWide, type CalledList } from '../../../mirror/of-call/table.js';
import { knownOperations, readingImport } from '../../../kit/operations/described.js';
import { shellCommand } from '../../../core/text/text.js';
import { operationList, type OperationList, refuseWrite } from '../../../lists/of-operation/list.js';
import { pathText } from '../../../lists/of-operation/parameters.js';
import { storedLine } from '../../../mirror/of-call/stored.js';

type Unsure = ReturnType<Pass['ended']>;

/**
 * Reads a list until it is known what is gone: again when rows are missing, or when they moved while it was read. Throws what
 * reading and the pass throw.
 * @param read reads the list from the place of the pass
 */
export async function readUntilSure(
  pass: Pass,
  read: () => Promise<Claim>,
  onAgain: (why: Unsure) => Promise<void>,
): Promise<void> {
  for (;;) {
    const why = pass.ended(await read());
    if (why.missing === 0 && !why.isRestless) return;
    await onAgain(why);
  }
}

async function readList(run: ListRun, plan: ListPlan, pass: Pass): Promise<Claim> {
  const { resume } = pass;
  const { context, flags, session } = run;
  const isPaged = plan.operation.paged !== undefined;
  const progress = isPaged ? openProgress(context, { quiet: flags.quiet, progress: session.progress }) : undefined;
  if (resume !== undefined) progress?.kept({ rows: resume.rows, pages: resume.pages });
  // A record of a list with keys of its own is needed as it is.
  const renderer = isPaged && isInBytes(plan) ? rendererFor(run, plan, wholeLines) : undefined;
  try {
    const walk = openWalk(run, plan, { renderer, rowsBefore: pass.rowsBefore });
    return await drain(walk, { resume, take: (page) => pass.take(page) }, progress);
  } finally {
    await progress?.end();
  }
}

/**
 * Begins the sync of a source, or goes on with one that was interrupted. A list without pages has no place to go on from: what
 * an earlier answer showed is forgotten, because the next one shows all that is there.
 */
async function passFor(
  mirror: Mirror,
  source: SourceState,
  { plan, ...start }: PassStart & { plan: ListPlan },
): Promise<Pass> {
  const pass = await mirror.openPass(source, start);
  if (plan.operation.paged !== undefined || pass.resume === undefined) return pass;
  pass.forget();
  return mirror.openPass(source, start);
}

const againWords = (name: string, { missing, isRestless }: Unsure): string =>
  isRestless
    ? `${name}: records moved while relctl read the list; it reads the list again`
    : `${name}: ${missing} records are missing; relctl reads the list again to confirm that they are gone`;

/**
 * Syncs one source of a mirror: reads its list to the end, from where an interrupted sync stopped, and makes visible at once
 * what changed. Throws `profile` for a list of an operation that is not as it was added, `partial` when more rows are gone than --max-shrink allows, what the calls throw, and `local`; then the
 * mirror shows what it showed before.
 */
export async function syncSource(
  { context, session, flags, command }: SyncRun,
  mirror: Mirror,
  source: SourceState,
): Promise<SyncCounts> {
  const plan = planToRead({ context, session, flags, command }, mirror, source);
  const run: ListRun = { context, session, flags };
  const calls = JSON.stringify(callsOf(run, plan));
  const pass = await passFor(mirror, source, { plan, startedAt: context.clock.date().toISOString(), calls });
  await readUntilSure(
    pass,
    () => readList(run, plan, pass),
    async (records) => {
      // Nothing is wrong yet: cron has no need to send a mail.
      await noteInTerminal(context, flags, againWords(source.name, records));
    },
  );
  const shrink = { before: pass.rowsBefore, now: pass.rowsAfter, mostPercent: flags['max-shrink'] };
  try {
    refuseShrink(shrink, `${source.name} in the mirror`, (flag) => `${command} ${flag}`);
  } catch (thrown) {
    // Whoever allows it later wants what the list has then.
    pass.forget();
    throw thrown;
  }
  return pass.swap(context.clock.date().toISOString());
}

function storedNames(context: Context, { profile }: Pick<Session, 'profile'>) {
  try {
    const names = namesOf(profileStore(context).kept(profile.name));
    return { aliases: Object.entries(names.field), entityTypes: Object.entries(names['entity-type']) };
  } catch (thrown) {
    // Rows are worth more than names for their columns.
    if (thrown instanceof RelctlError) return { aliases: [], entityTypes: [] };
    throw thrown;
  }
}

/** What is known of names of fields and entity types beside a mirror: fields that were looked up, aliases, names of Ids. */
export function fieldNamesOf(context: Context, session: Session): FieldNames {
  const { aliases, entityTypes } = storedNames(context, session);
  const fields = new Map<string, readonly string[]>();
  const add = (id: unknown, name: unknown): void => {
    if (typeof id !== 'string' || typeof name !== 'string') return;
    const names = fields.get(id.toLowerCase()) ?? [];
    if (!names.includes(name)) fields.set(id.toLowerCase(), [...names, name]);
  };
  const seen = fieldsSeenBy(context, session.profile.name).map(({ Id, Name }) => [Id, Name ?? ''] as const);
  // The order of files in a folder says nothing.
  for (const [id, name] of seen.toSorted(([, one], [, other]) => (one < other ? -1 : 1))) add(id, name);
  for (const [alias, id] of aliases) add(id, alias);
  return { fields, entityTypes: new Map(entityTypes.map(([name, id]) => [id.toLowerCase(), name])) };
}

const usual: RecordValue = { includeFields: false, includeCounters: false, includeTranslations: true };

const usualInput = ({ parameters }: Operation): RecordValue =>
  Object.fromEntries(Object.entries(usual).filter(([name]) => Object.hasOwn(parameters, name)));

const operationFor = (operation: Operation, input: RecordValue): Operation =>
  operation === operations.ActivitySearchByField && Object.hasOwn(input, 'dateFieldId')
    ? operations.ActivitySearchByFieldInPeriodExact
    : operation;

const planOfOwn = ({ operation, call, shows }: CallTable, input: RecordValue): ListPlan => ({
  operation,
  input,
  shows,
  answer: { holders: call.list.slice(0, -1) },
  table: [],
});

/** The list that fills a source; of an operation that the mirror alone knows, it can be printed, and not be read. */
export function planOf({ table, input, own }: Pick<Source, 'table' | 'input' | 'own'>): ListPlan {
  if (own !== undefined) return planOfOwn(own, input);
  const { shows, identity, ...rest } = tableNamed(table);
  const operation = operationFor(rest.operation, input);
  return {
    operation,
    input: { ...usualInput(operation), ...input },
    shows,
    table: [],
    answer: { idOf: identity === 'content' ? relationId : undefined },
  };
}

type SyncFlags = ListFlags & { readonly 'max-shrink'?: number | undefined };

/** A sync of one source. */
export interface SyncRun {
  readonly context: Context;
  readonly session: Session;
  readonly flags: SyncFlags;
  /** The command line that this is, without --max-shrink, for an error. */
  readonly command: string;
}

/** Code of the failures of a source whose operation is not the one any more that was added. */
export const changedOperation = 'changed-operation';

const refused = (source: Source, what: string): RelctlError =>
  new RelctlError('profile', `${source.name} cannot be read with its parameters: ${what}`, {
    facts: { code: changedOperation },
    advice:
      `The table ${source.table} does not change. To read the list in its new form, remove the source, which deletes its rows, ` +
      'and add it again.',
    hint: shellCommand(['mirror', 'remove', source.name]),
  });

const mostListed = 5;

/** Throws `profile` where the columns of a table are not those that it would have now. */
export function refuseChanged(source: Source & { readonly own: CallTable }, now: CallTable): void {
  const differences = differencesOf(source.own, now);
  if (differences.length === 0) return;
  const more = differences.length > mostListed ? `, and ${differences.length - mostListed} more` : '';
  throw refused(source, `in its records ${differences.slice(0, mostListed).join(', ')}${more}`);
}

const calledList = (operation: Operation, call: CalledList): OperationList =>
  operationList(operation, {
    list: pathText(call.list),
    key: pathText(call.key),
    pageParam: call.pageParam,
    sizeParam: call.sizeParam,
  });

function operationOf({ context, flags }: SyncRun, source: Source, { operation: name, isRead }: CalledList): Operation {
  const { find, isOfOther } = knownOperations(context, flags.profile);
  const match = find(name);
  if (match === undefined && isOfOther) throw refused(source, 'the imported operations are of another service');
  if (match === undefined) throw refused(source, `the profile no longer has the operation ${name}`);
  return match.source === 'imported' && isRead === true ? { ...match, access: 'read' } : match;
}

/** What `make` gives; its mistakes are those of the operation, not of the command line. */
function asAdded<T>(source: Source, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    if (kind !== 'usage') throw thrown;
    throw refused(source, message);
  }
}

function planOfCall(run: SyncRun, mirror: Mirror, source: Source & { readonly own: CallTable }): ListPlan {
  const { own, input } = source;
  const operation = operationOf(run, source, own.call);
  const list = asAdded(source, () => {
    refuseWrite(operation, () => readingImport(run.context, run.flags.profile, operation.name));
    return calledList(operation, own.call);
  });
  if (isTooWide(list.record)) throw refused(source, 'its records have too many members now');
  const now = callTable(own.name, own.call, list.record);
  refuseChanged(source, now);
  // What else changed, such as a text about a member, is shown from now on.
  if (storedLine(now)[1] !== storedLine(own)[1]) mirror.replace({ ...source, own: now });
  return { ...list, input };
}

/**
 * The list that fills a source, to be read now. Throws `profile` for a list of an operation that is not as it was added.
 * @param mirror keeps what such a list is made of
 */
const planToRead = (run: SyncRun, mirror: Mirror, { own, ...source }: Source): ListPlan =>
  own === undefined ? planOf(source) : planOfCall(run, mirror, { ...source, own });
