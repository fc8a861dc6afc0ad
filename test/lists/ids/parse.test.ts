import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import type { GivenId } from '../../../src/lists/ids/id-list.js';
import { IdReader } from '../../../src/lists/ids/parse.js';

const one = '00000000-0000-4000-8000-000000000101';
const two = '00000000-0000-4000-8000-000000000102';

/** What is read of a text that comes in pieces of so many characters. */
function parsed(text: string, characters = Infinity): { readonly ids: readonly GivenId[]; readonly repeats: number } {
  const reader = new IdReader('ids.txt');
  for (let at = 0; at < text.length; at += characters) reader.push(text.slice(at, at + characters));
  const { ids, repeats } = reader.end();
  return { ids: [...ids], repeats };
}

const refusal = (text: string): string => {
  try {
    parsed(text);
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError);
    assert.equal(thrown.kind, 'usage');
    return thrown.message;
  }
  throw new assert.AssertionError({ message: 'it was taken' });
};

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
    assert.deepEqual(parsed(`ID,Id,id\n1,${one},2\n`).ids, [{ id: one, line: 2 }]);
    for (const delimiter of [';', '\t', '|']) {
      const rows = `Name${delimiter}Id\nx${delimiter}${one}\n`;
      assert.deepEqual(parsed(rows).ids, [{ id: one, line: 2 }]);
    }
  });

  it('that holds anything else is refused with the line', () => {
    assert.match(refusal(`${one}\n\n${two}x\n`), /^ids\.txt, line 3: '.*x' is no GUID such as/);
    assert.match(refusal(`Name,Number\nx,1\n`), /^ids\.txt, line 1: 'Name,Number' is no GUID/);
    assert.match(refusal(`${one},${two}\n`), /line 1/);
    assert.match(refusal(`Id,Name\n${one},x\n,y\n`), /^ids\.txt, line 3: '' is no GUID/);
    assert.match(refusal(`Id,Name\n"${one},x\n`), /line 2/);
    assert.match(refusal(`ID,id\n${one},${two}\n`), /line 1: 'ID,id' is no GUID/);
    assert.match(refusal(`${one}\n{${one.slice(1)}}\n`), /line 2: .*it has 31 digits, and a GUID has 32$/);
    assert.match(refusal('\u001b[31m'.padEnd(500, 'x')), /^[ -~…]{1,160}$/);
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

  it('gives every id of its lines, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid()), fc.constantFrom('\n', '\r\n', '\n\n', '\n# x\n'), (ids, ending) => {
        const found = parsed(ids.map((id) => id + ending).join(''));
        assert.deepEqual(
          found.ids.map(({ id }) => id),
          ids,
        );
      }),
    );
  });
});
