import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJournal, type BatchHead } from '../../src/writes/batch/journal.js';
import { earlierBatch, identity, putAside, registerBatch, registeredFile } from '../../src/writes/batch-files.js';

const head: BatchHead = {
  batch: 'b',
  startedAt: '2026-01-01T00:00:00.000Z',
  operation: 'ProductUpdate_V2',
  input: 'p.csv',
  sha256: 'a'.repeat(64),
  reading: '[]',
  profile: 'eu',
  url: 'https://crm.example',
  namespace: 'urn:x',
  database: 'd',
};

describe('The register of batches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-register-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('finds the journal of the same rows to the same service, whatever the run, and no other', async () => {
    const journal = join(folder, 'p.journal');
    const file = registeredFile(join(folder, 'batches'), head);
    assert.equal(earlierBatch(file, head), undefined);
    await createJournal(journal, head).close();
    registerBatch(file, journal);
    const again = { ...head, batch: 'c', startedAt: 'later', input: 'q.csv', profile: 'other' };
    assert.equal(registeredFile(join(folder, 'batches'), again), file);
    assert.equal(earlierBatch(file, again)?.file, journal);
    for (const name of identity) {
      const other = { ...head, [name]: 'other' };
      assert.notEqual(registeredFile(join(folder, 'batches'), other), file, name);
      assert.equal(earlierBatch(file, other), undefined, name);
    }
    rmSync(journal);
    assert.equal(earlierBatch(file, head), undefined);
  });

  it('does not take what it cannot read for a batch that never was', () => {
    const file = registeredFile(join(folder, 'torn'), head);
    for (const text of ['', '{"journal":', '[]', '{"journal":7}']) {
      writeFileSync(file, text);
      assert.throws(() => earlierBatch(file, head), { kind: 'local' }, text);
    }
    rmSync(file);
    mkdirSync(file);
    assert.throws(() => earlierBatch(file, head), { kind: 'local' });
  });

  it('keeps where a journal is that was put aside for another batch, and lets that batch go on there', async () => {
    const register = join(folder, 'aside');
    const journal = join(folder, 'q.results.csv.journal');
    const file = registeredFile(register, head);
    await createJournal(journal, head).close();
    registerBatch(file, journal);
    putAside(register, journal, '2026-02-03T04:05:06.789Z');
    const aside = join(folder, 'q.results.csv.20260203T040506.789Z.journal');
    await createJournal(journal, { ...head, sha256: 'b'.repeat(64) }).close();
    assert.equal(earlierBatch(file, head)?.file, aside);
  });

  it('leaves a batch that was written again since by its later journal', async () => {
    const register = join(folder, 'later');
    const [first, later] = [join(folder, 'r.journal'), join(folder, 's.journal')];
    const file = registeredFile(register, head);
    for (const journal of [first, later]) {
      await createJournal(journal, head).close();
      registerBatch(file, journal);
    }
    putAside(register, first, '2026-02-03T04:05:06.789Z');
    assert.equal(earlierBatch(file, head)?.file, later);
  });

  it('finds the journal also when the run was killed before it had put it aside', async () => {
    const register = join(folder, 'killed');
    const journal = join(folder, 't.journal');
    const file = registeredFile(register, head);
    await createJournal(journal, head).close();
    registerBatch(file, journal);
    // A folder of the same name is in the way of the file, as a kill would be.
    mkdirSync(join(folder, 't.20260203T040506.789Z.journal', 'x'), { recursive: true });
    assert.throws(() => putAside(register, journal, '2026-02-03T04:05:06.789Z'), { kind: 'local' });
    rmSync(join(folder, 't.20260203T040506.789Z.journal'), { recursive: true });
    assert.equal(earlierBatch(file, head)?.file, journal);
  });
});
