import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal, anyType, int, string } from '../../../../src/contract/scalars.js';
import { opt, type RecordType } from '../../../../src/contract/build.js';
import { RelctlError, usage } from '../../../../src/core/errors/relctl-error.js';
import type { RecordValue } from '../../../../src/core/values/value.js';
import type { Scope } from '../../../../src/formats/query/where/names.js';
import { whereOf } from '../../../../src/formats/query/where/where.js';
import { thrownBy } from '../../../support/thrown.js';
import { typeNamed } from '../type-named.js';

const relation = typeNamed('PvRelationData');
const relationship = typeNamed('PvRelationshipData');
const product = typeNamed('PvProductData');
const scopeOf = (type: RecordType): Scope => ({ type, zone: 'Europe/Amsterdam' });

const keeps = (text: string, record: RecordValue, type = product, more: Partial<Scope> = {}): boolean =>
  whereOf(text, { ...scopeOf(type), ...more }).keeps(record);

interface Mistake {
  readonly message: string;
  /** What stands at the caret. */
  readonly at: string;
  readonly meant: string | undefined;
  readonly hint: string | undefined;
}

/** What is wrong with a condition. A condition that is offered in its place is right. */
function mistakeOf(text: string, type: RecordType, more: Partial<Scope> = {}): Mistake {
  const scope = { ...scopeOf(type), ...more };
  const { message, facts, correction, excerpt, hint } = thrownBy(() => whereOf(text, scope), 'usage');
  assert.equal(facts.path, '--where');
  const meant = correction?.meant;
  if (meant !== undefined) whereOf(meant, scope);
  const [shown = '', caret = ''] = excerpt ?? [];
  return { message, at: shown.slice(caret.length - 1), meant, hint };
}

describe('A condition of --where', () => {
  for (const [text, price, isKept] of [
    ['SalesPrice = 12.5', '12.50', true],
    ['SalesPrice > 0.1', '0.10000000000000000000001', true],
    ['SalesPrice > 0.10000000000000000000001', '0.1', false],
    ['SalesPrice = 12345678901234567890.1', '12345678901234567890.10', true],
    ['SalesPrice < 12345678901234567890.1', '12345678901234567890.0999', true],
    ['SalesPrice > -5', '-4.99', true],
    ['SalesPrice in (1, 2.50)', '2.5', true],
    ['SalesPrice in (12345678901234567890, 3)', '12345678901234567890.000', true],
    ['SalesPrice = 1', 'many', false],
    ['SalesPrice <> 1', 'many', false],
  ] as const)
    it(`compares numbers by their value: ${text} ${isKept ? 'keeps' : 'drops'} ${price}`, () =>
      assert.equal(keeps(text, { SalesPrice: price }), isKept));

  for (const [text, time, isKept] of [
    ["AuditData.ModifiedAt >= '2026-01-31'", '2026-01-31T00:00:00', true],
    ["AuditData.ModifiedAt = '2026-01-31 09:30'", '2026-01-31T08:30:00Z', true],
    ["AuditData.ModifiedAt = '2026-07-31T09:30:00'", '2026-07-31T07:30:00Z', true],
    ["AuditData.ModifiedAt = '2026-07-31T09:30:00+02:00'", '2026-07-31T09:30:00', true],
    ["AuditData.ModifiedAt < '2026-01-01'", '0001-01-01T00:00:00', true],
    ["AuditData.ModifiedAt > '2026-01-01'", '9999-12-31T23:59:59.9999999', true],
    ["AuditData.ModifiedAt > '2026-01-31T09:30:00.1'", '2026-01-31T09:30:00.10000001', true],
    ["AuditData.ModifiedAt < '2026-10-25T03:30:00'", '2026-10-25T01:59:00Z', true],
    ["AuditData.ModifiedAt > '2026-01-01'", 'soon', false],
  ] as const)
    it(`compares times by instant: ${text} ${isKept ? 'keeps' : 'drops'} ${time}`, () =>
      assert.equal(keeps(text, { AuditData: { ModifiedAt: time } }, relationship), isKept));

  it('takes names in any case of letters, quoted or not', () => {
    const record = { AuditData: { ModifiedAt: '2026-01-31T00:00:00Z' } };
    for (const name of [
      'auditdata.modifiedat',
      '"AuditData"."ModifiedAt"',
      '[AuditData.ModifiedAt]',
      'AuditData.`ModifiedAt`',
    ])
      assert.equal(keeps(`${name} is not null`, record, relationship), true, name);
  });

  it('takes a GUID in any form', () => {
    const record = { Id: 'A0000000-0000-4000-8000-00000000000B' };
    for (const form of [
      'a0000000-0000-4000-8000-00000000000b',
      '{A0000000-0000-4000-8000-00000000000B}',
      'a00000000000400080000000' + '0000000b',
    ])
      assert.equal(keeps(`Id = '${form}'`, record), true, form);
  });

  it('finds absent and nil values null, and the empty text not', () => {
    assert.equal(keeps('ImportKey is null', {}, relation), true);
    assert.equal(keeps('ImportKey is null', { ImportKey: null }, relation), true);
    assert.equal(keeps('ImportKey is null', { ImportKey: '' }, relation), false);
    assert.equal(keeps("ImportKey <> 'x'", {}, relation), false);
    assert.equal(keeps("not ImportKey = 'x'", {}, relation), false);
    assert.equal(keeps('FieldValues.Items is null', { FieldValues: { Items: [] } }, relation), false);
  });

  it('folds texts and literals alike', () => {
    assert.equal(keeps("fold(DisplayName) like '%zoe%'", { DisplayName: 'ZOË Veen' }, relation), true);
    assert.equal(keeps("fold(DisplayName) = fold('Zoë')", { DisplayName: 'zoe' }, relation), true);
  });

  it('compares values of which nothing is known as the literal beside them says', () => {
    const open = { ...relation, fields: { ...relation.fields, Visits: opt(anyType, 'Anything.') } };
    assert.equal(keeps('Visits > 9', { Visits: '10' }, open), true);
    assert.equal(keeps("Visits > '9'", { Visits: '10' }, open), false);
    assert.equal(keeps('Visits > 9', { Visits: 'many' }, open), false);
    assert.equal(keeps('Visits', { Visits: 'true' }, open), true);
  });

  it('looks at the members that it names, and no others', () => {
    const looked = (text: string): readonly string[] => [...whereOf(text, scopeOf(relation)).looksAt].toSorted();
    assert.deepEqual(
      looked("fold(displayname) = 'x' or not IsRoot and Id in ('a0000000-0000-4000-8000-000000000000')"),
      ['DisplayName', 'Id', 'IsRoot'],
    );
    assert.deepEqual(looked('FieldValues.Items is null'), ['FieldValues']);
  });

  it('reads columns that are made of lists, and tells what they need', () => {
    const made: Scope['made'] = (title) => {
      if (title === 'Field.X') throw usage('--where', 'Field.X needs --include-fields', '--include-fields');
      return title === 'Field.Y' ? { type: string, member: 'FieldValues', read: ({ Info }) => Info } : undefined;
    };
    assert.equal(keeps("Field.Y = 'y'", { Info: 'y' }, relation, { made }), true);
    const { message, hint } = mistakeOf('Field.X is null', relation, { made });
    assert.match(message, /^--where: |^Field.X needs --include-fields, at character 1$/);
    assert.equal(hint, '--include-fields');
  });

  for (const [text, message, at, meant] of [
    ['', /is incomplete/, ''],
    ['DisplayNam like 5', /no column 'DisplayNam'/, 'DisplayNam'],
    ["DisplayName = 'Jan", /has no end/, "'Jan"],
    ['DisplayName = "Jan"', /single quotes/, '"Jan"', "DisplayName = 'Jan'"],
    ['DisplayName = Jan', /single quotes/, 'Jan', "DisplayName = 'Jan'"],
    ['DisplayName = ‘Jan’', /‘ is not a quote in SQL/, '‘Jan'],
    ['IsRoot = `true`', /no column 'true'/, '`true`', 'IsRoot = true'],
    ["IsRoot = 'true'", /compared with 'true'/, "'true'", 'IsRoot = true'],
    ['IsRoot = 1', /true or false/, '1', 'IsRoot = true'],
    ['IsRoot > false', /have an order/, '> false'],
    ['IsRoot && IsDummy', /'&&' is written and/, '&& IsDummy', 'IsRoot and IsDummy'],
    ['IsRoot || IsDummy', /'\|\|' is written or/, '|| IsDummy', 'IsRoot or IsDummy'],
    ['!IsRoot', /'!' is written not/, '!', 'not IsRoot'],
    ['DisplayName', /is a text, which is not true or false/, 'DisplayName', 'DisplayName is not null'],
    ["'a'", /expected a condition here/, "'a'"],
    ['ImportKey = null', /NAME is null/, '= null'],
    ['ImportKey <> null', /NAME is null/, '<> null'],
    ["ImportKey in ('a', null)", /NAME is null/, 'null'],
    ['ImportKey is 5', /expected null or not null after is/, '5'],
    ["Id = 'abc'", /not a GUID/, "'abc'"],
    ["Id = 'a0000000-0000-4000-8000-00000000000'", /31 digits/, "'a0"],
    ["Id > 'a0000000-0000-4000-8000-000000000000'", /an Id has none/, '>'],
    ['Info = 00012', /single quotes/, '00012', "Info = '00012'"],
    ["fold(Info) = 'Zoë'", /without accents/, "'Zoë'", "fold(Info) = 'zoe'"],
    ["fold(Info) like '%Zoë%'", /without accents/, "'%Zoë%'", "fold(Info) like '%zoe%'"],
    ['fold(IsRoot)', /takes a text/, 'IsRoot'],
    ["lower(Info) = 'a'", /no function lower/, 'lower'],
    ["Info like 'a' escape '%'", /one character/, "'%'"],
    ["Info like 'a!' escape '!'", /ends with the escape character/, "'a!'"],
    ["IsRoot like 'a'", /like compares a text/, 'IsRoot'],
    ['FieldValues = 1', /is a record: its members are FieldValues.Items/, 'FieldValues'],
    ["FieldValues.Items.Value = 'x'", /--explode FieldValues.Items/, 'FieldValues.Items'],
    ['IsRoot and', /is incomplete/, ''],
    ['(IsRoot', /\) is missing/, ''],
    ['IsRoot)', /'\)' cannot stand here/, ')'],
    ['IsRoot IsDummy', /'IsDummy' cannot stand here/, 'IsDummy'],
    ["Info in 'a'", /\( is missing/, "'a'"],
    ["Info between 'a'", /AND is missing/, ''],
    ["Info = 'a' = 'b'", /'=' cannot stand here/, "= 'b'"],
    ['Info = :a', /':a' cannot stand here/, ':a'],
    ['select 1', /no column 'select'|cannot stand/, 'select'],
    ["Info glob 'a*'", /'glob' cannot stand here/, 'glob'],
    ['_more is null', /no column '_more'/, '_more'],
    ['constructor is null', /no column 'constructor'/, 'constructor'],
  ] as const)
    it(`is told with the place of its mistake, and one that is right: ${text}`, () => {
      const found = mistakeOf(text, relation);
      assert.match(found.message, message);
      assert.ok(found.at.startsWith(at), `${JSON.stringify(found.at)} begins with ${JSON.stringify(at)}`);
      assert.equal(found.meant, meant);
    });

  for (const [text, message, meant] of [
    ["SalesPrice > '1000'", /without quotes/, 'SalesPrice > 1000'],
    ["SalesPrice > '1.000,50'", /compared with '1.000,50'/, undefined],
    ['SalesPrice > 1e3', /a number as 1000/, undefined],
    ['SalesPrice > true', /compared with true/, undefined],
    ["SalesPrice like '1%'", /this is a number/, undefined],
    ['SalesPrice = Name', /a text is not compared with|a number is not compared with a text/, undefined],
    ["ProductType = 'product'", /the values of ProductType are Product, Service/, "ProductType = 'Product'"],
    ["ProductType < 'Product'", /has none/, undefined],
    ["SalesPrice > '1' and IsInactive == 'true' && Nam like 5", /without quotes/, undefined],
    ["SalesPrice > '1' and Zzz is null", /without quotes/, undefined],
  ] as const)
    it(`compares by the type of the column: ${text}`, () => {
      const found = mistakeOf(text, product);
      assert.match(found.message, message);
      assert.equal(found.meant, meant);
    });

  it('with a time that is none is a mistake', () => {
    assert.match(mistakeOf("AuditData.ModifiedAt > 'soon'", relationship).message, /'2026-01-31'/);
    assert.match(mistakeOf("AuditData.ModifiedAt > '2026-02-30'", relationship).message, /'2026-01-31'/);
    assert.match(mistakeOf('AuditData.ModifiedAt > 2026', relationship).message, /a time is compared with 2026/);
  });

  it('that goes into a list offers --explode only where the row has that name', () => {
    assert.equal(mistakeOf("FieldValues.Items.Value = 'x'", relation).hint, '--explode FieldValues.Items');
    assert.equal(mistakeOf("FieldValues.Items.Valu = 'x'", relation).hint, undefined);
  });

  it('may be as long as an argument, and only so deep', () => {
    assert.match(mistakeOf(`${'('.repeat(5000)}IsRoot`, relation).message, /nested parts/);
    assert.match(mistakeOf(`${'not '.repeat(5000)}IsRoot`, relation).message, /nested parts/);
    const many = Array.from({ length: 20_000 }, () => 'IsRoot').join(' or ');
    assert.equal(keeps(many, { IsRoot: true }, relation), true);
  });

  it('takes no longer than the text for a pattern with many parts', () => {
    const text = 'a'.repeat(20_000);
    assert.equal(keeps(`Info like '${'%a'.repeat(50)}%b'`, { Info: text }, relation), false);
    assert.equal(keeps(`Info like '${'%a_'.repeat(50)}%'`, { Info: text }, relation), true);
  });

  it('is never anything else than a usage error, whatever stands in it', () => {
    const part = fc.constantFrom(
      ...['DisplayName', 'IsRoot', 'FieldValues', 'Items', 'Id', 'Info', '.', '(', ')', ',', 'and', 'or', 'not', 'is'],
      ...['null', 'like', 'in', 'between', 'escape', '=', '<', '>=', '<>', '-', '!', '&', '|', ';', ':p', '1', '1.5'],
      ...["'t'", '"q"', '`b`', "'", '"', 'fold', 'true', 'é', '\n', '--', '/*', 'isnull', '0x1F', "x'00'"],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        try {
          keeps(parts.join(' '), { Id: 'x', DisplayName: 'y', FieldValues: { Items: [] } }, relation);
        } catch (thrown) {
          assert.ok(thrown instanceof RelctlError, String(thrown));
          assert.equal(thrown.kind, 'usage', `${parts.join(' ')}: ${thrown.message}`);
          const meant = thrown.correction?.meant;
          if (meant !== undefined) keeps(meant, {}, relation);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('on numbers of answers takes int and anything', () => {
    const type = { ...relation, fields: { n: { type: int, presence: 'opt', doc: '' } } } as const;
    assert.equal(keeps('n > 2', { n: 3 }, type), true);
    assert.equal(keeps('n > 12345678901234567890', { n: 1e300 }, type), true);
  });

  it('on decimals counts all digits, of however many each is written', () => {
    const type = { ...relation, fields: { n: { type: decimal, presence: 'opt', doc: '' } } } as const;
    for (const [text, value] of [
      ['1234567.12345670', '1234567.1234567'],
      ['0.00000012345670', '0.0000001234567'],
    ] as const) {
      assert.equal(keeps(`n = ${text}`, { n: value }, type), true);
      assert.equal(keeps(`n > ${text}1`, { n: value }, type), false);
    }
  });
});
