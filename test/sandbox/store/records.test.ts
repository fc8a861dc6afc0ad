import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { RecordType } from '../../../src/contract/build.js';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationData } from '../../../src/contract/records/relation.js';
import { PvRelationshipData } from '../../../src/contract/records/relationship.js';
import { fillStore } from '../../../src/sandbox/dataset/fill.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { openOrCreate } from '../../../src/sandbox/store/create.js';
import { countersOf, fieldValuesOf, readWhere, recordsAt, updateRecord } from '../../../src/sandbox/store/records.js';
import { temporaryFolder, temporarySandbox } from '../../support/sandbox/temporary.js';

describe('Records of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(1200);
  });
  after(() => sandbox.close());

  it('have the same counters alone as among others, in any order', () => {
    for (const record of [PvRelationData, PvActivityData]) {
      const seqs = Array.from({ length: 250 }, (_, at) => 1 + at * 3);
      const counters = countersOf(sandbox.store, record, seqs);
      for (const at of [...seqs.keys(), 249, 0, 130]) {
        const alone = countersOf(sandbox.store, record, [seqs[at] ?? 0]);
        assert.deepEqual(counters[at], alone[0]);
        assert.ok((counters[at]?.length ?? 0) > 0);
      }
    }
  });

  it('that are not there have no counters', () => {
    assert.throws(() => countersOf(sandbox.store, PvRelationData, [1, 5000]), { kind: 'bug' });
  });
});

const parameters = { relations: 130, seed: 5 };
const types: readonly RecordType[] = [PvRelationData, PvRelationshipData, PvActivityData];

describe('Records of rows', () => {
  const folder = temporaryFolder();
  const sandboxes: Sandbox[] = [];
  before(async () => {
    for (const inOutline of [false, true]) {
      const file = join(folder.path, `${inOutline}.db`);
      openOrCreate({ file, fill: (store) => fillStore(store, parameters, { inOutline }) }).close();
      sandboxes.push(await openSandbox({ file }));
    }
    // Some rows of each are stored whole, others in outline, if there are any.
    for (const { store } of sandboxes)
      for (const record of types)
        for (const { seq, record: value } of readWhere<typeof record>(store, record, {
          where: 'seq IN (2, 64, 65, 101)',
        })) {
          const Items = [
            { Id: 'aaaaaaaa-0000-4000-8000-000000000002', Value: '€ "1" \\ \u0001 😀' },
            { Id: 'aaaaaaaa-0000-4000-8000-000000000001' },
            { Id: 'aaaaaaaa-0000-4000-8000-000000000001', Value: '' },
          ];
          const changed = seq === 65 ? [] : Items;
          updateRecord(store, record, {
            seq,
            value: { ...value, FieldValues: { Items: changed } },
            lists: ['FieldValues.Items'],
          });
        }
  });
  after(() => {
    for (const sandbox of sandboxes) sandbox.close();
    folder.remove();
  });

  /** What was read of rows one by one. */
  const oneByOne = ({ store }: Sandbox, record: RecordType, withFields: boolean): readonly unknown[] =>
    readWhere<typeof record>(store, record, {}).map((row) =>
      withFields ? { ...row.record, FieldValues: fieldValuesOf(store, record, row) } : row.record,
    );
  const seqsOf = ({ store }: Sandbox, record: RecordType): readonly number[] =>
    readWhere<typeof record>(store, record, {}).map(({ seq }) => seq);

  it('are those that are read one by one, with their field values and without, stored or made again', () => {
    for (const sandbox of sandboxes)
      for (const record of types)
        for (const withFields of [true, false]) {
          const seqs = seqsOf(sandbox, record);
          assert.ok(seqs.length > 100);
          const expected = oneByOne(sandbox, record, withFields);
          const found = recordsAt<typeof record>(sandbox.store, record, { seqs, withFields });
          assert.deepEqual(found, expected);
          const some = seqs.filter((seq) => seq % 7 === 1);
          const ofSome = recordsAt<typeof record>(sandbox.store, record, { seqs: some, withFields });
          assert.deepEqual(
            [...ofSome],
            expected.filter((_, at) => (seqs[at] ?? 0) % 7 === 1),
          );
        }
  });

  it('may be none', () => {
    for (const { store } of sandboxes)
      assert.deepEqual([...recordsAt(store, PvRelationData, { seqs: [], withFields: true })], []);
  });

  it('are not taken for others when a row is missing', () => {
    for (const { store } of sandboxes)
      for (const seqs of [
        [1, 5000],
        [5000, 5001],
        [3, 2],
      ]) {
        assert.throws(() => recordsAt(store, PvRelationData, { seqs, withFields: false }), {
          kind: 'bug',
          message: 'A row of PvRelationData is missing.',
        });
      }
  });

  it('may have long texts', () => {
    const [sandbox = assert.fail()] = sandboxes;
    const { store } = sandbox;
    const long = '😀'.repeat(300_000);
    const seqs = [10, 11, 12, 13, 14, 15];
    store.execute('BEGIN');
    try {
      for (const { seq, record } of readWhere(store, PvRelationData, { where: 'seq BETWEEN 10 AND 15' })) {
        const value = { ...record, Info: long, FieldValues: { Items: [{ Id: String(record.Id), Value: `"${seq}` }] } };
        updateRecord(store, PvRelationData, { seq, value, lists: ['FieldValues.Items'] });
      }
      const found = recordsAt(store, PvRelationData, { seqs, withFields: true });
      assert.deepEqual([...found], oneByOne(sandbox, PvRelationData, true).slice(9, 15));
      assert.equal(found[5]?.Info, long);
    } finally {
      store.execute('ROLLBACK');
    }
  });
});
