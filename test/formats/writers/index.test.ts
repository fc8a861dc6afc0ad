import assert from 'node:assert/strict';
import { formatNames, formatOfName, formats } from '../../../src/formats/writers/index.js';
import { printed } from '../../support/output/print.js';

describe('The formats', () => {
  it('are these, in the order in which help lists them', () => {
    assert.deepEqual(formatNames, ['table', 'card', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'xlsx', 'parquet']);
  });

  it('are known by exactly these names, in any case of letters', () => {
    for (const name of formatNames) {
      assert.equal(formatOfName(name), name);
      assert.equal(formatOfName(name.toUpperCase()), name);
    }
    for (const name of ['xml', '', 'js', 'toString', '__proto__', 'constructor'])
      assert.equal(formatOfName(name), undefined);
  });

  it('but for the workbook and parquet, each end every line that they write', async () => {
    const { xlsx, parquet, ...texts } = formats;
    assert.ok(xlsx);
    assert.ok(parquet);
    for (const format of Object.values(texts)) {
      const text = await printed(format, [[{ Id: 'a', Name: 'b' }], [{ Id: 'c' }]]);
      assert.ok(text.endsWith('\n'));
      assert.ok(!text.endsWith('\n\n'));
    }
  });
});
