import { setMaxListeners } from 'node:events';
import { existsSync, lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { inRole, opt, recordWithoutPresence, req } from '../../../contract/build.js';
import { int, long, string } from '../../../contract/scalars.js';
import { operations } from '../../../contract/service.js';
import type { Kind } from '../../../core/errors/kinds.js';
import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import { safeFileName } from '../../../core/text/text.js';
import { defined } from '../../../core/values/value.js';
import { printEnvelope } from '../../../kit/calls/envelope.js';
import type { Context } from '../../../kit/host/context.js';
import { note, warnOfNotes, noteInTerminal } from '../../../kit/host/notes.js';
import { openProgressLine, shareOf } from '../../../kit/host/progress.js';
import { openOutput } from '../../../kit/output/open-output.js';
import type { RecordOutput } from '../../../kit/output/record-output.js';
import { openSession, type Session } from '../../../kit/session/session.js';
import { ofAll } from '../../../lists/ids/outcomes.js';
import type { IdList } from '../../../lists/ids/parse.js';
import { readIds } from '../../../lists/ids/read.js';
import type { Note } from '../../../soap/codec/notes.js';
import { takeLock } from '../../../state/locks/lock.js';
import { attempt } from '../../../state/own-file.js';
import { sweepParts } from '../../../state/part-file.js';
import { checkFolder, fetched, type AttachmentFlags } from '../get.js';
import { createAttachmentSink, toFile, type FileDestination } from '../sink.js';
import { knownFile, sizeWords } from '../source.js';
import { fates, OpenResults, readSaved, writeResults, type Fate, type ResultLine, type SavedFile } from './results.js';

const usualWidth = 3;

const mostSilent = 5;

const fileAt = (path: string): Stats | undefined => attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));

const isRefused = ({ kind }: RelctlError): boolean => kind === 'refused' || kind === 'not-found';

const endsRun = ({ kind, facts }: RelctlError): boolean => ofAll.has(kind) && facts.foreignCode !== 'EEXIST';

interface FetchPlan {
  readonly context: Context;
  readonly session: Session;
  readonly flags: AttachmentFlags;
  readonly folder: string;
  /** The file of the results. */
  readonly file: string;
  readonly ids: IdList;
  /** What earlier runs say that they saved, by the ids of the attachments. */
  readonly earlier: ReadonlyMap<string, SavedFile>;
}

class FetchRun {
  /** What became of each attachment whose turn came, by its id. */
  readonly lines = new Map<string, ResultLine>();
  readonly kinds = new Set<Kind>();
  notes: readonly Note[] = [];
  bytes = 0;
  /** Why the rest was not requested. */
  stopped: RelctlError | undefined;
  readonly #plan: FetchPlan;
  readonly #results: OpenResults;
  #silent = 0;

  constructor(plan: FetchPlan) {
    this.#plan = plan;
    this.#results = new OpenResults(plan.file, plan.earlier.values());
  }

  async all(onEnd: () => void): Promise<void> {
    const { ids, flags, context } = this.#plan;
    const { signal } = context;
    const rest = ids[Symbol.iterator]();
    const work = async (): Promise<void> => {
      while (this.stopped === undefined && !signal.aborted) {
        const step = rest.next();
        if (step.done === true) return;
        await this.#one(step.value.id);
        onEnd();
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: flags.concurrency ?? usualWidth }, work));
    if (signal.aborted) this.stopped ??= RelctlError.from(signal.reason);
    for (const each of ended) if (each.status === 'rejected') this.stopped ??= RelctlError.from(each.reason);
    await this.#results.close();
  }

  async #one(id: string): Promise<void> {
    let line: ResultLine;
    try {
      line = await this.#saveUnlessThere(id);
      this.#silent = 0;
      if (line.outcome === 'saved') this.bytes += line.size ?? 0;
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind === 'interrupted') throw error;
      this.#countFailure(error);
      line = { id, outcome: isRefused(error) ? 'refused' : 'failed', words: error.message, at: this.#now() };
    }
    try {
      await this.#results.add(line);
    } finally {
      this.lines.set(id, line);
    }
  }

  #countFailure(error: RelctlError): void {
    const { kind, message } = error;
    this.kinds.add(kind);
    this.#silent = kind === 'no-answer' ? this.#silent + 1 : 0;
    if (endsRun(error)) this.stopped ??= error;
    if (this.#silent >= mostSilent)
      this.stopped ??= error.but({ message: `the service does not answer; relctl requests no more: ${message}` });
  }

  async #saveUnlessThere(id: string): Promise<ResultLine> {
    const { flags, folder, earlier } = this.#plan;
    const saved = earlier.get(id);
    if (flags['only-missing'] && saved !== undefined && (await this.#holds(saved.file, saved)))
      return { ...saved, outcome: 'there', at: this.#now() };
    const destination = toFile(join(folder, `attachment-${id}`), () => undefined, false);
    try {
      return await this.#save(id, destination);
    } finally {
      destination.discard();
    }
  }

  async #save(id: string, destination: FileDestination): Promise<ResultLine> {
    const { context, session, folder } = this.#plan;
    const sink = createAttachmentSink(destination);
    const { attachment, notes } = await fetched({ session, attachmentId: id }, sink, context.signal);
    if (this.notes.length === 0) this.notes = notes;
    // With the Id, no two attachments ever have the same name, in any case of letters.
    const file = `${id}_${safeFileName(attachment.FileName ?? '', 'attachment')}`;
    const content = sink.content();
    const line = { id, file, ...content, at: this.#now() };
    if (await this.#holds(file, content)) return { ...line, outcome: 'there' };
    await this.#checkReplaceable(id, file);
    // When the run is killed behind the rename, the results know the file all the same.
    await this.#results.add({ ...line, outcome: 'saving' });
    destination.putAs(join(folder, file));
    return { ...line, outcome: 'saved', at: this.#now() };
  }

  /** Throws `local` where a file is there that is not what an earlier run saved. */
  async #checkReplaceable(id: string, file: string): Promise<void> {
    const { flags, folder, earlier } = this.#plan;
    const path = join(folder, file);
    const stats = fileAt(path);
    if (stats === undefined || (flags.force && !stats.isDirectory())) return;
    const saved = earlier.get(id);
    if (saved?.file === file && (await this.#holds(file, saved))) return;
    throw new RelctlError('local', `${path} already exists, and relctl did not save it: --force replaces it`, {
      facts: { foreignCode: 'EEXIST', path },
    });
  }

  async #holds(file: string, { size, sha256 }: Pick<SavedFile, 'size' | 'sha256'>): Promise<boolean> {
    const { folder, context } = this.#plan;
    const path = join(folder, file);
    const stats = fileAt(path);
    if (stats?.isFile() !== true || stats.size !== size) return false;
    try {
      return (await knownFile(path, context.signal)).sha256 === sha256;
    } catch {
      context.signal.throwIfAborted();
      return false;
    }
  }

  #now(): string {
    return this.#plan.context.clock.date().toISOString();
  }
}

const counters = {
  saved: ['Saved', 'were saved'],
  there: ['There', 'existed already'],
  refused: ['Refused', 'the service refused, or does not have'],
  failed: ['Failed', 'failed'],
  'not asked': ['NotAsked', 'were not requested'],
} as const satisfies Readonly<Record<Fate, readonly [member: string, words: string]>>;

const Summary = recordWithoutPresence('SavedAttachments', 'Outcome of saving many attachments.', {
  Folder: inRole('key', req(string, 'Folder of the files.')),
  Attachments: req(int, 'Number of attachments.'),
  ...Object.fromEntries(Object.values(counters).map(([member, words]) => [member, req(int, `How many ${words}.`)])),
  Bytes: req(long, 'Bytes that relctl saved.'),
  Results: inRole('words', req(string, 'The file with the outcome of each.')),
  Stopped: inRole('words', opt(string, 'Why relctl did not request the rest.')),
});

type Counts = Readonly<Record<Fate, number>>;

function countsOf({ ids }: FetchPlan, { lines }: FetchRun): Counts {
  const counts = { saved: 0, there: 0, refused: 0, failed: 0, 'not asked': 0 };
  for (const { id } of ids) {
    const outcome = lines.get(id)?.outcome ?? 'not asked';
    counts[outcome === 'saving' ? 'failed' : outcome] += 1;
  }
  return counts;
}

function* resultLines({ ids, earlier }: FetchPlan, { lines }: FetchRun): Generator<ResultLine> {
  const others = new Map(earlier);
  for (const { id } of ids) {
    const saved = others.get(id);
    others.delete(id);
    // What was not looked at this time may still be there: the next run looks.
    yield lines.get(id) ?? saved ?? { id, outcome: 'not asked', at: '' };
  }
  yield* others.values();
}

function kindOf({ stopped, kinds }: FetchRun, counts: Counts): Kind | undefined {
  if (stopped !== undefined && ofAll.has(stopped.kind)) return stopped.kind;
  if (counts.refused + counts.failed + counts['not asked'] === 0) return undefined;
  const [kind, other] = kinds;
  return counts.saved + counts.there === 0 && other === undefined ? kind : 'partial';
}

function writeAllResults(plan: FetchPlan, run: FetchRun): RelctlError | undefined {
  try {
    writeResults(plan.file, resultLines(plan, run));
    return undefined;
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
}

async function finish(plan: FetchPlan, run: FetchRun, summary: RecordOutput | undefined): Promise<void> {
  const { context, flags, file, folder, ids } = plan;
  const { stopped, bytes } = run;
  const counts = countsOf(plan, run);
  const unwritten = writeAllResults(plan, run);
  const tally = fates.filter((fate) => counts[fate] > 0).map((fate) => `${counts[fate]} ${fate}`);
  const words = `${ids.size} ${ids.size === 1 ? 'attachment' : 'attachments'}: ${tally.join(', ')}; ${file} tells each`;
  const numbers = Object.fromEntries(fates.map((fate) => [counters[fate][0], counts[fate]]));
  const ends = { Bytes: String(bytes), Results: file, Stopped: stopped?.message ?? null };
  await summary?.write([{ Folder: folder, Attachments: ids.size, ...numbers, ...ends }]);
  await summary?.finish();
  const kind = kindOf(run, counts);
  if (stopped !== undefined)
    throw stopped.but({ ...defined({ kind }), message: `${stopped.message}; ${words}`, hint: '--only-missing' });
  if (kind !== undefined) throw new RelctlError(kind, words, { facts: { code: 'failed-ids' } });
  if (unwritten !== undefined) throw unwritten;
  await noteInTerminal(context, flags, `${words} (${sizeWords(bytes)} saved)`);
}

function resultsOf({ ids = '', results }: AttachmentFlags): string {
  if (results === undefined && ids === '-') throw usage('--results', 'ids from stdin need --results', '--results FILE');
  return results ?? `${ids}.results.csv`;
}

function readEarlier(file: string, flags: AttachmentFlags): ReadonlyMap<string, SavedFile> {
  if (flags['only-missing']) return readSaved(file) ?? new Map<string, SavedFile>();
  if (flags.force || !existsSync(file)) return new Map();
  throw usage('--results', `${file} already exists: resume with --only-missing, or fetch all again with --force`, {
    hint: '--only-missing',
  });
}

function checkFlags({ ids, 'output-dir': folder, 'output-file': file, results }: AttachmentFlags): void {
  if (folder === undefined) throw usage('--output-dir', '--ids needs --output-dir', '--output-dir DIR');
  if (file !== undefined)
    throw usage('--output-file', '--output-file is for one attachment: use --output-dir with --ids');
  if (results !== undefined && results === ids)
    throw usage('--results', '--results needs a file of its own', '--results FILE');
}

const partPrefix = /^attachment-[0-9a-f-]{36}(?=\.part-)/;

/**
 * Saves the files of many attachments in a folder. Each appears when it is whole, and the results tell what became of each, also
 * when the run is killed. Throws `usage`, `local`, `locked`, and `partial`, or the kind that all have in common, when some were
 * not saved.
 */
export async function getAttachments(
  context: Context,
  { id }: { readonly id?: string | undefined },
  flags: AttachmentFlags,
): Promise<void> {
  if (id !== undefined) throw usage('--ids', 'an ID and --ids cannot be used together');
  checkFlags(flags);
  const { 'output-dir': folder = '.' } = flags;
  checkFolder(context, folder);
  const file = resultsOf(flags);
  const ids = await readIds(context, flags, flags.ids ?? '-');
  const session = await openSession(context, flags);
  if (flags.envelope) {
    const input = { attachmentId: ids.first?.id ?? '' };
    if (ids.size > 0) await printEnvelope({ context, session, flags }, { operation: operations.AttachmentGet, input });
    if (ids.size > 1) await note(context, flags, `the same would be sent for ${ids.size - 1} more attachments`);
    return;
  }
  context.onClose(await takeLock(`${file}.lock`, { what: 'the results are', patienceMs: 0, signal: context.signal }));
  await fetchAll({ context, session, flags, folder, file, ids, earlier: readEarlier(file, flags) });
}

async function fetchAll(plan: FetchPlan): Promise<void> {
  const { context, session, flags, folder, ids } = plan;
  // A summary that cannot be printed is refused before anything is called.
  const isSummed = flags.json || flags.output !== undefined;
  const output = { flags, record: Summary, shape: 'single', isOnce: true } as const;
  const summary = isSummed ? await openOutput(context, session, output) : undefined;
  sweepParts(folder, (name) => (partPrefix.test(name) ? name.replace(partPrefix, '') : undefined));
  // Each call under way adds several listeners.
  setMaxListeners(0, context.signal);
  const run = new FetchRun(plan);
  const line = openProgressLine(context, flags);
  let ended = 0;
  const onEnd = (): void => {
    ended += 1;
    line.report((elapsed) => {
      const share = shareOf({ done: ended, before: 0, of: ids.size }, elapsed);
      return `${ended} of ${ids.size} attachments${share}, ${sizeWords((run.bytes * 1000) / elapsed)}/s`;
    });
  };
  await run.all(onEnd).finally(() => line.end());
  await warnOfNotes(context, flags, run.notes);
  await finish(plan, run, summary);
}
