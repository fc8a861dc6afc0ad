import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { bytesOf, envelope, namespace, read } from '../../support/soap/exchange.js';

const row =
  '<PvMarkData><Id>6f9619ff-8b86-d011-b42d-00c04fc964ff</Id><Name>Café 😀 &amp; co</Name><IsInactive>false</IsInactive><Type>1</Type></PvMarkData>';
const result = `<MarkGetAllResponse xmlns="${namespace}"><MarkGetAllResult><Marks>${row}${row}</Marks></MarkGetAllResult></MarkGetAllResponse>`;
const fault11 =
  '<soap:Fault><faultcode>soap:Server</faultcode><faultstring>Server was unable to process request. ---&gt; é</faultstring><detail /></soap:Fault>';
const fault12 =
  '<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">é</soap:Text></soap:Reason><soap:Detail /></soap:Fault>';

const answers = [
  ['a result in SOAP 1.1', envelope(result, '1.1'), 200],
  ['a result in SOAP 1.2', envelope(result, '1.2'), 200],
  ['a fault in SOAP 1.1', envelope(fault11, '1.1'), 500],
  ['a fault in SOAP 1.2', envelope(fault12, '1.2'), 500],
] as const;

describe('an answer that is cut short', () => {
  for (const [what, text, status] of answers) {
    it(`is never taken for an answer: every proper prefix of ${what} is refused`, async () => {
      const bytes = bytesOf(text);
      // Before that, an answer with an error status may as well be a proxy's.
      const begun = bytesOf(text.slice(0, text.indexOf('<soap:Body>'))).length;
      for (let length = 0; length < bytes.length; length += 1) {
        const failure: unknown = await read(operations.MarkGetAll, [bytes.subarray(0, length)], { status }).catch(
          (thrown: unknown) => thrown,
        );
        assert.ok(failure instanceof RelctlError, `${length} bytes gave a result`);
        assert.equal(
          failure.kind,
          length < begun && status === 500 ? 'no-answer' : 'bad-answer',
          `${length} bytes: ${failure.message}`,
        );
        assert.equal(failure.facts.httpStatus, status);
      }
    });
  }

  it('is taken when it is whole', async () => {
    for (const [, text] of answers.slice(0, 2)) {
      const answer = await read(operations.MarkGetAll, [bytesOf(text)]);
      assert.equal((answer.result['Marks'] as unknown[]).length, 2);
    }
    for (const [, text, status] of answers.slice(2))
      await assert.rejects(read(operations.MarkGetAll, [bytesOf(text)], { status }), {
        kind: 'refused',
        facts: { foreignCode: 'Server', httpStatus: 500 },
      });
  });
});
