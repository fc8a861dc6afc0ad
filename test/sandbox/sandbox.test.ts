import assert from 'node:assert/strict';
import { known } from '../../src/sandbox/dataset/known.js';
import { createEndpoint, type Sandbox } from '../../src/sandbox/sandbox.js';
import type { WholeRequest, HttpResponse } from '../../src/soap/transport/http.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';

const namespace = 'http://relctl.example/sandbox';
const right = `<credentials><ApiKey>${known.credentials.ApiKey}</ApiKey><DatabaseId xsi:nil="true"/><UserId xsi:nil="true"/></credentials>`;
const wrong = right.replace(known.credentials.ApiKey, 'ffffffff-ffff-4fff-8fff-ffffffffffff');

const envelope11 = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body>${body}</soap:Body></soap:Envelope>`;
const envelope12 = (body: string): string =>
  envelope11(body).replace('http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope');

const types = { '1.1': 'text/xml; charset=utf-8', '1.2': 'application/soap+xml; charset=utf-8' } as const;

describe('The endpoint of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(30);
  });
  after(() => sandbox.close());

  interface Answer {
    readonly status: number;
    readonly type: string | undefined;
    readonly text: string;
  }

  const send = async (request: Partial<WholeRequest> & { readonly text?: string }): Promise<Answer> => {
    const { text = '', ...rest } = request;
    const answer = await createEndpoint(sandbox)({
      method: 'POST',
      url: '/V1/service.asmx',
      headers: { 'content-type': types['1.1'] },
      body: Buffer.from(text),
      ...rest,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return {
      status: answer.status,
      type: answer.headers['content-type'],
      text: Buffer.concat(chunks).toString('utf8'),
    };
  };

  const call11 = (operation: string, parameters: string, credentials = right): Promise<Answer> =>
    send({
      headers: { 'content-type': types['1.1'], soapaction: `"${namespace}/${operation}"` },
      text: envelope11(`<${operation} xmlns="${namespace}">${credentials}${parameters}</${operation}>`),
    });
  const call12 = (operation: string, parameters: string, credentials = right): Promise<Answer> =>
    send({
      headers: { 'content-type': types['1.2'] },
      text: envelope12(`<${operation} xmlns="${namespace}">${credentials}${parameters}</${operation}>`),
    });
  const calls = { '1.1': call11, '1.2': call12 } as const;

  const opening = {
    '1.1': '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"',
    '1.2': '<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"',
  } as const;
  const body = (answer: Answer): string => /<soap:Body>(.*)<\/soap:Body>/s.exec(answer.text)?.[1] ?? answer.text;

  const list = (page: number, size: number, fields = 'false', counters = 'false'): string =>
    `<pageNumber>${page}</pageNumber><pageSize>${size}</pageSize><includeFields>${fields}</includeFields>` +
    `<includeCounters>${counters}</includeCounters>`;

  for (const version of ['1.1', '1.2'] as const) {
    describe(`in SOAP ${version}`, () => {
      const call = calls[version];

      it('refuses what SOAP, XML and its own schema do not allow, and changes nothing', async () => {
        const whole = { '1.1': envelope11, '1.2': envelope12 }[version];
        const soap = `xmlns:s="${/xmlns:soap="([^"]*)"/.exec(opening[version])?.[1] ?? ''}"`;
        const counting = `<NotificationGetCount xmlns="${namespace}">${right}<userId>${known.userId}</userId></NotificationGetCount>`;
        const withHeader = (header: string): Promise<Answer> =>
          send({
            headers: { 'content-type': types[version], soapaction: `"${namespace}/NotificationGetCount"` },
            text: whole(counting).replace('<soap:Body>', `${header}<soap:Body>`),
          });
        const entry = (attributes: string): string =>
          `<soap:Header><x xmlns="urn:x" ${soap} ${attributes}/></soap:Header>`;
        const elsewhere = version === '1.1' ? 's:actor="urn:other"' : 's:role="urn:other"';
        const here =
          version === '1.1'
            ? 's:actor="http://schemas.xmlsoap.org/soap/actor/next"'
            : 's:role="http://www.w3.org/2003/05/soap-envelope/role/next"';
        for (const [header, code] of [
          ['<soap:Header/>', undefined],
          [entry('s:mustUnderstand="0"'), undefined],
          [entry(`s:mustUnderstand="1" ${elsewhere}`), undefined],
          [entry('s:mustUnderstand="1"'), 'MustUnderstand'],
          [entry(`s:mustUnderstand="true" ${here}`), 'MustUnderstand'],
          ['<soap:Header/><soap:Header/>', version === '1.1' ? 'Client' : 'Sender'],
        ] as const) {
          const { status, text } = await withHeader(header);
          assert.deepEqual(
            [status, /soap:(\w+)<\/(?:faultcode|soap:Value)>/.exec(text)?.[1]],
            [code === undefined ? 200 : 500, code],
          );
        }

        const fields = (items: string): string =>
          `<entityTypeId>${known.personEntityTypeId}</entityTypeId><fieldValues>${items}</fieldValues>`;
        for (const character of ['&#x1F;', '&#xFFFE;']) {
          const value = `<PvFieldValueData><Id>${known.personId}</Id><Value>a${character}b</Value></PvFieldValueData>`;
          const { status, text } = await call('DatastoreCreateItem_V3', fields(value));
          assert.deepEqual(
            [status, text],
            [400, 'fieldValues.PvFieldValueData.Value has a reference to a character that XML 1.0 does not allow.\n'],
          );
        }
        const type = await call(
          'SystemDatastoreGetItems',
          '<systemDatastoreType> PaymentMethod </systemDatastoreType>',
        );
        assert.match(body(type), /systemDatastoreType has a value that does not match its type: ' PaymentMethod '/);
      });

      it('refuses an unknown user by the result envelope', async () => {
        const answer = await call('NotificationGetCount', '<userId>ffffffff-ffff-4fff-8fff-ffffffffffff</userId>');
        assert.equal(answer.status, 200);
        assert.match(
          body(answer),
          /<Result><Succeeded>false<\/Succeeded><Number>404<\/Number><Code>UnknownUser<\/Code>/,
        );
      });

      it('refuses wrong credentials by the result envelope where there is one', async () => {
        const answer = await call('NotificationGetCount', `<userId>${known.userId}</userId>`, wrong);
        assert.deepEqual(
          [answer.status, body(answer)],
          [
            200,
            `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult>` +
              '<Result><Succeeded>false</Succeeded><Number>401</Number><Code>InvalidCredentials</Code>' +
              '<Description>The ApiKey is not valid.</Description></Result>' +
              '<NumberOfNotifications>0</NumberOfNotifications></NotificationGetCountResult></NotificationGetCountResponse>',
          ],
        );
      });

      it('refuses wrong and missing credentials by a fault elsewhere', async () => {
        const code =
          version === '1.1'
            ? /<faultcode xmlns:q0="http:\/\/relctl.example\/sandbox">q0:InvalidCredentials<\/faultcode>/
            : /<soap:Value>soap:Sender<\/soap:Value><soap:Subcode><soap:Value xmlns:q0="http:\/\/relctl.example\/sandbox">q0:InvalidCredentials<\/soap:Value><\/soap:Subcode>/;
        for (const [credentials, words] of [
          [wrong, 'The ApiKey is not valid.'],
          ['', 'Credentials are required.'],
        ] as const) {
          const answer = await call('RelationGetAll', list(1, 1), credentials);
          assert.equal(answer.status, 500);
          assert.match(body(answer), code);
          assert.ok(body(answer).includes(words));
        }
      });
    });
  }

  it('finds its path in any case of letters, with any query', async () => {
    for (const url of ['/v1/SERVICE.asmx', '/V1/service.asmx?x=1']) {
      assert.equal((await send({ method: 'GET', url })).status, 200);
    }
  });

  it('answers GET with a page for people', async () => {
    const { status, type, text } = await send({ method: 'GET' });
    assert.deepEqual([status, type], [200, 'text/html; charset=utf-8']);
    assert.match(text, /<dd>\s*30 relations, seed 1; <a href="\/">/);
  });

  for (const url of ['/', '/V1', '/V1/service.asmx/RelationGet', '/V2/service.asmx', '/V1/service.asmxx', '']) {
    it(`answers 404 to ${url === '' ? 'an empty path' : url}`, async () =>
      assert.equal((await send({ url })).status, 404));
  }

  for (const type of ['application/xml', 'text/plain', 'application/json', 'text/xmlx', '', 'constructor']) {
    it(`answers 415 and says what it takes to the content type ${type === '' ? '(none)' : type}`, async () => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const answer = await send({ headers, text: envelope11('') });
      assert.deepEqual(
        [answer.status, answer.text],
        [
          415,
          'The Content-Type of a request is text/xml; charset=utf-8 in SOAP 1.1, application/soap+xml; charset=utf-8 in SOAP 1.2; ' +
            `this one has ${type === '' ? 'none' : type}.\n`,
        ],
      );
    });
  }
});

describe('The description of the service', () => {
  let place: Sandbox;
  before(async () => {
    place = await temporarySandbox(3);
  });
  after(() => place.close());

  const get = (
    url: string,
    headers: Readonly<Record<string, string>> = { host: '127.0.0.1:8050' },
  ): Promise<HttpResponse> => createEndpoint(place)({ method: 'GET', url, headers, body: new Uint8Array() });

  async function textOf({ body }: HttpResponse): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  it('is not given where the query names something else', async () => {
    for (const query of ['wsdl=1', 'x=wsdl', 'wsdls'])
      assert.doesNotMatch(await textOf(await get(`/V1/service.asmx?${query}`)), /<wsdl:definitions/);
  });
});
