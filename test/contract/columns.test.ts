import assert from 'node:assert/strict';
import { cellIn, listAt } from '../../src/contract/columns.js';

describe('the cells of a record', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    it(`are null for an absent member ${name}, which every object has by birth`, () => {
      const column = { name, path: [name], type: 'string', sql: 'TEXT' } as const;
      assert.equal(cellIn({}, column), null);
      assert.equal(cellIn({ Home: {} }, { ...column, path: ['Home', name] }), null);
      assert.deepEqual(listAt({}, [name]), []);
    });
  }
});
