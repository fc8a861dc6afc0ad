import type { RecordValue, Value } from '../../../src/core/values/value.js';
import fc from 'fast-check';
import type { Fields, Operation, ScalarName, Type } from '../../../src/contract/build.js';
import { emptyId, known } from '../../../src/sandbox/dataset/known.js';
import { valueOf } from '../soap/arbitraries.js';

/** Ids that stand for something in the sandbox, so that some requests come further than the first look-up. */
const knownIds = Object.values(known).filter((id) => typeof id === 'string');

const guids = [
  ...knownIds,
  emptyId,
  '',
  'x',
  '00000000-0000-4000-8000-00000000010',
  '00000000-0000-4000-8000-0000000001011',
  '{00000000-0000-4000-8000-000000000101}',
  '00000000000040008000000000000101',
  ' 00000000-0000-4000-8000-000000000101',
  '00000000-0000-4000-8000-00000000010g',
];
const wholes = [
  0,
  -0,
  1,
  -1,
  1.5,
  NaN,
  Infinity,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  32768,
  2 ** 53,
  '1',
];
const decimals = [
  '0',
  '-0',
  '.5',
  '5.',
  '+1.50',
  '1e3',
  '1,5',
  '',
  '.',
  '1.2.3',
  ' 1',
  '٣',
  '1_000',
  'NaN',
  1.5,
  '9'.repeat(40),
];
const dateTimes = [
  '2026-01-31T00:00:00',
  '2026-02-29T00:00:00',
  '2024-02-29T23:59:59.9999999Z',
  '2026-01-31T24:00:00',
  '2026-01-31T00:00:60',
  '2026-01-31',
  '2026-01-31T00:00',
  '2026-1-31T00:00:00',
  '0000-01-01T00:00:00',
  '-0001-01-01T00:00:00',
  '12026-01-01T00:00:00Z',
  '2026-01-31T00:00:00+14:00',
  '2026-01-31T00:00:00+14:01',
  '2026-01-31T00:00:00z',
  '2026-01-31 00:00:00',
  '9999-12-31T23:59:59.9999999',
];
const texts = [
  '',
  ' ',
  '\u0000',
  '\u001f',
  '\ufffe',
  '\ud800',
  '\udc00x',
  '\u{1f35e}',
  ']]>',
  '&#0;',
  '<a/>',
  '\r\n',
  '\u0085',
];

/** Values of scalars that are right, nearly right, or just wrong. */
export const edges: Readonly<Record<ScalarName, readonly Value[]>> = {
  guid: guids,
  string: texts,
  int: wholes,
  short: wholes,
  long: ['0', '9223372036854775807', '9223372036854775808', '-9223372036854775809', '1.0', '', 1],
  decimal: decimals,
  dateTime: dateTimes,
  boolean: [true, false, 'true', 1, 0, ''],
  anyType: texts,
};

/** Of any type, for a member that has another. */
const foreign: fc.Arbitrary<Value> = fc.constantFrom<Value>(null, '', 'x', 0, true, [], {}, [null], { Id: 'x' }, [{}]);

/** Right values, and now and then one that is nearly right. */
function nearly(type: Type): fc.Arbitrary<Value> {
  const wrong = { weight: 1, arbitrary: foreign };
  switch (type.kind) {
    case 'scalar':
      return fc.oneof(
        { weight: 20, arbitrary: type.name === 'guid' ? fc.constantFrom(...knownIds) : valueOf(type, 'request') },
        { weight: 4, arbitrary: fc.constantFrom(...edges[type.name]) },
        wrong,
      );
    case 'enumeration': {
      const [first = ''] = type.values;
      const close = [first.toLowerCase(), `${first} `, first.slice(1), ''];
      return fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...type.values) }, wrong, fc.constantFrom(...close));
    }
    case 'list':
      return fc.oneof({ weight: 20, arbitrary: fc.array(nearly(type.item), { maxLength: 3 }) }, wrong);
    case 'record':
      return fc.oneof({ weight: 30, arbitrary: members(type.fields) }, wrong);
  }
}

function members(fields: Fields): fc.Arbitrary<RecordValue> {
  const entries = Object.entries(fields);
  const optional = entries.filter(([, { presence }]) => presence === 'opt').map(([name]) => name);
  const given = fc.record(Object.fromEntries(entries.map(([name, { type }]) => [name, nearly(type)])));
  const names = entries.map(([name]) => name);
  const slips = fc.constantFrom<(value: Record<string, Value>) => RecordValue>(
    ...names.map(
      (name) =>
        (value: Record<string, Value>): RecordValue =>
          without(value, [name]),
    ),
    ...names.map((name) => (value: Record<string, Value>): RecordValue => ({ ...value, [name.toUpperCase()]: 'x' })),
    (value) => ({ ...value, toString: 'x' }),
  );
  return fc
    .tuple(given, fc.subarray(optional), fc.oneof({ weight: 11, arbitrary: fc.constant(null) }, slips))
    .map(([value, left, slip]) => (slip ?? ((each) => each))(without(value, left)));
}

const without = (value: Record<string, Value>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Input of an operation, most of it right. */
export const inputOf = (operation: Operation): fc.Arbitrary<RecordValue> => members(operation.parameters);

/** Text as somebody might type it for a value of a type: right, nearly right, or anything. */
export function typed(type: Type): fc.Arbitrary<string> {
  const right =
    type.kind === 'scalar' && type.name === 'guid' ? fc.constantFrom(...knownIds) : valueOf(type, 'request');
  const close = type.kind === 'scalar' ? edges[type.name] : ['', 'x'];
  const short = type.kind === 'enumeration' ? type.values.map((value) => value.slice(0, 3).toLowerCase()) : ['-1'];
  return fc
    .oneof(
      { weight: 6, arbitrary: right },
      { weight: 2, arbitrary: fc.constantFrom(...close) },
      fc.constantFrom(...short),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    .map(String);
}
