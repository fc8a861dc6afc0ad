import assert from 'node:assert/strict';
import type { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { withGuids } from '../../../src/mirror/sql/comparisons.js';
import { statementOf } from '../../../src/mirror/sql/statement.js';

const guid = '0a1b2c3d-0000-4000-8000-00000000000f';
const braced = `{${guid}}`;
const names = new Set(['id', 'parentrelationid', '_owner']);
const statement = (condition: string) => statementOf({ path: 'QUERY', text: `SELECT x FROM t r WHERE ${condition}` });

describe('GUIDs of another form in a statement', () => {
  const compared = [
    `Id = ('${braced}')`,
    `((r.Id)) = '${braced}'`,
    `'${guid.replaceAll('-', '')}' == r.Id`,
    `(Id, Code) = ('${braced}', 'x')`,
    `('x', ('${braced}')) = (Code, r.ParentRelationId)`,
    `Id IN ('x', '${braced}')`,
    `Id IN (('${braced}'))`,
    `Id NOT IN (VALUES ('x'), ('${braced}'))`,
    `(r.Id, Code) IN (VALUES ('x', 'y'), ('${braced}', 'z'))`,
    `(Code, Id) IN (('x', '${braced}'))`,
    `Id BETWEEN '${braced}' AND 'x'`,
    `Id NOT BETWEEN 'x' AND ('${braced}') OR Code = 'y'`,
    `Id IS NOT '${braced}'`,
    `Id NOT LIKE '${braced}'`,
    `Code IN (SELECT 'y' FROM u WHERE _owner > '${braced}')`,
  ];
  for (const condition of compared)
    it(`is refused with its place in ${condition}`, () => {
      const given = statement(condition);
      assert.throws(
        () => withGuids(given, {}, names),
        (error: RelctlError) => {
          const meant = error.correction?.meant ?? '';
          assert.equal(error.kind, 'usage');
          assert.equal(meant, given.text.replace(/'(?:\{[^']*\}|0a1b2c3d0[0-9a-f]*)'/, `'${guid}'`));
          return true;
        },
      );
      const named = given.text.replace(/'(?:\{[^']*\}|0a1b2c3d0[0-9a-f]*)'/, ':id');
      const asked = statementOf({ path: 'QUERY', text: named });
      assert.deepEqual(withGuids(asked, { id: braced }, names), { id: guid });
    });

  for (const condition of [
    `Code = '${braced}'`,
    `Id = '${braced}' || ''`,
    `Id = f('${braced}')`,
    `f(Id) = '${braced}'`,
    `'x' || Id = '${braced}'`,
    `Id IN (SELECT Id FROM t WHERE Code = '${braced}')`,
    `Id IN (SELECT '${braced}')`,
    `(Id, Code) = ('${guid}', '${braced}')`,
    `Id = 'x' AND '${braced}' = Code`,
    `Id = '${guid}'`,
  ])
    it(`stays as it is in ${condition}`, () => {
      const parameters = { id: braced };
      assert.deepEqual(withGuids(statement(condition), {}, names), {});
      const named = statement(condition.replace(`'${braced}'`, ':id'));
      assert.deepEqual(withGuids(named, parameters, names), parameters);
    });

  it('is not looked at in a column that only has the name of one', () => {
    const given = statementOf({ path: 'QUERY', text: `SELECT Code AS Id FROM t WHERE Id = '${braced}'` });
    assert.deepEqual(withGuids(given, {}, names), {});
    const same = statementOf({ path: 'QUERY', text: `SELECT r.Id AS Id FROM t r WHERE r.Id = '${braced}'` });
    assert.throws(() => withGuids(same, {}, names), /has GUIDs/);
  });

  it('is refused in a parameter that stands elsewhere too, and not where only its presence is asked', () => {
    const text = 'SELECT Id FROM t WHERE Id = :id OR Code = :id';
    assert.throws(
      () => withGuids(statementOf({ path: 'QUERY', text }), { id: braced }, names),
      (error: RelctlError) => error.kind === 'usage' && error.advice?.includes(`id=${guid}`) === true,
    );
    assert.deepEqual(withGuids(statement(':id IS NULL OR Id = :id'), { id: braced }, names), { id: guid });
  });

  it('is not looked for in brackets that stand too deep for SQLite', () => {
    const many = `${'('.repeat(40_000)}Id${')'.repeat(40_000)} = '${braced}'`;
    assert.deepEqual(withGuids(statement(many), {}, names), {});
  });
});
