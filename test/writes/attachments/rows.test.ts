import assert from 'node:assert/strict';
import { patternOf, type Matched } from '../../../src/writes/attachments/rows.js';

const id = '00000000-0020-4000-8000-000000000001';

describe('The pattern of --dir', () => {
  /** What the pattern of one name finds in a name. */
  const found = (pattern: string, name: string): Matched | undefined => {
    const [first] = patternOf(pattern);
    const matched = first(name);
    return matched === undefined ? undefined : { ...matched };
  };

  it('finds the Id, and the name where it says so', () => {
    assert.deepEqual(found('{id}_{name}', `${id}_a_b.pdf`), { id, name: 'a_b.pdf' });
    assert.deepEqual(found('{id}*', `${id} scan.pdf`), { id });
    assert.deepEqual(found('scan-{id}.pdf', `scan-${id}.pdf`), { id });
    assert.deepEqual(found('{id}', id.toUpperCase()), { id: id.toUpperCase() });
    assert.deepEqual(found('{id}-{name}', `${id}-x`), { id, name: 'x' });
    assert.deepEqual(found('{id}.{name}', `${id}.a\nb`), { id, name: 'a\nb' });
  });

  it('takes what is not an Id in its place, so that it is told of', () => {
    assert.deepEqual(found('{id}_*.pdf', 'nope_1.pdf'), { id: 'nope' });
  });

  it('takes all other characters as they stand, in their case', () => {
    assert.equal(found('{id}.pdf', `${id}xpdf`), undefined);
    assert.equal(found('{id}.pdf', `${id}.PDF`), undefined);
    assert.deepEqual(found('{id} (1)+[a].pdf', `${id} (1)+[a].pdf`), { id });
    assert.equal(found('{id}*.pdf', `${id}.pdf2`), undefined);
  });

  it('leaves hidden names alone unless it begins with a dot itself', () => {
    assert.equal(found('*{id}*', `.${id}`), undefined);
    assert.deepEqual(found('.{id}', `.${id}`), { id });
  });

  it('has a part for each folder', () => {
    assert.equal(patternOf('{id}/*/*.pdf').length, 3);
  });

  const wrong: Readonly<Record<string, RegExp>> = {
    '': /is no path/,
    '/{id}': /is no path/,
    '../{id}': /is no path/,
    '{id}//x': /is no path/,
    '*': /needs \{id\} once/,
    '{id}/{id}': /needs \{id\} once/,
    '{name}/{id}': /can have \{name\} once/,
    '{id}{name}{name}': /can have \{name\} once/,
    '{ID}{id}': /has \{ID\}/,
    '**/{id}': /has \*\*/,
    '*a*b*c{id}': /more than 3/,
  };
  for (const [pattern, words] of Object.entries(wrong))
    it(`cannot be '${pattern}'`, () => {
      assert.throws(() => patternOf(pattern), words);
    });

  it('is quick with a long name that nearly matches', () => {
    assert.equal(found('*a*a{id}b', 'a'.repeat(255)), undefined);
  });
});
