import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordValue } from '../../../src/core/values/value.js';
import type { Piece } from '../../../src/formats/writers/format.js';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { OverflowFile } from '../../../src/client/ids/id-set.js';
import { partsOf } from '../../../src/client/rows/row.js';
import { Renderer } from '../../../src/client/rows/renderer.js';
import { openTemporaryFile } from '../../../src/state/temporary-file.js';
import { piecesOf, renderedAt } from '../rendered-rows.js';

const lineOf = ({ Id, Name }: RecordValue): string => `${JSON.stringify(Id)} ${JSON.stringify(Name)}\n`;
const write = (records: readonly RecordValue[]): string => records.map(lineOf).join('');
const writer = { records: write };
const textIn = (pieces: Iterable<Piece>): string =>
  Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))).toString('utf8');

describe('The text of a page of rows, some of them rendered', () => {
  it('is that of its records, whichever were rendered or dropped', () => {
    const row = fc.record({ name: fc.string({ unit: 'grapheme' }), isPlain: fc.boolean(), isDropped: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 3 }), fc.boolean(), (pages, isJson) => {
        const textOf = isJson ? JSON.stringify : lineOf;
        const renderer = new Renderer({
          text: (record) => (record['isPlain'] === true ? undefined : textOf(record)),
          isJson,
        });
        const all = pages.map((rows, page) => {
          const { of: take } = renderer.page();
          return rows.map(({ name, isPlain, isDropped }, index) => {
            const record = { Id: `${page}-${index}`, Name: name, isPlain };
            return { record, row: take(record) as RecordValue, isDropped };
          });
        });
        const kept = all.flat().filter(({ isDropped }) => !isDropped);
        const written: RecordValue[] = [];
        const pieces = piecesOf(
          kept.map(({ row }) => row),
          {
            records: (some) => {
              written.push(...some);
              return write(some);
            },
          },
        );
        assert.equal(textIn(pieces), write(kept.map(({ record }) => record)));
        assert.deepEqual(
          written,
          kept.map(({ record }) => record).filter(({ isPlain }) => isPlain || isJson),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('of one page in its order is the bytes of the page, without a copy', () => {
    const { of: take } = new Renderer({ text: lineOf }).page();
    const rows = ['a', 'b', 'c'].map((Id) => take({ Id, Name: Id }) as RecordValue);
    const [piece, ...more] = piecesOf(rows, { records: () => assert.fail('nothing is left to write') });
    const page = rows[0] && renderedAt(rows[0])?.page;
    const [own] = page?.piecesOf(0, 1) ?? [];
    assert.ok(typeof piece === 'object' && piece.buffer === own?.buffer);
    assert.deepEqual(more, []);
    assert.equal(textIn(piecesOf([], writer)), '');
  });

  it('is whole and in its order where it is too long for memory, with what was not rendered among it', () => {
    const files: OverflowFile[] = [];
    const openFile = (): OverflowFile => {
      const file = openTemporaryFile(tmpdir());
      files.push(file);
      return file;
    };
    const long = 'é'.repeat(500_000);
    const text = ({ Id, Name }: RecordValue): string | undefined =>
      Name === 'odd' ? undefined : `${JSON.stringify(Id)} ${Number(Id) % 3 === 0 ? long : ''}\n`;
    const records = Array.from({ length: 300 }, (_, at) => ({ Id: String(at), Name: at % 100 === 50 ? 'odd' : '' }));
    const rows = records.map(new Renderer({ text, openFile }).page().of) as RecordValue[];
    try {
      const wanted = createHash('sha256');
      for (const record of records) wanted.update(text(record) ?? write([record]));
      const others: RecordValue[] = [];
      const pieces = piecesOf(rows, {
        records: (some) => {
          others.push(...some);
          return write(some);
        },
      });
      const found = createHash('sha256');
      for (const piece of pieces) found.update(piece);
      assert.equal(found.digest('hex'), wanted.digest('hex'));
      assert.deepEqual(
        others,
        [50, 150, 250].map((at) => records[at]),
      );
      const parts = [...partsOf(rows)];
      assert.ok(parts.length > 60, `${parts.length} parts`);
      assert.equal(
        parts.reduce((sum, part) => sum + ('text' in part ? part.rows : part.records.length), 0),
        records.length,
      );
      assert.equal(files.length, 1);
    } finally {
      for (const file of files) file.close();
    }
  });
});
