import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { RecordType } from '../../../src/contract/build.js';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationshipData, PvRelationData } from '../../../src/contract/records/relation.js';
import { fillStore } from '../../../src/sandbox/dataset/fill.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { openOrCreate } from '../../../src/sandbox/store/create.js';
import { openStore } from '../../../src/sandbox/store/open.js';
import {
  countersOf,
  readPage,
  readWhere,
  recordsAt,
  updateRecord,
  seqsWhere,
  limitOf,
} from '../../../src/sandbox/store/records.js';
import { temporaryFolder, temporarySandbox } from '../../support/sandbox/temporary.js';

describe('Records of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(1200);
  });
  after(() => sandbox.close());

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

  it('in outline are read as those that are stored whole, among some that were changed', () => {
    const [whole, outline] = sandboxes;
    assert.ok(whole !== undefined && outline !== undefined);
    for (const record of types)
      for (const withFields of [false, true])
        for (let pageNumber = 1; pageNumber < 6; pageNumber += 1) {
          const page = { pageNumber, pageSize: 60, withFields };
          const expected: readonly unknown[] = readPage<typeof record>(whole.store, record, page);
          assert.deepEqual(readPage<typeof record>(outline.store, record, page), expected);
          if (pageNumber < 3) assert.equal(expected.length, 60);
        }
  });

  it('may be none', () => {
    for (const { store } of sandboxes)
      assert.deepEqual([...recordsAt(store, PvRelationData, { seqs: [], withFields: true })], []);
  });
});

describe('A page of a table', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(10);
  });
  after(() => sandbox.close());
  const seqs = (pageNumber: number, pageSize: number): readonly number[] =>
    seqsWhere(sandbox.store, PvRelationData, { limit: limitOf({ pageNumber, pageSize }) });

  it('counts no row that was deleted by hand, by whichever connection, also after others were read', () => {
    assert.deepEqual(
      [seqs(2, 4), seqs(3, 4)],
      [
        [5, 6, 7, 8],
        [9, 10],
      ],
    );
    const other = openStore(sandbox.store.file);
    other.statement('DELETE FROM "PvRelationData" WHERE seq IN (2, 5)').run();
    other.close();
    assert.deepEqual([seqs(1, 4), seqs(2, 4), seqs(3, 4)], [[1, 3, 4, 6], [7, 8, 9, 10], []]);
    sandbox.store.statement('DELETE FROM "PvRelationData" WHERE seq = 6').run();
    assert.deepEqual(
      [seqs(1, 4), seqs(2, 4)],
      [
        [1, 3, 4, 7],
        [8, 9, 10],
      ],
    );
  });
});
