import assert from 'node:assert/strict';
import { answers, httpAnswer, type AnswerText, type Reaction } from '../../support/broken-server.js';
import { called, type Called } from '../../support/called.js';
import { ends, home, relctl } from '../../support/relctl.js';
import { sandbox } from '../../support/sandbox.js';
import { envelope, namespace } from '../../support/soap-answers.js';
import { valuesOf } from '../../support/thrown.js';

const id = '00000000-0000-4000-8000-000000000011';
const counting = ['notification', 'count', '--user', id, '-o', 'json'];

const fault11 = (operation: string): AnswerText =>
  envelope(
    '1.1',
    `<soap:Fault><faultcode>soap:Client</faultcode><faultstring>Server did not recognize the value of HTTP Header SOAPAction: ${namespace}/${operation}.</faultstring><detail /></soap:Fault>`,
    500,
  );
const fault12 = envelope(
  '1.2',
  `<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:r="http://www.w3.org/2003/05/soap-rpc">r:ProcedureNotPresent</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">Unable to handle request.</soap:Text></soap:Reason></soap:Fault>`,
  500,
);
const asked12 = envelope(
  '1.2',
  '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">Unable to handle request without a valid action parameter. Please supply a valid soap action.</soap:Text></soap:Reason><soap:Detail /></soap:Fault>',
  500,
);
const wsdl = (target: string): AnswerText => ({
  headers: { 'Content-Type': 'text/xml' },
  body: `<?xml version="1.0"?><wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" targetNamespace="${target}"><wsdl:types/></wsdl:definitions>`,
});

/** Answers calls with a fault, and a GET with this. */
const service =
  (fault: AnswerText, description: AnswerText): Reaction =>
  (socket, request) =>
    request.method === 'GET' ? void socket.write(httpAnswer(description)) : answers(fault)(socket, request);

const counted = (description: AnswerText, fault: AnswerText = fault11('NotificationGetCount')): Promise<Called> =>
  called(service(fault, description), counting);

describe('A namespace that the service does not know', () => {
  for (const [version, fault] of [
    ['1.1', fault11('NotificationGetCount')],
    ['1.2', fault12],
    ['1.2, as .asmx says it', asked12],
  ] as const) {
    it(`is exit code 3 and names the one that the WSDL tells, with the command that sets it: SOAP ${version}`, async () => {
      const run = await ends(counted(wsdl('http://crm.example/api/v1 (eu)'), fault), 3);
      assert.match(String(run.error()['message']), /its own is 'http:\/\/crm\.example\/api\/v1 \(eu\)'/);
      assert.equal(run.error()['hint'], "export RELCTL_NAMESPACE='http://crm.example/api/v1 (eu)'");
    });
  }

  it('is not offered where the answer has none, for a profile cannot have none either', async () => {
    const answer = (of: string): AnswerText =>
      envelope(
        '1.2',
        `<NotificationGetCountResponse${of}><NotificationGetCountResult/></NotificationGetCountResponse>`,
      );
    const bare = await called(answers(answer('')), counting);
    assert.deepEqual([bare.code, bare.stderr.includes('RELCTL_NAMESPACE')], [7, false], bare.stderr);
    const other = await called(answers(answer(' xmlns="urn:other"')), counting);
    assert.deepEqual([other.code, other.error()['hint']], [7, 'export RELCTL_NAMESPACE=urn:other'], other.stderr);
  });

  it('is exit code 3 against the embedded service too, in its usual mode', async () => {
    const place = home();
    const service = await sandbox(place.env);
    try {
      await ends(relctl([...service.profileAdd, '--use'], { env: place.env, input: service.secrets }), 0);
      for (const version of ['1.1', '1.2']) {
        const env = { ...place.env, RELCTL_NAMESPACE: 'http://wrong.example/x', RELCTL_SOAP_VERSION: version };
        const { code, stderr } = await relctl(['relation', 'list', '--limit', '1'], { env });
        assert.equal(code, 3, stderr);
        assert.match(stderr, /its own is 'http:\/\/relctl\.example\/sandbox'/);
      }
    } finally {
      await service.stop();
      place.remove();
    }
  });

  it('is asked for once, at the same endpoint, without credentials', async () => {
    const { requests } = await counted(wsdl('http://crm.example/'));
    assert.deepEqual(valuesOf(requests, 'method', 'target'), [
      ['POST', '/V1/service.asmx'],
      ['GET', '/V1/service.asmx?WSDL'],
    ]);
    const [, asked] = requests;
    assert.equal(asked?.body.length, 0);
    assert.doesNotMatch(JSON.stringify(asked), /7d9f4c1e|authorization/i);
  });

  it('is exit code 3 also where no WSDL tells one, and says where to look', async () => {
    const others: readonly AnswerText[] = [
      { status: 404 },
      { status: 302, headers: { Location: 'http://elsewhere.invalid/?WSDL' } },
      { body: '<html><body>WSDL is off' },
      { body: '<definitions targetNamespace="http://no.wsdl.example/"/>' },
      { body: `<!--${'x'.repeat(100_000)}-->` },
    ];
    for (const description of others) {
      const run = await ends(counted(description), 3);
      assert.match(String(run.error()['advice']), /service\.asmx\?WSDL/);
      assert.doesNotMatch(run.stderr, /no\.wsdl/);
    }
  });

  it('is told from an operation that the service does not have: that is exit code 4', async () => {
    const run = await ends(counted(wsdl(namespace)), 4);
    assert.match(String(run.error()['message']), /the service has no operation NotificationGetCount/);
    const call = ['call', 'SomethingElse', '--read', '-o', 'json'];
    assert.equal((await called(service(fault11('SomethingElse'), { status: 404 }), call)).code, 4);
  });

  it('is not looked for when a fault speaks of something else', async () => {
    const other = envelope(
      '1.1',
      '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>SOAPAction is fine.</faultstring></soap:Fault>',
      500,
    );
    const run = await counted(wsdl('http://crm.example/'), other);
    assert.deepEqual([run.code, run.requests.length], [4, 1]);
  });
});
