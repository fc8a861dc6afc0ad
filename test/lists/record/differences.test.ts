import assert from 'node:assert/strict';
import { PvProductData_V2 } from '../../../src/contract/records/product.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { differences } from '../../../src/lists/record/differences.js';

const between = (from: RecordValue, to: RecordValue): readonly string[] =>
  differences({ fields: PvProductData_V2.fields, names: Object.keys({ ...from, ...to }) }, from, to).map(
    ({ name }) => name,
  );

describe('Differences of records', () => {
  const id = '0000ABCD-0060-4000-8000-000000000001';

  it('are none for spellings of the same value', () => {
    const from = { Id: id, SalesPrice: '12.5', Name: 'Lamp', Unit: null };
    assert.deepEqual(between(from, { Id: id.toLowerCase(), SalesPrice: '12.500', Name: 'Lamp' }), []);
  });

  it('are those of texts to the letter, and of numbers to the last digit', () => {
    const from = { Name: 'Lamp', Code: '1.0', SalesPrice: '12345678901234567890.1', Other: '1.0' };
    const to = { Name: 'lamp', Code: '1.00', SalesPrice: '12345678901234567890.2', Other: '1.00' };
    assert.deepEqual(between(from, to), ['Name', 'Code', 'SalesPrice', 'Other']);
    assert.deepEqual(between({ Name: '' }, { Name: null }), ['Name']);
  });
});
