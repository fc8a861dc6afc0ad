import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import {
  IdSet,
  type IdSetOptions,
  type Known,
  type OpenOverflow,
  type OverflowFile,
} from '../../../src/client/ids/id-set.js';
import { guidOfDigits } from '../../../src/core/text/scalars.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { openTemporaryFile } from '../../../src/state/temporary-file.js';
import { idWords } from '../page-keys.js';

const local = (): RelctlError => new RelctlError('local', 'the disk is full', { facts: { foreignCode: 'ENOSPC' } });

/** A file in memory that takes so many writes, and then fails half-way through one. */
const fileOf =
  (writes = Number.POSITIVE_INFINITY): OpenOverflow =>
  (): OverflowFile => {
    let bytes = Buffer.alloc(0);
    let left = writes;
    return {
      write(piece, at) {
        const taken = left > 0 ? piece : piece.subarray(0, piece.length / 2);
        if (bytes.length < at + taken.length) {
          bytes = Buffer.concat([bytes, Buffer.alloc(at + taken.length - bytes.length)]);
        }
        bytes.set(taken, at);
        if (left === 0) throw local();
        left -= 1;
      },
      read(into, at) {
        assert.ok(at + into.length <= bytes.length, 'reads what was never written');
        bytes.copy(into, 0, at, at + into.length);
      },
      close: () => undefined,
    };
  };

/** Few and near each other, so that most come again, and again after they went to the file. */
const near = fc
  .nat(300)
  .map((number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-00000000000${number % 10}`);
const cased = fc
  .tuple(fc.oneof(fc.uuid(), near), fc.boolean())
  .map(([id, isUpper]) => (isUpper ? id.toUpperCase() : id));
/** GUIDs that count up in one word, of several families: more of these than a set looks at one by one. */
const counting = fc.tuple(fc.nat(19), fc.nat(300), fc.integer({ min: 1, max: 3 })).map(([family, from, step]) => {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return Array.from({ length: 20 }, (_, at) => {
    const number = hex(from + at * step, 8);
    return family % 2 === 0
      ? `${number}-00${hex(family, 2)}-4000-8000-000000000001`
      : `000000${hex(family, 2)}-0000-4000-8000-0000${number}`;
  });
});
const anyId = fc.oneof(
  { weight: 9, arbitrary: cased },
  { weight: 1, arbitrary: fc.constant('00000000-0000-0000-0000-000000000000') },
  { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
);

const idLists = fc
  .array(fc.oneof(fc.array(anyId, { maxLength: 40 }), counting), { maxLength: 40, size: 'max' })
  .map((lists) => lists.flat());

/** A GUID counts without the case of its letters, any other text as it is. */
const keyOf = (id: string): string => (id.length === 36 ? id.toLowerCase() : id);

function assertLikeSet(ids: readonly string[], options: IdSetOptions): void {
  const set = new IdSet(options);
  const model = new Set<string>();
  for (const each of [...ids, ...ids]) {
    assert.equal(set.add(each), !model.has(keyOf(each)), each);
    model.add(keyOf(each));
  }
  set.close();
}

/** Takes an Id with a content of two words. */
const take = (set: IdSet, id: string, ...content: readonly [number, number]): Known =>
  set.take(Uint32Array.from(idWords(id)), 0, { words: Uint32Array.from(content), at: 0 });

describe('A set of Ids', () => {
  const places: readonly (readonly [string, () => IdSetOptions])[] = [
    ['in memory', () => ({})],
    ['that goes to its file after six', () => ({ slots: 8, openOverflow: fileOf() })],
    [
      'that goes to a file on the disk after three',
      () => ({ slots: 4, openOverflow: () => openTemporaryFile(tmpdir()) }),
    ],
    ['whose file takes two tables and no more', () => ({ slots: 8, openOverflow: fileOf(2) })],
    [
      'that finds no place for its file',
      () => ({
        slots: 8,
        openOverflow: () => {
          throw local();
        },
      }),
    ],
  ];
  for (const [name, options] of places) {
    it(`${name} tells new from known exactly as a Set of lower-case text does`, () => {
      fc.assert(
        fc.property(idLists, (ids) => assertLikeSet(ids, options())),
        { numRuns: 60 },
      );
    });
  }

  it('takes a GUID in upper case for the same as in lower case', () => {
    const set = new IdSet();
    assert.equal(set.add('6F9619FF-8B86-D011-B42D-00C04FC964FF'), true);
    assert.equal(set.add('6f9619ff-8b86-d011-b42d-00c04fc964ff'), false);
  });

  const kinds: readonly (readonly [kind: string, guid: (n: number) => string, mostReads: number])[] = [
    ['that count', (n) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`, 0],
    ['without order', (n) => guidOfDigits(createHash('md5').update(String(n)).digest('hex')), 1200],
  ];
  for (const [kind, guid, mostReads] of kinds) {
    it(`keeps 120,000 GUIDs ${kind} apart, most of them in its file`, () => {
      let writes = 0;
      let reads = 0;
      const file = openTemporaryFile(tmpdir());
      const set = new IdSet({
        openOverflow: () => ({
          write: (bytes, at) => {
            writes += 1;
            file.write(bytes, at);
          },
          read: (into, at) => {
            reads += 1;
            file.read(into, at);
          },
          close: () => file.close(),
        }),
      });
      for (let n = 1; n <= 120_000; n += 1) assert.equal(set.add(guid(n)), true);
      assert.equal(writes, 2);
      assert.ok(reads <= mostReads, `${reads} looks into the file for GUIDs that are not there`);
      for (let n = 1; n <= 120_000; n += 1) assert.equal(set.add(guid(n)), false);
      set.close();
    });
  }

  it('tells the contents of an Id apart, in memory and in its file, without regard to case', () => {
    for (const options of [{}, { slots: 8, openOverflow: fileOf() }]) {
      const set = new IdSet(options);
      const guid = (n: number): string => `${n.toString(16).padStart(8, '0')}-000a-4000-8000-000000000000`;
      for (const id of [...Array.from({ length: 40 }, (_, n) => guid(n)), 'a text']) {
        assert.equal(take(set, id, 1, 2), 'new');
        assert.equal(take(set, id, 1, 3), 'other');
        assert.equal(take(set, id, 4, 2), 'other');
      }
      for (let n = 0; n < 40; n += 1) {
        assert.equal(take(set, guid(n).toUpperCase(), 1, 3), 'same');
        assert.equal(take(set, guid(n), 4, 2), 'same');
        assert.equal(take(set, guid(n), 4, 3), 'other');
      }
      assert.equal(take(set, 'a text', 4, 2), 'same');
      set.close();
    }
  });

  it('keeps a few dozen contents of an Id, so that a list of one Id takes neither memory nor time', () => {
    for (const id of ['6f9619ff-8b86-d011-b42d-00c04fc964ff', 'a text']) {
      const set = new IdSet();
      assert.equal(take(set, id, 0, 0), 'new');
      for (let n = 1; n < 20_000; n += 1) assert.equal(take(set, id, n, n), 'other');
      assert.equal(take(set, id, 63, 63), 'same');
      assert.equal(take(set, id, 64, 64), 'other');
      set.close();
    }
  });

  it('passes on what is no failure of the file system', () => {
    const set = new IdSet({
      slots: 4,
      openOverflow: () => {
        throw new RelctlError('bug', 'no');
      },
    });
    const ids = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    assert.throws(
      () => ids.map((id) => set.add(id)),
      (thrown) => thrown instanceof RelctlError && thrown.kind === 'bug',
    );
  });
});
