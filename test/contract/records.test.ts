import assert from 'node:assert/strict';
import { records } from '../../src/contract/service.js';
import { recordsBesideTheDocument, recordsWithPresence, recordsWithoutPresence } from './expected-records.js';
import { entriesOf, spelled, withPresence } from './spelling.js';

/** Fields without a stated presence that services leave empty: an open activity, an item without parent. */
const emptiable: Readonly<Record<string, readonly string[]>> = {
  PvActivityAuditData: ['ClosedAt', 'ClosedByUser'],
  PvDatastoreItemDataWithParent_V2: ['ParentId'],
};

const derived = (record: string, entry: string): string => {
  const [name = '', type = ''] = entry.split(' ');
  return emptiable[record]?.includes(name) === true ? `${name} ${type} Nil` : withPresence(entry);
};

describe('records of the contract', () => {
  it('are those of the interface document and the two that it leaves open', () => {
    const expected = [...recordsWithPresence, ...recordsWithoutPresence, ...recordsBesideTheDocument];
    assert.deepEqual(Object.keys(records).sort(), expected.map(({ name }) => name).sort());
    for (const [key, { name }] of Object.entries(records)) assert.equal(name, key);
  });

  for (const { name, fields } of recordsWithPresence) {
    it(`give ${name} the fields, types and presence of the document, in its order`, () => {
      const record = records[name];
      assert.ok(record);
      assert.deepEqual(spelled(record.fields), entriesOf(fields));
      assert.equal(record.presence, 'documented');
    });
  }

  for (const { name, fields } of [...recordsWithoutPresence, ...recordsBesideTheDocument]) {
    it(`give ${name} the fields and types of the document; values are always there, texts and records may be absent`, () => {
      const record = records[name];
      assert.ok(record);
      assert.deepEqual(
        spelled(record.fields),
        entriesOf(fields).map((entry) => derived(name, entry)),
      );
      assert.equal(record.presence, 'assumed');
    });
  }

  it('keep the spellings that look like mistakes', () => {
    const names = Object.keys(records['PvRelationshipData']?.fields ?? {});
    for (const name of ['AddresStyle', 'Openening', 'OpeneningVariant', 'TittleId'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(Object.keys(records['TelephoneBookEntry']?.fields ?? {}), ['relation', 'TelephoneNumbers']);
  });
});
