import type { Value } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { list, nil, opt, recordWithoutPresence, req, type Fields } from '../../../src/contract/build.js';
import { AddressStyle } from '../../../src/contract/enumerations.js';
import { anyType, boolean, dateTime, decimal, guid, int, long, string } from '../../../src/contract/scalars.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { Note } from '../../../src/soap/codec/notes.js';
import { decoded } from '../../support/soap/exchange.js';

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const Part = recordWithoutPresence('Part', 'A part.', { Id: req(guid, 'Id.'), Note: opt(string, 'Note.') });
const fields: Fields = {
  Id: req(guid, 'Id.'),
  Name: opt(string, 'Name.'),
  Since: nil(dateTime, 'Since.'),
  Parts: opt(list(Part), 'Parts.'),
  Main: opt(Part, 'Main part.'),
  Data: opt(anyType, 'Untyped.'),
};
const head = `<Id>${id}</Id>`;
const tail = '<Since xsi:nil="true"/>';

function read(content: string): { value: Value | undefined; notes: readonly Note[] } {
  return decoded(fields, content);
}

/** What becomes of a field, beside an Id and a Since that are as they should be. */
function field(name: string, content: string): Value | undefined {
  const { value } = read(`${head}${content}${tail}`);
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value));
  return (value as Readonly<Record<string, Value>>)[name];
}

const kinds = (content: string): string[] => read(content).notes.map(({ kind, path }) => `${kind} ${path}`);

describe('a record that is read', () => {
  it('keeps absent, nil, empty and populated apart', () => {
    assert.deepEqual(read(head + tail).value, { Id: id, Since: null });
    for (const [content, value] of [
      ['<Name xsi:nil="true"/>', null],
      ['<Name xsi:nil="1"></Name>', null],
      ['<Name xsi:nil=" true "/>', null],
      ['<Name xsi:nil="false"/>', ''],
      ['<Name nil="true"/>', ''],
      ['<Name/>', ''],
      ['<Name></Name>', ''],
      ['<Name> 007 </Name>', ' 007 '],
      ['<Name>\r\n&#xD;<![CDATA[<x>]]></Name>', '\n\r<x>'],
      ['<Name>&#x1F;</Name>', '\u001f'],
    ] as const)
      assert.deepEqual(field('Name', content), value, content);
    for (const [content, value] of [
      ['<Main xsi:nil="true"/>', null],
      ['<Main/>', {}],
      [`<Main>${head}</Main>`, { Id: id }],
      [`<Main>\n  ${head}\n</Main>`, { Id: id }],
    ] as const)
      assert.deepEqual(field('Main', content), value, content);
  });

  it('has lists of none, one and more, with nil items kept', () => {
    for (const [content, value] of [
      ['<Parts xsi:nil="true"/>', null],
      ['<Parts/>', []],
      ['<Parts>\n</Parts>', []],
      [`<Parts><Part>${head}</Part></Parts>`, [{ Id: id }]],
      [`<Parts><Part>${head}</Part><Part xsi:nil="true"/><Part/></Parts>`, [{ Id: id }, null, {}]],
    ] as const)
      assert.deepEqual(field('Parts', content), value, content);
  });

  it('takes its members in any order and gives them in that of the contract, with one note', () => {
    const { value, notes } = read(`${tail}<Main/><Name>x</Name>${head}`);
    assert.deepEqual(value, { Id: id, Name: 'x', Since: null, Main: {} });
    assert.deepEqual(Object.keys(value as object), ['Id', 'Name', 'Since', 'Main']);
    assert.deepEqual(
      notes.filter(({ kind }) => kind === 'out-of-order').map(({ path }) => path),
      ['Name'],
    );
  });

  it('reads every scalar without guessing and without losing a digit', () => {
    const scalars: Fields = {
      A: req(decimal, 'A.'),
      B: req(long, 'B.'),
      C: req(int, 'C.'),
      D: req(boolean, 'D.'),
      E: req(dateTime, 'E.'),
      F: req(string, 'F.'),
    };
    const content =
      '<A> 12.50\n</A><B>9007199254740993</B><C> +007 </C><D> 1 </D><E>2026-01-31T09:30:00.1234567</E><F>1e5</F>';
    assert.deepEqual(decoded(scalars, content), {
      value: { A: '12.50', B: '9007199254740993', C: 7, D: true, E: '2026-01-31T09:30:00.1234567', F: '1e5' },
      notes: [],
    });
  });

  it('is told by its namespace, not by its prefix', () => {
    assert.deepEqual(read(`<t:Id>${id}</t:Id><t:Name>x</t:Name>${tail}`).value, { Id: id, Name: 'x', Since: null });
  });

  it('leaves comments, instructions and white space between members out', () => {
    assert.deepEqual(read(`\n <!-- x -->${head}<?go?>\t${tail}\n`), { value: { Id: id, Since: null }, notes: [] });
  });
});

describe('what the contract does not know', () => {
  it('is kept, behind what it knows, and noted', () => {
    const { value, notes } = read(`<New>1</New>${head}<New>2</New>${tail}<Other><a>x</a><b xsi:nil="true"/></Other>`);
    assert.deepEqual(value, { Id: id, Since: null, New: ['1', '2'], Other: { a: 'x', b: null } });
    assert.deepEqual(Object.keys(value as object), ['Id', 'Since', 'New', 'Other']);
    assert.deepEqual(
      notes.filter(({ kind }) => kind === 'unknown-field').map(({ path, count }) => [path, count]),
      [
        ['New', 2],
        ['Other', 1],
      ],
    );
  });

  it('is kept with its text, its type and its repetition', () => {
    const value = field('New', '<New>a<x xsi:type="xsd:int">7</x><x>8</x><x/>b</New>');
    assert.deepEqual(value, { x: [7, '8', ''], '#text': 'ab' });
  });

  it('is kept whatever it is called', () => {
    const { value } = read(`${head}${tail}<__proto__>x</__proto__><constructor>y</constructor><toString/>`);
    assert.deepEqual(Object.entries(value as object).slice(2), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', ''],
    ]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it('is kept as an item of a list too', () => {
    assert.deepEqual(field('Parts', `<Parts><Part>${head}</Part><Thing>${head}</Thing></Parts>`), [
      { Id: id },
      { Id: id },
    ]);
    assert.deepEqual(kinds(`${head}${tail}<Parts><Thing>${head}</Thing></Parts>`), ['other-item Parts.Thing']);
    assert.deepEqual(field('Parts', '<Parts><string>0101</string></Parts>'), ['0101']);
  });
});

describe('what is odd', () => {
  it('is noted where it stands and kept as text', () => {
    assert.deepEqual(read(`<Id>none</Id><Since>soon</Since>`), {
      value: { Id: 'none', Since: 'soon' },
      notes: [
        { kind: 'bad-value', path: 'Id', value: 'none', count: 1 },
        { kind: 'bad-value', path: 'Since', value: 'soon', count: 1 },
      ],
    });
  });

  it('is noted when a value comes although it is marked nil, and the value is kept', () => {
    assert.equal(field('Name', '<Name xsi:nil="true">x</Name>'), 'x');
    assert.deepEqual(field('Main', `<Main xsi:nil="true">${head}</Main>`), { Id: id });
    assert.deepEqual(field('Parts', '<Parts xsi:nil="true"><Part/></Parts>'), [{}]);
    assert.deepEqual(kinds(`${head}<Name xsi:nil="true">x</Name>${tail}`), ['late-nil Name']);
  });

  it('is noted when a Req or Nil field is not there', () => {
    assert.deepEqual(kinds(''), ['missing-field Id', 'missing-field Since']);
    assert.deepEqual(kinds(`${head}<Parts><Part/><Part/></Parts>`), [
      'missing-field Parts.Part.Id',
      'missing-field Since',
    ]);
    assert.equal(read('<Parts><Part/><Part/></Parts>').notes[0]?.count, 2);
  });

  it('is noted when text holds control characters, and they are kept', () => {
    assert.deepEqual(kinds(`${head}<Name>a&#x1F;b</Name>${tail}`), ['control-character Name']);
  });

  it('is noted when elements come within a text; all of it is kept', () => {
    assert.deepEqual(field('Name', '<Name>a<b>c</b>d</Name>'), { b: 'c', '#text': 'ad' });
    assert.deepEqual(kinds(`${head}<Name>a<b>c</b></Name>${tail}`), ['unexpected-elements Name']);
  });

  it('is noted when text stands between the members of a record or the items of a list, and it is kept beside them', () => {
    assert.deepEqual(read(`${head}\n stray <!-- x -->\n text\n${tail}`), {
      value: { Id: id, Since: null, '#text': 'stray \n text' },
      notes: [{ kind: 'stray-text', path: '', value: 'stray \\u000A text', count: 1 }],
    });
    assert.deepEqual(field('Parts', `<Parts>a<Part>${head}</Part> b</Parts>`), [{ Id: id }, 'a b']);
    assert.deepEqual(kinds(`${head}<Parts><Part>${head}</Part>b</Parts>${tail}`), [
      'stray-text Parts',
      'out-of-order Since',
    ]);
    assert.deepEqual(field('Main', `<Main>a<New>1</New></Main>`), { New: '1', '#text': 'a' });
  });

  it('is kept as text, and said so, when text stands in the place of a record or of a list', () => {
    assert.deepEqual(read(`${head}<Parts> 0101 </Parts><Main>Jan &amp; Piet</Main>${tail}`), {
      value: { Id: id, Parts: ['0101'], Main: 'Jan & Piet', Since: null },
      notes: [
        { kind: 'bad-value', path: 'Parts', value: '0101', count: 1 },
        { kind: 'bad-value', path: 'Main', value: 'Jan & Piet', count: 1 },
        { kind: 'out-of-order', path: 'Since', count: 1 },
      ],
    });
    assert.equal(field('Main', '<Main xsi:nil="true">Jan</Main>'), 'Jan');
    assert.deepEqual(field('Parts', '<Parts xsi:nil="true">x</Parts>'), ['x']);
    assert.deepEqual(decoded(fields, 'nothing today').value, { '#text': 'nothing today' });
  });

  it('is noted for a value of an enumeration that the contract does not know, and the value is kept', () => {
    const styled: Fields = { Style: req(AddressStyle, 'Style.') };
    assert.deepEqual(decoded(styled, '<Style>Tomorrow</Style>'), {
      value: { Style: 'Tomorrow' },
      notes: [{ kind: 'bad-value', path: 'Style', value: 'Tomorrow', count: 1 }],
    });
  });

  it('is no white space around a value of an enumeration in an answer; in a request it counts, as the schema has it', () => {
    const styled: Fields = { Style: req(AddressStyle, 'Style.') };
    const spaced = '<Style> Formal\n</Style>';
    assert.deepEqual(decoded(styled, spaced, undefined, true), { value: { Style: 'Formal' }, notes: [] });
    assert.deepEqual(decoded(styled, spaced), {
      value: { Style: ' Formal\n' },
      notes: [{ kind: 'bad-value', path: 'Style', value: ' Formal\\u000A', count: 1 }],
    });
  });
});

describe('what would hide data is refused', () => {
  for (const [what, content, code, path] of [
    ['a field twice', `${head}<Name>a</Name><Name>b</Name>`, 'duplicate', 'Name'],
    ['a field twice, apart', `${head}<Name>a</Name>${tail}<Name>b</Name>`, 'duplicate', 'Name'],
    ['a field of an item twice', `<Parts><Part>${head}${head}</Part></Parts>`, 'duplicate', 'Parts.Part.Id'],
    ['a field in another namespace', '<Id xmlns="urn:other">x</Id>', 'namespace', 'Id'],
    ['a field in no namespace', '<Parts><Part xmlns=""/></Parts>', 'namespace', 'Parts.Part'],
  ] as const)
    it(what, () => {
      assert.throws(
        () => read(content),
        (error) => {
          assert.ok(error instanceof RelctlError);
          assert.deepEqual([error.kind, error.facts.code, error.facts.path], ['bad-answer', code, path]);
          return true;
        },
      );
    });
});

describe('untyped content', () => {
  for (const [content, value] of [
    ['<Data/>', ''],
    ['<Data xsi:nil="true"/>', null],
    ['<Data> x </Data>', ' x '],
    ['<Data>007</Data>', '007'],
    ['<Data xsi:type="xsd:int"> 7 </Data>', 7],
    ['<Data xsi:type="xsd:boolean">true</Data>', true],
    ['<Data xsi:type="xsd:string"> 7 </Data>', ' 7 '],
    ['<Data xsi:type="xsd:decimal">1.50</Data>', '1.50'],
    ['<Data xsi:type="xsd:long">9007199254740993</Data>', '9007199254740993'],
    [`<Data xsi:type="g:guid">${id}</Data>`, id],
    ['<Data xsi:type="xsd:double">1.5</Data>', '1.5'],
    ['<Data xsi:type="xsd:int">seven</Data>', 'seven'],
    ['<Data xsi:type="nowhere:int">7</Data>', '7'],
    ['<Data xsi:type="t:NoSuchRecord"><a>1</a></Data>', { a: '1' }],
    ['<Data xsi:type="t:PvTranslationData2"><Value>x</Value></Data>', { Value: 'x' }],
    [
      '<Data xsi:type="PvTranslationData2"><Value/><CultureCode>nl</CultureCode></Data>',
      { CultureCode: 'nl', Value: '' },
    ],
    ['<Data><a>1</a><b><c/></b><a>2</a></Data>', { a: ['1', '2'], b: { c: '' } }],
  ] as const)
    it(`reads ${content}`, () => assert.deepEqual(field('Data', content), value));

  it('does not take a prefix for a namespace', () => {
    assert.equal(field('Data', '<Data xmlns:xsd="urn:other" xsi:type="xsd:int">7</Data>'), '7');
    assert.equal(field('Data', '<Data xmlns:s="http://www.w3.org/2001/XMLSchema" xsi:type="s:int">7</Data>'), 7);
  });
});
