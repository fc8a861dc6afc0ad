import assert from 'node:assert/strict';
import { formatNames, formats, isFormatName } from '../../../src/output/formats/index.js';
import { printed } from '../../support/output/print.js';

describe('The formats', () => {
  it('are these, in the order in which help lists them', () => {
    assert.deepEqual(formatNames, ['table', 'card', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'xlsx']);
  });

  it('are known by exactly these names', () => {
    for (const name of formatNames) assert.equal(isFormatName(name), true);
    for (const name of ['JSON', 'xml', '', 'toString', '__proto__', 'constructor'])
      assert.equal(isFormatName(name), false);
  });

  it('but for the workbook, each end every line that they write', async () => {
    const { xlsx, ...texts } = formats;
    assert.ok(xlsx);
    for (const format of Object.values(texts)) {
      const text = await printed(format, [[{ Id: 'a', Name: 'b' }], [{ Id: 'c' }]]);
      assert.ok(text.endsWith('\n'));
      assert.ok(!text.endsWith('\n\n'));
    }
  });
});
