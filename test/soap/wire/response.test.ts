import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import { writeFault, writeResponse } from '../../../src/soap/wire/response.js';
import { envelope, namespace, textOf } from '../../support/soap/exchange.js';

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

describe('a response', () => {
  it('in SOAP 1.1 is this envelope', () => {
    const result = { Marks: [{ Id: id, Name: 'a\u001f', IsInactive: false, Type: 1 }, null] };
    const { status, headers, body } = writeResponse({
      operation: operations.MarkGetAll,
      result,
      namespace,
      version: '1.1',
    });
    assert.equal(status, 200);
    assert.deepEqual(headers, { 'content-type': 'text/xml; charset=utf-8' });
    assert.equal(
      textOf(body),
      envelope(
        `<MarkGetAllResponse xmlns="${namespace}"><MarkGetAllResult><Marks><PvMarkData><Id>${id}</Id><Name>a&#x1F;</Name><IsInactive>false</IsInactive><Type>1</Type></PvMarkData><PvMarkData xsi:nil="true" /></Marks></MarkGetAllResult></MarkGetAllResponse>`,
      ),
    );
  });

  it('in SOAP 1.2 puts the result envelope first', () => {
    const result = { NumberOfNotifications: 3, Data: null, Result: { Number: 0, Succeeded: true } };
    const { headers, body } = writeResponse({
      operation: operations.NotificationGetCount,
      result,
      namespace,
      version: '1.2',
    });
    assert.deepEqual(headers, { 'content-type': 'application/soap+xml; charset=utf-8' });
    assert.equal(
      textOf(body),
      envelope(
        `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult><Result><Succeeded>true</Succeeded><Number>0</Number></Result><Data xsi:nil="true" /><NumberOfNotifications>3</NumberOfNotifications></NotificationGetCountResult></NotificationGetCountResponse>`,
        '1.2',
      ),
    );
  });

  it('without members has a nil result, or an empty one when it is to be bare', () => {
    const text = (bare?: boolean): string => {
      const operation = operations.ProductUpdate_V2;
      return textOf(writeResponse({ operation, result: {}, namespace, version: '1.1', ...(bare && { bare }) }).body);
    };
    const around = (result: string): string =>
      envelope(`<ProductUpdate_V2Response xmlns="${namespace}">${result}</ProductUpdate_V2Response>`);
    assert.equal(text(), around('<ProductUpdate_V2Result xsi:nil="true" />'));
    assert.equal(text(true), around('<ProductUpdate_V2Result />'));
  });

  it('refuses a member that the contract does not know, as a bug of ours', () => {
    assert.throws(
      () => writeResponse({ operation: operations.MarkGetAll, result: { Mark: [] }, namespace, version: '1.1' }),
      { kind: 'bug', facts: { path: 'Mark' } },
    );
  });
});

describe('a fault', () => {
  it('is an answer of status 500 in the form of its version', () => {
    const { status, headers, body } = writeFault({ version: '1.1', code: 'Client', message: 'Missing & gone' });
    assert.equal(status, 500);
    assert.deepEqual(headers, { 'content-type': 'text/xml; charset=utf-8' });
    assert.equal(
      textOf(body),
      envelope(
        '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>Missing &amp; gone</faultstring><detail /></soap:Fault>',
      ),
    );
    assert.equal(
      writeFault({ version: '1.2', code: 'Server', message: 'x' }).headers['content-type'],
      'application/soap+xml; charset=utf-8',
    );
  });
});
