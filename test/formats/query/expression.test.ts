import assert from 'node:assert/strict';
import fc from 'fast-check';
import { search } from '@jmespath-community/jmespath';
import '../../../src/formats/query/check.js';
import type { RecordType } from '../../../src/contract/build.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { Value } from '../../../src/core/values/value.js';
import { compileExpression } from '../../../src/formats/query/expression.js';
import { thrownBy } from '../../support/thrown.js';
import { typeNamed } from './type-named.js';

const relation = typeNamed('PvRelationData');
const relationship = typeNamed('PvRelationshipData');
const product = typeNamed('PvProductData');

const of = (text: string, value: Value, type: RecordType = relation): Value =>
  compileExpression({ path: '--query', text }, { type }).of(value);

/** What is wrong with an expression: the message, the letter under the caret, and the hint. */
function mistakeOf(
  text: string,
  type: RecordType = relation,
): { message: string; at: string; hint?: string | undefined } {
  const wrong = thrownBy(() => compileExpression({ path: '--query', text }, { type }), 'usage');
  assert.equal(wrong.facts.path, '--query');
  const [shown = '', caret = ''] = wrong.excerpt ?? [];
  return { message: wrong.message, at: shown.slice(caret.length - 1), hint: wrong.correction?.meant };
}

describe('expression', () => {
  const joelle = { Id: 'a', DisplayName: 'Joëlle Veen', IsRoot: true, ImportKey: null };

  for (const [text, gives] of [
    ["DisplayName == 'Joëlle Veen'", true],
    ['IsRoot == `true`', true],
    ['!IsRoot', false],
    ['ImportKey == `null`', true],
    ["contains(ImportKey, 'x')", null],
    ['not_null(ImportKey, DisplayName)', 'Joëlle Veen'],
    ['length(DisplayName) > `10`', true],
    ['IsRoot ? DisplayName : Id', 'Joëlle Veen'],
    ['let $name = DisplayName in starts_with($name, `"Jo"`)', true],
    ['{Name: DisplayName, Id: Id}', { Name: 'Joëlle Veen', Id: 'a' }],
  ] as const)
    it(`gives ${JSON.stringify(gives)} for ${text}`, () => assert.deepEqual(of(text, joelle), gives));

  it('asks the items of a list', () => {
    const record = {
      FieldValues: {
        Items: [
          { Id: 'x', Value: '1' },
          { Id: 'y', Value: '2' },
        ],
      },
    };
    assert.deepEqual(of("FieldValues.Items[?Id != 'z'].Value", record), ['1', '2']);
    assert.deepEqual(of('FieldValues.Items[].Value', { FieldValues: null }), null);
  });

  describe('a mistake', () => {
    for (const [text, message, at, hint] of [
      ["DisplayNam == 'x'", /no 'DisplayNam' here/, 'DisplayNam', "DisplayName == 'x'"],
      ['DisplayName == "Jan"', /single quotes/, '"Jan"', "DisplayName == 'Jan'"],
      ['IsRoot = `true`', /use == to compare, not =/, '=', 'IsRoot == `true`'],
      ['IsRoot == true', /no 'true' here/, 'true', 'IsRoot == `true`'],
      ['lenght(DisplayName)', /no function lenght/, 'lenght', 'length(DisplayName)'],
      ['FieldValues.Items.Id', /applied to a list/, 'Id'],
      ['DisplayName.x', /without members/, 'x'],
      ['constructor', /no record has/, 'constructor'],
      ['*.__proto__', /no record has/, '__proto__'],
    ] as const)
      it(`shows the place: ${text}`, () => {
        const found = mistakeOf(text);
        assert.match(found.message, message);
        assert.ok(found.at.startsWith(at), `${JSON.stringify(found.at)} begins with ${JSON.stringify(at)}`);
        assert.equal(found.hint, hint);
      });

    for (const text of ['', 'a >> b', '(DisplayName', 'a #', 'IsRoot and IsDummy', 'Id == `abc`'])
      it(`is what the library does not read: ${text}`, () =>
        assert.match(mistakeOf(text).message, /^(?:this is not JMESPath: |there is no 'a' here)/));

    for (const [text, type, message] of [
      ['SalesPrice > `10`', product, /> cannot compare a decimal.*--where/],
      ["SalesPrice <= '10.50'", product, /<= cannot compare a decimal/],
      ['`1` < SalesPrice', product, /< cannot compare a decimal/],
      ["AuditData.ModifiedAt > '2026-01-01'", relationship, /cannot compare a time/],
    ] as const)
      it(`of an order that would be nil names --where: ${text}`, () => {
        for (const [whole, asked] of [
          [text, type],
          [`[?${text}].Id`, { kind: 'list', item: type, itemName: 'Item' }],
        ] as const)
          assert.throws(() => compileExpression({ path: '--query', text: whole }, { type: asked }), { message });
      });

    for (const text of [
      'sort_by(@, &SalesPrice)',
      'max_by(@, &SalesPrice).Id',
      'min([].SalesPrice)',
      '[?IsInactive] | sort_by(@, &SalesPrice)',
    ])
      it(`of an order by letters names --sort: ${text}`, () =>
        assert.throws(
          () =>
            compileExpression(
              { path: '--query', text },
              { type: { kind: 'list', item: product, itemName: 'Product' } },
            ),
          { message: /compares .* as text: --sort orders by value/ },
        ));

    it('does not order times and numbers, and compares them by equality', () => {
      assert.equal(of("SalesPrice == '10'", { SalesPrice: '10' }, product), true);
      assert.equal(of('[SalesPrice, Name] | length(@)', { SalesPrice: '10', Name: 'a' }, product), 2);
    });

    it('in a long expression is shown with what stands around it, and no control characters', () => {
      assert.throws(
        () => compileExpression({ path: '--query', text: "DisplayName == '\u001b[31m' && Nope" }, { type: relation }),
        ({ excerpt: [line = '', caret = ''] = [] }: RelctlError) =>
          !line.includes('\u001b') && line.indexOf('Nope') === caret.length - 1,
      );
    });

    it('is shown with letters of all scripts, and the caret under its place', () => {
      for (const [text, before] of [
        ["DisplayName == '\u2018x\u2019' && Nope", 15 + 5 + 4],
        ["DisplayName == '\u65e5\u672c\u8a9e' && Nope", 15 + 8 + 4],
        ["DisplayName == 'e\u0301\ud83d\ude00' && Nope", 15 + 5 + 4],
      ] as const)
        assert.throws(
          () => compileExpression({ path: '--query', text }, { type: relation }),
          ({ excerpt: [line = '', caret = ''] = [] }: RelctlError) => {
            assert.deepEqual([line, caret], [text, `${' '.repeat(before)}^`]);
            return true;
          },
        );
    });

    it('is found in what is too long or too deep', () => {
      assert.match(mistakeOf('a'.repeat(20_000)).message, /more than 16384 letters/);
      const lists = `Id == \`${'['.repeat(8000)}${']'.repeat(8000)}\``;
      for (const text of [
        '('.repeat(8000),
        '!'.repeat(8000),
        '@|'.repeat(8000) + '@',
        'IsRoot||'.repeat(2000) + 'IsRoot',
        lists,
      ])
        try {
          of(text, { IsRoot: true });
        } catch (thrown) {
          assert.ok(thrown instanceof RelctlError && thrown.kind === 'usage', String(thrown));
        }
      assert.match(mistakeOf('('.repeat(8000)).message, /nested too deeply/);
    });

    it('of a function that only objects have by birth is one of a function that does not exist', () => {
      for (const name of ['constructor', 'toString', '__proto__'])
        assert.match(mistakeOf(`${name}(@)`).message, /^there is no function /);
    });

    it('never is anything else than a usage error', () => {
      const part = fc.constantFrom(
        ...['DisplayName', 'FieldValues', 'Items', 'Id', '.', '[', ']', '[?', '[]', '*', '(', ')', '{', '}', ':'],
        ...[',', '&&', '||', '!', '==', '!=', '<', '>', '=', '|', '&', '@', '$', '$x', '`1`', "'t'", '"q"', '`'],
        ...["'", '"', '-', '+', '1', '?', 'length', 'sort_by', 'let', 'in', 'é', '\n'],
      );
      fc.assert(
        fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
          const record = { Id: 'x', DisplayName: 'y', FieldValues: { Items: [{ Id: '1', Value: '2' }] } };
          try {
            of(parts.join(' '), record);
          } catch (thrown) {
            assert.ok(thrown instanceof RelctlError, String(thrown));
            assert.equal(thrown.kind, 'usage', `${parts.join(' ')}: ${thrown.message}`);
          }
        }),
        { numRuns: 2000 },
      );
    });
  });

  it('tells what a function cannot take', () => {
    assert.throws(() => of('sum([SalesPrice])', { SalesPrice: 'many' }, product), /cannot be applied: /);
    assert.throws(() => of('to_number(SalesPrice) / `0`', { SalesPrice: '1' }, product), /divide by zero/);
  });
});

describe('Functions of --query', () => {
  for (const [expression, gives] of [
    ["contains(`null`, 'a')", null],
    ["starts_with('a', `null`)", null],
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
    assert.throws(() => search([{ k: 1 }], 'group_by(@, &k)'), /needs a text of each record/);
  });
});
