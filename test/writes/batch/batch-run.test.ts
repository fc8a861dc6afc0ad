import assert from 'node:assert/strict';
import type { Entry, Ending } from '../../../src/state/ledger/outcome.js';
import { Pace } from '../../../src/client/pace.js';
import { runBatch, type Answered, type Batch, type BatchRow, type Write } from '../../../src/writes/batch/batch-run.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { valuesOf } from '../../support/thrown.js';

type Send = (row: BatchRow) => Promise<Answered>;

/** Waits for so many turns of the loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Sends a row whose request is on its way as soon as it is begun. */
const sentAtOnce =
  (row: BatchRow, send: Send): Write['send'] =>
  (sent) => {
    sent();
    return send(row);
  };

/** A batch of so many rows, whose keys repeat after `keys` of them, and what was written to its journal. */
function batchOf(
  count: number,
  send: Send,
  more: Partial<Batch<BatchRow>> & { readonly keys?: number } = {},
): { readonly batch: Batch<BatchRow>; readonly entries: Entry[]; readonly endings: Map<number, Ending> } {
  const entries: Entry[] = [];
  const endings = new Map<number, Ending>();
  const journal: Batch<BatchRow>['journal'] = {
    append: (entry) => entries.push(entry),
    durable: () => Promise.resolve(),
  };
  const { keys = count, ...changes } = more;
  const batch: Batch<BatchRow> = {
    rows: (async function* rows() {
      for (let row = 0; row < count; row += 1) yield await Promise.resolve({ row, key: String(row % keys) });
    })(),
    prepare: (row) =>
      Promise.resolve({ sends: { operation: 'O', input: { row: String(row.row) } }, send: sentAtOnce(row, send) }),
    journal,
    pace: new Pace(Infinity, { nowMs: () => 0, pause: () => Promise.resolve(), onSlow: () => undefined }),
    concurrency: 1,
    isAhead: false,
    isEnough: () => false,
    signal: new AbortController().signal,
    nowMs: () => 0,
    date: () => '2026-01-01T00:00:00.000Z',
    onEnd: ({ row }, ending) => endings.set(row, ending),
    ...changes,
  };
  return { batch, entries, endings };
}

const fails = (kind: RelctlError['kind'], facts: RelctlError['facts'] = {}): Promise<never> =>
  Promise.reject(new RelctlError(kind, 'no', { facts }));

describe('A batch', () => {
  it('tells the journal of each row before it is sent and after it was answered', async () => {
    let told = 0;
    const { batch, entries } = batchOf(3, ({ row }) => {
      told += entries.some((entry) => entry.row === row && 'sends' in entry) ? 1 : 0;
      return Promise.resolve({ id: `i${row}` });
    });
    assert.equal(await runBatch(batch), undefined);
    assert.equal(told, 3);
    assert.deepEqual(
      entries.map((entry) => ('ends' in entry ? `${entry.row} ${entry.ends.outcome} ${entry.ends.id}` : entry.row)),
      [0, '0 done i0', 1, '1 done i1', 2, '2 done i2'],
    );
  });

  it('keeps a row unknown that was sent before, when nothing comes of its last sending', async () => {
    const rows = async function* rows(): AsyncGenerator<BatchRow> {
      for (let row = 0; row < 4; row += 1) yield await Promise.resolve({ row, key: String(row), isDoubtful: row < 3 });
    };
    const ends = [() => fails('no-answer', { unsent: true }), () => fails('refused'), () => Promise.resolve({})];
    const { batch, endings } = batchOf(4, ({ row }) => (ends[row] ?? (() => fails('refused')))(), { rows: rows() });
    await runBatch(batch);
    assert.deepEqual(
      [...endings].map(([row, { outcome }]) => `${row} ${outcome}`),
      ['0 unknown', '1 unknown', '2 done', '3 refused'],
    );
    assert.match(
      endings.get(0)?.words ?? '',
      /^no; relctl does not know whether the service carried out the earlier request$/,
    );
  });

  it('never sends a row again whose outcome is unknown, and goes on with the next', async () => {
    const sent: number[] = [];
    const { batch, endings } = batchOf(3, ({ row }) => {
      sent.push(row);
      return row === 1 ? fails('outcome-unknown') : Promise.resolve({});
    });
    await runBatch(batch);
    assert.deepEqual(sent, [0, 1, 2]);
    assert.equal(endings.get(1)?.outcome, 'unknown');
  });

  it('sends a row again that the service turned away because it is asked too much', async () => {
    let turns = 0;
    const { batch, endings } = batchOf(1, () => {
      turns += 1;
      return turns < 3 ? fails('no-answer', { httpStatus: 429 }) : Promise.resolve({});
    });
    await runBatch(batch);
    assert.deepEqual([turns, endings.get(0)?.outcome], [3, 'done']);
  });

  it('sends rows of one key one after the other in their order, and others at once', async () => {
    const running = new Map<string, number>();
    const order = new Map<string, number[]>();
    let most = 0;
    const { batch } = batchOf(
      40,
      async ({ row, key }) => {
        assert.equal(running.get(key) ?? 0, 0);
        running.set(key, 1);
        order.set(key, [...(order.get(key) ?? []), row]);
        most = Math.max(most, [...running.values()].filter((each) => each > 0).length);
        await new Promise(setImmediate);
        running.set(key, 0);
        return {};
      },
      { concurrency: 4, keys: 5 },
    );
    await runBatch(batch);
    for (const rows of order.values())
      assert.deepEqual(
        rows,
        [...rows].sort((a, b) => a - b),
      );
    assert.equal([...order.values()].flat().length, 40);
    assert.ok(most > 1);
  });

  it('stops at what each other row would meet too, and leaves the rest unsent', async () => {
    const { batch, endings, entries } = batchOf(9, ({ row }) => (row === 2 ? fails('profile') : Promise.resolve({})));
    assert.equal((await runBatch(batch))?.kind, 'profile');
    assert.deepEqual([...endings.keys()], [0, 1, 2]);
    assert.ok(entries.every(({ row }) => row <= 2));
  });

  it('stops where no row can be prepared: another reading of a list would be refused as well', async () => {
    for (const kind of ['refused', 'bad-answer', 'not-found', 'local'] as const) {
      let prepared = 0;
      const prepare = (): Promise<never> => {
        prepared += 1;
        return fails(kind);
      };
      const { batch, entries } = batchOf(9, () => Promise.resolve({}), { prepare });
      assert.equal((await runBatch(batch))?.kind, kind);
      assert.deepEqual([prepared, entries.length], [1, 0], kind);
    }
  });

  it('leaves a row unsent that could not be prepared, and goes on; a conflict is one', async () => {
    for (const [kind, outcome] of [
      ['no-answer', 'not sent'],
      ['usage', 'not sent'],
      ['conflict', 'conflict'],
    ] as const) {
      const { batch, endings } = batchOf(2, () => Promise.resolve({}), { prepare: () => fails(kind) });
      assert.equal(await runBatch(batch), undefined);
      assert.deepEqual(valuesOf([...endings.values()], 'outcome'), [outcome, outcome]);
    }
  });

  it('stops after five rows in a row without an answer', async () => {
    const { batch, endings } = batchOf(20, ({ row }) => (row < 3 ? Promise.resolve({}) : fails('outcome-unknown')));
    assert.equal((await runBatch(batch))?.kind, 'outcome-unknown');
    assert.equal(endings.size, 8);
  });

  it('stops when enough rows have failed', async () => {
    const { batch, endings } = batchOf(20, () => fails('refused'), { isEnough: (failed) => failed >= 4 });
    assert.equal((await runBatch(batch))?.facts.code, 'max-errors');
    assert.equal(endings.size, 4);
  });

  it('sends nothing that the journal did not take', async () => {
    let sent = 0;
    const full = new RelctlError('local', 'the disk is full');
    for (const isAhead of [false, true]) {
      const append = (): never => {
        throw full;
      };
      for (const broken of [{ durable: () => Promise.reject(full) }, { append }]) {
        const { batch, entries } = batchOf(3, () => Promise.resolve((sent += 1)).then(() => ({})), { isAhead });
        await assert.rejects(runBatch({ ...batch, journal: { ...batch.journal, ...broken } }), full);
        assert.ok(entries.every((entry) => 'sends' in entry));
      }
    }
    assert.equal(sent, 0);
  });

  describe('whose rows are told to the journal ahead', () => {
    it('tells of a row while the one before is under way, and sends it after that one ended', async () => {
      const sent: string[] = [];
      const told: number[] = [];
      const { batch, entries } = batchOf(
        6,
        async ({ row }) => {
          sent.push(`${row} begins`);
          await turns(3);
          told.push(entries.filter((entry) => 'sends' in entry).length);
          sent.push(`${row} ends`);
          return {};
        },
        { isAhead: true },
      );
      assert.equal(await runBatch(batch), undefined);
      assert.deepEqual(sent, Array.from({ length: 6 }, (_, row) => [`${row} begins`, `${row} ends`]).flat());
      assert.deepEqual(told, [2, 3, 4, 5, 6, 6]);
    });

    it('tells of as many rows ahead as are under way, asks for a sync for all of them, and sends none before it', async () => {
      let [synced, most] = [0, 0];
      const asked: number[] = [];
      const { batch, entries } = batchOf(
        24,
        async ({ row }) => {
          const places = entries.flatMap((entry, place) => (entry.row === row ? [place] : []));
          assert.ok(places.every((place) => place < synced));
          const open = entries.filter((entry) => 'sends' in entry).length - endings.size;
          most = Math.max(most, open);
          await turns(3);
          return {};
        },
        { isAhead: true, concurrency: 4 },
      );
      const endings = new Set<number>();
      const durable = async (place: number): Promise<void> => {
        asked.push(place);
        if (place <= synced) return;
        const upTo = entries.length;
        await new Promise(setImmediate);
        synced = Math.max(synced, upTo);
      };
      const onEnd = ({ row }: BatchRow): void => void endings.add(row);
      assert.equal(await runBatch({ ...batch, journal: { ...batch.journal, durable }, onEnd }), undefined);
      assert.deepEqual([endings.size, most], [24, 8]);
      assert.equal(asked.length, 24 + 24 / 4);
    });

    it('prepares a row while those before it are with the service, and not while their requests are being sent', async () => {
      const events: string[] = [];
      const { batch } = batchOf(5, () => Promise.resolve({}), { isAhead: true });
      const send: Write['send'] = async (sent) => {
        events.push('begun');
        // To connect takes some turns of the loop.
        await turns(5);
        events.push('left');
        sent();
        await turns(5);
        events.push('answered');
        return {};
      };
      const prepare: typeof batch.prepare = ({ row }) => {
        events.push(`prepares ${row}`);
        return Promise.resolve({ sends: { operation: 'O', input: {} }, send });
      };
      assert.equal(await runBatch({ ...batch, prepare }), undefined);
      const calls = [1, 2, 3, 4].flatMap((next) => ['begun', 'left', `prepares ${next}`, 'answered']);
      assert.deepEqual(events, ['prepares 0', ...calls, 'begun', 'left', 'answered']);
    });

    it('goes on when a request ends before it was sent', async () => {
      const { batch, endings } = batchOf(3, () => fails('no-answer'), { isAhead: true });
      const send: Write['send'] = () => fails('no-answer');
      const prepare: typeof batch.prepare = () => Promise.resolve({ sends: { operation: 'O', input: {} }, send });
      assert.equal(await runBatch({ ...batch, prepare }), undefined);
      assert.deepEqual(valuesOf([...endings.values()], 'outcome'), ['failed', 'failed', 'failed']);
    });

    it('says at once of a row whose turn does not come any more that it was not sent', async () => {
      const controller = new AbortController();
      let atEnd: readonly Entry[] = [];
      const { batch, entries } = batchOf(
        4,
        async () => {
          await new Promise(setImmediate);
          controller.abort(new RelctlError('interrupted', 'Ctrl-C'));
          await new Promise(setImmediate);
          atEnd = [...entries];
          return {};
        },
        { isAhead: true, signal: controller.signal },
      );
      assert.equal((await runBatch(batch))?.kind, 'interrupted');
      const own = atEnd.filter(({ row }) => row === 1).map((entry) => ('ends' in entry ? entry.ends.outcome : 'sends'));
      assert.deepEqual(own, ['sends', 'not sent']);
      assert.equal(entries.length, 4);
    });

    it('says of a row whose turn did not come that it was not sent', async () => {
      const sent: number[] = [];
      const { batch, entries } = batchOf(
        6,
        async ({ row }) => {
          sent.push(row);
          await turns(3);
          return row === 1 ? fails('profile') : {};
        },
        { isAhead: true },
      );
      assert.equal((await runBatch(batch))?.kind, 'profile');
      assert.deepEqual(sent, [0, 1]);
      const last = new Map(entries.map((entry) => [entry.row, 'ends' in entry ? entry.ends.outcome : 'unknown']));
      assert.deepEqual(
        [...last],
        [
          [0, 'done'],
          [1, 'not sent'],
          [2, 'not sent'],
        ],
      );
    });
  });

  it('does not send a row that the journal took when the batch was over by then', async () => {
    const controller = new AbortController();
    let sent = 0;
    const { batch, entries } = batchOf(3, () => Promise.resolve((sent += 1)).then(() => ({})), {
      signal: controller.signal,
    });
    const { journal } = batch;
    const run = runBatch({
      ...batch,
      journal: {
        ...journal,
        durable: async (place) => {
          await journal.durable(place);
          controller.abort(new RelctlError('interrupted', 'Ctrl-C'));
        },
      },
    });
    assert.equal((await run)?.kind, 'interrupted');
    assert.deepEqual([sent, entries.length], [0, 2]);
    assert.ok(entries.every(({ row }) => row === 0));
  });
});
