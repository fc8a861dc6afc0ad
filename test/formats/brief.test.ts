import type { Value } from '../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { briefParts, joinedParts } from '../../src/formats/columns.js';

describe('The brief text of a value', () => {
  const cases: readonly (readonly [string, Value | undefined, string])[] = [
    ['a scalar as it is', '12.50', '12.50'],
    ['nothing for what is absent or nil', null, ''],
    ['a record as JSON', { Id: '1' }, '{"Id":"1"}'],
    ['scalars of a list behind each other', ['a', 2, true], 'a; 2; true'],
    ['nothing for an empty list', [], ''],
    [
      'numbers under their names',
      [
        { Id: 'i', Type: 'Phone', Name: 'Telefoon', Value: '0900 - 0555' },
        { Id: 'j', Type: 'Phone', Name: null, Value: '(010) 555 01 98' },
      ],
      'Telefoon: 0900 - 0555; Phone: (010) 555 01 98',
    ],
    ['counters under their type', [{ TabPageType: 'Lines', Value: 3 }], 'Lines: 3'],
    ['fields under their Id when they have nothing else', [{ Id: 'f', Value: 'x' }], 'f: x'],
    ['a Value alone as it is', [{ Value: 'x' }], 'x'],
    ['records without a scalar Value as JSON', [{ Name: 'a', Value: null }, null], '{"Name":"a","Value":null}; '],
  ];
  for (const [what, value, text] of cases) it(`is ${what}`, () => assert.equal(joinedParts(briefParts(value)), text));
});
