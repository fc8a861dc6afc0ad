import assert from 'node:assert/strict';
import type { EnumerationType } from '../../src/contract/build.js';
import { enumerations } from '../../src/contract/enumerations.js';
import { expectedEnumerations } from '../support/contract/expected-enumerations.js';

describe('enumerations of the contract', () => {
  it('are the twelve of the interface document, in its order', () => {
    assert.deepEqual(Object.keys(enumerations), Object.keys(expectedEnumerations));
    assert.equal(Object.keys(enumerations).length, 12);
  });

  for (const [name, values] of Object.entries(expectedEnumerations)) {
    it(`give ${name} exactly the values of the document`, () => {
      const type = Object.values<EnumerationType>(enumerations).find((one) => one.name === name);
      assert.ok(type);
      assert.deepEqual(type.values, values.split(', '));
      assert.equal(type.name, name);
    });
  }

  it('hold no value twice', () => {
    for (const { name, values } of Object.values(enumerations)) assert.equal(new Set(values).size, values.length, name);
  });
});
