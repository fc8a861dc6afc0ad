import type { Value } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  formOfType,
  guidNamespace,
  scalarForms,
  xsdNamespace,
  type TextualName,
} from '../../../src/soap/values/scalars.js';
import * as types from '../../../src/contract/scalars.js';
import { valueOf } from '../../support/soap/arbitraries.js';

const { anyType, ...textual } = types;
const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

describe('a scalar on the wire', () => {
  for (const type of Object.values(textual)) {
    it(`of type ${type.name} is read as it was written`, () => {
      const form = scalarForms[type.name];
      fc.assert(
        fc.property(valueOf(type, 'request'), (value) => {
          const text = form.write(value);
          assert.equal(typeof text, 'string');
          assert.deepEqual(form.read(text ?? ''), value);
        }),
      );
    });
  }

  it('is described in words that an error message can use', () => {
    for (const form of Object.values(scalarForms)) assert.match(form.words, /^(?:a |true or false)/);
    assert.equal(Object.keys(scalarForms).length + 1, Object.keys(types).length);
    assert.equal(anyType.name, 'anyType');
  });

  for (const [name, text, value] of [
    ['int', '+7', 7],
    ['int', '007', 7],
    ['int', '-0', 0],
    ['int', '2147483648', undefined],
    ['int', '7.0', undefined],
    ['int', '', undefined],
    ['short', '32768', undefined],
    ['long', '9223372036854775807', '9223372036854775807'],
    ['long', '9223372036854775808', undefined],
    ['long', '+007', '+007'],
    ['decimal', '12.50', '12.50'],
    ['decimal', '.5', '.5'],
    ['decimal', '1e3', undefined],
    ['boolean', '1', true],
    ['boolean', '0', false],
    ['boolean', 'True', undefined],
    ['guid', id.toUpperCase(), id.toUpperCase()],
    ['guid', `{${id}}`, undefined],
    ['dateTime', '2026-01-31T09:30:00.1234567+02:00', '2026-01-31T09:30:00.1234567+02:00'],
    ['dateTime', '2026-01-31', undefined],
    ['string', ' \r\n', ' \r\n'],
  ] as const satisfies readonly (readonly [TextualName, string, Value | undefined])[])
    it(`reads '${text}' as ${name}: ${value === undefined ? 'does not fit' : JSON.stringify(value)}`, () => {
      assert.deepEqual(scalarForms[name].read(text), value);
    });

  it('is never minus zero', () => assert.ok(Object.is(scalarForms.int.read('-0'), 0)));

  it('is not written from a value of another type', () => {
    const others: Readonly<Record<TextualName, readonly Value[]>> = {
      guid: ['', 'x', 1, null],
      string: [1, true, null, [], {}],
      int: ['1', 1.5, 2 ** 31, null],
      short: ['1', 40000],
      long: [1, '1.0'],
      decimal: [1.5, '1e3'],
      dateTime: ['', 0],
      boolean: ['true', 1],
    };
    for (const [name, values] of Object.entries(others))
      for (const value of values)
        assert.equal(
          new Map(Object.entries(scalarForms)).get(name)?.write(value),
          undefined,
          `${name} ${JSON.stringify(value)}`,
        );
  });
});

describe('a type named by xsi:type', () => {
  it('is found by namespace and name', () => {
    assert.equal(formOfType(xsdNamespace, 'int'), scalarForms.int);
    assert.equal(formOfType(xsdNamespace, 'string'), scalarForms.string);
    assert.equal(formOfType(guidNamespace, 'guid'), scalarForms.guid);
  });

  for (const [namespace, local] of [
    [xsdNamespace, 'guid'],
    [guidNamespace, 'int'],
    [xsdNamespace, 'double'],
    [xsdNamespace, 'toString'],
    [xsdNamespace, '__proto__'],
    [undefined, 'int'],
    ['', 'int'],
  ] as const)
    it(`is none that we read: ${local} in ${JSON.stringify(namespace)}`, () =>
      assert.equal(formOfType(namespace, local), undefined));
});
