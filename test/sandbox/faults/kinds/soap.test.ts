import assert from 'node:assert/strict';
import { soapFaults } from '../../../../src/sandbox/faults/kinds/transport.js';
import { faultyPlace, page, soap, type Asking, type FaultyPlace } from '../../../support/sandbox/faults/place.js';

const count: Asking = soap('NotificationGetCount', '<userId>00000000-0000-4000-8000-000000000011</userId>');
const search = (entityTypeId: string): Asking =>
  soap(
    'ActivitySearchByField',
    `<activityEntityTypeId>${entityTypeId}</activityEntityTypeId><fieldValues />` +
      '<pageNumber>1</pageNumber><pageSize>5</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  );
const body = (text: string): string => /<soap:Body>(.*)<\/soap:Body>/s.exec(text)?.[1] ?? text;

describe('A fault of SOAP', () => {
  let place: FaultyPlace;
  let entityTypeId: string;
  before(async () => {
    place = await faultyPlace(30);
    entityTypeId = String(place.rows('SELECT "EntityTypeId" FROM "PvActivityData" LIMIT 1')[0]?.[0]);
  });
  after(() => place.close());

  const proved = new Set<string>();
  const proves = (name: string, promise: string, test: () => Promise<void>): void => {
    proved.add(name);
    it(`${name} ${promise}`, test);
  };

  proves('fault', 'is a SOAP fault with the words given', async () => {
    const heard = await place.under(['fault=Client,message="Wait; then \\"retry\\", please.",subcode=Busy'], page(1));
    assert.equal(heard.status, 500);
    assert.equal(
      body(heard.text),
      '<soap:Fault><faultcode xmlns:q0="http://relctl.example/sandbox">q0:Busy</faultcode><faultstring>Wait; then "retry", please.</faultstring><detail /></soap:Fault>',
    );
  });

  proves('fault', 'comes with the HTTP status given, in the version of the request', async () => {
    const old = page(1);
    const asked = {
      headers: { 'content-type': 'application/soap+xml; charset=utf-8' },
      body:
        old.body?.replace('http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope') ?? '',
    };
    const heard = await place.under(['fault,http-status=200'], asked);
    assert.equal(heard.status, 200);
    assert.match(heard.text, /<soap:Value>soap:Receiver<\/soap:Value>.*A fault makes the sandbox fail\./);
  });

  proves('not-succeeded', 'is a result with an envelope that says no', async () => {
    const heard = await place.under(['not-succeeded,number=17,code=Locked,message=Busy'], count);
    assert.equal(
      body(heard.text),
      '<NotificationGetCountResponse xmlns="http://relctl.example/sandbox"><NotificationGetCountResult><Result>' +
        '<Succeeded>false</Succeeded><Number>17</Number><Code>Locked</Code><Description>Busy</Description></Result>' +
        '<NumberOfNotifications>0</NumberOfNotifications></NotificationGetCountResult></NotificationGetCountResponse>',
    );
  });

  proves('error-information', 'stands alone, or beside the data', async () => {
    const alone = await place.under(['error-information="Field 3 is unknown."'], search(entityTypeId));
    assert.match(
      body(alone.text),
      /<ActivitySearchByFieldResult><ErrorInformation>Field 3 is unknown\.<\/ErrorInformation><\/ActivitySearchByFieldResult>/,
    );
    const beside = await place.under(['error-information=Half.,data=with'], search(entityTypeId));
    assert.match(
      body(beside.text),
      /<Activities><PvActivityData>.*<\/Activities><ErrorInformation>Half\.<\/ErrorInformation>/s,
    );
  });

  proves('error-information', 'leaves operations alone that cannot say it', async () => {
    assert.equal((await place.under(['error-information'], count)).text, (await place.under([], count)).text);
  });

  it('is proved here, whichever it is', () => {
    assert.deepEqual([...proved].sort(), soapFaults.map(({ name }) => name).sort());
  });
});
