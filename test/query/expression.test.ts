import assert from 'node:assert/strict';
import fc from 'fast-check';
import { records } from '../../src/contract/service.js';
import type { RecordType } from '../../src/contract/build.js';
import { RelctlError } from '../../src/errors/relctl-error.js';
import type { Value } from '../../src/plain/value.js';
import { compileExpression } from '../../src/query/expression.js';

function typeNamed(name: string): RecordType {
  const type = records[name];
  assert.ok(type, name);
  return type;
}

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
  try {
    compileExpression({ path: '--query', text }, { type });
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError);
    assert.equal(thrown.kind, 'usage');
    assert.equal(thrown.facts.path, '--query');
    const [shown = '', caret = ''] = thrown.excerpt ?? [];
    return { message: thrown.message, at: shown.slice(caret.length - 1), hint: thrown.instead?.meant };
  }
  throw new Error(`${text} is no mistake`);
}

describe('expression', () => {
  const joelle = { Id: 'a', DisplayName: 'Joëlle Veen', IsRoot: true, ImportKey: null };

  for (const [text, gives] of [
    ["DisplayName == 'Joëlle Veen'", true],
    ['IsRoot == `true`', true],
    ['IsRoot', true],
    ['!IsRoot', false],
    ["contains(fold(DisplayName), 'joelle')", true],
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
    assert.deepEqual(of("FieldValues.Items[?Id != 'a0000000-0000-0000-0000-000000000000'].Value", record), ['1', '2']);
    assert.equal(of('FieldValues.Items[0].Value', record), '1');
    assert.deepEqual(of('FieldValues.Items[].Value', { FieldValues: null }), null);
  });

  describe('a mistake', () => {
    for (const [text, message, at, hint] of [
      ['', /empty/, ''],
      ['a >> b', /'>' cannot stand here/, '> b'],
      ["DisplayNam == 'x'", /no 'DisplayNam' here/, 'DisplayNam', "DisplayName == 'x'"],
      ['DisplayName == "Jan"', /single quotes/, '"Jan"', "DisplayName == 'Jan'"],
      ["DisplayName == 'Jan", /has no ' at its end/, "'Jan"],
      ['IsRoot = `true`', /one = compares nothing/, '=', 'IsRoot == `true`'],
      ['ImportKey = 1', /one = compares nothing/, '= 1', 'ImportKey == 1'],
      ['ImportKey=12.75', /one = compares nothing/, '=12.75', 'ImportKey==12.75'],
      ['ImportKey > 12.75', /a number stands in backticks/, '12.75', 'ImportKey > `12.75`'],
      ['ImportKey >= 1e3 && IsRoot', /a number stands in backticks/, '1e3', 'ImportKey >= `1e3` && IsRoot'],
      ['ImportKey > -5.5', /a number stands in backticks/, '-5.5', 'ImportKey > `-5.5`'],
      ['IsRoot and IsDummy', /^'and' is written && here, at character 8$/, 'and', 'IsRoot && IsDummy'],
      ['IsRoot OR IsDummy', /^'OR' is written \|\| here/, 'OR', 'IsRoot || IsDummy'],
      ["DisplayName <> 'x'", /^'<>' is written != here, at character 13$/, '<>', "DisplayName != 'x'"],
      ['IsRoot constructor IsDummy', /^'constructor' cannot stand here/, 'constructor'],
      ['IsRoot like IsDummy', /^'like' cannot stand here/, 'like'],
      ['IsRoot == true', /^true stands in backticks, at character 11$/, 'true', 'IsRoot == `true`'],
      ['ImportKey != null', /^null stands in backticks/, 'null', 'ImportKey != `null`'],
      ["IsRoot == 'true'", /backticks/, "== 'true'"],
      ["Id == 'abc'", /no GUID/, '=='],
      ["DisplayName > 'a'", /compares numbers, not a string/, "> 'a'"],
      ['length(DisplayName) > 10', /backticks/, '10', 'length(DisplayName) > `10`'],
      ['lenght(DisplayName)', /no function lenght/, 'lenght', 'length(DisplayName)'],
      ['contains(DisplayName)', /takes 2 values, not 1/, 'contains'],
      ['length(IsRoot)', /does not take a boolean/, 'length'],
      ['FieldValues[].Id', /a record is no list; its lists are Items/, '[]'],
      ['FieldValues.Items.Id', /asked of a list/, 'Id'],
      ['DisplayName.x', /asked of a string/, 'x'],
      ['DisplayName == `12345678901234567890`', /more digits/, '`123', "DisplayName == '12345678901234567890'"],
      ['(DisplayName', /ends too early/, ''],
      ['a #', /'#' is no part/, '#'],
      ["'#' #", /'#' is no part/, '#'],
      ['Id 😀', /'😀' is no part/, '?'],
      ['Id == `abc`', /`abc` is no value.*single quotes/, '`abc`', "Id == 'abc'"],
      ['Id == `"abc', /begins with ` has no `/, '`"abc'],
      ['"a\\q" == Id', /"a\\q" is no name/, '"a\\q"'],
      ['Id == "abc', /begins with " has no "/, '"abc'],
      ['constructor', /no record has/, 'constructor'],
      ['{__proto__: Id}', /no record has/, '__proto__'],
      ['*.__proto__', /no record has/, '__proto__'],
      ["gt(`3`, 'x')", /'x' is not a decimal/, 'gt'],
    ] as const)
      it(`shows the place: ${text}`, () => {
        const found = mistakeOf(text);
        assert.match(found.message, message);
        assert.ok(found.at.startsWith(at), `${JSON.stringify(found.at)} begins with ${JSON.stringify(at)}`);
        assert.equal(found.hint, hint);
      });

    it('of a number that is text, which no sign compares, names the function that does', () => {
      assert.match(mistakeOf('SalesPrice > `10`', product).message, /gt\(A, B\) compares numbers/);
      assert.match(mistakeOf("SalesPrice == '10'", product).message, /eq\(A, B\) compares numbers/);
      assert.match(mistakeOf('SalesPrice + `1`', product).message, /to_number/);
      assert.match(
        mistakeOf("AuditData.ModifiedAt > '2026-01-01'", relationship).message,
        /before\(A, B\) and after\(A, B\)/,
      );
    });

    for (const [text, meant] of [
      ['SalesPrice > `10`', "gt(SalesPrice, '10')"],
      ["SalesPrice == '10.50'", "eq(SalesPrice, '10.50')"],
      ['SalesPrice!=`-1.5`', "!eq(SalesPrice, '-1.5')"],
      ["Name == 'x' && (Code == '2' || SalesPrice <= `2`)", "Name == 'x' && (Code == '2' || le(SalesPrice, '2'))"],
      ["Code == '1' && SalesPrice == '1'", "Code == '1' && eq(SalesPrice, '1')"],
      ['[SalesPrice > `1`][0]', "[gt(SalesPrice, '1')][0]"],
      // Here the sign takes more than a member and a number, or another number than its letters.
      ["SalesPrice > `1` ? 'a' : 'b'", undefined],
      ['SalesPrice > `1` + `1`', undefined],
      ['SalesPrice > `1e3`', undefined],
      ["SalesPrice == 'ten'", undefined],
      ['`1` < SalesPrice', undefined],
    ] as const)
      it(`of a number that is text offers the function: ${text}`, () =>
        assert.equal(mistakeOf(text, product).hint, meant));

    it('of a value that no enumeration has names those that there are', () => {
      assert.match(mistakeOf("ProductType == 'Produkt'", product).message, /Product, Service/);
    });

    it('in a long expression is shown with what stands around it, and no control characters', () => {
      const found = mistakeOf(`${"DisplayName == 'x' || ".repeat(20)}Nope\u001b[31m`);
      assert.match(found.message, /no part/);
      const { excerpt = [] } = (() => {
        try {
          compileExpression({ path: '--query', text: "DisplayName == '\u001b[31m' && Nope" }, { type: relation });
        } catch (thrown) {
          if (thrown instanceof RelctlError) return thrown;
        }
        throw new Error('no mistake');
      })();
      assert.doesNotMatch(excerpt.join(''), /\u001b/);
      assert.equal(excerpt[0]?.indexOf('Nope'), (excerpt[1]?.length ?? 0) - 1);
    });

    it('is found in what is too long or too deep before it is read', () => {
      assert.match(mistakeOf('a'.repeat(20_000)).message, /more than 16384 letters/);
      assert.match(mistakeOf('('.repeat(5000)).message, /within each other/);
      assert.match(mistakeOf('!'.repeat(5000)).message, /within each other/);
      assert.match(mistakeOf('Id ? '.repeat(3000)).message, /within each other|cannot stand|too early/);
    });

    it('is found in what would be read by too many calls within each other', () => {
      const rows: readonly string[] = ['@|'.repeat(5000) + '@', 'IsRoot||'.repeat(2000) + 'IsRoot'];
      const lists = `Id == \`${'['.repeat(8000)}${']'.repeat(8000)}\``;
      for (const text of [...rows, lists]) assert.match(mistakeOf(text).message, /more than 1000 parts/);
      assert.equal(of('IsRoot||'.repeat(990) + 'IsRoot', { IsRoot: true }), true);
      assert.equal(of(`contains([${"'a',".repeat(3000)}'b'], Id)`, { Id: 'b' }), true);
    });

    it('of a function that only objects have by birth is one of a function that does not exist', () => {
      for (const name of ['constructor', 'toString', '__proto__'])
        assert.match(mistakeOf(`${name}(@)`).message, /^there is no function /);
    });

    it('never is anything else than a usage error', () => {
      const part = fc.constantFrom(
        'DisplayName',
        'FieldValues',
        'Items',
        'Id',
        '.',
        '[',
        ']',
        '[?',
        '[]',
        '*',
        '(',
        ')',
        '{',
        '}',
        ':',
        ',',
        '&&',
        '||',
        '!',
        '==',
        '!=',
        '<',
        '>',
        '=',
        '|',
        '&',
        '@',
        '$',
        '$x',
        '`1`',
        "'t'",
        '"q"',
        '`',
        "'",
        '"',
        '-',
        '+',
        '1',
        '?',
        'length',
        'sort_by',
        'let',
        'in',
        'é',
        '\n',
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

  it('tells what a value is that a function cannot take', () => {
    assert.throws(() => of('gt(SalesPrice, `1`)', { SalesPrice: 'many' }, product), /'many' is not a decimal number/);
    assert.throws(() => of('to_number(SalesPrice) / `0`', { SalesPrice: '1' }, product), /divides by zero/);
  });

  it('names what calculates exactly where an operator would not, with its place', () => {
    for (const [text, message, at] of [
      ['SalesPrice + PurchasePrice', /^\+ takes no decimal.*total\(\[A, B\]\) adds exactly.*to_number\(A\)/, '+'],
      ['{a: SalesPrice * `2`}', /^\* takes no decimal.*total\(LIST\)/, '*'],
      ['Name - `1`', /^- takes numbers, and no string/, '-'],
      ['`1` / IsInactive', /^\/ takes numbers, and no boolean/, '/'],
    ] as const) {
      const mistake = mistakeOf(text, product);
      assert.match(mistake.message, message, text);
      assert.equal(mistake.at.startsWith(at), true, mistake.at);
    }
    assert.match(mistakeOf('AuditData.CreatedAt - `1`', relationship).message, /^- takes no time.*before\(A, B\)/);
    const price = { SalesPrice: '0.1', PurchasePrice: '0.2' };
    assert.equal(of("total([SalesPrice, '0.2'])", price, product), '0.3');
    assert.equal(of('to_number(SalesPrice) * `3`', price, product), 0.1 * 3);
  });

  it('finds the place in a long expression as in a short one', () => {
    const long = 'Id || '.repeat(400);
    for (const [end, at] of [
      ['Id #', '#'],
      ['Id Id', 'Id'],
      ['(Id) ) || Id', ') |'],
      ['Id == 1 || Id', '1 |'],
    ] as const) {
      const [short, far] = [mistakeOf(`Id || ${end}`), mistakeOf(`${long}${end} || Id`)];
      assert.equal(far.message.replace(/\d+$/, ''), short.message.replace(/\d+$/, ''), end);
      assert.ok(far.at.startsWith(at) && short.at.startsWith(at.trim().split(' ')[0] ?? ''), `${far.at}, ${short.at}`);
    }
  });
});
