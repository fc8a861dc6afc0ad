import type { RecordValue } from '../../plain/value.js';
import type { Claim, Page } from '../../client/pages.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { writeBookmarkFile, type Job, type BookmarkState } from '../../export/since/bookmark-file.js';
import { ChangeFilter, type RecordFacts } from '../../export/since/change-filter.js';
import { openPending, type Pending, type PendingFile, type Window } from '../../export/since/pending.js';
import { noRows } from '../../export/since/rows.js';
import { ServerClock, type ClockReading } from '../../export/since/server-clock.js';
import { mostSkewMs, refuseClockBack, startOf, type AnswerTime } from '../../export/since/window.js';
import type { ListMiddleware, ListRun, Walk } from '../plan.js';
import { note } from '../../host/notes.js';
import type { BookmarkFiles } from './bookmark-files.js';
import { instantOf, WindowStart } from './window-start.js';

/** A run of a list from its bookmark on. */
export interface WindowRun {
  readonly run: ListRun;
  readonly name: string;
  readonly files: BookmarkFiles;
  readonly kept: BookmarkState | undefined;
  readonly job: Job;
  readonly overlapMs: number;
  readonly window: Window;
  /** What an interrupted run of the same window left. */
  readonly pending: Pending | undefined;
  readonly facts: RecordFacts;
  /** The request for what changed since a time; undefined where the records show that themselves. */
  readonly probe: ((from: string) => RecordValue) | undefined;
  /** --resume was given, and what the interrupted run left is gone, or of another window. */
  readonly beginsAnew: boolean;
}

type WalkWith = Parameters<ListMiddleware['walk']>[1];
type Resume = Parameters<Walk>[0];

interface Lists {
  readonly inner: Walk;
  readonly walkWith: WalkWith;
}

interface Reading {
  readonly claim: Claim;
  readonly lastPage: number;
}

/** How often a list is read at most, while rows move. */
const mostReadings = 3;

/** A record came twice, or a page changed: a row may have moved to a page that was read before. */
const hasMoved = ({ duplicates, changed, shifted }: Claim): boolean => duplicates > 0 || changed > 0 || shifted;

/** The claim of a list that was read again. */
const addedTo = (before: Claim, claim: Claim): Claim => ({
  ...claim,
  pages: before.pages + claim.pages,
  rows: before.rows + claim.rows,
  retries: before.retries + claim.retries,
  firstId: before.firstId ?? claim.firstId,
  lastId: claim.lastId ?? before.lastId,
});

/** Drops records that the run before has written, and moves the bookmark when the output is complete. */
export class WindowMiddleware implements ListMiddleware {
  readonly inOrder = true;
  readonly beginsAnew: boolean;
  readonly start: WindowStart;
  readonly #windowRun: WindowRun;
  readonly #filter: ChangeFilter;
  readonly #pending: PendingFile;
  readonly #clock: ServerClock;
  /** How far the service's clock was set back since the run before, in milliseconds. */
  #backMs: number;
  /** The service's clock at the first call, in milliseconds since 1970. */
  #seenMs: number | undefined;
  /** The service's clock, in milliseconds since 1970, up to which the next windows begin where this one does; else undefined. */
  #heldUntilMs: number | undefined;
  #hasBegun = false;
  /** Number of pages that were added to the file of the window. */
  #told = 0;
  #isSettled = true;
  #hasSaidSkew = false;

  constructor(windowRun: WindowRun) {
    this.#windowRun = windowRun;
    this.beginsAnew = windowRun.beginsAnew;
    this.#backMs = windowRun.window.backMs ?? 0;
    this.start = new WindowStart(windowRun.window.from, this.#backMs);
    this.#filter = new ChangeFilter(windowRun.kept?.rows ?? noRows, windowRun.facts);
    this.#pending = openPending(windowRun.files.pending);
    this.#clock = new ServerClock();
  }

  async answered(time: AnswerTime): Promise<void> {
    const before = this.#clock.mark;
    const isNew = this.#clock.hear(time, this.#windowRun.run.context.clock.date().getTime());
    const { mark } = this.#clock;
    if (mark?.aheadMs !== undefined) await this.#saySkew(mark.aheadMs);
    if (before === undefined) this.#compareClocks(mark?.serverMs);
    if (isNew && this.#hasBegun) this.#tellTime();
  }

  #tellTime(): void {
    const { mark } = this.#clock;
    if (mark !== undefined) this.#pending.time(mark);
  }

  /**
   * Compares the service's clock with that of the run before. When it was set back, changes since then have stamps before
   * the bookmark, so the window begins earlier. When it was set forward, changes that other calls do not see yet have stamps
   * from before that: the windows of the next runs begin there until the overlap has passed.
   */
  #compareClocks(serverMs: number | undefined): void {
    const { kept, overlapMs } = this.#windowRun;
    this.#seenMs = serverMs;
    if (kept?.serverMs === undefined || serverMs === undefined) return;
    const before = { aheadMs: kept.aheadMs };
    const backMs = this.#clock.backSince(before);
    // An unfinished run may have seen the clock further back than it is now.
    const forwardMs = Math.max(this.#clock.forwardSince(before), this.#backMs - backMs);
    this.#backMs = Math.max(this.#backMs, backMs);
    refuseClockBack(serverMs, { bookmarkMs: kept.serverMs - this.#backMs, overlapMs });
    // The overlap covers clocks that drift apart.
    const isMuch = (ms: number): boolean => ms > Math.min(mostSkewMs, overlapMs / 2);
    if (kept.heldUntilMs !== undefined && serverMs < kept.heldUntilMs) this.#heldUntilMs = kept.heldUntilMs;
    if (isMuch(forwardMs)) {
      this.#clock.takeBack(forwardMs);
      this.#heldUntilMs = serverMs + overlapMs;
    }
    if (!isMuch(this.#backMs) || this.#backMs <= this.start.backMs) return;
    this.start.reachBack(this.#backMs);
    if (this.#hasBegun) this.#pending.begin(this.#window);
  }

  async #saySkew(aheadMs: number): Promise<void> {
    const { context, flags } = this.#windowRun.run;
    if (this.#hasSaidSkew || Math.abs(aheadMs) <= mostSkewMs) return;
    this.#hasSaidSkew = true;
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    const side = aheadMs > 0 ? 'behind' : 'ahead of';
    await note(
      context,
      flags,
      `the clock of this machine is ${seconds} s ${side} the service's; the bookmark goes by the latter`,
    );
  }

  /** The window as a later run resumes it. */
  get #window(): Window {
    const { backMs } = this.start;
    return { ...this.#windowRun.window, ...(backMs === 0 ? {} : { backMs }) };
  }

  walk(inner: Walk, walkWith: WalkWith): Walk {
    return (resume) => this.#walked({ inner, walkWith }, resume);
  }

  #begin(resume: Resume): void {
    this.#filter.clear();
    const { pending } = this.#windowRun;
    if (resume === undefined) {
      this.#pending.begin(this.#window);
      this.#tellTime();
    } else {
      if (pending?.clock === undefined) throw new RelctlError('bug', 'an export resumes without what it remembered');
      // The last of these pages may not have been written.
      const pages = pending.pages.filter(({ page }) => page <= resume.pages);
      this.#pending.goOn({ ...pending, pages });
      this.#clock.goOn(pending.clock);
      for (const { rows } of pages) this.#filter.recall(rows);
    }
    this.#told = resume?.pages ?? 0;
    this.#hasBegun = true;
  }

  async *#walked({ inner, walkWith }: Lists, resume: Resume): AsyncGenerator<Page, Claim> {
    this.#begin(resume);
    await this.#touch(walkWith);
    let reading = yield* this.#read(inner, resume);
    let times = 1;
    for (; hasMoved(reading.claim) && times < mostReadings; times += 1) {
      this.#filter.again();
      const next = yield* this.#read(inner, undefined, reading.lastPage);
      reading = { claim: addedTo(reading.claim, next.claim), lastPage: next.lastPage };
    }
    this.#isSettled = !hasMoved(reading.claim);
    const isOnce = times === 1 && this.#isSettled;
    return isOnce ? reading.claim : { ...reading.claim, readings: { times, settled: this.#isSettled } };
  }

  /** Asks for what changed since the run before, where the records do not show it. */
  async #touch(walkWith: WalkWith): Promise<void> {
    const { probe, kept } = this.#windowRun;
    const sinceMs = kept?.seenMs ?? kept?.serverMs;
    if (probe === undefined || sinceMs === undefined || !this.#filter.hasPrior) return;
    for (let times = 0; times <= mostReadings; times += 1) {
      const backMs = this.#backMs;
      const claim = await this.#touchOnce(walkWith(probe(startOf(sinceMs, backMs))));
      if (this.#backMs === backMs && !hasMoved(claim)) return;
    }
    this.#filter.touchAll();
  }

  async #touchOnce(changed: Walk): Promise<Claim> {
    const pages = changed();
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) this.#filter.touch(step.value.records);
    return step.value;
  }

  /**
   * Reads the list once. When it is read again, its pages are numbered after those that were read, so that a run that resumes
   * finds another page there and reads all again.
   * @param behind number of the last page that was read
   */
  async *#read(inner: Walk, resume: Resume, behind?: number): AsyncGenerator<Page, Reading> {
    const pages = inner(resume);
    let dropped = 0;
    let lastPage = behind ?? resume?.lastPage ?? 0;
    let [firstId, lastId] = [resume?.firstId, resume?.lastId];
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) {
      const page = step.value;
      lastPage = behind === undefined ? page.number : lastPage + 1;
      const records = this.#fresh(page.records, (this.#told += 1));
      dropped += page.records.length - records.length;
      const ids = records.map(this.#windowRun.facts.idOf);
      firstId ??= ids[0];
      lastId = ids.at(-1) ?? lastId;
      yield { ...page, number: lastPage, records };
    }
    return { claim: { ...step.value, rows: step.value.rows - dropped, firstId, lastId }, lastPage };
  }

  /** The records that are new or changed since the run before. */
  #fresh(records: readonly RecordValue[], page: number | undefined): readonly RecordValue[] {
    const { fresh, rows } = this.#filter.take(records, (this.#clock.mark?.serverMs ?? 0) - this.#windowRun.overlapMs);
    if (page !== undefined) this.#pending.page({ page, rows });
    return fresh;
  }

  whole(records: readonly RecordValue[]): readonly RecordValue[] {
    return this.#fresh(records, undefined);
  }

  /**
   * Where the next window begins, and which rows may come again in it. It begins where this one did when rows moved until the
   * end, or when changes from before the last run may not be visible yet.
   */
  #next({ serverMs }: ClockReading): Pick<BookmarkState, 'serverMs' | 'seenMs' | 'heldUntilMs' | 'rows'> {
    const { kept, window } = this.#windowRun;
    const isHeld = kept?.heldUntilMs !== undefined && this.#heldUntilMs !== undefined;
    const read = { seenMs: this.#seenMs ?? serverMs, heldUntilMs: this.#heldUntilMs };
    if (this.#isSettled && !isHeld) return { serverMs, ...read, rows: this.#filter.rows() };
    const startMs = (kept?.serverMs ?? instantOf(window.from)) - this.start.backMs;
    return { serverMs: Math.min(startMs, serverMs), ...read, rows: this.#filter.allRows() };
  }

  written(): void {
    const { run, name, files, job } = this.#windowRun;
    const { mark } = this.#clock;
    if (mark === undefined) throw new RelctlError('bug', 'a list was written that nobody answered');
    writeBookmarkFile(files.kept, {
      kind: 'bookmark',
      profile: run.session.profile.name,
      name,
      job,
      ...this.#next(mark),
      aheadMs: mark.aheadMs,
      writtenAt: run.context.clock.date().toISOString(),
    });
    this.#pending.remove();
  }
}
