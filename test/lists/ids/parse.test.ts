import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError, usage } from '../../../src/core/errors/relctl-error.js';
import { type ListedId, IdReader } from '../../../src/lists/ids/parse.js';
import { thrownBy, valuesOf } from '../../support/thrown.js';

const one = '00000000-0000-4000-8000-000000000101';
const two = '00000000-0000-4000-8000-000000000102';

/** What is read of a text that comes in pieces of so many characters. */
function parsed(text: string, characters = Infinity): { readonly ids: readonly ListedId[]; readonly repeats: number } {
  const reader = new IdReader('ids.txt');
  for (let at = 0; at < text.length; at += characters) reader.push(text.slice(at, at + characters));
  const { ids, repeats } = reader.end();
  return { ids: [...ids], repeats };
}

const refusal = (text: string): string => thrownBy(() => parsed(text), 'usage').message;

describe('A text of ids', () => {
  it('has one a line, with blank lines, comments, spaces, any line ending and a byte order mark', () => {
    const text = `\ufeff# relations\r\n\r\n  ${one}\t\r\n#${two}\n${two}`;
    assert.deepEqual(parsed(text), {
      ids: [
        { id: one, line: 3 },
        { id: two, line: 5 },
      ],
      repeats: 0,
    });
    assert.deepEqual(parsed('').ids, []);
    assert.deepEqual(parsed('# nobody\n').ids, []);
  });

  it('gives an id that comes again once, where it stood first, in any case of letters', () => {
    const upper = '0000000A-0000-4000-8000-00000000010B';
    const found = parsed(`${upper}\n${one}\n${upper.toLowerCase()}\n${one}\n`);
    assert.deepEqual(found, {
      ids: [
        { id: upper.toLowerCase(), line: 1 },
        { id: one, line: 2 },
      ],
      repeats: 2,
    });
    const digits = one.replaceAll('-', '');
    assert.deepEqual(parsed(`{${one}}\n'${one}',\n"${digits}"\nurn:uuid:${one}\n`), {
      ids: [{ id: one, line: 1 }],
      repeats: 3,
    });
  });

  it('may be a table with a column Id, with line breaks within its cells', () => {
    const text = `\ufeffInfo,Id,Name\r\n"a\r\nb, ""c""",${one},x\r\n,${two},\r\n`;
    assert.deepEqual(parsed(text).ids, [
      { id: one, line: 2 },
      { id: two, line: 4 },
    ]);
    for (const header of ['Id', 'ID', 'id', ' Id '])
      assert.deepEqual(parsed(`${header}\n{${one}}\n`).ids, [{ id: one, line: 2 }], header);
    for (const delimiter of [';', '\t', '|']) {
      const rows = `Name${delimiter}Id\nx${delimiter}${one}\n`;
      assert.deepEqual(parsed(rows).ids, [{ id: one, line: 2 }]);
    }
  });

  it('that holds anything else is refused with the line', () => {
    assert.match(refusal(`${one}\n\n${two}x\n`), /^ids.txt, line 3: '.*x' is not a GUID$/);
    assert.match(refusal(`Name,Number\nx,1\n`), /^ids.txt, line 1: 'Name,Number' is not a GUID; a header/);
    assert.match(refusal(`${one},${two}\n`), /line 1/);
    assert.match(refusal(`Id,Name\n${one},x\n,y\n`), /^ids.txt, line 3: '' is not a GUID$/);
    assert.match(refusal(`Id,Name\n"${one},x\n`), /line 2/);
  });

  it('with two columns Id, in any case of letters, is refused with both', () => {
    const refused: readonly (readonly [header: string, words: string])[] = [
      ['Id,Id', 'columns 1 and 2'],
      ['Id,Name,id', 'columns 1 and 3'],
      ['Name;"Id"; ID ;id', 'columns 2 and 3'],
    ];
    for (const [header, words] of refused)
      assert.equal(refusal(`${header}\n${one},${two}\n`), `ids.txt, line 1: ${words} are both named Id: remove one`);
    assert.deepEqual(parsed(`_id,Id,Id.2\n1,${one},2\n`).ids, [{ id: one, line: 2 }]);
  });

  it('may be JSON whose records have a member Id, one a line, in an array, or one alone', () => {
    const pretty = `{\n  "Name": "a, b",\n  "Id": "${one}"\n}\n`;
    const texts: readonly (readonly [text: string, lines: readonly number[]])[] = [
      [`{"Id":"${one}","Name":"x"}\n\n{"Name":"y","Id":"${two}"}\n`, [1, 3]],
      [`\ufeff[{"id":"${one}"},{"id":"${two}"}]`, [1, 1]],
      [`[\n  ${pretty.trim()},\n  {"ID":"{${two.toUpperCase()}}"}\n]\n`, [2, 6]],
      [pretty, [1]],
      ['[]\n', []],
    ];
    for (const [text, lines] of texts)
      assert.deepEqual(
        parsed(text).ids,
        lines.map((line, at) => ({ id: [one, two][at], line })),
        text,
      );
    assert.deepEqual(parsed(`{${one}}\n`).ids, [{ id: one, line: 1 }]);
    for (const name of ['[Test] Veen', '{Veen}'])
      assert.match(refusal(name), /^ids\.txt, line 1: '[^']+' is not a GUID; a header/);
  });

  it('of JSON is refused with the line of what is not an Id', () => {
    const record = `{"Id":"${one}"}`;
    const refused: readonly (readonly [text: string, message: string])[] = [
      [`${record}\n{"Name":"x","Parent":{"Id":"${two}"}}\n`, 'line 2: the record has no member Id'],
      [`${record}\n{}\n`, 'line 2: the record has no member Id'],
      [`[\n{"Id":1,\n"id":2}]`, 'line 2: members 1 and 2 are both named Id: remove one'],
      ['{"id":[]}', 'line 1: id is a list, but needs one value'],
      [`[\n{\n"Id":x}]`, 'line 3: expected a value'],
      [`{\n"Id":"${one}"\n}\n${record}`, 'line 4: text after the record'],
      [`[${record}`, 'line 1: the JSON array does not end'],
      [`["${one}"]`, 'line 1: expected a record, { … }'],
    ];
    for (const [text, message] of refused) assert.equal(refusal(text), `ids.txt, ${message}`, text);
    assert.equal(refusal('{"Id":null}'), "ids.txt, line 1: '' is not a GUID");
  });

  it('gives its columns and members to who may refuse them', () => {
    const seen: string[] = [];
    for (const text of ['_id;id\n', '{"_id":1,"id":2}\n']) {
      const refusing = new IdReader('ids.txt', (names) => {
        seen.push(names.join());
        if (names.includes('_id')) throw usage('--ids', 'refused');
      });
      assert.throws(() => refusing.push(text), { message: 'refused' });
    }
    assert.deepEqual(seen, ['_id;id', '_id,id', '_id,id']);
  });

  it('gives the same in pieces of any size', () => {
    const texts = [
      `\ufeff# relations\r\n\r\n  ${one}\t\r\n#${two}\n${two}`,
      `${one}\r\r\n${two}\r`,
      `${one}\r${two}\r\r${one}`,
      `\ufeffInfo,Id,Name\r\n"a\r\nb, ""c""",${one},x\r\n,${two},\r\n\r\n`,
      `Id\n${one}`,
      `Name,Number\nx,1\n`,
      `Id\n${one}\r${two}\n`,
      `{"Id":"${one}"}\r\n{"Id":"${two}"}`,
      `[\n{"Id":"${one}"},\n{"Id":"${two}"}\n]\n`,
      `{\n"Id":"${one}"\n}\n`,
      `${one}\n# ${'x'.repeat(100)}\n${two}\nno\n`,
    ];
    const outcome = (text: string, characters?: number): unknown => {
      try {
        return parsed(text, characters);
      } catch (thrown) {
        return RelctlError.from(thrown).message;
      }
    };
    for (const text of texts) {
      for (const characters of [1, 2, 3, 7, 36, 37, 38]) {
        assert.deepEqual(outcome(text, characters), outcome(text), JSON.stringify([text, characters]));
      }
    }
    const split = [
      { id: one, line: 1 },
      { id: two, line: 3 },
    ];
    assert.deepEqual(parsed(`${one}\r\r\n${two}\r`, 37).ids, split);
  });

  it('keeps many ids in order, each as the service writes it', () => {
    const ids = Array.from({ length: 40_000 }, (_, at) => {
      const id = `abcdef00-0000-4000-8000-${String(at).padStart(12, '0')}`;
      return at % 3 === 0 ? id.toUpperCase() : id;
    });
    const found = parsed(`${ids.join('\n')}\n`, 65_536).ids;
    assert.deepEqual(
      found,
      ids.map((id, at) => ({ id: id.toLowerCase(), line: at + 1 })),
    );
  });

  it('says of its first line what a header has to name', () => {
    for (const line of ['Relation,Name', 'RelationId', 'David'])
      assert.equal(refusal(`${line}\nx,y\n`), `ids.txt, line 1: '${line}' is not a GUID; a header needs a column Id`);
    assert.equal(refusal('# x\nRelation,Name\n'), "ids.txt, line 2: 'Relation,Name' is not a GUID");
  });

  it('gives every id of its lines, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid()), fc.constantFrom('\n', '\r\n', '\n\n', '\n# x\n'), (ids, ending) => {
        const found = parsed(ids.map((id) => id + ending).join(''));
        assert.deepEqual(valuesOf(found.ids, 'id'), ids);
      }),
    );
  });
});
