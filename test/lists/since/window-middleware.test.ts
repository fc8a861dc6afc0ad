import type { RecordValue } from '../../../src/plain/value.js';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsAnswered } from '../../../src/client/list-answer.js';
import { readPages, type Claim } from '../../../src/client/pages.js';
import type { RowKey, WalkState } from '../../../src/client/paging.js';
import type { BookmarkState } from '../../../src/export/since/bookmark-file.js';
import { readBookmarkFile } from '../../../src/export/since/read-bookmark.js';
import { openPending, readPending, type Pending } from '../../../src/export/since/pending.js';
import { textDigest } from '../../../src/export/since/digest.js';
import { countOf, RowIndex } from '../../../src/export/since/rows.js';
import { ownId, type ListRun, type Walk } from '../../../src/lists/plan.js';
import { WindowMiddleware } from '../../../src/lists/since/window-middleware.js';

const askedMs = Date.parse('2026-03-01T10:00:00Z');
const overlapMs = 600_000;

interface Row {
  readonly id: number;
  readonly text: string;
}

const recordOf = ({ id, text }: Row): RecordValue => ({
  Id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  Info: text,
});

const wordsOf = (record: RecordValue): string => {
  const { Info } = record;
  return `${Number(ownId(record)?.slice(-2))}${typeof Info === 'string' ? Info : ''}`;
};

/** What a run wrote, in words, and what it said of the list. */
interface Read {
  readonly written: readonly string[];
  readonly pages: readonly number[];
  readonly claim: Claim;
}

describe('A list that changes while its window is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-window-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const files = { kept: join(folder, 'a.bookmark'), pending: join(folder, 'a.pending'), lock: join(folder, 'a.lock') };
  beforeEach(() => rmSync(files.kept, { force: true }));

  const notes: string[] = [];
  beforeEach(() => void notes.splice(0));

  const window = { job: {}, from: '2026-01-01T00:00:00Z', to: '2079-01-01T00:00:00', bookmarkMs: null, file: '' };
  const followOf = (
    kept: BookmarkState | undefined,
    { machineMs = askedMs, pending = undefined as Pending | undefined } = {},
  ): WindowMiddleware => {
    // As much of a place as a window looks at.
    const run = {
      context: { clock: { date: () => new Date(machineMs) }, errorShape: 'json', notes },
      session: { profile: { name: 'local' } },
      flags: {},
    } as unknown as ListRun;
    const own = { ...window, bookmarkMs: kept?.serverMs ?? null };
    return new WindowMiddleware({
      ...{ run, name: 'a', files, kept, job: {}, overlapMs, window: own, pending, probe: undefined },
      ...{ facts: { idOf: ownId, stampOf: () => undefined }, beginsAnew: false },
    });
  };

  /** Reads a list of pages of two rows, which is another one from page to page. */
  const read = async (
    follow: WindowMiddleware,
    listAt: (call: number) => readonly Row[],
    state?: WalkState,
  ): Promise<Read> => {
    let calls = 0;
    const inner: Walk = (resume) =>
      readPages(
        async (number) => {
          await follow.answered({ date: new Date(askedMs).toUTCString(), tookMs: 0 });
          const rows = listAt((calls += 1)).slice((number - 1) * 2, number * 2);
          return { ...rowsAnswered(rows.map(recordOf)), attempts: 1 };
        },
        {
          ...{ firstPage: 1, pageSize: 2, prefetch: 0, idOf: ownId, signal: new AbortController().signal },
          ...(resume === undefined ? {} : { resume }),
        },
      );
    const pages = follow.walk(inner, () => inner)(state);
    const written: string[] = [];
    const numbers: number[] = [];
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) {
      numbers.push(step.value.number);
      written.push(...step.value.records.map(wordsOf));
    }
    return { written, pages: numbers, claim: step.value };
  };
  const rows = (...texts: readonly string[]): readonly Row[] =>
    texts.map((text) => ({ id: Number(text[0]), text: text.slice(1) }));

  it('is read again when a row was met twice: the one that slid onto a page already read is written', async () => {
    const follow = followOf(undefined);
    const before = rows('1a', '2a', '3a', '4a');
    const { written, pages, claim } = await read(follow, (call) =>
      // Row 1 changes behind page 1, and goes to the end.
      call === 1 ? before : rows('2a', '3a', '4a', '1b'),
    );
    assert.deepEqual(written, ['1a', '2a', '4a', '1b', '3a']);
    // Behind the pages that there are, so that a journal of them can be resumed.
    assert.deepEqual(pages, [1, 2, 3, 4]);
    assert.deepEqual(claim.readings, { times: 2, settled: true });
    assert.deepEqual([claim.rows, claim.duplicates, claim.changed], [5, 0, 0]);
    follow.written();
    const kept = readBookmarkFile(files.kept);
    assert.deepEqual([kept?.serverMs, countOf(kept?.rows ?? { packed: new Uint8Array(), others: [] })], [askedMs, 4]);
    assert.equal(readPending(files.pending), undefined);
  });

  it('is written, and the next window begins where this one did, when rows move each time', async () => {
    const kept: BookmarkState = {
      ...{ kind: 'bookmark', profile: 'local', name: 'a', job: {}, serverMs: askedMs - 86_400_000, aheadMs: 0 },
      ...{ writtenAt: '2026-02-28T10:00:00.000Z', rows: { packed: new Uint8Array(), others: [] } },
    };
    const follow = followOf(kept);
    let texts = ['1a', '2a', '3a', '4a'];
    const { claim } = await read(follow, (call) => {
      const [first = '', ...rest] = texts;
      // Behind each first page its first row changes.
      if (call % 4 === 2) texts = [...rest, `${first[0] ?? ''}${call}`];
      return rows(...texts);
    });
    assert.deepEqual(claim.readings, { times: 3, settled: false });
    follow.written();
    const next = readBookmarkFile(files.kept);
    assert.deepEqual([next?.serverMs, next?.seenMs, next?.aheadMs], [kept.serverMs, askedMs, 0]);
    assert.equal(countOf(next?.rows ?? kept.rows), 4, 'what was written does not come again');
  });

  it('has its windows begin before a step of the clock forward until a change from before it must have been seen', async () => {
    const stepMs = 7_200_000;
    const before: BookmarkState = {
      ...{ kind: 'bookmark', profile: 'local', name: 'a', job: {}, serverMs: askedMs - stepMs - 1000, aheadMs: 0 },
      ...{ writtenAt: '2026-03-01T07:59:59.000Z', rows: { packed: new Uint8Array(), others: [] } },
    };
    /** The bookmark behind a run, while the service's clock is two hours ahead. */
    const bookmarkBehind = async (kept: BookmarkState): Promise<BookmarkState> => {
      const follow = followOf(kept, { machineMs: askedMs - stepMs });
      await read(follow, () => rows('1a'));
      follow.written();
      return readBookmarkFile(files.kept) ?? kept;
    };
    const first = await bookmarkBehind(before);
    assert.deepEqual([first.serverMs, first.heldUntilMs], [askedMs - stepMs, askedMs + overlapMs]);
    const second = await bookmarkBehind(first);
    assert.deepEqual([second.serverMs, second.heldUntilMs], [askedMs - stepMs, askedMs + overlapMs]);
    assert.equal(countOf(second.rows), 1);
    const later = await bookmarkBehind({ ...second, heldUntilMs: askedMs });
    assert.deepEqual([later.serverMs, later.heldUntilMs], [askedMs, undefined]);
  });

  it('is read once when nothing moved', async () => {
    const follow = followOf(undefined);
    const { written, claim } = await read(follow, () => rows('1a', '2a', '3a'));
    assert.deepEqual([written, claim.readings], [['1a', '2a', '3a'], undefined]);
  });

  it('reports clocks that differ by more than 60 s, once, and no smaller difference', async () => {
    const saidWith = async (aheadMs: number): Promise<readonly string[]> => {
      notes.splice(0);
      await read(followOf(undefined, { machineMs: askedMs - aheadMs }), () => rows('1a', '2a', '3a'));
      return [...notes];
    };
    assert.deepEqual(await saidWith(60_000), []);
    assert.deepEqual(await saidWith(-60_000), []);
    const goesBy = "the service's; the bookmark goes by the latter";
    assert.deepEqual(await saidWith(61_000), [`the clock of this machine is 61 s behind ${goesBy}`]);
    assert.deepEqual(await saidWith(-61_000), [`the clock of this machine is 61 s ahead of ${goesBy}`]);
  });

  it('resumes with the rows of the pages in the file, and without pages after them', async () => {
    const digest = textDigest('x').toString('base64');
    const row = (id: number): readonly [string, string] => [ownId(recordOf({ id, text: '' })) ?? '', digest];
    const pending: Pending = {
      window,
      clock: { serverMs: askedMs - 60_000, aheadMs: 0 },
      // The second page was told, under whatever number, and the run was killed before it was written.
      pages: [
        { page: 1, rows: [row(1), row(2)] },
        { page: 2, rows: [row(3)] },
      ],
    };
    openPending(files.pending).begin(window);
    const follow = followOf(undefined, { pending });
    const keys: RowKey[] = [1, 2].map((id) => ({ id: row(id)[0], left: 0, right: 0 }));
    const state: WalkState = {
      ...{ lastPage: 3, pageSize: 2, signature: 'another', pages: 1, rows: 2, duplicates: 0, changed: 0, retries: 0 },
      ...{ shifted: false, firstId: undefined, lastId: undefined, keys },
    };
    const { claim } = await read(follow, () => rows('1a', '2a'), state);
    // The page that it ended with is another one now.
    assert.deepEqual([claim.shifted, claim.readings], [false, { times: 2, settled: true }]);
    follow.written();
    const kept = readBookmarkFile(files.kept);
    assert.equal(kept?.serverMs, askedMs - 60_000, 'as the interrupted run was told');
    const index = new RowIndex(kept.rows);
    assert.deepEqual(
      [1, 2, 3].map((id) => index.find(row(id)[0]) !== undefined),
      [true, true, false],
    );
  });
});
