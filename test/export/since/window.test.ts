import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentDigest } from '../../../src/export/since/digest.js';
import { isSame, noRows, RowCollector, RowIndex, type KeptRows } from '../../../src/export/since/rows.js';
import { askedAt, mayComeAgain, movedTo, startOf } from '../../../src/export/since/window.js';

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
  readonly rows: KeptRows;
}

interface Row {
  readonly [field: string]: string;
}

const idOf = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

/** What the service answers at a time: each record as its last visible change left it, when that lies in the window. */
function answer(changes: readonly Change[], atMs: number, from: string): readonly Row[] {
  const latest = new Map<number, Change>();
  for (const change of changes) {
    const before = latest.get(change.id);
    if (change.visibleMs <= atMs && (before === undefined || before.stampMs <= change.stampMs))
      latest.set(change.id, change);
  }
  return [...latest.values()]
    .filter(({ stampMs }) => stampMs >= Date.parse(from))
    .map(({ id, stampMs }) => ({ Id: idOf(id), ModifiedAt: new Date(stampMs).toISOString() }));
}

/** One run, as the list commands do it; a run that fails keeps what there was. */
function run(
  kept: Kept | undefined,
  rows: readonly Row[],
  time: { date: string; tookMs: number },
): { kept: Kept; written: readonly Row[] } {
  const atMs = askedAt(time);
  const prior = new RowIndex(kept?.rows ?? noRows);
  const seen = new RowCollector();
  const written = rows.filter((row) => {
    const digest = contentDigest(row);
    if (mayComeAgain(row['ModifiedAt'], atMs - overlapMs)) seen.add(row['Id'] ?? '', digest);
    const before = prior.find(row['Id'] ?? '');
    return before === undefined || !isSame(before.digest, digest);
  });
  return {
    kept: { bookmarkMs: movedTo(atMs, { bookmarkMs: kept?.bookmarkMs, overlapMs }), rows: seen.rows() },
    written,
  };
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
const runs = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: minutes(40) })),
    // From the request to the moment that the service looks, and from there to the answer.
    beforeMs: fc.integer({ min: 0, max: 20_000 }),
    behindMs: fc.integer({ min: 0, max: 20_000 }),
    fails: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

describe('Windows over a series of runs', () => {
  it('leave no gap, bring every change that can still be seen, and nothing twice, also when runs fail', () => {
    fc.assert(
      fc.property(changes, runs, (drawn, series) => {
        const all = drawn.map(({ id, stampMs, lateMs }): Change => ({ id, stampMs, visibleMs: stampMs + lateMs }));
        let kept: Kept | undefined;
        let nowMs = epochMs;
        const written: Row[] = [];
        const last = { waitMs: minutes(300), beforeMs: 0, behindMs: 0, fails: false };
        for (const { waitMs, beforeMs, behindMs, fails } of [...series, last]) {
          nowMs += waitMs;
          const from = kept === undefined ? '1900-01-01T00:00:00Z' : startOf(kept.bookmarkMs, overlapMs);
          const rows = answer(all, nowMs + beforeMs, from);
          // An HTTP date has no fraction.
          const date = new Date(nowMs + beforeMs + behindMs).toUTCString();
          const done = run(kept, rows, { date, tookMs: beforeMs + behindMs });
          nowMs += beforeMs + behindMs;
          if (fails) continue;
          kept = done.kept;
          written.push(...done.written);
        }
        const texts = written.map((row) => JSON.stringify(row));
        assert.equal(new Set(texts).size, texts.length, 'a record was written twice as it was');
        for (const row of answer(all, nowMs, '1900-01-01T00:00:00Z')) {
          assert.ok(texts.includes(JSON.stringify(row)), `${JSON.stringify(row)} was never written`);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('bring a record again when it changed within the overlap, and not when it did not', () => {
    const at = (text: string): { date: string; tookMs: number } => ({ date: new Date(text).toUTCString(), tookMs: 0 });
    const row = (id: number, ModifiedAt: string): Row => ({ Id: idOf(id), ModifiedAt });
    const first = run(
      undefined,
      [row(1, '2026-03-01T09:59:00Z'), row(2, '2026-03-01T09:58:00Z')],
      at('2026-03-01T10:00:00Z'),
    );
    assert.equal(first.written.length, 2);
    assert.equal(startOf(first.kept.bookmarkMs, overlapMs), '2026-03-01T09:50:00Z');
    const changed = row(2, '2026-03-01T10:02:00Z');
    const second = run(first.kept, [row(1, '2026-03-01T09:59:00Z'), changed], at('2026-03-01T10:05:00Z'));
    assert.deepEqual(second.written, [changed]);
    const third = run(second.kept, [row(1, '2026-03-01T09:59:00Z'), changed], at('2026-03-01T10:06:00Z'));
    assert.deepEqual(third.written, []);
  });
});

describe('A bookmark', () => {
  it('goes to when the service was asked, not to when it answered', () => {
    assert.equal(
      askedAt({ date: 'Sun, 01 Mar 2026 10:00:30 GMT', tookMs: 30_000.5 }),
      Date.parse('2026-03-01T09:59:59.999Z'),
    );
  });

  it('does not move by an answer that tells no time', () => {
    assert.throws(() => askedAt({ date: undefined, tookMs: 0 }), {
      kind: 'bad-answer',
      message: /no Date header.*stays where it is/,
    });
    assert.throws(() => askedAt({ date: 'soon', tookMs: 0 }), { kind: 'bad-answer', message: /'soon'/ });
  });

  it('never goes back, and refuses to go on from a clock that was set back by more than the overlap', () => {
    const bookmarkMs = Date.parse('2026-03-01T10:00:00Z');
    assert.equal(movedTo(bookmarkMs - overlapMs, { bookmarkMs, overlapMs }), bookmarkMs);
    assert.equal(movedTo(bookmarkMs + 1, { bookmarkMs, overlapMs }), bookmarkMs + 1);
    assert.equal(movedTo(5, { bookmarkMs: undefined, overlapMs }), 5);
    assert.throws(() => movedTo(bookmarkMs - overlapMs - 1, { bookmarkMs, overlapMs }), {
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
