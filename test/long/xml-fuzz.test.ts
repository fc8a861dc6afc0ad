import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../src/contract/service.js';
import { writeResponse } from '../../src/soap/wire/response.js';
import { cuts, damaged, mostlyOf, fuzz, xmlChange } from '../support/fuzz.js';
import { eventsBySaxesOf, isWellFormedByXmllint, withTrimmedNamespaces } from '../support/xml/saxes.js';
import { successOf } from '../support/soap/arbitraries.js';
import { namespace } from '../support/soap/exchange.js';
import { wellFormed } from '../support/xml/documents.js';
import { ElementRecorder, outcome, type Outcome, chunksOf, Recorder, rowDocuments } from '../support/xml/recorder.js';
import { argv } from '../support/argv.js';

const answers = fc
  .constantFrom(operations.RelationGetAll, operations.MarkGetAll, operations.RelationGet)
  .chain((operation) => successOf(operation).map((result) => ({ operation, result })))
  .map((each) => writeResponse({ ...each, namespace, version: '1.1' }).body);

const documents = damaged(mostlyOf(fc.oneof(wellFormed, rowDocuments, answers)), xmlChange);

const codes: ReadonlySet<string> = new Set(argv`xml-doctype xml-malformed xml-truncated xml-encoding xml-limit`);
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** References to control characters, which .NET services send, and which we take although XML does not. */
const controls = /&#(?:x0*(?:[0-8bcef]|1[0-9a-f]|fff[ef])|0*(?:[1-8]|1[124-9]|2\d|3[01]|65534|65535));/i;

/** What we refuse although it is XML: document types, limits, encodings and versions. */
const policy = /^xml-(?:doctype|limit|encoding) |XML version|is no XML declaration|bare & before '#x?0/;

/** The same without what is quoted of the document, of which there may be less where it was cut. */
const withoutQuotes = ({ events, error }: Outcome): Outcome => ({ events, error: error?.replace(/'.*'/s, "'…'") });

/** Reads a document in all ways that there are, which must tell the same. */
function readEveryWay(document: Buffer, places: readonly number[]): Outcome {
  const whole = outcome(new Recorder(), [document]);
  const chunks = chunksOf(document, places);
  const others = [new Recorder(), new ElementRecorder()].map((recorder) => outcome(recorder, chunks));
  for (const other of [...others, outcome(new ElementRecorder(), [document])])
    assert.deepEqual(withoutQuotes(other), withoutQuotes(whole));
  return whole;
}

function checkRefusal(error: string): void {
  const code = error.slice(0, error.indexOf(' '));
  assert.ok(codes.has(code), error);
  assert.ok(error.length > code.length + 1 && error.length < 1000, error);
  assert.doesNotMatch(error, controlCharacter);
}

/** Throws when other parsers take a document that we refuse, or the other way round. */
function compareWithOthers(document: Buffer, { error }: Outcome): void {
  const ours = outcome(new Recorder(), [document], { limits: { maxLength: 10_000_000 } });
  const theirs = eventsBySaxesOf(document);
  if ((theirs !== undefined) === (error === undefined)) return;
  if (error === undefined ? controls.test(document.toString('latin1').replaceAll('\0', '')) : policy.test(error))
    return;
  // The two do not agree, so that a third one decides.
  const isGood = isWellFormedByXmllint(document);
  if (isGood !== undefined) assert.equal(ours.error === undefined, isGood, error ?? 'taken by us only');
}

describe('whatever an XML document is', () => {
  it('it is read or refused in the same words, however it comes, and no text of it is lost', async () => {
    const property = fc.property(documents, cuts, (document, places) => {
      const told = readEveryWay(document, places);
      // No event is told twice: there are no more than characters.
      assert.ok(told.events.length <= document.length);
      if (told.error !== undefined) checkRefusal(told.error);
      const recorder = new Recorder();
      outcome(recorder, [document]);
      const theirs = eventsBySaxesOf(document);
      if (told.error === undefined && theirs !== undefined)
        assert.deepEqual(withTrimmedNamespaces(recorder.events), withTrimmedNamespaces(theirs));
      compareWithOthers(document, told);
    });
    await fuzz(property, 10);
  }).timeout(0);
});
