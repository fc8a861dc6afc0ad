import type { RecordValue } from '../../../core/values/value.js';
import { opt, inRole, recordWithoutPresence, req } from '../../../contract/build.js';
import { dateTime, int, string } from '../../../contract/scalars.js';
import { RelctlError, perhaps, usage } from '../../../core/errors/relctl-error.js';
import { type MirrorFlags, outputFlags, type CommonFlags } from '../../../kit/flags/common.js';
import { exportFlags, pagingFlags } from '../../../lists/list-flags.js';
import { openOutput } from '../../../kit/output/open-output.js';
import type { SessionContext } from '../../../kit/session/session.js';
import type { Values } from '../../../kit/flags/define.js';
import type { Context } from '../../../kit/host/context.js';
import { note } from '../../../kit/host/notes.js';
import { nearest } from '../../../core/text/text.js';
import { commandOf } from '../../../kit/host/environment.js';
import type { SyncCounts, SourceState } from '../../../mirror/sources.js';
import type { Mirror } from '../../../mirror/mirror.js';
import { changedOperation, fieldNamesOf, syncSource } from './sync.js';
import { isOfEachRelation, syncEachRelation } from './each-relation.js';
import { addFlags, namesFor, openToWrite } from '../open.js';

const { deadline, concurrency, 'max-shrink': maxShrink } = exportFlags;

/** Flags of `mirror sync`. */
export const syncFlags = {
  ...addFlags,
  'page-size': pagingFlags['page-size'],
  'max-shrink': maxShrink,
  concurrency,
  deadline,
  ...outputFlags,
};

type SyncFlags = Values<typeof syncFlags> & CommonFlags & MirrorFlags;

/** What `mirror sync` prints. */
export const SyncLine = recordWithoutPresence('MirrorSync', 'Result of a sync for a source of the mirror.', {
  Source: inRole('name', req(string, 'Name of the source.')),
  Table: req(string, 'The table that it fills.'),
  Rows: req(int, 'Current number of rows.'),
  Added: req(int, 'Added rows.'),
  Changed: req(int, 'Changed rows.'),
  Gone: req(int, 'Rows that the service no longer has.'),
  SyncedAt: opt(dateTime, 'End of the sync.'),
});

const lineOf = ({ name, table }: SourceState, difference: SyncCounts, syncedAt: string): RecordValue => ({
  Source: name,
  Table: table,
  Rows: difference.rows,
  Added: difference.added,
  Changed: difference.changed,
  Gone: difference.gone,
  SyncedAt: syncedAt,
});

function chosen(sources: readonly SourceState[], names: readonly string[]): readonly SourceState[] {
  const known = [...new Set(sources.flatMap(namesFor))];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw usage(
      'TABLE',
      `the mirror has no table '${unknown}'`,
      perhaps(unknown, nearest(unknown, known), 'relctl mirror status'),
    );
  }
  return names.length === 0
    ? sources
    : sources.filter((source) => namesFor(source).some((name) => names.includes(name)));
}

const ofOneList: ReadonlySet<string> = new Set(['refused', 'not-found', 'bad-answer', 'partial']);

const isOfOneList = ({ kind, facts }: RelctlError): boolean =>
  facts.code === changedOperation || (ofOneList.has(kind) && facts.code !== 'deadline');

interface Syncing extends SessionContext<SyncFlags> {
  readonly mirror: Mirror;
}

async function syncEach(
  { context, session, mirror, ...rest }: Syncing,
  sources: readonly SourceState[],
  onSynced: (line: RecordValue) => void,
): Promise<readonly RelctlError[]> {
  const failures: RelctlError[] = [];
  const flags = { ...rest.flags, envelope: false };
  const command = commandOf(context.environment, ['--max-shrink']);
  for (const source of sources) {
    try {
      const sync = isOfEachRelation(source) ? syncEachRelation : syncSource;
      const difference = await sync({ context, session, flags, command }, mirror, source);
      onSynced(lineOf(source, difference, context.clock.date().toISOString()));
    } catch (thrown) {
      const failure = RelctlError.from(thrown);
      const isOnly = sources.length === 1;
      if (isOnly || !isOfOneList(failure)) throw thrown;
      failures.push(failure);
      await note(context, flags, `${source.name}: ${failure.message}`);
    }
  }
  return failures;
}

async function syncAll(syncing: Syncing, sources: readonly SourceState[]): Promise<void> {
  const { context, session, mirror } = syncing;
  const flags = { ...syncing.flags, envelope: false };
  const output = await openOutput(context, session, { flags, record: SyncLine, shape: 'list' });
  const lines: RecordValue[] = [];
  // A reader that wants the first line alone does not stop the sync of the others: all are written at the end.
  const failures = await syncEach(syncing, sources, (line) => lines.push(line)).finally(() => output.write(lines));
  mirror.nameFields(fieldNamesOf(context, session));
  await output.finish();
  const [first] = failures;
  if (first === undefined) return;
  throw first.but({
    kind: 'partial',
    message: `${failures.length} of ${sources.length} lists failed to sync; the first: ${first.message}`,
  });
}

/**
 * Syncs the mirror of a profile, or the tables of it that are named. Throws `usage` for a name that is no table, `profile` for
 * a mirror of another service, `locked`, `local`, and what reading a list throws.
 */
export async function syncMirror(context: Context, names: readonly string[], flags: SyncFlags): Promise<void> {
  const { session, mirror } = await openToWrite(context, flags, names);
  await syncAll({ context, session, flags, mirror }, chosen(mirror.sources(), names));
}
