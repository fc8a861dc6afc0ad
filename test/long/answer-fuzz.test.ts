import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../src/contract/build.js';
import { operations } from '../../src/contract/service.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import type { RecordValue } from '../../src/core/values/value.js';
import { readResponse, type Answer } from '../../src/soap/wire/answer.js';
import { writeFault, writeResponse } from '../../src/soap/wire/response.js';
import { changeOf, cuts, damaged, mostlyOf, type Change, fuzz, xmlChange } from '../support/fuzz.js';
import { eventsBySaxesOf } from '../support/xml/saxes.js';
import { successOf } from '../support/soap/arbitraries.js';
import { namespace, stream } from '../support/soap/exchange.js';
import { chunksOf } from '../support/xml/recorder.js';

const secret = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';
/** A text that stands nowhere else, so that it is seen whether it gets lost. */
const mark = 'Qz9W';

const all = Object.values(operations);
const version = fc.constantFrom('1.1', '1.2');
const results = fc.tuple(fc.constantFrom(...all), version).chain(([operation, soap]) =>
  successOf(operation).map((result) => ({
    operation,
    body: writeResponse({ operation, result, namespace, version: soap }).body,
  })),
);
const faults = fc
  .record({
    operation: fc.constantFrom(...all),
    version,
    code: fc.constantFrom('Client', 'Server', 'VersionMismatch'),
    message: fc.constantFrom(`a ---> b ${secret}`, `SOAPAction: ${namespace}/MarkGetAll`, 'no such thing\n   at X.Y()'),
  })
  .map(({ operation, ...fault }) => ({ operation, body: writeFault(fault).body }));
const refusals = fc
  .tuple(
    fc.constantFrom(...all),
    fc.constantFrom('NotFound', 'Locked', `Bad ${secret}`),
    fc.constantFrom('false', '0', ''),
  )
  .map(([operation, code, succeeded]) => ({
    operation,
    body: Buffer.from(
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation.name}Response xmlns="${namespace}"><${operation.name}Result><Result><Succeeded>${succeeded}</Succeeded><Code>${code}</Code><Description>${secret}</Description></Result></${operation.name}Result></${operation.name}Response></s:Body></s:Envelope>`,
    ),
  }));
const pages = fc.constantFrom(
  ...[
    ...['<!DOCTYPE html><html><title>x</title></html>', '', ' ', '{"error":"x"}', 'HTTP 500', secret],
    '<title>'.repeat(50),
  ],
);
const others = fc
  .tuple(fc.constantFrom(...all), pages)
  .map(([operation, text]) => ({ operation, body: Buffer.from(text) }));

const names = fc.constantFrom(
  ...all.flatMap(({ name, result }) => [`${name}Result`, ...Object.keys(result)]),
  ...['Result', 'Succeeded', 'Code', 'ErrorInformation', 'Fault', 'faultstring', 'detail', 'Id', 'Name', '__proto__'],
);
/** Elements where others belong, texts where none do, secrets anywhere. */
const soapPieces = fc.oneof(
  names.map((name) => `<${name}>`),
  names.map((name) => `</${name}>`),
  names.map((name) => `<${name}/>`),
  names.map((name) => `<${name} xsi:nil="true">1</${name}>`),
  fc.constantFrom(mark, `>${mark}<`, `<${mark}>1</${mark}>`, secret, secret.toUpperCase(), `&#x37;${secret.slice(1)}`),
);
const change: fc.Arbitrary<Change> = fc.oneof(xmlChange, changeOf(soapPieces));

interface Case {
  readonly operation: Operation;
  readonly body: Buffer;
}

const cases: fc.Arbitrary<Case> = mostlyOf(fc.oneof({ weight: 6, arbitrary: results }, faults, refusals, others)).chain(
  ({ operation, body }) => damaged(fc.constant(body), change).map((changed) => ({ operation, body: changed })),
);

const head = fc.record({
  status: fc.constantFrom(200, 200, 200, 500, 302, 401, 404, 503),
  type: fc.constantFrom(
    ...[
      'text/xml; charset=utf-8',
      'application/soap+xml',
      'text/html',
      '',
      'text/xml; charset=',
      'text/xml; charset=utf-16',
    ],
    ...[`text/xml; charset=${secret}`, 'text/xml; charset="windows-1252"'],
  ),
});

type Told = { readonly answer: Answer } | { readonly error: RelctlError };

async function told(
  { operation, body }: Case,
  { status, type }: { readonly status: number; readonly type: string },
  chunks: readonly Uint8Array[] = [body],
): Promise<Told> {
  const response = { status, headers: { 'content-type': type }, body: stream(chunks) };
  try {
    return { answer: await readResponse(operation, response, { namespace, secrets: [secret] }) };
  } catch (error) {
    if (error instanceof RelctlError) return { error };
    throw error;
  }
}

const kinds: ReadonlySet<string> = new Set(['refused', 'not-found', 'profile', 'no-answer', 'bad-answer']);

/** All that an error shows. */
const shown = ({ message, facts, advice, hint, data }: RelctlError): string =>
  JSON.stringify([message, facts, advice, hint, data]);

function checkError(error: RelctlError): void {
  assert.ok(kinds.has(error.kind), `${error.kind}: ${error.stack ?? ''}`);
  assert.notEqual(error.message, '');
  assert.ok(shown(error).length < 40_000);
  assert.ok(!shown(error).toLowerCase().includes(secret), shown(error));
}

/** The marks that stand as text within the Body, by another parser. */
function marksIn(document: Buffer): number {
  const events = eventsBySaxesOf(document) ?? [];
  const body = events.findIndex(([kind, name]) => kind === 'open' && String(name).endsWith('}Body'));
  const texts = events.slice(body).filter(([kind]) => kind === 'text');
  return body === -1 ? 0 : texts.join('').split(mark).length - 1;
}

const codesOf = (...all: readonly Told[]): readonly (string | undefined)[] =>
  all.map((what) => ('error' in what ? what.error.reportedCode : undefined));

/** Where a mistake is. A text that comes in pieces is told where that piece begins which is not blank. */
const placeOf = ({ message, facts: { path } }: RelctlError): string | undefined =>
  message.startsWith('text in the envelope') ? undefined : path;

const outlined = (what: Told): unknown =>
  'answer' in what ? what.answer : { kind: what.error.kind, code: what.error.reportedCode, path: placeOf(what.error) };

/** Codes of what is told by the form of an answer, before or behind what it says. */
const ofForm = /^(?:not-soap|empty|xml-\w+)$/;

function checkSame(one: Told, other: Told): void {
  const [first, second] = codesOf(one, other);
  // Whether something was meant as XML is seen by its beginning, of which there may be less where it was cut; and of a text
  // with two mistakes, one of its form and one of what it says, that comes first which is in the first piece.
  const isEither = first !== second && [first, second].some((code) => ofForm.test(code ?? ''));
  if (isEither && 'error' in one && 'error' in other) assert.equal(one.error.kind, other.error.kind);
  else assert.deepEqual(outlined(one), outlined(other));
}

describe('whatever a service answers', () => {
  it('it is read or refused in the same way however it comes, and shows no secret', async () => {
    const property = fc.asyncProperty(cases, head, cuts, async (sent, how, places) => {
      const whole = await told(sent, how);
      checkSame(await told(sent, how, chunksOf(sent.body, places)), whole);
      if ('error' in whole) checkError(whole.error);
    });
    await fuzz(property);
  }).timeout(0);

  it('what is taken of it loses no text', async () => {
    const property = fc.asyncProperty(cases, async (sent) => {
      const what = await told(sent, { status: 200, type: 'text/xml' });
      if ('error' in what || marksIn(sent.body) === 0) return;
      assert.ok(JSON.stringify(what.answer satisfies { readonly result: RecordValue }).includes(mark));
    });
    await fuzz(property);
  }).timeout(0);
});
