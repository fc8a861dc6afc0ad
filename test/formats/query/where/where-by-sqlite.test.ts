import assert from 'node:assert/strict';
import fc from 'fast-check';
import Driver from 'libsql';
import { enumeration, opt, recordWithoutPresence } from '../../../../src/contract/build.js';
import { boolean, dateTime, decimal, guid, int, long, string } from '../../../../src/contract/scalars.js';
import { defined, type RecordValue } from '../../../../src/core/values/value.js';
import { whereOf } from '../../../../src/formats/query/where/where.js';
import { valuesOf } from '../../../support/thrown.js';

const { constantFrom, integer, oneof, record, tuple } = fc;

const Colour = enumeration('Colour', 'A colour.', ['Red', 'Green', 'Blue']);
const Inner = recordWithoutPresence('Inner', 'A part.', { Text: opt(string, 'A text.') });
const type = recordWithoutPresence('Row', 'A row.', {
  Id: opt(int, 'Number of the row.'),
  Name: opt(string, 'A text.'),
  Plain: opt(string, 'A text in ASCII.'),
  Price: opt(decimal, 'A decimal.'),
  Long: opt(long, 'A long.'),
  Count: opt(int, 'An int.'),
  IsOn: opt(boolean, 'A boolean.'),
  At: opt(dateTime, 'A time.'),
  Key: opt(guid, 'A GUID.'),
  Colour: opt(Colour, 'A colour.'),
  Inner: opt(Inner, 'A part.'),
});

/** A value in the forms that the record has it in, and as SQLite stores it. */
interface Both {
  readonly value: RecordValue[string] | undefined;
  readonly stored: string | bigint | null;
}

const letters = [
  ...['', 'a', 'A', 'b', 'ab', 'aB%', 'a_b', 'é', 'É', 'Zoë', '10', '9', "it's", '\u{1f600}', '\uffee', 'a\nb'],
  'abab',
];
const plain = ['', 'a', 'A', 'b', 'AB', 'ab', 'Veen', 'VEEN', 'veen 12'];
const guids = ['a0000000-0000-0000-0000-000000000001', 'b0000000-0000-0000-0000-000000000002'];

/** Times, with milliseconds of their instants: those without a zone are on the clock of Amsterdam. */
const times: readonly (readonly [text: string, instant: string])[] = [
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T10:30:00+01:00', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T10:30:00', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T10:30:00.250', '2026-01-31T09:30:00.250Z'],
  ['2026-07-31T10:30:00', '2026-07-31T08:30:00.000Z'],
  ['2026-07-31T10:30:00-05:00', '2026-07-31T15:30:00.000Z'],
  ['2026-03-29T04:00:00', '2026-03-29T02:00:00.000Z'],
  ['2026-03-29T01:00:00', '2026-03-29T00:00:00.000Z'],
  ['2026-10-25T12:00:00', '2026-10-25T11:00:00.000Z'],
];
const msOf = (instant: string): bigint => BigInt(Date.parse(instant));

const absent: readonly Both[] = [
  { value: undefined, stored: null },
  { value: null, stored: null },
];

const maybe = (some: fc.Arbitrary<Both>): fc.Arbitrary<Both> =>
  oneof({ weight: 4, arbitrary: some }, constantFrom(...absent));

const textOf = (all: readonly string[]): fc.Arbitrary<Both> =>
  maybe(constantFrom(...all).map((value) => ({ value, stored: value })));

/** A number of thousandths as a decimal, with more zeros than it needs. */
const decimalOf = (units: bigint, zeros: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(4, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}${'0'.repeat(zeros)}`;
};
const bigUnits = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
const units = oneof(constantFrom(0n, 1n, -1n, 1000n, 12_500n, 999n, 10n ** 17n, 10n ** 17n + 1n), bigUnits);
const longs = oneof(constantFrom(0n, 9n, 10n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n) + 1n, 2n ** 63n - 1n), bigUnits);

const values = {
  Name: textOf(letters),
  Plain: textOf(plain),
  Price: maybe(
    tuple(units, integer({ min: 0, max: 3 })).map(([of, zeros]) => ({ value: decimalOf(of, zeros), stored: of })),
  ),
  Long: maybe(longs.map((of) => ({ value: String(of), stored: of }))),
  Count: maybe(integer({ min: -3, max: 12 }).map((value) => ({ value, stored: BigInt(value) }))),
  IsOn: maybe(fc.boolean().map((value) => ({ value, stored: BigInt(value) }))),
  At: maybe(constantFrom(...times).map(([value, instant]) => ({ value, stored: msOf(instant) }))),
  Key: maybe(
    constantFrom(...guids, ...guids.map((each) => each.toUpperCase())).map((value) => ({
      value,
      stored: value.toLowerCase(),
    })),
  ),
  Colour: textOf(Colour.values),
  Inner: textOf(letters),
};

type Row = Readonly<Record<keyof typeof values, Both>>;

/** A condition as --where takes it, and what SQLite is asked. */
type Condition = readonly [where: string, sql: string];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const same = (text: string): Condition => [text, text];
const order = constantFrom('=', '==', '<>', '!=', '<', '<=', '>', '>=');
const equality = constantFrom('=', '==', '<>', '!=');

/** A literal of each kind, in both forms. */
const literals = {
  Name: constantFrom(...letters).map((text) => same(quoted(text))),
  Price: tuple(units, integer({ min: 0, max: 3 })).map(([of, zeros]): Condition => [decimalOf(of, zeros), String(of)]),
  Long: longs.map((of) => same(String(of))),
  Count: integer({ min: -3, max: 12 }).map((of) => same(String(of))),
  At: constantFrom(...times).map(([text, instant]): Condition => [
    quoted(text.replace('T', text.endsWith('0') ? ' ' : 'T')),
    String(msOf(instant)),
  ]),
  Key: tuple(
    constantFrom(...guids),
    constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `{${text.toUpperCase()}}`,
      (text) => text.replaceAll('-', ''),
    ),
  ).map(([text, form]): Condition => [quoted(form(text)), quoted(text)]),
  Colour: constantFrom(...Colour.values).map((text) => same(quoted(text))),
  Plain: constantFrom(...plain).map((text) => same(quoted(text.toLowerCase()))),
  IsOn: constantFrom('true', 'false', 'TRUE').map(same),
};

type Column = keyof typeof literals;

/** A column as both name it. */
const named = (column: Column): Condition => (column === 'Plain' ? ['fold(Plain)', 'lower(Plain)'] : same(column));
const ordered: readonly Column[] = ['Name', 'Price', 'Long', 'Count', 'At', 'Plain'];
const columns = Object.keys(literals) as Column[];

const compared = constantFrom(...columns).chain((column) =>
  tuple(ordered.includes(column) ? order : equality, literals[column], fc.boolean()).map(
    ([sign, [where, sql], isTurned]): Condition => {
      const [left, right] = named(column);
      return isTurned
        ? [`${where} ${sign} ${left}`, `${sql} ${sign} ${right}`]
        : [`${left} ${sign} ${where}`, `${right} ${sign} ${sql}`];
    },
  ),
);

const listed = constantFrom(...columns).chain((column) =>
  tuple(fc.array(literals[column], { minLength: 1, maxLength: 4 }), constantFrom('in', 'not in')).map(
    ([all, word]): Condition => {
      const [left, right] = named(column);
      return [
        `${left} ${word} (${all.map(([where]) => where).join(', ')})`,
        `${right} ${word} (${all.map(([, sql]) => sql).join(', ')})`,
      ];
    },
  ),
);

const between = constantFrom(...ordered).chain((column) =>
  tuple(literals[column], literals[column], constantFrom('between', 'not between')).map(
    ([low, high, word]): Condition => {
      const [left, right] = named(column);
      return [`${left} ${word} ${low[0]} and ${high[0]}`, `${right} ${word} ${low[1]} and ${high[1]}`];
    },
  ),
);

const patternPart = constantFrom(
  '%',
  '_',
  'a',
  'A',
  'b',
  'É',
  'é',
  '!%',
  '!_',
  '!!',
  '.',
  '*',
  '\u{1f600}',
  '%%',
  ' ',
  '1',
);
const alike = tuple(
  constantFrom('Name', 'Inner.Text', 'Colour', 'Plain'),
  fc.array(patternPart, { maxLength: 6 }),
  constantFrom('like', 'not like'),
  fc.boolean(),
).map(([name, parts, word, hasEscape]): Condition => {
  const pattern = parts.join('');
  const end = hasEscape ? " escape '!'" : '';
  const column = name === 'Inner.Text' ? '"Inner.Text"' : name;
  return [`${name} ${word} ${quoted(pattern)}${end}`, `${column} ${word} ${quoted(pattern)}${end}`];
});

const nulls = tuple(
  constantFrom(...columns, 'Inner.Text'),
  constantFrom('is null', 'is not null', 'isnull', 'notnull'),
).map(([name, word]): Condition => [`${name} ${word}`, `${name === 'Inner.Text' ? '"Inner.Text"' : name} ${word}`]);

const pairs = constantFrom(
  same('Price > Price'),
  same('Long >= Count'),
  same('Name = Plain'),
  same('Plain <> Colour'),
  same('IsOn = IsOn'),
  same('Count < Long'),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: oneof(
    { depthSize: 'medium', withCrossShrink: true },
    oneof(
      compared,
      compared,
      listed,
      between,
      alike,
      nulls,
      pairs,
      constantFrom(same('IsOn'), same('not IsOn'), same('true')),
    ),
    tie('condition').map(([where, sql]): Condition => [`not (${where})`, `not (${sql})`]),
    tuple(tie('condition'), constantFrom('and', 'or', 'AND', 'Or'), tie('condition')).map(
      ([[a, aSql], word, [b, bSql]]): Condition => [`${a} ${word} ${b}`, `${aSql} ${word} ${bSql}`],
    ),
    tuple(tie('condition'), constantFrom('and', 'or'), tie('condition')).map(
      ([[a, aSql], word, [b, bSql]]): Condition => [`(${a}) ${word} (${b})`, `(${aSql}) ${word} (${bSql})`],
    ),
    tie('condition').map(([where, sql]): Condition => [`not ${where}`, `not ${sql}`]),
  ),
}));

const stored = ['Name', 'Plain', 'Price', 'Long', 'Count', 'IsOn', 'At', 'Key', 'Colour', 'Inner'] as const;

interface OpenDriver {
  exec(sql: string): unknown;
  prepare(sql: string): { run(...values: unknown[]): unknown; raw(): { all(): readonly (readonly unknown[])[] } };
  close(): unknown;
}

function recordOf(row: Row, id: number): RecordValue {
  const { Inner: inner, ...own } = row;
  const members = Object.fromEntries(Object.entries(own).map(([name, { value }]) => [name, value]));
  return {
    Id: id,
    ...defined(members),
    ...(inner.value === undefined ? {} : { Inner: { Text: inner.value } }),
  };
}

describe('--where', () => {
  it('keeps the records that SQLite keeps, for any condition', () => {
    const driver = new Driver(':memory:') as unknown as OpenDriver;
    driver.exec(
      'CREATE TABLE rows (Id INTEGER, Name TEXT, Plain TEXT, Price INTEGER, Long INTEGER, Count INTEGER, IsOn INTEGER, ' +
        'At INTEGER, Key TEXT, Colour TEXT, "Inner.Text" TEXT)',
    );
    const insert = driver.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    try {
      fc.assert(
        fc.property(fc.array(record(values), { maxLength: 12 }), condition, (rows, [text, sql]) => {
          driver.exec('DELETE FROM rows');
          for (const [at, row] of rows.entries()) insert.run(BigInt(at), ...stored.map((name) => row[name].stored));
          const expected = driver
            .prepare(`SELECT Id FROM rows WHERE ${sql} ORDER BY Id`)
            .raw()
            .all()
            .map(([id]) => Number(id));
          const { keeps, looksAt } = whereOf(text, { type, zone: 'Europe/Amsterdam' });
          const records = rows.map(recordOf);
          assert.deepEqual(valuesOf(records.filter(keeps), 'Id'), expected, sql);
          const picked = records.map((each) =>
            Object.fromEntries(Object.entries(each).filter(([name]) => name === 'Id' || looksAt.has(name))),
          );
          assert.deepEqual(valuesOf(picked.filter(keeps), 'Id'), expected, 'by the members that it looks at');
        }),
        { numRuns: 1500 },
      );
    } finally {
      driver.close();
    }
  });
});
