import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ElementRecorder,
  outcome,
  bytesOf,
  chunksOf,
  Recorder,
  rowDocuments as documents,
} from '../support/xml/recorder.js';

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

describe('A reader whose elements are taken out of bytes', () => {
  it('tells the same as one that reads all of them, also when it refuses, with the same place', () => {
    fc.assert(
      fc.property(fc.oneof(documents, damaged), cuts, (document, places) => {
        const chunks = chunksOf(bytesOf(document), places);
        assert.deepEqual(outcome(new ElementRecorder(), chunks), outcome(new Recorder(), chunks));
      }),
      { numRuns: 1500 },
    );
  });

  it('tells the same when some of them are not taken', () => {
    fc.assert(
      fc.property(documents, cuts, fc.nat(3), (document, places, modulus) => {
        const chunks = chunksOf(bytesOf(document), places);
        let count = 0;
        const recorder = new ElementRecorder(() => (count += 1) % (modulus + 1) === 0);
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
          assert.deepEqual(outcome(new ElementRecorder(), chunks, options), outcome(new Recorder(), chunks, options));
        },
      ),
      { numRuns: 300 },
    );
  });

  const long = (rows: number, head = '<r>'): string =>
    `${head}${Array.from({ length: rows }, (_, index) => `<Row><Id>${index}</Id><Name>é \u{1d4b3} ${'n'.repeat(index % 50)}</Name></Row>`).join('')}</r>`;

  it('has nearly all of a long list taken, in chunks of any length', () => {
    for (const length of [700, 4096, 65_536]) {
      const bytes = bytesOf(long(3000));
      const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
        bytes.subarray(index * length, index * length + length),
      );
      const recorder = new ElementRecorder();
      assert.deepEqual(outcome(recorder, chunks), outcome(new Recorder(), chunks));
      assert.ok(recorder.taken > 2900, `${recorder.taken} in chunks of ${length}`);
    }
  });

  it('counts the length of the document as UTF-16 does', () => {
    const document = long(400);
    for (const maxLength of [document.length - 1, document.length]) {
      const recorder = new ElementRecorder();
      const { error } = outcome(recorder, [bytesOf(document)], { limits: { maxLength } });
      assert.ok(recorder.taken > 0);
      assert.equal(error?.includes('xml-limit') === true, maxLength < document.length, error);
    }
  });

  it('finds a byte that is no UTF-8 within them, and tells its offset', () => {
    const bytes = Uint8Array.from(Buffer.from(long(400)));
    const at = bytes.length - 100;
    bytes[at] = 0xff;
    const [taker, other] = [new ElementRecorder(), new Recorder()];
    const told = outcome(taker, chunksOf(bytes, [5000, 9000]));
    assert.deepEqual(told, outcome(other, chunksOf(bytes, [5000, 9000])));
    assert.match(told.error ?? '', new RegExp(`offset ${at} `));
    assert.ok(taker.taken > 0);
  });

  it('leaves documents in other encodings, and with carriage returns, to text', () => {
    const document = long(200);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(document, 'utf16le')]);
    const returns = Buffer.from(document.replaceAll('<Row>', '\r\n<Row>'));
    for (const bytes of [utf16, returns]) {
      const recorder = new ElementRecorder();
      assert.deepEqual(outcome(recorder, [bytes]), outcome(new Recorder(), [bytes]));
      assert.equal(recorder.taken, 0);
    }
  });

  it('has them taken from the third of their kind on', () => {
    const recorder = new ElementRecorder();
    outcome(recorder, [
      bytesOf(`<first>${Array.from({ length: 100 }, (_, index) => plainRow(index)).join('')}</first>`),
    ]);
    assert.equal(recorder.taken, 98);
  });

  it('has those taken that lack a field, or have it in another form, once one of them was read', () => {
    const recorder = new ElementRecorder();
    const rows = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? plainRow(index) : '<Row><Id>1</Id><Name a="b"/><More>m</More></Row>',
    );
    outcome(recorder, listOf(rows));
    assert.ok(recorder.taken >= 36, `${recorder.taken} of 40`);
  });

  it('goes on behind one that cannot be taken, also where many cannot', () => {
    const recorder = new ElementRecorder();
    const rows = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 2 ? '<Row><Id><b/></Id></Row>' : plainRow(index),
    );
    outcome(recorder, listOf(rows));
    assert.ok(recorder.taken >= 36, `${recorder.taken} of 40`);
  });

  it('does not ask for ever where none is taken', () => {
    const recorder = new ElementRecorder(() => false);
    outcome(recorder, listOf(Array.from({ length: 500 }, (_, index) => plainRow(index))));
    assert.ok(recorder.asked < 40, `asked ${recorder.asked} times`);
  });

  it('does not take an element for another one whose prefix is bound otherwise', () => {
    const rows = (count: number): string => '<p:Row><p:Id>1</p:Id></p:Row>'.repeat(count);
    const document = `<r xmlns:p="urn:a">${rows(4)}<s xmlns:p="urn:b">${rows(4)}</s>${rows(4)}</r>`;
    const recorder = new ElementRecorder();
    const { events } = outcome(recorder, [bytesOf(document)]);
    assert.ok(recorder.taken >= 6);
    assert.equal(events.filter(([, name]) => name === '{urn:b}Id').length, 8);
    assert.equal(events.filter(([, name]) => name === '{urn:a}Id').length, 16);
  });

  it('takes the first one behind the beginning of the document before', () => {
    const head = '<?xml version="1.0" encoding="utf-8"?>\n<r xmlns:x="urn:x"><h x:a="1">é<i/></h><list>'.replace(
      'é',
      'e',
    );
    const document = (rows: number): Uint8Array => bytesOf(long(rows, head).replace('</r>', '</list></r>'));
    outcome(new ElementRecorder(), [document(5)]);
    for (const chunks of [[document(10)], chunksOf(document(10), [head.length + 3]), chunksOf(document(10), [40])]) {
      const recorder = new ElementRecorder();
      assert.deepEqual(outcome(recorder, chunks), outcome(new Recorder(), chunks));
      assert.equal(recorder.taken, chunks[0]?.length === 40 ? 8 : 10);
    }
  });

  it('tells the same of documents that begin as others did', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(documents, damaged), { minLength: 2, maxLength: 6 }), cuts, (some, places) => {
        const shared = some.map((document) => document.replace('<List>', '<Envelope a="1"> <b/><List>'));
        for (const document of [...some, ...shared, ...some]) {
          const chunks = chunksOf(bytesOf(document), places);
          assert.deepEqual(outcome(new ElementRecorder(), chunks), outcome(new Recorder(), chunks));
        }
      }),
      { numRuns: 200 },
    );
  });
});
