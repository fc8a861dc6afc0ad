import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { readSettleBy } from '../../../src/profiles/settings/forms.js';

describe('What settles unknown rows', () => {
  it('is an operation for each write, its parameter and the way to its list', () => {
    assert.deepEqual(readSettleBy('A=B(c).D, E_1=F(g).H.I', 'settleBy'), [
      { write: 'A', read: 'B', parameter: 'c', list: ['D'] },
      { write: 'E_1', read: 'F', parameter: 'g', list: ['H', 'I'] },
    ]);
  });

  for (const text of [
    ...['', 'A', 'A=B', 'A=B(c)', 'A=B(c).', 'A=B(c)D', 'A=B().D', 'A=B(c).D,', 'A=B(c).D;E=F(g).H'],
    'A=B(c).D,A=C(d).E',
  ])
    it(`is not '${text}'`, () => {
      assert.throws(
        () => readSettleBy(text, '--settle-by'),
        (thrown) =>
          thrown instanceof RelctlError && thrown.kind === 'usage' && thrown.message.startsWith('--settle-by '),
      );
    });
});
