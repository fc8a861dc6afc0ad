import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiCredentials } from '../../../src/contract/records/shared.js';
import { operations } from '../../../src/contract/service.js';
import { writeMaskedRequest, writeRequest, type RequestText } from '../../../src/soap/wire/request.js';
import { fieldsOf } from '../../support/soap/arbitraries.js';
import { namespace, textOf, url } from '../../support/soap/exchange.js';

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const apiKey = 'DEADBEEF-0000-4000-8000-00000000CAFE';
const credentials = {
  ApiKey: apiKey,
  DatabaseId: '11111111-1111-4111-8111-111111111111',
  UserId: null,
  UserName: 'op & co',
  Password: 'p<w>d "1"',
  SourceApplication: { Name: 'relctl', Version: '0.1.0' },
};
const who = [
  '<credentials><ApiKey>DEADBEEF-0000-4000-8000-00000000CAFE</ApiKey>',
  '<DatabaseId>11111111-1111-4111-8111-111111111111</DatabaseId><UserId xsi:nil="true" />',
  '<UserName>op &amp; co</UserName><Password>p&lt;w&gt;d "1"</Password>',
  '<SourceApplication><Name>relctl</Name><Version>0.1.0</Version></SourceApplication></credentials>',
].join('');

const update: RequestText = {
  operation: operations.ActivityUpdate,
  // Keys in the wrong order on purpose.
  input: {
    fieldValues: [{ Value: '1\r\n2 ', Id: id }, { Id: id, Value: '' }, { Id: id }],
    followUp: { InAgenda: false, Start: '2026-01-31T09:30:00', ReminderPeriodInMinutes: 0, End: null },
    activityId: id,
  },
  credentials,
  namespace,
  version: '1.1',
  url,
};

const body = [
  `<ActivityUpdate xmlns="http://crm.example/service">${who}<activityId>${id}</activityId>`,
  '<followUp><Start>2026-01-31T09:30:00</Start><End xsi:nil="true" /><InAgenda>false</InAgenda>',
  '<ReminderPeriodInMinutes>0</ReminderPeriodInMinutes><OwnerUserId xsi:nil="true" /><PlacedInQueueId xsi:nil="true" /></followUp>',
  `<fieldValues><PvFieldValueData><Id>${id}</Id><Value>1&#xD;\n2 </Value></PvFieldValueData>`,
  `<PvFieldValueData><Id>${id}</Id><Value /></PvFieldValueData><PvFieldValueData><Id>${id}</Id></PvFieldValueData></fieldValues>`,
  '</ActivityUpdate>',
].join('');

const golden = (envelopeNamespace: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelopeNamespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>${content}</soap:Body></soap:Envelope>`;

describe('a request', () => {
  it('in SOAP 1.1 is this envelope, with the operation in the SOAPAction header', () => {
    const request = writeRequest(update);
    assert.equal(textOf(request.body), golden('http://schemas.xmlsoap.org/soap/envelope/', body));
    assert.equal(request.method, 'POST');
    assert.equal(request.url, url);
    assert.equal(request.headers['content-type'], 'text/xml; charset=utf-8');
    assert.equal(request.headers['soapaction'], '"http://crm.example/service/ActivityUpdate"');
  });

  it('in SOAP 1.2 is this envelope, without a SOAPAction header', () => {
    const request = writeRequest({ ...update, version: '1.2' });
    assert.equal(textOf(request.body), golden('http://www.w3.org/2003/05/soap-envelope', body));
    assert.equal(request.headers['content-type'], 'application/soap+xml; charset=utf-8');
    assert.equal('soapaction' in request.headers, false);
  });

  it('has no byte order mark', () => assert.equal(writeRequest(update).body[0], 0x3c));

  for (const [given, action] of [
    ['http://crm.example/service', '"http://crm.example/service/MarkGetAll"'],
    ['http://crm.example/service/', '"http://crm.example/service/MarkGetAll"'],
    ['urn:crm', '"urn:crm/MarkGetAll"'],
  ] as const)
    it(`names its operation behind exactly one slash: ${action}`, () => {
      const request = writeRequest({ ...update, operation: operations.MarkGetAll, input: {}, namespace: given });
      assert.equal(request.headers['soapaction'], action);
      assert.ok(textOf(request.body).includes(`<MarkGetAll xmlns="${given}"><credentials>`));
    });

  it('escapes a namespace that needs it', () => {
    const request = writeRequest({ ...update, operation: operations.MarkGetAll, input: {}, namespace: 'urn:a&"b' });
    assert.ok(textOf(request.body).includes('<MarkGetAll xmlns="urn:a&amp;&quot;b">'));
  });

  it('without parameters holds the credentials alone', () => {
    const request = writeRequest({ ...update, operation: operations.ProductGetAll_V2, input: {} });
    assert.ok(
      textOf(request.body).includes(
        `<soap:Body><ProductGetAll_V2 xmlns="${namespace}">${who}</ProductGetAll_V2></soap:Body>`,
      ),
    );
  });

  it('wraps a list of guids in elements named guid, and says an empty list', () => {
    const input = {
      pageNumber: 1,
      pageSize: 25,
      relationId: id,
      from: '2026-01-01T00:00:00Z',
      to: '2026-02-01T00:00:00+01:00',
      includeFields: true,
      includeCounters: false,
    };
    const text = (workflowIds: readonly string[]): string =>
      textOf(
        writeRequest({
          ...update,
          operation: operations.RelationGetActivitiesModified_V2,
          input: { ...input, workflowIds },
        }).body,
      );
    assert.ok(
      text([id]).includes(
        `</credentials><pageNumber>1</pageNumber><pageSize>25</pageSize><relationId>${id}</relationId><from>2026-01-01T00:00:00Z</from><to>2026-02-01T00:00:00+01:00</to><includeFields>true</includeFields><includeCounters>false</includeCounters><workflowIds><guid>${id}</guid></workflowIds></RelationGet`,
      ),
    );
    assert.ok(text([]).includes('<includeCounters>false</includeCounters><workflowIds /></RelationGet'));
  });

  it('takes credentials from the profile only', () => {
    const input = { ...update.input, credentials };
    assert.throws(() => writeRequest({ ...update, input }), { kind: 'usage', facts: { path: 'credentials' } });
  });

  it('says which field of the credentials does not fit, and never what a secret holds', () => {
    const wrong = { ...credentials, ApiKey: 'topsecret', Password: 'pass\u0000word' };
    assert.throws(
      () => writeRequest({ ...update, credentials: wrong }),
      (error: Error & { facts: unknown }) => {
        assert.deepEqual(error.facts, { path: 'credentials.ApiKey' });
        assert.doesNotMatch(`${error.message}${String(error.cause)}`, /topsecret/);
        return true;
      },
    );
    assert.throws(
      () => writeRequest({ ...update, credentials: { ...credentials, Password: 'hunter2\u0000' } }),
      (error: Error & { facts: unknown }) => {
        assert.deepEqual(error.facts, { path: 'credentials.Password' });
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });
});

describe('a masked request', () => {
  it('is the same request, with stars for its secrets', () => {
    const expected = textOf(writeRequest(update).body)
      .replace('<ApiKey>DEADBEEF-0000-4000-8000-00000000CAFE</ApiKey>', '<ApiKey>********</ApiKey>')
      .replace('<Password>p&lt;w&gt;d "1"</Password>', '<Password>********</Password>');
    const masked = writeMaskedRequest(update);
    assert.equal(textOf(masked.body), expected);
    assert.deepEqual(masked.headers, writeRequest(update).headers);
  });

  it('never holds the key or the password, whatever they are', () => {
    const secret = fc
      .string({ unit: 'binary', minLength: 6 })
      .map((text) => `s3cr3t${text.replace(/[\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')}`);
    fc.assert(
      fc.property(fieldsOf(ApiCredentials.fields, 'request'), secret, (given, password) => {
        const held = { ...given, ApiKey: apiKey, Password: password };
        const text = textOf(writeMaskedRequest({ ...update, credentials: held }).body);
        assert.doesNotMatch(text, /s3cr3t|DEADBEEF/);
        assert.match(text, /<Password>\*{8}<\/Password>/);
      }),
    );
  });

  it('does not invent a password where there is none', () => {
    const masked = writeMaskedRequest({ ...update, credentials: { ApiKey: apiKey, DatabaseId: null, UserId: null } });
    assert.doesNotMatch(textOf(masked.body), /Password/);
  });

  it('refuses what the request itself refuses', () => {
    assert.throws(() => writeMaskedRequest({ ...update, input: { activityId: 'x' } }), {
      facts: { path: 'activityId' },
    });
  });
});
