import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ByteRecorder,
  FlatRecorder,
  outcome,
  bytesOf,
  chunksOf,
  Recorder,
  rowDocuments as documents,
} from '../../support/xml/recorder.js';

const markup = fc.constantFrom(...Array.from('<>&;"/! =R'), ']]>', '</', '<Row>', '</Row>', '<Id>', '&#0;', '\r');
/** The same in which something was put, or some characters replaced. */
const damaged = fc
  .record({ document: documents, at: fc.nat(), removed: fc.nat(3), put: fc.oneof(markup, fc.constant('')) })
  .map(({ document, at, removed, put }) => {
    const place = at % document.length;
    return document.slice(0, place) + put + document.slice(place + removed);
  });
const cuts = fc.array(fc.nat(), { maxLength: 8 });

const plainRow = (id: number): string => `<Row><Id>${id}</Id><Name>n</Name></Row>`;
const listOf = (rows: readonly string[]): readonly Uint8Array[] => [bytesOf(`<r><l>${rows.join('')}</l></r>`)];

const recorders = { 'whole elements': FlatRecorder, 'whole elements as bytes': ByteRecorder } as const;

for (const [what, Taker] of Object.entries(recorders)) {
  describe(`a reader that offers ${what}`, () => {
    it('tells the same as one that does not, also when it refuses, with the same place', () => {
      fc.assert(
        fc.property(fc.oneof(documents, damaged), cuts, (document, places) => {
          const chunks = chunksOf(bytesOf(document), places);
          assert.deepEqual(outcome(new Taker(), chunks), outcome(new Recorder(), chunks));
        }),
        { numRuns: 1500 },
      );
    });

    it('tells the same when some of them are not taken', () => {
      fc.assert(
        fc.property(documents, cuts, fc.nat(3), (document, places, modulus) => {
          const chunks = chunksOf(bytesOf(document), places);
          let count = 0;
          const recorder = new Taker(() => (count += 1) % (modulus + 1) === 0);
          assert.deepEqual(outcome(recorder, chunks), outcome(new Recorder(), chunks));
        }),
        { numRuns: 300 },
      );
    });

    it('keeps to the same limits', () => {
      fc.assert(
        fc.property(
          documents,
          fc.integer({ min: 1, max: 60 }),
          fc.integer({ min: 1, max: 5 }),
          (document, maxElements, maxDepth) => {
            const options = { limits: { maxElements, maxDepth } };
            const chunks = [bytesOf(document)];
            assert.deepEqual(outcome(new Taker(), chunks, options), outcome(new Recorder(), chunks, options));
          },
        ),
        { numRuns: 300 },
      );
    });
  });
}

describe('a reader that offers whole elements as bytes', () => {
  const long = (rows: number): string =>
    `<r>${Array.from({ length: rows }, (_, index) => `<Row><Id>${index}</Id><Name>é \u{1d4b3} ${'n'.repeat(index % 50)}</Name></Row>`).join('')}</r>`;

  it('offers nearly all of a long list, in chunks of any length', () => {
    for (const length of [700, 4096, 65_536]) {
      const bytes = bytesOf(long(3000));
      const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
        bytes.subarray(index * length, index * length + length),
      );
      const recorder = new ByteRecorder();
      assert.deepEqual(outcome(recorder, chunks), outcome(new Recorder(), chunks));
      assert.ok(recorder.takenBytes > 2900, `${recorder.takenBytes} in chunks of ${length}`);
    }
  });

  it('counts the length of the document as UTF-16 does', () => {
    const document = long(400);
    for (const maxLength of [document.length - 1, document.length]) {
      const recorder = new ByteRecorder();
      const { error } = outcome(recorder, [bytesOf(document)], { limits: { maxLength } });
      assert.ok(recorder.takenBytes > 0);
      assert.equal(error?.includes('xml-limit') === true, maxLength < document.length, error);
    }
  });

  it('finds a byte that is no UTF-8 within them, and tells its offset', () => {
    const bytes = Uint8Array.from(Buffer.from(long(400)));
    const at = bytes.length - 100;
    bytes[at] = 0xff;
    const [taker, other] = [new ByteRecorder(), new Recorder()];
    const told = outcome(taker, chunksOf(bytes, [5000, 9000]));
    assert.deepEqual(told, outcome(other, chunksOf(bytes, [5000, 9000])));
    assert.match(told.error ?? '', new RegExp(`offset ${at} `));
    assert.ok(taker.takenBytes > 0);
  });

  it('leaves documents in other encodings, and with carriage returns, to text', () => {
    const document = long(200);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(document, 'utf16le')]);
    const returns = Buffer.from(document.replaceAll('<Row>', '\r\n<Row>'));
    for (const bytes of [utf16, returns]) {
      const recorder = new ByteRecorder();
      assert.deepEqual(outcome(recorder, [bytes]), outcome(new Recorder(), [bytes]));
      assert.equal(recorder.takenBytes, 0);
    }
  });
});

describe('a reader that offers whole elements', () => {
  it('offers them from the third of their kind on', () => {
    const recorder = new FlatRecorder();
    outcome(recorder, listOf(Array.from({ length: 100 }, (_, index) => plainRow(index))));
    assert.equal(recorder.taken, 98);
  });

  it('offers those that lack a field, or have it in another form, once one of them was read', () => {
    const recorder = new FlatRecorder();
    const rows = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? plainRow(index) : '<Row><Id>1</Id><Name a="b"/><More>m</More></Row>',
    );
    outcome(recorder, listOf(rows));
    assert.ok(recorder.taken >= 36, `${recorder.taken} of 40`);
  });

  it('goes on offering behind one that is cut by the end of a chunk', () => {
    const recorder = new FlatRecorder();
    const bytes = bytesOf(`<r>${Array.from({ length: 200 }, (_, index) => plainRow(index)).join('')}</r>`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 500) }, (_, index) =>
      bytes.subarray(index * 500, index * 500 + 500),
    );
    outcome(recorder, chunks);
    assert.ok(recorder.taken > 170, `${recorder.taken} of 200`);
  });

  it('gives up elements that are never taken', () => {
    let offers = 0;
    const recorder = new FlatRecorder(() => {
      offers += 1;
      return false;
    });
    outcome(recorder, listOf(Array.from({ length: 500 }, (_, index) => plainRow(index))));
    assert.ok(offers < 40, `${offers} offers`);
  });

  it('does not take an element for another one whose prefix is bound otherwise', () => {
    const rows = (count: number): string => '<p:Row><p:Id>1</p:Id></p:Row>'.repeat(count);
    const document = `<r xmlns:p="urn:a">${rows(4)}<s xmlns:p="urn:b">${rows(4)}</s>${rows(4)}</r>`;
    const recorder = new FlatRecorder();
    const { events } = outcome(recorder, [bytesOf(document)]);
    assert.ok(recorder.taken >= 6);
    assert.equal(events.filter(([, name]) => name === '{urn:b}Id').length, 8);
    assert.equal(events.filter(([, name]) => name === '{urn:a}Id').length, 16);
  });
});
