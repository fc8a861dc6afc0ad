import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordType } from '../../../src/contract/build.js';
import { records } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import type { RecordValue, Value } from '../../../src/plain/value.js';
import { compileExpression, type Expression } from '../../../src/query/expression.js';
import { filtersOf } from '../../support/query/filters.js';
import { valueOf } from '../../support/soap/arbitraries.js';

function typeNamed(name: string): RecordType {
  const type = records[name];
  assert.ok(type, name);
  return type;
}

const compiled = (text: string, type: RecordType): Expression =>
  compileExpression({ path: '--filter', text }, { type });

describe('The members that an expression looks at', () => {
  for (const [text, members] of [
    ["contains(fold(DisplayName), 'muller')", ['DisplayName']],
    ['IsInactive', ['IsInactive']],
    ["!IsInactive && ImportKey == 'IMP-7' || starts_with(Info, 'x')", ['IsInactive', 'ImportKey', 'Info']],
    ["contains(['a', 'b'], ImportKey)", ['ImportKey']],
    ['IsRoot ? Info : not_null(SortingName, Id)', ['IsRoot', 'Info', 'SortingName', 'Id']],
    ['FieldValues.Items', ['FieldValues', 'Items']],
    ['`true`', []],
    ['@.Info', undefined],
    ['$.Info', undefined],
    ['*', undefined],
    ['length(keys(@)) > `3`', undefined],
    ["Info | contains(@, 'x')", undefined],
    ['let $name = Info in $name', undefined],
  ] as const)
    it(`of ${text} are ${members === undefined ? 'not known' : members.join(', ')}`, () => {
      const found = compiled(text, typeNamed('PvRelationData')).members;
      assert.deepEqual(found && [...found].sort(), members && [...members].sort());
    });

  for (const name of ['PvRelationData', 'PvRelationshipData', 'PvProductData', 'PvActivityData'])
    it(`are all that it needs of a ${name}`, () => {
      const type = typeNamed(name);
      let cut = 0;
      const outcome = ({ of }: Expression, record: RecordValue): Value => {
        try {
          return of(record);
        } catch (thrown) {
          assert.ok(thrown instanceof RelctlError);
          return thrown.message;
        }
      };
      fc.assert(
        fc.property(filtersOf(type), valueOf(type, 'response'), (text, given) => {
          const expression = compiled(text, type);
          const { members } = expression;
          const record = given as RecordValue;
          if (members === undefined) return;
          cut += 1;
          const some = Object.fromEntries(Object.entries(record).filter(([member]) => members.has(member)));
          assert.deepEqual(outcome(expression, some), outcome(expression, record));
        }),
        { numRuns: 300 },
      );
      assert.ok(cut > 50, `only ${cut} expressions look at some members`);
    });
});
