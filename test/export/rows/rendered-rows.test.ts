import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordValue } from '../../../src/plain/value.js';
import { Renderer } from '../../../src/client/rendered.js';
import { pieceOf } from '../../../src/export/rows/rendered-rows.js';

const lineOf = ({ Id, Name }: RecordValue): string => `${JSON.stringify(Id)} ${JSON.stringify(Name)}\n`;
const write = (records: readonly RecordValue[]): string => records.map(lineOf).join('');
const writer = { records: write };

describe('The text of a page of rows, some of them rendered', () => {
  it('is that of its records, whichever were rendered or dropped', () => {
    const row = fc.record({ name: fc.string({ unit: 'grapheme' }), isPlain: fc.boolean(), isDropped: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 3 }), (pages) => {
        const renderer = new Renderer({
          text: (record) => (record['isPlain'] === true ? undefined : lineOf(record)),
        });
        const all = pages.map((rows, page) => {
          const { of: take } = renderer.page();
          return rows.map(({ name, isPlain, isDropped }, index) => {
            const record = { Id: `${page}-${index}`, Name: name, isPlain };
            return { record, row: take(record) as RecordValue, isDropped };
          });
        });
        const kept = all.flat().filter(({ isDropped }) => !isDropped);
        const {
          piece,
          others,
          pages: used,
        } = pieceOf(
          kept.map(({ row }) => row),
          writer,
        );
        assert.equal(Buffer.from(piece).toString('utf8'), write(kept.map(({ record }) => record)));
        assert.deepEqual(
          others,
          kept.map(({ record }) => record).filter(({ isPlain }) => isPlain),
        );
        assert.ok(used.size <= pages.length);
      }),
      { numRuns: 500 },
    );
  });

  it('of one page in its order is the bytes of the page, without a copy', () => {
    const { of: take } = new Renderer({ text: lineOf }).page();
    const rows = ['a', 'b', 'c'].map((Id) => take({ Id, Name: Id }) as RecordValue);
    const { piece, pages } = pieceOf(rows, { records: () => assert.fail('nothing is left to write') });
    const [page] = pages;
    assert.ok(typeof piece !== 'string' && piece.buffer === page?.textOf(0, 1).buffer);
    assert.equal(pieceOf([], writer).piece, '');
  });
});
