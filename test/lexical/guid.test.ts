import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyGuid, isGuid, sameGuid } from '../../src/lexical/guid.js';

const guid = fc.uuid().chain((text) => fc.constantFrom(text, text.toUpperCase()));

describe('isGuid', () => {
  it('takes 8-4-4-4-12 hexadecimal digits in either case', () => {
    fc.assert(fc.property(guid, isGuid));
    assert.ok(isGuid(emptyGuid));
    assert.ok(isGuid('6F9619FF-8b86-D011-b42d-00C04fc964FF'));
  });

  for (const text of [
    '',
    '6f9619ff8b86d011b42d00c04fc964ff',
    '{6f9619ff-8b86-d011-b42d-00c04fc964ff}',
    '6f9619ff-8b86-d011-b42d-00c04fc964f',
    '6f9619ff-8b86-d011-b42d-00c04fc964ffa',
    '6f9619ff-8b86-d011-b42d-00c04fc964fg',
    ' 6f9619ff-8b86-d011-b42d-00c04fc964ff',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff\n',
    '６f9619ff-8b86-d011-b42d-00c04fc964ff',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isGuid(text), false));
});

describe('sameGuid', () => {
  it('does not look at case', () => {
    fc.assert(fc.property(fc.uuid(), (text) => sameGuid(text, text.toUpperCase())));
  });

  it('tells different ones apart', () => {
    assert.equal(sameGuid('6f9619ff-8b86-d011-b42d-00c04fc964ff', '6f9619ff-8b86-d011-b42d-00c04fc964fe'), false);
  });
});
