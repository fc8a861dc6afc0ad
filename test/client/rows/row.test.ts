import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { jsonPieces } from '../../../src/kit/calls/trace.js';
import type { OverflowFile } from '../../../src/client/ids/id-set.js';
import {
  contentsOf,
  leadRow,
  pageKeysOf,
  recordOfRow,
  recordSlices,
  rowId,
  type Row,
} from '../../../src/client/rows/row.js';
import { readPages } from '../../../src/client/pages.js';
import type { FetchPage } from '../../../src/client/paging.js';
import { Renderer } from '../../../src/client/rows/renderer.js';
import { openTemporaryFile } from '../../../src/state/temporary-file.js';
import type { RecordValue, Value } from '../../../src/core/values/value.js';
import { rowsAnswered } from '../../support/soap/answered-rows.js';
import { valuesOf } from '../../support/thrown.js';

const text = fc.string({ unit: 'binary', maxLength: 6 });
const scalar = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer());
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constant('__proto__'), text), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((guid) => guid.toUpperCase()),
  fc.constant('00000000-0000-0000-0000-000000000000'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
);
const record = fc.record({ Id: id, Name: value }, { noNullPrototype: true });

/** Keeps records as JSON. */
const keeper = (openFile?: () => OverflowFile): Renderer =>
  new Renderer({ text: JSON.stringify, isJson: true, ...(openFile === undefined ? {} : { openFile }) });

const kept = (records: readonly RecordValue[], renderer = keeper()): readonly RecordValue[] =>
  records.map(renderer.page().of) as RecordValue[];

describe('A record that is kept as JSON', () => {
  it('is read back as it was, with its Id, on a page that was used before', () => {
    const renderer = keeper();
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (records) => {
        const rows = kept(records, renderer);
        assert.deepEqual(rows.map(recordOfRow), records);
        assert.deepEqual([...recordSlices(rows)].flat(), records);
        assert.deepEqual(
          rows.map((row) => rowId(row, ({ Id }) => (typeof Id === 'string' ? Id : undefined))),
          records.map(({ Id }) => Id),
        );
        renderer.releaseAll(rows);
      }),
    );
  });

  it('keeps an Id of any length, also in a file', () => {
    const files: OverflowFile[] = [];
    const openFile = (): OverflowFile => {
      const file = openTemporaryFile(tmpdir());
      files.push(file);
      return file;
    };
    try {
      const ids = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? `${at}` : `${at} ${'é'.repeat(400_000)}`));
      const rows = kept(
        ids.map((Id) => ({ Id })),
        new Renderer({ text: () => '{}', isJson: true, openFile }),
      );
      assert.deepEqual(valuesOf(rows, 'Id'), ids);
      assert.equal(files.length, 1);
    } finally {
      for (const file of files) file.close();
    }
  });

  it('gets a member in front of its own, as any other record does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(record, fc.array(fc.constantFrom('new', 'changed', 'gone'), { maxLength: 2 }))),
        (given) => {
          const renderer = keeper();
          const led = (rows: readonly Row[]): readonly Row[] =>
            rows.map((each, at) =>
              (given[at]?.[1] ?? []).reduce((row, change) => leadRow('_change', change, row), each),
            );
          const records = given.map(([each]) => each);
          const wanted = JSON.stringify(led(records));
          const rows = led(kept(records, renderer));
          assert.equal(JSON.stringify(rows.map(recordOfRow)), wanted);
          renderer.releaseAll(rows);
          // On the same page, a member of one row is not one of another.
          const again = kept(records, renderer);
          const [first] = again;
          if (first !== undefined) leadRow('_change', 'other', first);
          assert.deepEqual(again.slice(1).map(recordOfRow), records.slice(1));
          renderer.releaseAll(again);
        },
      ),
    );
  });

  it('is in a result as JSON.stringify writes it', () => {
    const dictionary = fc.dictionary(text, value, { maxKeys: 3, noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), dictionary, (records, others) => {
        const result = (list: readonly RecordValue[]): RecordValue => ({ Before: null, Page: { List: list }, others });
        const pieces = [...jsonPieces(result([...records, ...kept(records)]))];
        assert.equal(pieces.join(''), JSON.stringify(result([...records, ...records])));
      }),
    );
    const long = Array.from({ length: 100 }, (_, at) => ({ Id: `${at}`, Name: 'x'.repeat(50_000) }));
    const pieces = [...jsonPieces({ List: kept(long) })];
    assert.equal(pieces.join(''), JSON.stringify({ List: long }));
    assert.ok(pieces.length > 10, `${pieces.length} pieces`);
  });
});

describe('A page of rendered rows', () => {
  const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);
  // Few GUIDs in lower case, which have words; now and then an Id of another form.
  const few = fc
    .integer({ min: 1, max: 12 })
    .map((number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
  const rowRecord = fc.record(
    {
      Id: fc.oneof({ weight: 30, arbitrary: few }, { weight: 1, arbitrary: id }),
      Name: fc.nat(3),
    },
    { noNullPrototype: true },
  );
  const pageOf = fc.array(rowRecord, { maxLength: 20, size: 'max' });

  it('has the keys and hashes of its records, whichever rows are taken from it', () => {
    fc.assert(
      fc.property(pageOf, fc.nat(20), fc.nat(20), fc.boolean(), (records, from, to, isReversed) => {
        const take = <T>(all: readonly T[]): readonly T[] => {
          const some = all.slice(from, to);
          return isReversed ? some.reverse() : some;
        };
        const [rows, own] = [take(kept(records) as readonly Row[]), take(records)];
        const contents = contentsOf(rows);
        assert.deepEqual(contents, contentsOf(own));
        assert.deepEqual(pageKeysOf(rows, contents, idOf), pageKeysOf(own, contents, idOf));
        const half = Math.floor(rows.length / 2);
        assert.deepEqual(
          pageKeysOf(rows.slice(0, half), contents, idOf),
          pageKeysOf(own.slice(0, half), contents, idOf),
        );
      }),
    );
  });

  it('is walked as its records are: the same rows, repeats and counts', async () => {
    const walked = async (pages: readonly (readonly Row[])[]): Promise<unknown> => {
      const fetch: FetchPage = (number) => {
        const records = pages[number - 1] ?? [];
        const state = records.length === 0 ? 'empty' : 'there';
        return Promise.resolve({ ...rowsAnswered([]), state, records, attempts: 1 });
      };
      const { signal } = new AbortController();
      const walk = readPages(fetch, { firstPage: 1, pageSize: 20, prefetch: 0, idOf, signal });
      const seen: unknown[] = [];
      try {
        for (let step = await walk.next(); ; step = await walk.next()) {
          if (step.done === true) return { seen, claim: step.value };
          const { records, keys, duplicates, changed, signature } = step.value;
          seen.push({ records: records.map(recordOfRow), keys, duplicates, changed, signature });
        }
      } catch (thrown) {
        return { seen, message: (thrown as Error).message };
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(pageOf, { maxLength: 5 }), async (pages) => {
        assert.deepEqual(await walked(pages.map((records) => kept(records))), await walked(pages));
      }),
    );
  });
});
