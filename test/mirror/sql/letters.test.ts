import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { refuseLetters } from '../../../src/mirror/sql/comparisons.js';
import { statementOf } from '../../../src/mirror/sql/statement.js';

const names = new Set(['price', 'cost']);

/** The statement that was probably meant; undefined for one that is taken. */
function meant(text: string): string | undefined {
  try {
    refuseLetters(statementOf({ path: 'QUERY', text }), names);
    return undefined;
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError && thrown.kind === 'usage');
    return thrown.correction?.meant;
  }
}

const number = 'CAST(Price AS REAL)';

const refused: readonly (readonly [text: string, meant: string])[] = [
  ['SELECT 1 FROM p WHERE Price > 5', `SELECT 1 FROM p WHERE ${number} > 5`],
  ["SELECT 1 FROM p WHERE Price <= '5'", `SELECT 1 FROM p WHERE ${number} <= '5'`],
  ['SELECT 1 FROM p WHERE 5 < p.Price', 'SELECT 1 FROM p WHERE 5 < CAST(p.Price AS REAL)'],
  ['SELECT 1 FROM p WHERE "Price" BETWEEN 1 AND 2', 'SELECT 1 FROM p WHERE CAST("Price" AS REAL) BETWEEN 1 AND 2'],
  ['SELECT 1 FROM p WHERE Price NOT BETWEEN 1 AND 2', `SELECT 1 FROM p WHERE ${number} NOT BETWEEN 1 AND 2`],
  ['SELECT 1 FROM p WHERE Price = 5', `SELECT 1 FROM p WHERE ${number} = 5`],
  ['SELECT 1 FROM p WHERE -5 <> Price', `SELECT 1 FROM p WHERE -5 <> ${number}`],
  ['SELECT 1 FROM p WHERE Price IN (5, 6)', `SELECT 1 FROM p WHERE ${number} IN (5, 6)`],
  ['SELECT 1 FROM p WHERE Price NOT IN (-5)', `SELECT 1 FROM p WHERE ${number} NOT IN (-5)`],
  ['SELECT * FROM p ORDER BY Price', `SELECT * FROM p ORDER BY ${number}`],
  [
    'SELECT * FROM p ORDER BY lower(Name), price DESC LIMIT 3',
    'SELECT * FROM p ORDER BY lower(Name), CAST(price AS REAL) DESC LIMIT 3',
  ],
  ['SELECT max(Price) FROM p', `SELECT max(${number}) FROM p`],
  ['SELECT row_number() OVER (ORDER BY Price) FROM p', `SELECT row_number() OVER (ORDER BY ${number}) FROM p`],
  ['SELECT 1 FROM p WHERE Price > Cost', `SELECT 1 FROM p WHERE ${number} > Cost`],
];

const taken = [
  'SELECT Price FROM p',
  "SELECT 1 FROM p WHERE Price = '5.00' OR Price IN ('1', '2')",
  'SELECT 1 FROM p WHERE Price IS NULL',
  `SELECT 1 FROM p WHERE ${number} > 5 ORDER BY ${number}`,
  'SELECT 1 FROM p WHERE Price * 1 > 5 AND 5 < Price + 0 AND 1 * Price > 5',
  `SELECT ${number} AS Price FROM p ORDER BY Price`,
  'SELECT sum(Price), count(Price), min(Price, 5) FROM p GROUP BY Name, Price',
  'SELECT Name, Price FROM p ORDER BY Name',
  "SELECT 'Price > 5' FROM p",
  'SELECT Name FROM p ORDER BY Name LIMIT 5, Price',
  'SELECT * FROM (SELECT Name FROM p ORDER BY Name), Price',
];

describe('Numbers that are text', () => {
  for (const [text, expected] of refused) {
    it(`are not taken by their letters: ${text}`, () => assert.equal(meant(text), expected));
  }
  for (const text of taken) {
    it(`are left alone: ${text}`, () => assert.equal(meant(text), undefined));
  }
});
