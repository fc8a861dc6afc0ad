import { setMaxListeners } from 'node:events';
import { existsSync, lstatSync, type Stats } from 'node:fs';
import { printEnvelope } from '../../../kit/calls/envelope.js';
import { openSession, type Session } from '../../../kit/session/session.js';
import { operations } from '../../../contract/service.js';
import type { Kind } from '../../../core/errors/kinds.js';
import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import { takeLock } from '../../../state/locks/lock.js';
import { sweepParts } from '../../../state/part-file.js';
import type { Context } from '../../../kit/host/context.js';
import { note, warnOfNotes } from '../../../kit/host/notes.js';
import { openProgressLine, shareOf } from '../../../kit/host/progress.js';
import { ofAll } from '../../../lists/ids/failures.js';
import type { IdList } from '../../../lists/ids/id-list.js';
import { readIds } from '../../../lists/ids/read.js';
import type { Note } from '../../../soap/codec/notes.js';
import { checkFolder, type AttachmentFlags, fetched } from '../get.js';
import { sizeWords, finish, openSummary, type Fetched } from './finish.js';
import { OpenResults, readSaved, type SavedFile, type ResultLine } from './results.js';
import { join } from 'node:path';
import { attempt } from '../../../state/own-file.js';
import { safeFileName } from '../../../core/text/file-name.js';
import { knownFile } from '../sent-file.js';
import { createAttachmentSink, toFile, type FileDestination } from '../sink.js';

interface Saving {
  readonly context: Context;
  readonly session: Session;
  readonly flags: Pick<AttachmentFlags, 'force' | 'only-missing'>;
  readonly folder: string;
  readonly results: OpenResults;
  readonly onNotes: (notes: readonly Note[]) => void;
}

/** An attachment, and the file that an earlier run says it saved. */
interface RequestedAttachment {
  readonly id: string;
  readonly earlier: SavedFile | undefined;
}

const lookAt = (path: string): Stats | undefined => attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));

async function holds(path: string, content: Pick<SavedFile, 'size' | 'sha256'>, signal: AbortSignal): Promise<boolean> {
  const stats = lookAt(path);
  if (stats?.isFile() !== true || stats.size !== content.size) return false;
  try {
    return (await knownFile(path, signal)).sha256 === content.sha256;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** The name of a file: with the Id, so that no two attachments ever have the same one, in any case of letters. */
const nameOf = (id: string, given: string): string => `${id}_${safeFileName(given, 'attachment')}`;

async function checkPlace(
  { context, flags, folder }: Saving,
  name: string,
  earlier: SavedFile | undefined,
): Promise<void> {
  const path = join(folder, name);
  const found = lookAt(path);
  if (found === undefined) return;
  const isEarlier = earlier?.file === name && (await holds(path, earlier, context.signal));
  if (isEarlier || (flags.force && !found.isDirectory())) return;
  throw new RelctlError('local', `${path} exists already, and is not what relctl saved: --force replaces it`, {
    facts: { foreignCode: 'EEXIST', path },
  });
}

async function save(
  saving: Saving,
  { id, earlier }: RequestedAttachment,
  destination: FileDestination,
): Promise<ResultLine> {
  const { context, session, folder, results } = saving;
  const { signal } = context;
  const sink = createAttachmentSink(destination);
  const { attachment, notes } = await fetched({ session, attachmentId: id }, sink, signal);
  saving.onNotes(notes);
  const file = nameOf(id, attachment.FileName ?? '');
  const content = sink.content();
  const told = (outcome: ResultLine['outcome']): ResultLine => {
    const at = context.clock.date().toISOString();
    return { id, file, ...content, outcome, at };
  };
  if (await holds(join(folder, file), content, signal)) return told('there');
  await checkPlace(saving, file, earlier);
  // When the run is killed behind the rename, the results know the file all the same.
  await results.add(told('saving'));
  destination.putAs(join(folder, file));
  return told('saved');
}

/**
 * Saves the file of an attachment, unless it is there. Gives what became of it, which the results do not tell yet. Throws what
 * the call throws, and `local`.
 */
async function saveOne(saving: Saving, requestedAttachment: RequestedAttachment): Promise<ResultLine> {
  const { context, flags, folder } = saving;
  const { id, earlier } = requestedAttachment;
  if (flags['only-missing'] && earlier && (await holds(join(folder, earlier.file), earlier, context.signal)))
    return { ...earlier, outcome: 'there', at: context.clock.date().toISOString() };
  const destination = toFile(join(folder, `attachment-${id}`), () => undefined, false);
  try {
    return await save(saving, requestedAttachment, destination);
  } finally {
    destination.discard();
  }
}

const usualWidth = 3;

const mostSilent = 5;

const endsRun = ({ kind, facts }: RelctlError): boolean => ofAll.has(kind) && facts.foreignCode !== 'EEXIST';

class FetchRun implements Fetched {
  readonly told = new Map<string, ResultLine>();
  readonly kinds = new Set<Kind>();
  readonly notes: Note[] = [];
  bytes = 0;
  stopped: RelctlError | undefined;
  readonly #saving: Saving;
  readonly #earlier: ReadonlyMap<string, SavedFile>;
  #silent = 0;

  constructor(saving: Saving, earlier: ReadonlyMap<string, SavedFile>) {
    this.#saving = saving;
    this.#earlier = earlier;
  }

  async all(ids: IdList, width: number, onEnd: () => void): Promise<void> {
    const { signal } = this.#saving.context;
    const left = ids[Symbol.iterator]();
    const work = async (): Promise<void> => {
      while (this.stopped === undefined && !signal.aborted) {
        const step = left.next();
        if (step.done === true) return;
        await this.#one(step.value.id);
        onEnd();
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: width }, work));
    if (signal.aborted) this.stopped ??= RelctlError.from(signal.reason);
    for (const each of ended) if (each.status === 'rejected') this.stopped ??= RelctlError.from(each.reason);
  }

  async #one(id: string): Promise<void> {
    let resultLine: ResultLine;
    try {
      resultLine = await saveOne(this.#saving, { id, earlier: this.#earlier.get(id) });
      this.#silent = 0;
      if (resultLine.outcome === 'saved') this.bytes += resultLine.size ?? 0;
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind === 'interrupted') throw error;
      resultLine = this.#failed(id, error);
    }
    try {
      await this.#saving.results.add(resultLine);
    } finally {
      this.told.set(id, resultLine);
    }
  }

  #failed(id: string, error: RelctlError): ResultLine {
    const { kind, message } = error;
    const isRefused = kind === 'refused' || kind === 'not-found';
    this.kinds.add(kind);
    this.#silent = kind === 'no-answer' ? this.#silent + 1 : 0;
    if (endsRun(error)) this.stopped ??= error;
    if (this.#silent >= mostSilent)
      this.stopped ??= error.but({ message: `the service does not answer, the rest is not asked for: ${message}` });
    const at = this.#saving.context.clock.date().toISOString();
    return { id, outcome: isRefused ? 'refused' : 'failed', words: message, at };
  }
}

function resultsOf({ ids = '', results }: AttachmentFlags): string {
  if (results === undefined && ids === '-') throw usage('--results', 'ids from stdin need --results', '--results FILE');
  return results ?? `${ids}.results.csv`;
}

function earlierOf(file: string, flags: AttachmentFlags): ReadonlyMap<string, SavedFile> {
  if (flags['only-missing']) return readSaved(file) ?? new Map<string, SavedFile>();
  if (flags.force || !existsSync(file)) return new Map();
  throw usage('--results', `${file} exists already: go on with it by --only-missing, or fetch all again by --force`, {
    hint: '--only-missing',
  });
}

function checkFlags({ ids, 'output-dir': folder, 'output-file': file, results }: AttachmentFlags): void {
  if (folder === undefined) throw usage('--output-dir', '--ids needs --output-dir', '--output-dir DIR');
  if (file !== undefined) throw usage('--output-file', '--output-file is for one attachment: --ids takes --output-dir');
  if (results !== undefined && results === ids)
    throw usage('--results', '--results takes a file of its own', '--results FILE');
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
  if (id !== undefined) throw usage('--ids', 'an ID and --ids exclude each other');
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
  const earlier = earlierOf(file, flags);
  const summary = await openSummary(context, session, flags);
  sweepParts(folder, (name) => (partPrefix.test(name) ? name.replace(partPrefix, '') : undefined));
  const results = new OpenResults(file, earlier.values());
  const notes: Note[] = [];
  const onNotes = (more: readonly Note[]): void => {
    if (notes.length === 0) notes.push(...more);
  };
  // Each call under way adds several listeners.
  setMaxListeners(0, context.signal);
  const run = new FetchRun({ context, session, flags, folder, results, onNotes }, earlier);
  await fetchAll(run, ids, { context, flags });
  await results.close();
  await warnOfNotes(context, flags, notes);
  await finish({ context, flags, file, folder, ids, earlier, run, summary });
}

async function fetchAll(
  run: FetchRun,
  ids: IdList,
  { context, flags }: { readonly context: Context; readonly flags: AttachmentFlags },
): Promise<void> {
  const line = openProgressLine(context, flags);
  let ended = 0;
  try {
    await run.all(ids, flags.concurrency ?? usualWidth, () => {
      ended += 1;
      line.report((elapsed) => {
        const share = shareOf({ done: ended, before: 0, of: ids.size }, elapsed);
        return `${ended} of ${ids.size} attachments${share}, ${sizeWords((run.bytes * 1000) / elapsed)}/s`;
      });
    });
  } finally {
    await line.end();
  }
}
