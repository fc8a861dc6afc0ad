import type { RecordValue, Value } from '../../../src/core/values/value.js';
import fc from 'fast-check';
import type { Field, Fields, Operation, ScalarName, Type } from '../../../src/contract/build.js';
import { fullResult } from '../../../src/contract/walk.js';
import type { Direction } from '../../../src/soap/values/scalars.js';

const unsayable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const awkward = fc.constantFrom(
  ...['', ' ', '  x  ', '\r', '\r\n', '\n', '\t', '<', '&', '&amp;', '&#x1F;', '"', "'", ']]>', '<![CDATA[x]]>'],
  ...['<!--', '007', '12.50', '1e5', 'true', 'null', 'é', 'e\u0301', '\u0085', '\u2028', '\u00a0', '\ufeff'],
  ...['\ufffd', '😀', '\u{10ffff}', '__proto__'],
);

/** Text over all of Unicode that XML can carry. */
const carried: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.string({ unit: 'grapheme', maxLength: 6 }), awkward),
    { maxLength: 3 },
  )
  .map((parts) => parts.join('').replace(unsayable, ''));

/** Text as services send it: with control characters, which go as references. */
export const received: fc.Arbitrary<string> = fc
  .array(fc.oneof(carried, fc.constantFrom('\u001f', '\u0001', '\u000b', '\ufffe', '\uffff')), { maxLength: 3 })
  .map((parts) => parts.join(''));

const guid = fc.uuid().chain((text) => fc.constantFrom(text, text.toUpperCase()));

const decimal = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.bigInt({ min: 0n, max: 10n ** 28n }),
    fc.option(fc.nat(), { nil: undefined }),
  )
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}0`}`);

const dateTime = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }),
    fc.constantFrom('', '.1', '.1234567', '.000'),
    fc.constantFrom('', 'Z', '+02:00', '-05:30'),
  )
  .map(([date, fraction, zone]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`);

const tree: fc.Arbitrary<Value> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('Name', 'Count', 'é', '__proto__', 'toString'),
      fc.oneof(received, fc.boolean(), fc.integer(), fc.constant(null)),
    ),
    { minLength: 1, maxLength: 3, selector: ([name]) => name },
  )
  .map((entries) => Object.fromEntries<Value>(entries));

const scalars: Readonly<Record<Exclude<ScalarName, 'string'>, fc.Arbitrary<Value>>> = {
  guid,
  int: fc.integer(),
  short: fc.integer({ min: -32768, max: 32767 }),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  decimal,
  dateTime,
  boolean: fc.boolean(),
  anyType: fc.oneof(received, fc.boolean(), fc.integer(), tree),
};

const texts: Readonly<Record<Direction, fc.Arbitrary<string>>> = {
  request: carried,
  response: received,
  'bare-response': received,
};

/** Values of a type: for a request what may be sent, for a response what may come. */
export function valueOf(type: Type, direction: Direction): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'scalar':
      return type.name === 'string' ? texts[direction] : scalars[type.name];
    case 'enumeration':
      return fc.constantFrom(...type.values);
    case 'list': {
      const item = valueOf(type.item, direction);
      return fc.array(direction !== 'request' ? fc.option(item, { freq: 8 }) : item, { maxLength: 3 });
    }
    case 'record':
      return fieldsOf(type.fields, direction);
  }
}

const absent = Symbol('absent');

function memberOf(field: Field, direction: Direction): fc.Arbitrary<Value | typeof absent> {
  const value = valueOf(field.type, direction);
  if (field.presence === 'nil') return fc.option(value, { freq: 3 });
  const left = fc.constant<typeof absent>(absent);
  if (direction === 'request')
    return field.presence === 'req' ? value : fc.oneof({ weight: 2, arbitrary: value }, left);
  return fc.oneof({ weight: 6, arbitrary: value }, fc.constant(null), left);
}

/** Records over fields, in all three states as far as each may have them; keys in the order of the contract. */
export function fieldsOf(fields: Fields, direction: Direction): fc.Arbitrary<RecordValue> {
  const members = Object.entries(fields).map(([name, field]) =>
    memberOf(field, direction).map((value) => [name, value] as const),
  );
  return fc
    .tuple(...members)
    .map((found) =>
      Object.fromEntries(found.filter((entry): entry is readonly [string, Value] => entry[1] !== absent)),
    );
}

/** Parameters of an operation. */
export const inputOf = (operation: Operation): fc.Arbitrary<RecordValue> => fieldsOf(operation.parameters, 'request');

/** Members of a result that says neither that the call failed nor why. */
export function successOf(operation: Operation): fc.Arbitrary<RecordValue> {
  const { Result, ErrorInformation, ...rest } = fullResult(operation);
  const outcome = fc.constantFrom<RecordValue>({}, { Result: null }, { Result: { Succeeded: true, Number: 0 } });
  const information =
    ErrorInformation === undefined
      ? fc.constant({})
      : fc.constantFrom<RecordValue>(
          {},
          { ErrorInformation: null },
          { ErrorInformation: '' },
          { ErrorInformation: ' ' },
        );
  const parts = fc.tuple(Result === undefined ? fc.constant({}) : outcome, fieldsOf(rest, 'response'), information);
  return parts.map(([first, members, last]) => ({ ...first, ...members, ...last }));
}

/** The same record with its keys in another order, at every level. */
export function reversed(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reversed(each)]),
  );
}
