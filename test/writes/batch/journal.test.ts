import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../../../src/state/ledger/outcome.js';
import {
  continueJournal,
  createJournal,
  entriesOf,
  readBatchJournal,
  type BatchHead,
  type Journal,
  statesIn,
} from '../../../src/writes/batch/journal.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';

const head: BatchHead = {
  batch: 'b',
  startedAt: '2026-01-01T00:00:00.000Z',
  operation: 'ProductUpdate_V2',
  input: 'p.csv',
  sha256: 'ab',
  reading: '{}',
  profile: 'p',
  url: 'http://localhost/',
  namespace: 'n',
  database: '',
};
const at = '2026-01-01T00:00:01.000Z';
const sends = (row: number): Entry => ({
  row,
  at,
  sends: { operation: 'ProductUpdate_V2', input: { n: String(row) } },
});
const ends = (row: number): Entry => ({ row, at, ends: { outcome: 'done', words: 'é\u{1f600}' } });

const add = (journal: Journal, entry: Entry): Promise<void> => journal.durable(journal.append(entry));

describe('The journal of a batch', () => {
  let folder = '';
  let file = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relctl-test-'));
    file = join(folder, 'journal');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const written = async (...entries: readonly Entry[]): Promise<void> => {
    const journal = createJournal(file, head);
    await Promise.all(entries.map((entry) => add(journal, entry)));
    await journal.close();
  };
  const entries = (): readonly Entry[] => [...entriesOf(file)].map(({ entry }) => entry);

  it('is read back in its order, with its head, and is for its owner alone', async () => {
    await written(sends(0), ends(0), sends(1));
    assert.deepEqual(entries(), [sends(0), ends(0), sends(1)]);
    assert.deepEqual({ ...readBatchJournal(file)?.head, version: undefined }, { ...head, version: undefined });
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('has each entry in its file when it is durable', async () => {
    const journal = createJournal(file, head);
    await add(journal, sends(0));
    assert.deepEqual(entries(), [sends(0)]);
    await journal.close();
  });

  it('has what is appended in its file at once, in the order of all entries', async () => {
    const journal = createJournal(file, head);
    journal.append(ends(5));
    assert.deepEqual(entries(), [ends(5)]);
    const added = add(journal, sends(0));
    journal.append(ends(0));
    assert.deepEqual(entries(), [ends(5), sends(0), ends(0)]);
    await added;
    await add(journal, sends(1));
    await journal.close();
    assert.deepEqual(entries(), [ends(5), sends(0), ends(0), sends(1)]);
  });

  it('goes on behind its last whole line, wherever it was cut', async () => {
    await written(sends(0), ends(0), sends(1));
    const whole = readFileSync(file);
    const starts = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index + 1);
    for (let length = starts[0] ?? 0; length < whole.length; length += 1) {
      writeFileSync(file, whole.subarray(0, length));
      const kept = readBatchJournal(file);
      assert.ok(kept);
      const journal = continueJournal(kept, statesIn(file));
      await add(journal, ends(7));
      await journal.close();
      const complete = starts.filter((start) => start <= length).length - 1;
      assert.deepEqual(entries(), [...[sends(0), ends(0), sends(1)].slice(0, complete), ends(7)]);
    }
  });

  it('is none when not even its head was written', async () => {
    await written();
    truncateSync(file, 10);
    assert.equal(readBatchJournal(file), undefined);
    assert.equal(readBatchJournal(join(folder, 'absent')), undefined);
  });

  it('is refused when a line before the last was changed, and cut where the last lines are torn', async () => {
    await written(sends(0), ends(0), sends(1));
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"row":0', '"row":5'));
    assert.throws(
      () => readBatchJournal(file),
      (thrown) => thrown instanceof RelctlError && thrown.kind === 'local' && /line 2/.test(thrown.message),
    );
    writeFileSync(file, text);
    // What power loss leaves of lines that were not synced.
    appendFileSync(file, '\0\0\0\0\n\0\0\n');
    assert.deepEqual(entries(), [sends(0), ends(0), sends(1)]);
  });

  it('knows how its rows stand and where their last lines are, as one reads it in its file', async () => {
    await written(sends(0), ends(0), sends(1));
    const kept = readBatchJournal(file);
    assert.ok(kept);
    const states = statesIn(file);
    const journal = continueJournal(kept, states);
    await add(journal, ends(1));
    journal.append(sends(2));
    await journal.close();
    const read = statesIn(file);
    for (const row of [0, 1, 2, 3])
      assert.deepEqual([states.of(row), states.lineOf(row)], [read.of(row), read.lineOf(row)]);
    assert.deepEqual([states.of(0), states.of(1), states.of(2), states.of(3)], ['done', 'done', 'unknown', undefined]);
  });

  it('says that a row that was sent is unknown until it ended', async () => {
    await written(sends(0), ends(0), sends(1));
    const states = statesIn(file);
    assert.deepEqual([states.of(0), states.of(1), states.of(2)], ['done', 'unknown', undefined]);
    assert.deepEqual(
      Object.entries(states.tally(4)).filter(([, count]) => count > 0),
      [
        ['done', 1],
        ['unknown', 1],
        ['not sent', 2],
      ],
    );
  });
});
