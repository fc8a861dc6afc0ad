import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { printEnvelope } from '../../../kit/calls/envelope.js';
import { openSession } from '../../../kit/session/session.js';
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
import { checkFolder, type AttachmentFlags } from '../get.js';
import { sizeWords, finish, openSummary, type Fetched } from './finish.js';
import { OpenResults, readSaved, type SavedFile, type Told } from './results.js';
import { saveOne, type Saving } from './save.js';

const usualWidth = 3;

const mostSilent = 5;

const endsRun = ({ kind, facts }: RelctlError): boolean => ofAll.has(kind) && facts.code !== 'EEXIST';

class FetchRun implements Fetched {
  readonly told = new Map<string, Told>();
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
    let told: Told;
    try {
      told = await saveOne(this.#saving, { id, earlier: this.#earlier.get(id) });
      this.#silent = 0;
      if (told.outcome === 'saved') this.bytes += told.size ?? 0;
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind === 'interrupted') throw error;
      told = this.#failed(id, error);
    }
    try {
      await this.#saving.results.add(told);
    } finally {
      this.told.set(id, told);
    }
  }

  #failed(id: string, error: RelctlError): Told {
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
      line.tell((elapsed) => {
        const share = shareOf({ done: ended, before: 0, of: ids.size }, elapsed);
        return `${ended} of ${ids.size} attachments${share}, ${sizeWords((run.bytes * 1000) / elapsed)}/s`;
      });
    });
  } finally {
    await line.end();
  }
}
