import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChangeFilter } from '../../../src/export/since/change-filter.js';
import { noRows, type RememberedRows } from '../../../src/export/since/rows.js';
import { askedAt, mayComeAgain, refuseClockBack, startOf } from '../../../src/export/since/window.js';

const overlapMs = 600_000;
const epochMs = Date.parse('2026-03-01T00:00:00Z');

/** A change of a record: stamped at one time, to be seen by others a while later, as by a transaction that takes its time. */
interface Change {
  readonly id: number;
  readonly stampMs: number;
  readonly visibleMs: number;
}

interface Kept {
  readonly bookmarkMs: number;
  readonly rows: RememberedRows;
}

type Row = Readonly<Record<string, string>>;

const idOf = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

/** A record as its last visible change left it. */
interface State extends Change {
  readonly row: Row;
}

/** Whether a list shows when a record changed, and anything else that changed with it. */
type Shows = 'all' | 'little';

/** What the service answers at a time: each record whose last visible change lies in the window. */
function answer(
  changes: readonly Change[],
  atMs: number,
  { from, shows }: { from: string; shows: Shows },
): readonly State[] {
  const latest = new Map<number, Change>();
  for (const change of changes) {
    const before = latest.get(change.id);
    if (change.visibleMs <= atMs && (before === undefined || before.stampMs <= change.stampMs))
      latest.set(change.id, change);
  }
  return [...latest.values()]
    .filter(({ stampMs }) => stampMs >= Date.parse(from))
    .map((change) => {
      const stamp = shows === 'all' ? { ModifiedAt: new Date(change.stampMs).toISOString() } : {};
      return { ...change, row: { Id: idOf(change.id), ...stamp } };
    });
}

interface Run {
  readonly kept: Kept;
  readonly written: readonly State[];
}

interface Asking {
  readonly startedMs: number;
  /** From the request to the moment that the service looks, and from there to the answer. */
  readonly beforeMs: number;
  readonly behindMs: number;
}

const beginning = '1900-01-01T00:00:00Z';

/** One run, as the list commands do it. */
function run(
  kept: Kept | undefined,
  { startedMs, beforeMs, behindMs }: Asking,
  how: { changes: readonly Change[]; shows: Shows },
): Run {
  const { changes, shows } = how;
  const looksMs = startedMs + beforeMs;
  // An HTTP date has no fraction.
  const date = new Date(looksMs + behindMs).toUTCString();
  const atMs = askedAt({ date, tookMs: beforeMs + behindMs });
  const filter = new ChangeFilter(kept?.rows ?? noRows, {
    idOf: (record) => (typeof record['Id'] === 'string' ? record['Id'] : undefined),
    stampOf: (record) => (typeof record['ModifiedAt'] === 'string' ? record['ModifiedAt'] : undefined),
  });
  if (shows === 'little' && kept !== undefined) {
    filter.touch(answer(changes, looksMs, { from: startOf(kept.bookmarkMs, 0), shows }).map(({ row }) => row));
  }
  const from = kept === undefined ? beginning : startOf(kept.bookmarkMs, overlapMs);
  const found = answer(changes, looksMs, { from, shows });
  const { fresh } = filter.take(
    found.map(({ row }) => row),
    atMs - overlapMs,
  );
  const written = new Set(fresh);
  return { kept: { bookmarkMs: atMs, rows: filter.rows() }, written: found.filter(({ row }) => written.has(row)) };
}

const minutes = (count: number): number => count * 60_000;

const changes = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    // As fine as the clock of a service: within a second there is an order too.
    stampMs: fc.integer({ min: 0, max: minutes(240) }).map((ms) => epochMs + ms),
    lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: overlapMs - 2000 })),
  }),
  { maxLength: 60 },
);
const turns = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: minutes(40) })),
    beforeMs: fc.integer({ min: 0, max: 20_000 }),
    behindMs: fc.integer({ min: 0, max: 20_000 }),
    fails: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

interface Series {
  readonly written: readonly State[];
  /** When each run that did not fail looked. */
  readonly looks: readonly Asking[];
  readonly endMs: number;
}

interface Turn extends Omit<Asking, 'startedMs'> {
  readonly waitMs: number;
  readonly fails: boolean;
}

/** A series of runs with a last one when everything has long been visible. */
function seriesOf(turns: readonly Turn[], how: { changes: readonly Change[]; shows: Shows }): Series {
  let kept: Kept | undefined;
  let nowMs = epochMs;
  const written: State[] = [];
  const looks: Asking[] = [];
  const last = { waitMs: minutes(300), beforeMs: 0, behindMs: 0, fails: false };
  for (const { waitMs, fails, ...delays } of [...turns, last]) {
    const asking = { startedMs: nowMs + waitMs, ...delays };
    const done = run(kept, asking, how);
    nowMs = asking.startedMs + delays.beforeMs + delays.behindMs;
    if (fails) continue;
    kept = done.kept;
    written.push(...done.written);
    looks.push(asking);
  }
  return { written, looks, endMs: nowMs };
}

const nameOf = ({ id, stampMs }: Change): string => `${id} at ${new Date(stampMs).toISOString()}`;

function assertNoGap({ written, endMs }: Series, all: readonly Change[]): void {
  const names = new Set(written.map(nameOf));
  for (const state of answer(all, endMs, { from: beginning, shows: 'all' })) {
    assert.ok(names.has(nameOf(state)), `${nameOf(state)} was never written`);
  }
}

describe('Windows over a series of runs', () => {
  it('leave no gap, bring every change that can still be seen, and nothing twice, also when runs fail', () => {
    fc.assert(
      fc.property(changes, turns, (drawn, drawnTurns) => {
        const all = drawn.map(({ id, stampMs, lateMs }): Change => ({ id, stampMs, visibleMs: stampMs + lateMs }));
        const series = seriesOf(drawnTurns, { changes: all, shows: 'all' });
        const names = series.written.map(nameOf);
        assert.equal(new Set(names).size, names.length, 'a record was written twice as it was');
        assertNoGap(series, all);
      }),
      { numRuns: 400 },
    );
  });

  it('also bring changes that the list does not show; twice only what changed while a run before asked', () => {
    fc.assert(
      fc.property(changes, turns, (drawn, drawnTurns) => {
        const all = drawn.map(({ id, stampMs }): Change => ({ id, stampMs, visibleMs: stampMs }));
        const series = seriesOf(drawnTurns, { changes: all, shows: 'little' });
        assertNoGap(series, all);
        const repeats = series.written.filter(
          (state, at) => series.written.findIndex((each) => nameOf(each) === nameOf(state)) < at,
        );
        for (const { stampMs } of repeats) {
          const isNear = series.looks.some(
            ({ startedMs, beforeMs }) => stampMs >= startedMs - 1001 && stampMs <= startedMs + beforeMs,
          );
          assert.ok(isNear, `${new Date(stampMs).toISOString()} came twice`);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('A bookmark', () => {
  it('goes to when the service was asked, not to when it answered', () => {
    assert.equal(
      askedAt({ date: 'Sun, 01 Mar 2026 10:00:30 GMT', tookMs: 30_000.5 }),
      Date.parse('2026-03-01T09:59:59.999Z'),
    );
  });

  it('does not move by an answer without a time', () => {
    assert.throws(() => askedAt({ date: undefined, tookMs: 0 }), {
      kind: 'bad-answer',
      message: /no Date header.*stays where it is/,
    });
    assert.throws(() => askedAt({ date: 'soon', tookMs: 0 }), { kind: 'bad-answer', message: /'soon'/ });
  });

  it('is not used when the clock is before the window', () => {
    const bookmarkMs = Date.parse('2026-03-01T10:00:00Z');
    refuseClockBack(bookmarkMs - overlapMs, { bookmarkMs, overlapMs });
    assert.throws(() => refuseClockBack(bookmarkMs - overlapMs - 1, { bookmarkMs, overlapMs }), {
      kind: 'bad-answer',
      message: /clock \(2026-03-01T09:49:59.999Z\) is before the bookmark/,
    });
  });

  it('remembers every record that may come again: by its stamp, in whatever zone, or without one', () => {
    const startMs = Date.parse('2026-03-01T10:00:00Z');
    const verdicts = [
      '2026-03-01T10:00:00Z',
      '2026-03-01T12:00:00+02:00',
      '2026-02-28T21:00:00',
      'never',
      undefined,
    ].map((stamp) => mayComeAgain(stamp, startMs));
    assert.deepEqual(verdicts, [true, true, true, true, true]);
    const past = [
      '2026-03-01T09:59:58Z',
      '2026-03-01T11:00:00+02:00',
      '2026-02-28T19:00:00',
      '2026-03-01T09:59:58.1234567Z',
    ];
    assert.deepEqual(
      past.map((stamp) => mayComeAgain(stamp, startMs)),
      [false, false, false, false],
    );
  });
});
