import assert from 'node:assert/strict';
import { isSameName, nameKey } from '../../../src/core/text/nearest.js';

describe('Names', () => {
  it('are the same in any form of their characters, but not in another case', () => {
    assert.ok(isSameName('Jo\u00eblle', 'Joe\u0308lle'));
    assert.ok(!isSameName('Jo\u00eblle', 'JO\u00cbLLE'));
    assert.ok(!isSameName('Jo\u00eblle', 'Joelle'));
  });

  it('have one key in any case', () => {
    assert.equal(nameKey('JOE\u0308LLE'), nameKey('jo\u00eblle'));
    assert.notEqual(nameKey('Joelle'), nameKey('Jo\u00eblle'));
  });
});
