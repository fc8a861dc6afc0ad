import type { RecordValue, Value } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { nil, opt, recordWithoutPresence, req, list, type Fields } from '../../../src/contract/build.js';
import { AddressStyle } from '../../../src/contract/enumerations.js';
import { boolean, dateTime, decimal, guid, int, long, short, string } from '../../../src/contract/scalars.js';
import { operations } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { encodeFields, encodePieces } from '../../../src/soap/codec/encode.js';

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const Part = recordWithoutPresence('Part', 'A part.', { Id: req(guid, 'Id.'), Note: opt(string, 'Note.') });
const fields: Fields = {
  Id: req(guid, 'Id.'),
  Name: opt(string, 'Name.'),
  Since: nil(dateTime, 'Since.'),
  Style: opt(AddressStyle, 'Style.'),
  Parts: opt(list(Part), 'Parts.'),
  Ids: opt(list(guid), 'Ids.'),
  Main: opt(Part, 'Main part.'),
};
const request = { direction: 'request', of: 'Thing' } as const;
const response = { direction: 'response', of: 'Thing' } as const;
const send = (value: RecordValue): string => encodeFields(fields, value, request);

function refusal(work: () => unknown): RelctlError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof RelctlError) return thrown;
    throw thrown;
  }
  return assert.fail('nothing was refused');
}

describe('fields that are sent', () => {
  it('stand in the order of the contract: Req always, Nil always, Opt when given', () => {
    assert.equal(send({ Id: id }), `<Id>${id}</Id><Since xsi:nil="true" />`);
    assert.equal(
      send({ Main: { Note: '', Id: id }, Since: null, Name: 'x', Id: id }),
      `<Id>${id}</Id><Name>x</Name><Since xsi:nil="true" /><Main><Id>${id}</Id><Note /></Main>`,
    );
  });

  it('keep an empty text and an empty list apart from nothing', () => {
    assert.equal(
      send({ Id: id, Name: '', Parts: [], Ids: [] }),
      `<Id>${id}</Id><Name /><Since xsi:nil="true" /><Parts /><Ids />`,
    );
  });

  it('wrap lists of one as lists', () => {
    assert.ok(send({ Id: id, Ids: [id] }).endsWith(`<Ids><guid>${id}</guid></Ids>`));
    assert.ok(send({ Id: id, Parts: [{ Id: id }] }).endsWith(`<Parts><Part><Id>${id}</Id></Part></Parts>`));
  });

  it('carry white space, accents and markup to the character', () => {
    assert.ok(send({ Id: id, Name: ' <é>\r\n&\t😀 ' }).includes('<Name> &lt;é&gt;&#xD;\n&amp;\t😀 </Name>'));
  });

  it('keep every digit and the scale of decimals and longs', () => {
    const numbers: Fields = { A: req(decimal, 'A.'), B: req(long, 'B.'), C: req(short, 'C.'), D: req(boolean, 'D.') };
    assert.equal(
      encodeFields(numbers, { A: '12.50', B: '9007199254740993', C: -32768, D: false }, request),
      '<A>12.50</A><B>9007199254740993</B><C>-32768</C><D>false</D>',
    );
  });
});

describe('a value that does not fit is refused before anything is sent, by its path:', () => {
  for (const [what, value, path, words] of [
    ['a Req field that is missing', {}, 'Id', /is missing/],
    ['a Req field that is null', { Id: null }, 'Id', /must have a value, not null/],
    ['an Opt field that is null', { Id: id, Name: null }, 'Name', /cannot be null; leave it out/],
    ['a list that is null', { Id: id, Parts: null }, 'Parts', /cannot be null/],
    ['a guid without hyphens', { Id: id.replaceAll('-', '') }, 'Id', /must be a guid .*not '6f9619ff8b86/],
    ['a number for a guid', { Id: 7 }, 'Id', /must be a guid .*not 7/],
    ['a record for a text', { Id: id, Name: {} }, 'Name', /must be a text, not a record/],
    ['a date for a dateTime', { Id: id, Since: '2026-01-31' }, 'Since', /must be a date and time/],
    ['a text for a list', { Id: id, Ids: id }, 'Ids', /must be a list, not '6f96/],
    ['a list for a record', { Id: id, Main: [] }, 'Main', /must be Part, not a list/],
    ['a wrong item', { Id: id, Ids: [id, 'x'] }, 'Ids[1]', /must be a guid/],
    ['a null item', { Id: id, Parts: [{ Id: id }, null] }, 'Parts[1]', /must be Part, not null/],
    [
      'a wrong field of an item',
      { Id: id, Parts: [{ Id: id }, { Id: id, Note: 1 }] },
      'Parts[1].Note',
      /must be a text/,
    ],
    ['a missing field of an item', { Id: id, Parts: [{}] }, 'Parts[0].Id', /is missing/],
    [
      'a value that an enumeration does not have',
      { Id: id, Style: 'Formel' },
      'Style',
      /must be one of Formal, .*did you mean 'Formal'/,
    ],
    ['an unknown key', { Id: id, Nmae: 'x' }, 'Nmae', /is not known to Thing; did you mean 'Name'\?/],
    ['a key in another case', { Id: id, name: 'x' }, 'name', /did you mean 'Name'\?/],
    ['an unknown key like nothing else', { Id: id, Colour: 'x' }, 'Colour', /is not known to Thing$/],
    [
      'an unknown key within',
      { Id: id, Main: { Id: id, Nota: 'x' } },
      'Main.Nota',
      /is not known to Part; did you mean 'Note'\?/,
    ],
    ['a C0 control', { Id: id, Name: 'ab\u001fc' }, 'Name', /the character U\+001F at position 2/],
    ['NUL', { Id: id, Name: '\u0000' }, 'Name', /U\+0000 at position 0/],
    ['U+FFFE', { Id: id, Name: 'x\ufffe' }, 'Name', /U\+FFFE/],
    ['a lone surrogate', { Id: id, Parts: [{ Id: id, Note: '😀\ud83d' }] }, 'Parts[0].Note', /U\+D83D at position 2/],
  ] as const satisfies readonly (readonly [string, Readonly<Record<string, unknown>>, string, RegExp])[])
    it(what, () => {
      const error = refusal(() => send(value));
      assert.equal(error.kind, 'usage');
      assert.deepEqual(error.facts, { path });
      assert.match(error.message, words);
      assert.ok(error.message.startsWith(`${path} `));
      assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
    });

  for (const [type, values] of [
    [int, [2147483648, -2147483649, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', true]],
    [short, [32768, -32769]],
    [long, ['9223372036854775808', 1, '1.0', '']],
    [decimal, ['1e5', '1,5', '', 12.5, 'NaN']],
    [boolean, ['true', 0, 1]],
    [dateTime, ['2026-02-29T00:00:00', '', '2026-01-01 00:00:00']],
  ] as const)
    it(`${type.name}: ${values.map(String).join(' | ')}`, () => {
      for (const value of values) {
        const error = refusal(() => encodeFields({ X: req(type, 'X.') }, { X: value }, request));
        assert.deepEqual([error.kind, error.facts.path], ['usage', 'X']);
      }
    });

  it('the path of a parameter of an operation', () => {
    const input: RecordValue = { activityId: id, fieldValues: [{ Id: id, Value: 'x' }, { Id: 'nope' }] };
    const place = { direction: 'request', of: 'ActivityUpdate' } as const;
    const error = refusal(() => encodeFields(operations.ActivityUpdate.parameters, input, place));
    assert.equal(error.facts.path, 'fieldValues[1].Id');
    assert.equal(
      refusal(() => encodeFields(fields, {}, { ...request, path: 'productData' })).facts.path,
      'productData.Id',
    );
  });

  it('keys that objects have already', () => {
    for (const key of ['constructor', 'toString', '__proto__']) {
      const value = Object.fromEntries<Value>([
        ['Id', id],
        [key, 'x'],
      ]);
      assert.equal(refusal(() => send(value)).facts.path, key);
    }
  });
});

describe('fields that a service sends', () => {
  it('are left out where only every object has a member of their name', () => {
    const odd: Fields = { toString: opt(string, 'A field.'), Id: opt(string, 'Id.') };
    assert.equal(encodeFields(odd, { Id: 'x' }, response), '<Id>x</Id>');
  });

  const answer = (value: RecordValue): string => encodeFields(fields, value, response);

  it('may be nil or absent in every place', () => {
    assert.equal(answer({}), '<Since xsi:nil="true" />');
    assert.equal(
      answer({ Id: null, Name: null, Parts: null, Main: null }),
      '<Id xsi:nil="true" /><Name xsi:nil="true" /><Since xsi:nil="true" /><Parts xsi:nil="true" /><Main xsi:nil="true" />',
    );
    assert.ok(answer({ Parts: [null] }).includes('<Parts><Part xsi:nil="true" /></Parts>'));
  });

  it('are nil when they are nested and hold nothing, or bare when that is asked for; an empty text is a value', () => {
    const value = { Name: '', Parts: [], Main: {} };
    assert.equal(answer(value), '<Name /><Since xsi:nil="true" /><Parts xsi:nil="true" /><Main xsi:nil="true" />');
    const bare = encodeFields(fields, value, { ...response, direction: 'bare-response' });
    assert.equal(bare, '<Name /><Since xsi:nil="true" /><Parts /><Main />');
    assert.ok(answer({ Parts: [{}] }).includes('<Parts><Part xsi:nil="true" /></Parts>'));
  });

  it('may hold odd values as they are', () => {
    assert.ok(answer({ Id: 'not a guid', Style: 'Tomorrow' }).startsWith('<Id>not a guid</Id>'));
    assert.ok(answer({ Style: 'Tomorrow' }).includes('<Style>Tomorrow</Style>'));
  });

  it('carry control characters as references, as .NET does', () => {
    assert.ok(answer({ Name: 'a\u001fb\uffff\r' }).includes('<Name>a&#x1F;b&#xFFFF;&#xD;</Name>'));
  });

  it('are a bug of ours when no XML can hold them, or when the contract does not know them', () => {
    assert.equal(refusal(() => answer({ Name: '\u0000' })).kind, 'bug');
    assert.equal(refusal(() => answer({ Name: '\ud800' })).kind, 'bug');
    assert.equal(refusal(() => answer({ Colour: 'x' })).kind, 'bug');
    assert.equal(refusal(() => answer({ Parts: 'x' })).kind, 'bug');
  });
});

describe('fields that are written in pieces', () => {
  const whole = { Id: id, Name: 'x', Parts: [{ Id: id }, null, { Id: id, Note: '' }], Ids: [], Main: { Id: id } };
  for (const direction of ['request', 'response', 'bare-response'] as const) {
    it(`are those of the whole, with a piece for each item: ${direction}`, () => {
      const value = direction === 'request' ? { ...whole, Parts: [{ Id: id }] } : whole;
      const pieces = [...encodePieces(fields, value, { ...response, direction })];
      assert.equal(pieces.join(''), encodeFields(fields, value, { ...response, direction }));
      assert.ok(pieces.includes(`<Part><Id>${id}</Id></Part>`));
    });
  }

  it('name what does not fit by its path', () => {
    const wrong = (value: RecordValue): unknown => refusal(() => [...encodePieces(fields, value, response)]).facts.path;
    assert.equal(wrong({ Id: id, Parts: [{ Id: id }, { Id: 7 }] }), 'Parts[1].Id');
    assert.equal(wrong({ Id: id, Parts: 'x' }), 'Parts');
    assert.equal(wrong({ Id: id, Main: { Id: true } }), 'Main.Id');
    assert.equal(wrong({ Id: id, More: '' }), 'More');
  });
});
