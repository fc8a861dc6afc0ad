import assert from 'node:assert/strict';
import { readInput, refusalOf, textRow, workbookFile, type WorkbookXml } from '../support/inputs.js';

const refused = (xml: WorkbookXml): Promise<string> => refusalOf('a.xlsx', workbookFile(xml));

describe('A workbook that is larger than what is read', () => {
  it('is refused where a row, or what cells share, is longer than fits into memory', async () => {
    const long = 'x'.repeat(2 ** 25 + 1);
    const row =
      /^a\.xlsx is not a readable workbook: xl\/worksheets\/sheet0\.xml: a row has more than 33554432 characters/;
    assert.match(await refused({ sheets: { A: textRow(1, long) } }), row);
    assert.match(await refused({ sheets: { A: textRow(1, ...[0, 1].map(() => long.slice(2 ** 24))) } }), row);
    const text = `<si><t>${'x'.repeat(2 ** 24)}</t></si>`;
    const cells = '<c t="s"><v>0</v></c>'.repeat(3);
    const shared = `${textRow(1, 'a', 'b', 'c')}<row>${cells}</row>`;
    assert.match(await refused({ sheets: { A: shared }, strings: text }), row);
    const strings = text.repeat(5);
    assert.match(
      await refused({ sheets: { A: textRow(1, 'a') }, strings }),
      /the shared strings have more than 64 MiB/,
    );
  });

  it('is refused for more styles, formats of numbers, sheets or relations than any has', async () => {
    const styled = (count: number): WorkbookXml => ({
      sheets: { A: textRow(1, 'a') },
      parts: { 'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(count)}</cellXfs></styleSheet>` },
    });
    assert.deepEqual((await readInput('a.xlsx', workbookFile(styled(250_000)))).columns, ['a']);
    assert.match(
      await refused(styled(250_001)),
      /xl\/styles\.xml: it has more than 250000 styles, or formats of numbers/,
    );
    const formats = Array.from({ length: 250_001 }, (_, at) => `<numFmt numFmtId="${at}" formatCode="0"/>`);
    const parts = { 'xl/styles.xml': `<styleSheet>${formats.join('')}</styleSheet>` };
    assert.match(await refused({ sheets: { A: textRow(1, 'a') }, parts }), /more than 250000 styles, or formats/);
    for (const [part, name] of [
      ['xl/workbook.xml', 'sheet'],
      ['xl/_rels/workbook.xml.rels', 'Relationship'],
    ] as const) {
      const xml = `<a>${`<${name}/>`.repeat(10_001)}</a>`;
      const words = new RegExp(`${part}: it has more than 10000 elements <${name}>`);
      assert.match(await refused({ sheets: { A: textRow(1, 'a') }, parts: { [part]: xml } }), words);
    }
  });
});
