import { resolve } from 'node:path';
import type { Claim, Page } from '../../client/pages.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { readKept, writeKept, jobDifferences, type Job, type Kept } from '../../export/since/kept-file.js';
import { openPending, readPending, type Pending, type PendingFile, type Window } from '../../export/since/pending.js';
import { News, type RecordFacts } from '../../export/since/news.js';
import { noRows } from '../../export/since/rows.js';
import { askedAt, mostSkewMs, movedTo, startOf, usualOverlapMs, type AnswerTime } from '../../export/since/window.js';
import { isRecord, type RecordValue } from '../../soap/values.js';
import { durationMs } from '../flags/export.js';
import { endOfTime } from '../flags/period.js';
import { refuseWith } from '../legacy.js';
import { ownId, type Follow, type ListFlags, type ListPlan, type Place, type Walk } from '../list-plan.js';
import { note } from '../notes.js';
import { timeOf } from '../times.js';
import { checkBookmarkName, checkJob, filesFor, jobOf, lockName, type KeptFiles } from './place.js';

/** Flags of a list with a period that a bookmark may hold. */
export interface SinceFlags extends ListFlags {
  readonly 'since-last'?: string | undefined;
  readonly overlap?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A period as it is sent. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

interface Run {
  readonly place: Place;
  readonly name: string;
  readonly files: KeptFiles;
  readonly kept: Kept | undefined;
  readonly job: Job;
  readonly overlapMs: number;
  readonly window: Window;
  /** What an interrupted run of the same window left. */
  readonly pending: Pending | undefined;
  readonly facts: RecordFacts;
  /** The request for what changed behind the bookmark, without the overlap, when that cannot be told from the records. */
  readonly probe: RecordValue | undefined;
}

/** When a record was changed last, where it says so itself. */
export function modifiedAt(record: RecordValue): string | undefined {
  const audit = record['AuditData'];
  const stamp = isRecord(audit) ? audit['ModifiedAt'] : undefined;
  return typeof stamp === 'string' ? stamp : undefined;
}

/** A list from a bookmark on: drops what the run before has written, and moves the bookmark when all is written. */
class SinceLast implements Follow {
  readonly #run: Run;
  readonly #news: News;
  readonly #pending: PendingFile;
  #serverMs: number | undefined;
  #hasSaidSkew = false;

  constructor(run: Run) {
    this.#run = run;
    this.#news = new News(run.kept?.rows ?? noRows, run.facts);
    this.#pending = openPending(run.files.pending);
  }

  async answered(time: AnswerTime): Promise<void> {
    if (time.date === undefined && this.#serverMs !== undefined) return;
    const atMs = askedAt(time);
    await this.#saySkew(atMs + time.tookMs);
    if (this.#serverMs !== undefined && this.#serverMs <= atMs) return;
    movedTo(atMs, this.#bookmark());
    this.#serverMs = atMs;
  }

  #bookmark(): { readonly bookmarkMs: number | undefined; readonly overlapMs: number } {
    const { kept, overlapMs } = this.#run;
    return { bookmarkMs: kept?.serverMs, overlapMs };
  }

  async #saySkew(serverMs: number): Promise<void> {
    const { context, flags } = this.#run.place;
    const skewMs = serverMs - context.clock.date().getTime();
    if (this.#hasSaidSkew || Math.abs(skewMs) <= mostSkewMs) return;
    this.#hasSaidSkew = true;
    const seconds = Math.round(Math.abs(skewMs) / 1000);
    const side = skewMs > 0 ? 'behind' : 'ahead of';
    await note(
      context,
      flags,
      `the clock of this machine is ${seconds} s ${side} the service's; the bookmark goes by the latter`,
    );
  }

  walk(inner: Walk, walkWith: (input: RecordValue) => Walk): Walk {
    const { probe } = this.#run;
    const touched = probe === undefined || !this.#news.hasPrior ? undefined : walkWith(probe);
    return (resume) => this.#walked({ inner, touched }, resume);
  }

  #begin(resume: Parameters<Walk>[0]): void {
    this.#news.clear();
    if (resume === undefined) {
      this.#pending.begin(this.#run.window);
      if (this.#serverMs !== undefined) this.#pending.time(this.#serverMs);
      return;
    }
    const { pending, name } = this.#run;
    if (pending?.serverMs === undefined) {
      throw new RelctlError('local', `what the interrupted run of ${name} remembered is gone`, {
        facts: { code: 'bookmark', path: this.#run.files.pending },
        hint: 'add --restart to begin the window anew',
      });
    }
    this.#pending.goOn();
    this.#serverMs = pending.serverMs;
    for (const { page, rows } of pending.pages) {
      if (page <= resume.lastPage) this.#news.recall(rows);
    }
  }

  async *#walked(
    { inner, touched }: { readonly inner: Walk; readonly touched: Walk | undefined },
    resume: Parameters<Walk>[0],
  ): AsyncGenerator<Page, Claim> {
    this.#begin(resume);
    if (touched !== undefined) for await (const { records } of touched()) this.#news.touch(records);
    const pages = inner(resume);
    let hasTold = resume !== undefined;
    let dropped = 0;
    let [firstId, lastId] = [resume?.firstId, resume?.lastId];
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) {
      if (!hasTold && this.#serverMs !== undefined) this.#pending.time(this.#serverMs);
      hasTold = true;
      const page = step.value;
      const records = this.#fresh(page.records, page.number);
      dropped += page.records.length - records.length;
      const ids = records.map(this.#run.facts.idOf);
      firstId ??= ids[0];
      lastId = ids.at(-1) ?? lastId;
      yield { ...page, records };
    }
    return { ...step.value, rows: step.value.rows - dropped, firstId, lastId };
  }

  /** The records that the run before has not written as they are. */
  #fresh(records: readonly RecordValue[], page: number | undefined): readonly RecordValue[] {
    const { fresh, rows } = this.#news.take(records, (this.#serverMs ?? 0) - this.#run.overlapMs);
    if (page !== undefined) this.#pending.page({ page, rows });
    return fresh;
  }

  whole(records: readonly RecordValue[]): readonly RecordValue[] {
    return this.#fresh(records, undefined);
  }

  written(): void {
    const { place, name, files, job } = this.#run;
    if (this.#serverMs === undefined) throw new RelctlError('bug', 'a list was written that nobody answered');
    writeKept(files.kept, {
      kind: 'bookmark',
      profile: place.session.profile.name,
      name,
      job,
      serverMs: movedTo(this.#serverMs, this.#bookmark()),
      writtenAt: place.context.clock.date().toISOString(),
      rows: this.#news.rows(),
    });
    this.#pending.remove();
  }
}

function firstFrom({ context, session }: Place, { from }: SinceFlags, name: string): string {
  if (from !== undefined) return timeOf(context, session, { text: from, flag: '--from' });
  throw new RelctlError('usage', `there is no bookmark ${name} in profile '${session.profile.name}' yet`, {
    facts: { path: '--since-last' },
    hint: 'add --from TIME to the first run; --from 1900-01-01 takes everything',
  });
}

/** Where the rows go; empty for stdout. */
function fileOf({ context }: Place, { 'output-file': file }: SinceFlags): string {
  return file === undefined || file === '-' ? '' : resolve(context.environment.workingFolder, file);
}

function windowOf(place: Place, flags: SinceFlags, run: Pick<Run, 'name' | 'kept' | 'job' | 'overlapMs'>): Window {
  const { name, kept, job, overlapMs } = run;
  const bookmarkMs = kept?.serverMs;
  const where = { job, to: endOfTime, file: fileOf(place, flags) };
  if (bookmarkMs === undefined) return { ...where, from: firstFrom(place, flags, name), bookmarkMs: null };
  if (flags.from !== undefined) {
    throw new RelctlError('usage', `--from is for a first run: there is a bookmark ${name} already`, {
      facts: { path: '--from' },
      hint: `relctl bookmark set ${name} TIME --profile ${place.session.profile.name} moves it`,
    });
  }
  return { ...where, from: startOf(bookmarkMs, overlapMs), bookmarkMs };
}

/**
 * What an interrupted run left, when this run is to go on with it and it is of the same job and bookmark. That of a run to
 * another file tells nothing of what stands in this one, nor when that was read.
 */
function pendingOf(
  place: Place,
  flags: SinceFlags,
  { files, job, kept }: Pick<Run, 'files' | 'job' | 'kept'>,
): Pending | undefined {
  if (flags.resume !== true) return undefined;
  const pending = readPending(files.pending);
  if (pending === undefined) return undefined;
  const { window } = pending;
  const isSameJob = jobDifferences(window.job, job).length === 0 && window.bookmarkMs === (kept?.serverMs ?? null);
  return isSameJob && window.file === fileOf(place, flags) ? pending : undefined;
}

/**
 * The plan of a list from its bookmark on. Throws `usage` for flags that leave the window no room, a first run without
 * --from and a bookmark of another job, `locked` when another run is at it, and `local`.
 */
export async function sinceLast(
  place: Place,
  flags: SinceFlags & { readonly 'since-last': string },
  planFor: (period: Period) => ListPlan,
): Promise<ListPlan> {
  const { context, session } = place;
  const name = flags['since-last'];
  refuseWith('--since-last', { '--to': flags.to, '--limit': flags.limit, '--page': flags.page });
  checkBookmarkName(name, '--since-last');
  const overlapMs = durationMs(flags.overlap, '--overlap') ?? usualOverlapMs;
  const files = filesFor(context, session.profile.name, name);
  if (flags['dry-run'] !== true) await lockName(context, files, { name, lockWait: flags['lock-wait'] });
  const kept = readKept(files.kept);
  const plain = planFor({ from: '', to: '' });
  const job = jobOf(place, plain);
  checkJob(kept, 'bookmark', { name, job });
  const pending = pendingOf(place, flags, { files, job, kept });
  const window = pending?.window ?? windowOf(place, flags, { name, kept, job, overlapMs });
  const { idOf = ownId, stampOf = () => undefined, showsAll = true } = plain;
  const { to, bookmarkMs } = window;
  const probe = showsAll || bookmarkMs === null ? undefined : planFor({ from: startOf(bookmarkMs, 0), to }).input;
  const run = { place, name, files, kept, job, overlapMs, window, pending, probe, facts: { idOf, stampOf } };
  return { ...planFor({ from: window.from, to: window.to }), follow: new SinceLast(run) };
}
