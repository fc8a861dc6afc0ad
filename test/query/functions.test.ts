import assert from 'node:assert/strict';
import { search } from '@jmespath-community/jmespath';
import fc from 'fast-check';
import { ownFunctions } from '../../src/query/functions.js';

/** A decimal of up to 28 digits, and the same as a whole number of units of its 28th digit behind the point. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.stringMatching(/^\d{0,14}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));

function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(28, '0'));
  return text.startsWith('-') ? -size : size;
}

describe('functions of expressions', () => {
  it('compare numbers by value, with all digits', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const expected: Readonly<Record<string, boolean>> = {
          gt: units(a) > units(b),
          ge: units(a) >= units(b),
          lt: units(a) < units(b),
          le: units(a) <= units(b),
          eq: units(a) === units(b),
        };
        for (const [name, is] of Object.entries(expected))
          assert.equal(search({ a, b }, `${name}(a, b)`), is, `${name}(${a}, ${b})`);
      }),
    );
  });

  for (const [expression, gives] of [
    ["eq('12.5', '12.50')", true],
    ["eq('12.5', `12.5`)", true],
    ["gt('9007199254740993', '9007199254740992')", true],
    ["before('2026-01-01', '2026-01-01T00:00:01')", true],
    ["after('2026-01-01T00:00:00+01:00', '2025-12-31T23:00:00Z')", false],
    ["before('2026-01-01T00:00:00+02:00', '2025-12-31T23:00:00Z')", true],
    ["fold('JOËLLE')", 'joelle'],
    ["total(['0.1', '0.2', `3`])", '3.3'],
    ["total(['1.10', `null`])", '1.10'],
    ["gt(`null`, '1')", null],
    ['length(`null`)', null],
    ['sort_by([{a: `2`}, {a: `1`}], &a)[0].a', 1],
    ['max(`null`)', null],
    ['type(`null`)', 'null'],
    ['to_string(`null`)', 'null'],
  ] as const)
    it(`give ${JSON.stringify(gives)} for ${expression}`, () => assert.deepEqual(search({}, expression), gives));

  it('group and merge under names that objects have by birth', () => {
    const records = [{ k: 'constructor' }, { k: '__proto__' }, { k: 'constructor' }];
    const groups = search(records, 'group_by(@, &k)') as Record<string, unknown>;
    assert.deepEqual(Object.entries(groups), [
      ['constructor', [records[0], records[2]]],
      ['__proto__', [records[1]]],
    ]);
    const merged = search({}, 'merge(`{"__proto__": 1, "a": 1}`, `{"a": 2}`)') as Record<string, unknown>;
    assert.deepEqual(Object.entries(merged), [
      ['__proto__', 1],
      ['a', 2],
    ]);
    assert.throws(() => search([{ k: 1 }], 'group_by(@, &k)'), /wants a text of each record/);
  });

  it('refuse to compare times of which one has no zone', () => {
    assert.throws(() => search({}, "before('2026-01-01', '2026-01-01T00:00:00Z')"), /only one has a time zone/);
  });

  it('each say their form and what they give', () => {
    for (const [name, { form, gives }] of Object.entries(ownFunctions)) {
      assert.ok(form.startsWith(`${name}(`));
      assert.notEqual(gives, '');
    }
  });
});
