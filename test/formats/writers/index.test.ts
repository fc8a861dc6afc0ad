import assert from 'node:assert/strict';
import { formatNames, formatOfName, formats } from '../../../src/formats/writers/index.js';
import { printed } from '../../support/output/print.js';
import { opt, record, scalar } from '../../../src/contract/build.js';
import { allColumns } from '../../../src/formats/columns.js';
import type { FormatContext, LineStyle, Writer } from '../../../src/formats/writers/format.js';

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

const columns = allColumns(record('Texts', 'A text.', { Text: opt(scalar('string'), 'It.') }));

const contextOf = (lines: LineStyle): FormatContext => ({
  columns,
  lines,
  isChosen: false,
  shape: 'list',
  hasHeader: false,
});

const styles = [
  ['csv', {}],
  ['csv', { delimiter: ';' }],
  ['csv', { delimiter: '€' }],
  ['tsv', {}],
  ['ndjson', {}],
] as const;

describe('The layout of a row', () => {
  for (const [format, lines] of styles) {
    it(`copies no character that ${format} ${JSON.stringify(lines)} writes otherwise`, async () => {
      const writer = (await formats[format].open(contextOf(lines))) as Writer;
      const layout = writer.layout?.(['Text']);
      const [cell] = layout?.cells ?? [];
      if (layout?.copied === undefined || cell?.isCopied !== true) return assert.fail('nothing is copied');
      const { around, wrap, escapes, outside } = layout.copied;
      let copied = 0;
      for (let code = 0; code <= 0x10ffff; code += 1) {
        if ((code >= 0xd800 && code <= 0xdfff) || outside.some(([first, last]) => code >= first && code <= last))
          continue;
        const character = String.fromCodePoint(code);
        const escape = escapes[character];
        const made = escape === undefined ? `a${character}` : `${wrap}a${escape}${wrap}`;
        copied += 1;
        if (cell.of(`a${character}`) !== around + made + around) assert.fail(`U+${code.toString(16)} is copied`);
      }
      assert.ok(copied > 900_000, `only ${copied} characters are copied`);
    }).timeout(60_000);
  }
});
