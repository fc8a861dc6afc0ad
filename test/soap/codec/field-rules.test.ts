import assert from 'node:assert/strict';
import {
  isDateField,
  typeComplaint,
  writeComplaint,
  type FieldDescription,
} from '../../../src/soap/codec/field-rules.js';

const field = (Type: string, more: Partial<FieldDescription> = {}): FieldDescription => ({ Name: 'x', Type, ...more });

describe('The description of a field', () => {
  const forms: Readonly<Record<string, { readonly fits: readonly string[]; readonly not: readonly string[] }>> = {
    Datetime: {
      fits: ['2026-01-31T09:30:00', '2026-01-31T09:30:00Z'],
      not: ['2026-01-31', 'now', '2026-02-29T00:00:00'],
    },
    Datetime2: { fits: ['2026-01-31T09:30:00.1234567+01:00'], not: ['x'] },
    Bit: { fits: ['true', 'False', '1', '0'], not: ['yes', '2', 'ja'] },
    Int: { fits: ['-2147483648', '007'], not: ['2147483648', '1.0', ''].slice(0, 2) },
    SmallInt: { fits: ['32767'], not: ['32768'] },
    BigInt: { fits: ['9223372036854775807'], not: ['9223372036854775808'] },
    Decimal: { fits: ['12.50', '-.5'], not: ['12,50', '1e3'] },
    Currency: { fits: ['0.0001'], not: ['€ 1', '1.000,00'] },
    Float: { fits: ['1.5'], not: ['NaN'] },
    UniqueIdentifier: { fits: ['00000000-0042-4000-8000-000000002401'], not: ['2401', '{x}'] },
    NVarChar: { fits: ['anything', '\u{1f35e}'], not: [] },
    SomethingNew: { fits: ['anything'], not: [] },
  };
  for (const [type, { fits, not }] of Object.entries(forms)) {
    it(`says which values fit ${type}`, () => {
      for (const value of fits) assert.equal(typeComplaint(field(type), value), undefined, value);
      for (const value of not) assert.equal(typeComplaint(field(type), value), `takes a ${type}, not '${value}'`);
    });
  }

  it('lets any field be empty, unless it is required and written', () => {
    assert.equal(typeComplaint(field('Int', { IsRequired: true }), ''), undefined);
    assert.equal(writeComplaint(field('Int'), ''), undefined);
    assert.equal(writeComplaint(field('Int', { IsRequired: true }), ''), 'is required');
  });

  it('counts the length as databases do: what lies outside the first plane is two characters', () => {
    const text = field('NVarChar', { Length: 4 });
    assert.equal(typeComplaint(text, 'abcd'), undefined);
    assert.equal(typeComplaint(text, 'abcde'), 'takes at most 4 characters');
    assert.equal(typeComplaint(text, '\u{1f35e}\u{1f35e}'), undefined);
    assert.equal(typeComplaint(text, '\u{1f35e}\u{1f35e}a'), 'takes at most 4 characters');
    assert.equal(typeComplaint(field('NVarChar', { Length: 0 }), 'x'.repeat(9999)), undefined);
    assert.equal(typeComplaint(field('NVarChar', { Length: -1 }), 'x'.repeat(9999)), undefined);
  });

  it('keeps fields that are read-only and labels from being written, and not from being searched for', () => {
    assert.equal(writeComplaint(field('NVarChar', { IsReadOnly: true }), 'x'), 'cannot be written');
    assert.match(writeComplaint(field('Label'), 'x') ?? '', /labels/);
    assert.equal(typeComplaint(field('NVarChar', { IsReadOnly: true }), 'x'), undefined);
  });

  it('shows what cannot be seen in a value that it refuses', () => {
    assert.doesNotMatch(typeComplaint(field('Int'), '1\u001b[2J') ?? '', /\u001b/);
  });

  it('knows fields that hold a moment', () => {
    assert.ok(isDateField(field('Datetime')) && isDateField(field('Datetime2')));
    assert.ok(!isDateField(field('NVarChar')) && !isDateField({}));
  });
});
