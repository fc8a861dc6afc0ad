import { openOutput } from '../../../kit/output/open-output.js';
import type { RecordOutput } from '../../../kit/output/record-output.js';
import type { Session } from '../../../kit/session/session.js';
import { inRole, opt, recordWithoutPresence, req } from '../../../contract/build.js';
import { int, long, string } from '../../../contract/scalars.js';
import type { Kind } from '../../../core/errors/kinds.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import type { Context } from '../../../kit/host/context.js';
import { note } from '../../../kit/host/notes.js';
import { ofAll } from '../../../lists/ids/failures.js';
import type { IdList } from '../../../lists/ids/id-list.js';
import { defined } from '../../../core/values/value.js';
import type { AttachmentFlags } from '../get.js';
import { fates, writeResults, type Fate, type SavedFile, type ResultLine } from './results.js';

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in words, by powers of 1024: `812 bytes`, `1.5 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, unit] = [bytes / 1024, 0];
  for (; size >= 1023.95 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size.toFixed(1)} ${units[unit] ?? ''}`;
}

/** What a run has done. */
export interface Fetched {
  /** What became of each attachment whose turn came, by its id. */
  readonly told: ReadonlyMap<string, ResultLine>;
  readonly kinds: ReadonlySet<Kind>;
  readonly bytes: number;
  /** Why the rest was not asked for. */
  readonly stopped: RelctlError | undefined;
}

/** The end of a run. */
export interface FetchEnd {
  readonly context: Context;
  readonly flags: AttachmentFlags;
  readonly file: string;
  readonly folder: string;
  readonly ids: IdList;
  readonly earlier: ReadonlyMap<string, SavedFile>;
  readonly run: Fetched;
  readonly summary: RecordOutput | undefined;
}

const names = {
  saved: 'Saved',
  there: 'There',
  refused: 'Refused',
  failed: 'Failed',
  'not asked': 'NotAsked',
} as const;

const words: Readonly<Record<Fate, string>> = {
  saved: 'were saved',
  there: 'were there already',
  refused: 'the service refused, or does not have',
  failed: 'failed',
  'not asked': 'were not asked for',
};

const Summary = recordWithoutPresence('SavedAttachments', 'What became of many attachments.', {
  Folder: inRole('key', req(string, 'Where they are.')),
  Attachments: req(int, 'How many there are.'),
  ...Object.fromEntries(fates.map((fate) => [names[fate], req(int, `How many ${words[fate]}.`)])),
  Bytes: req(long, 'Bytes that were saved.'),
  Results: inRole('words', req(string, 'The file that tells what became of each.')),
  Stopped: inRole('words', opt(string, 'Why the rest was not asked for.')),
});

/** Opens the summary, where a format was asked for, before anything is called. Throws `usage` and `local`. */
export async function openSummary(
  context: Context,
  session: Session,
  flags: AttachmentFlags,
): Promise<RecordOutput | undefined> {
  if (!flags.json && flags.output === undefined) return undefined;
  return openOutput(context, session, { flags, record: Summary, shape: 'single', isOnce: true });
}

function* linesOf({ ids, run, earlier }: FetchEnd): Generator<ResultLine> {
  const left = new Map(earlier);
  for (const { id } of ids) {
    const known = left.get(id);
    left.delete(id);
    // What was not looked at this time may still be there: the next run looks.
    yield run.told.get(id) ?? known ?? { id, outcome: 'not asked', at: '' };
  }
  yield* left.values();
}

function countsOf({ ids, run }: FetchEnd): Readonly<Record<Fate, number>> {
  const counts = { saved: 0, there: 0, refused: 0, failed: 0, 'not asked': 0 };
  for (const { id } of ids) {
    const outcome = run.told.get(id)?.outcome ?? 'not asked';
    counts[outcome === 'saving' ? 'failed' : outcome] += 1;
  }
  return counts;
}

function kindOf({ stopped, kinds }: Fetched, counts: Readonly<Record<Fate, number>>): Kind | undefined {
  if (stopped !== undefined && ofAll.has(stopped.kind)) return stopped.kind;
  if (counts.refused + counts.failed + counts['not asked'] === 0) return undefined;
  const [kind, other] = kinds;
  return counts.saved + counts.there === 0 && other === undefined ? kind : 'partial';
}

function putResults(end: FetchEnd): RelctlError | undefined {
  try {
    writeResults(end.file, linesOf(end));
    return undefined;
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
}

function errorOf({ run }: FetchEnd, kind: Kind | undefined, told: string): RelctlError | undefined {
  const { stopped } = run;
  if (stopped !== undefined)
    return stopped.but({ ...defined({ kind }), message: `${stopped.message}; ${told}`, hint: '--only-missing' });
  return kind === undefined ? undefined : new RelctlError(kind, told, { facts: { code: 'failed-ids' } });
}

/** Writes the results, and says what became of the attachments. Throws the error that the run ends with. */
export async function finish(end: FetchEnd): Promise<void> {
  const { context, flags, file, folder, ids, run, summary } = end;
  const counts = countsOf(end);
  const unwritten = putResults(end);
  const { stopped, bytes } = run;
  const tally = fates.filter((fate) => counts[fate] > 0).map((fate) => `${counts[fate]} ${fate}`);
  const told = `${ids.size} ${ids.size === 1 ? 'attachment' : 'attachments'}: ${tally.join(', ')}; ${file} tells each`;
  const numbers = Object.fromEntries(fates.map((fate) => [names[fate], counts[fate]]));
  await summary?.write([
    {
      ...{ Folder: folder, Attachments: ids.size, ...numbers, Bytes: String(bytes), Results: file },
      Stopped: stopped?.message ?? null,
    },
  ]);
  await summary?.finish();
  const error = errorOf(end, kindOf(run, counts), told) ?? unwritten;
  if (error !== undefined) throw error;
  if (context.streams.err.isTerminal) await note(context, flags, `${told} (${sizeWords(bytes)} saved)`);
}
