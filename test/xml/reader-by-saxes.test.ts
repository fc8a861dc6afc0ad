import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { wellFormed } from '../support/xml/documents.js';
import { bytesOf, chunksOf, eventsOf, eventsOfChunks, refusalOf, type Event } from '../support/xml/recorder.js';
import { eventsBySaxes } from '../support/xml/saxes.js';

function bySaxes(document: string): Event[] | undefined {
  try {
    return eventsBySaxes(document);
  } catch {
    return undefined;
  }
}

/** Not well-formed, but taken by saxes: a '?' in the name of an instruction, a local name that begins with '-' or a digit. */
const laxities = /<\?[^\s?]+\?[^>]|:[-.\d·]/;

/** Not well-formed, but taken by us, because .NET services send it: references to control characters. */
const controls = /&#(?:x0*(?:[0-8bcef]|1[0-9a-f]|fff[ef])|0*(?:[1-8]|1[124-9]|2\d|3[01]));/i;

/** saxes trims namespaces, which XML does not. */
const trimmed = (events: readonly Event[]): unknown =>
  JSON.parse(
    JSON.stringify(events).replace(/"\{([^}"]*)\}/g, (_, uri: string) => {
      const bare = uri.replace(/\\[nrt]/g, ' ').trim();
      return bare === '' ? '"' : `"{${bare}}`;
    }),
  );

const markup = Array.from('<>&;"\'/?!-] x:=#é\u00a0\u0085\u2028\ufeff').concat(
  '<!--',
  ']]>',
  '<![CDATA[',
  '</',
  '<?',
  '?>',
  '/>',
);

/** A document in which something was put, or up to two characters were replaced. */
const damaged = fc
  .record({ document: wellFormed, at: fc.nat(), removed: fc.nat(2), put: fc.constantFrom(...markup) })
  .map(({ document, at, removed, put }) => {
    const place = at % document.length;
    return document.slice(0, place) + put + document.slice(place + removed);
  })
  .filter((document) => !/\p{Surrogate}/u.test(document) && !laxities.test(document) && !controls.test(document));

describe('the reader, beside another strict parser', () => {
  it('tells the same of well-formed documents', () => {
    fc.assert(
      fc.property(wellFormed, (document) => {
        const expected = bySaxes(document);
        if (expected === undefined) assert.notEqual(refusalOf(document), undefined);
        else assert.deepEqual(eventsOf(document), expected);
      }),
      { numRuns: 200 },
    );
  });

  it('takes and refuses the same damaged documents', () => {
    fc.assert(
      fc.property(damaged, (document) => {
        const ours = refusalOf(document);
        // An encoding that we do not read; saxes does not look at it.
        fc.pre(ours?.facts.code !== 'xml-encoding');
        const expected = bySaxes(document);
        assert.equal(ours === undefined, expected !== undefined, ours?.message ?? 'taken by us only');
        if (expected !== undefined) assert.deepEqual(trimmed(eventsOf(document)), trimmed(expected));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the reader, fed in chunks', () => {
  it('tells the same however a document is cut', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    fc.assert(
      fc.property(wellFormed, cuts, (document, places) => {
        fc.pre(refusalOf(document) === undefined);
        assert.deepEqual(eventsOfChunks(chunksOf(bytesOf(document), places)), eventsOf(document));
      }),
      { numRuns: 200 },
    );
  });

  it('tells the same byte by byte', () => {
    fc.assert(
      fc.property(wellFormed, (document) => {
        fc.pre(refusalOf(document) === undefined);
        const bytes = bytesOf(document);
        const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
        assert.deepEqual(eventsOfChunks(single), eventsOf(document));
      }),
      { numRuns: 50 },
    );
  });

  it('refuses a damaged document for the same reason however it is cut', () => {
    fc.assert(
      fc.property(damaged, fc.array(fc.nat(), { maxLength: 6 }), (document, places) => {
        const whole = refusalOf(document);
        fc.pre(whole !== undefined);
        const chunks = chunksOf(bytesOf(document), places);
        assert.throws(
          () => eventsOfChunks(chunks),
          (error) => error instanceof RelctlError && error.facts.code === whole.facts.code,
          whole.message,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('refuses every proper prefix of a document as cut short, unless only white space, comments or instructions are gone', () => {
    fc.assert(
      fc.property(wellFormed, (document) => {
        fc.pre(refusalOf(document) === undefined);
        const bytes = bytesOf(document);
        const end = bytesOf(document.slice(0, document.lastIndexOf('</r>') + '</r>'.length)).length;
        for (let length = 0; length < end; length += 1)
          assert.equal(refusalOf(bytes.subarray(0, length))?.kind, 'bad-answer', `${length} bytes`);
      }),
      { numRuns: 30 },
    );
  });
});
