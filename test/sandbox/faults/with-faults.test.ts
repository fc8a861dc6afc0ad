import assert from 'node:assert/strict';
import { readFacts } from '../../../src/sandbox/faults/with-faults.js';

const words = (text: string): ReturnType<typeof readFacts> =>
  readFacts({ method: 'POST', url: '/', headers: {}, body: Buffer.from(text) });

describe('What is known of a request before it is read', () => {
  it('is the operation and the page', () => {
    const body =
      '<s:Body a="b">\n<t:RelationGetAll xmlns:t="u"><t:pageNumber a="b"> 7 </t:pageNumber></t:RelationGetAll></s:Body>';
    assert.deepEqual(words(body), { operation: 'RelationGetAll', page: 7 });
  });

  it('is not taken from a tag that does not end', () => {
    assert.deepEqual(words('<s:Body <a><b>'), { operation: '', page: undefined });
    assert.deepEqual(words('<pageNumber <a>7<'), { operation: '', page: undefined });
    assert.deepEqual(words('<pageNumber '.repeat(80_000)), { operation: '', page: undefined });
  });
});
