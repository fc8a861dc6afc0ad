import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import { parseIds } from '../../../src/lists/ids/parse.js';

const one = '00000000-0000-4000-8000-000000000101';
const two = '00000000-0000-4000-8000-000000000102';

const refusal = (text: string): string => {
  try {
    parseIds(text, 'ids.txt');
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
    assert.deepEqual(parseIds(text, 'ids.txt'), {
      ids: [
        { id: one, line: 3 },
        { id: two, line: 5 },
      ],
      repeats: 0,
    });
    assert.deepEqual(parseIds('', 'ids.txt').ids, []);
    assert.deepEqual(parseIds('# nobody\n', 'ids.txt').ids, []);
  });

  it('gives an id that comes again once, where it stood first, in any case of letters', () => {
    const upper = '0000000A-0000-4000-8000-00000000010B';
    const found = parseIds(`${upper}\n${one}\n${upper.toLowerCase()}\n${one}\n`, 'ids.txt');
    assert.deepEqual(found, {
      ids: [
        { id: upper, line: 1 },
        { id: one, line: 2 },
      ],
      repeats: 2,
    });
  });

  it('may be a table with a column Id, with line breaks within its cells', () => {
    const text = `\ufeffInfo,Id,Name\r\n"a\r\nb, ""c""",${one},x\r\n,${two},\r\n`;
    assert.deepEqual(parseIds(text, 'ids.csv').ids, [
      { id: one, line: 2 },
      { id: two, line: 4 },
    ]);
    assert.deepEqual(parseIds(`Id\n${one}\n`, 'ids.csv').ids, [{ id: one, line: 2 }]);
    for (const delimiter of [';', '\t', '|']) {
      const rows = `Name${delimiter}Id\nx${delimiter}${one}\n`;
      assert.deepEqual(parseIds(rows, 'ids.csv').ids, [{ id: one, line: 2 }]);
    }
  });

  it('that holds anything else is refused with the line', () => {
    assert.match(refusal(`${one}\n\n${two}x\n`), /^ids\.txt, line 3: '.*x' is no GUID such as/);
    assert.match(refusal(`Name,Number\nx,1\n`), /^ids\.txt, line 1: 'Name,Number' is no GUID/);
    assert.match(refusal(`${one},${two}\n`), /line 1/);
    assert.match(refusal(`Id,Name\n${one},x\n,y\n`), /^ids\.txt, line 3: '' is no GUID/);
    assert.match(refusal(`Id,Name\n"${one},x\n`), /line 2/);
    assert.match(refusal('\u001b[31m'.padEnd(500, 'x')), /^[ -~…]{1,160}$/);
  });

  it('gives every id of its lines, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid()), fc.constantFrom('\n', '\r\n', '\n\n', '\n# x\n'), (ids, ending) => {
        const found = parseIds(ids.map((id) => id + ending).join(''), 'ids.txt');
        assert.deepEqual(
          found.ids.map(({ id }) => id),
          ids,
        );
      }),
    );
  });
});
