import type { Claim } from '../../../client/pages.js';
import { refuseShrink } from '../../../lists/export/shrink.js';
import { noteInTerminal } from '../../../kit/host/notes.js';
import { openProgress } from '../../../kit/host/progress.js';
import { callsOf } from '../../../lists/export/export.js';
import { wholeLines } from '../../../formats/writers/json.js';
import { isInBytes, rendererFor } from '../../../lists/rendering.js';
import { drain, openWalk } from '../../../lists/source.js';
import { type ListPlan, type ListRun } from '../../../lists/plan.js';
import type { Difference, SourceState } from '../../../mirror/sources.js';
import type { Mirror } from '../../../mirror/mirror.js';
import type { Pass } from '../../../mirror/pass.js';
import type { PassStart } from '../../../mirror/pass-state.js';
import { type SyncRun, planToRead } from './plan.js';
import { profileStore } from '../../../kit/session/profile-store.js';
import type { Session } from '../../../kit/session/session.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import { fieldsSeenBy } from '../../../lists/fields/look-up.js';
import type { Context } from '../../../kit/host/context.js';
import type { FieldNames } from '../../../mirror/fields/views.js';
import { namesOf } from '../../../profiles/names.js';

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

interface Reading {
  readonly run: ListRun;
  readonly plan: ListPlan;
  readonly pass: Pass;
}

async function readList({ run, plan, pass }: Reading): Promise<Claim> {
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
): Promise<Difference> {
  const plan = planToRead({ context, session, flags, command }, mirror, source);
  const run: ListRun = { context, session, flags };
  const calls = JSON.stringify(callsOf(run, plan));
  const pass = await passFor(mirror, source, { plan, startedAt: context.clock.date().toISOString(), calls });
  await readUntilSure(
    pass,
    () => readList({ run, plan, pass }),
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
