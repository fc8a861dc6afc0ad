import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openSorting, orderBy } from '../../../src/formats/query/sorting.js';
import type { RecordValue, Value } from '../../../src/core/values/value.js';
import type { RecordType } from '../../../src/contract/build.js';
import { typeNamed } from './type-named.js';

const product = typeNamed('PvProductData');
const order = orderBy(['SalesPrice:desc'], product);

const rows: readonly RecordValue[] = Array.from({ length: 3000 }, (_, index) => ({
  Id: String(index),
  Name: `Naam\n${index} \ud800`,
  SalesPrice: index % 7 === 0 ? null : `${(index * 7919) % 50}`,
}));

/** By counting: the rows of each price, highest first, as they came. */
function expected(): readonly RecordValue[] {
  const prices = Array.from({ length: 50 }, (_, index) => String(49 - index));
  return [...prices, null].flatMap((price) => rows.filter((row) => row['SalesPrice'] === price));
}

describe('sorting', () => {
  for (const [where, most] of [
    ['in memory', 1e9],
    ['in a few files', 50_000],
    ['in more files than are open at once', 300],
  ] as const)
    it(`gives the records in their order, equal ones as they came: ${where}`, () => {
      const sorting = openSorting(order, most);
      for (let at = 0; at < rows.length; at += 100) sorting.add(rows.slice(at, at + 100));
      assert.deepEqual([...sorting.sorted()], expected());
      sorting.close();
    });

  it('gives long records as they were added, from files, among short ones', () => {
    const long = 'é€"\\\n\ud800'.repeat(20_000);
    const some = rows.slice(0, 200).map((row, at) => (at % 9 === 0 ? { ...row, Name: `${at} ${long}` } : row));
    const prices = [...new Set(some.map(({ SalesPrice }) => SalesPrice))].filter((price) => price !== null);
    const inOrder = [...prices.sort((left, right) => Number(right) - Number(left)), null];
    for (const most of [100_000, 1_000_000]) {
      const sorting = openSorting(order, most);
      sorting.add(some);
      assert.deepEqual(
        [...sorting.sorted()],
        inOrder.flatMap((price) => some.filter(({ SalesPrice }) => SalesPrice === price)),
      );
      sorting.close();
    }
  });

  it('of nothing gives nothing', () => {
    const sorting = openSorting(order);
    assert.deepEqual([...sorting.sorted()], []);
    sorting.close();
  });
});

/** The values of a column in the order that words say. */
function sorted(words: string, [name, values]: readonly [string, readonly Value[]], type: string): readonly Value[] {
  const order = orderBy(words.split(','), typeNamed(type));
  const rows: RecordValue[] = values.map((value) => ({ [name]: value }));
  return rows
    .sort((left, right) => order.compare(order.keyOf(left), order.keyOf(right)))
    .map((row) => row[name] ?? null);
}

describe('order', () => {
  it('is that of the values of numbers, with all digits', () => {
    const prices = ['10', '9.5', '-1', '9.50', null, '12345678901234567890.1', '12345678901234567890.05', 'many'];
    assert.deepEqual(sorted('SalesPrice', ['SalesPrice', prices], 'PvProductData'), [
      '-1',
      '9.5',
      '9.50',
      '10',
      '12345678901234567890.05',
      '12345678901234567890.1',
      'many',
      null,
    ]);
  });

  it('of a name with a sign says how the direction is written', () => {
    for (const [given, meant] of [
      ['-SalesPrice', 'SalesPrice:desc'],
      ['+SalesPrice', 'SalesPrice:asc'],
    ] as const)
      assert.throws(() => orderBy(['Name', given], typeNamed('PvProductData')), {
        kind: 'usage',
        correction: { given, meant },
      });
  });

  it('has what has no value last in either direction', () => {
    assert.deepEqual(sorted('SalesPrice:desc', ['SalesPrice', [null, '1', '2']], 'PvProductData'), ['2', '1', null]);
    assert.deepEqual(sorted('salesprice:DESC', ['SalesPrice', [null, '1', '2']], 'PvProductData'), ['2', '1', null]);
    assert.deepEqual(sorted('SalesPrice:asc', ['SalesPrice', [null, '2', '1']], 'PvProductData'), ['1', '2', null]);
  });

  it('is that of instants, to the last digit', () => {
    const type: RecordType = typeNamed('PvAuditData');
    const [name] =
      Object.entries(type.fields).find(([, field]) => field.type.kind === 'scalar' && field.type.name === 'dateTime') ??
      [];
    assert.ok(name);
    const times = ['2026-01-01T00:00:00.0000002Z', '2026-01-01T00:30:00+01:00', '2026-01-01T00:00:00.0000001Z'];
    assert.deepEqual(sorted(name, [name, times], 'PvAuditData'), [times[1], times[2], times[0]]);
  });

  it('of texts looks at case and accents last, and at no locale', () => {
    const names = ['zon', 'Émile', 'emile', 'Zon', 'ijs', 'Emiel', 'Äpfel', 'apfel'];
    assert.deepEqual(sorted('DisplayName', ['DisplayName', names], 'PvRelationData'), [
      'apfel',
      'Äpfel',
      'Emiel',
      'emile',
      'Émile',
      'ijs',
      'Zon',
      'zon',
    ]);
  });

  it('by several columns asks the next one where the first is equal, and keeps equal ones as they came', () => {
    const order = orderBy(['IsRoot:desc', 'DisplayName'], typeNamed('PvRelationData'));
    const rows = [
      { Id: '1', IsRoot: false, DisplayName: 'a' },
      { Id: '2', IsRoot: true, DisplayName: 'b' },
      { Id: '3', IsRoot: true, DisplayName: 'a' },
      { Id: '4', IsRoot: true, DisplayName: 'a' },
    ];
    const ids = rows.sort((a, b) => order.compare(order.keyOf(a), order.keyOf(b))).map(({ Id }) => Id);
    assert.deepEqual(ids, ['3', '4', '2', '1']);
  });

  it('is one: no three values are in a circle', () => {
    const order = orderBy(['SalesPrice'], typeNamed('PvProductData'));
    const value = fc.oneof(
      fc.constantFrom('1', '1.0', '01', '+1', '', 'x', '1e5'),
      fc.constant(null),
      fc.bigInt().map(String),
    );
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const [x, y, z] = [a, b, c].map((each) => order.keyOf({ SalesPrice: each })) as [never, never, never];
        assert.equal(Math.sign(order.compare(x, y)) + Math.sign(order.compare(y, x)), 0);
        if (order.compare(x, y) <= 0 && order.compare(y, z) <= 0) assert.ok(order.compare(x, z) <= 0);
      }),
    );
  });

  it('names what cannot be sorted by', () => {
    const type = typeNamed('PvRelationData');
    assert.throws(() => orderBy(['DisplayName:down'], type), /directions are asc and desc/);
    assert.throws(() => orderBy(['FieldValues.Items'], type), /FieldValues.Items is a list/);
    assert.throws(() => orderBy(['Nope'], type), /no column 'Nope'/);
  });
});
