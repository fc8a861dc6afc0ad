import assert from 'node:assert/strict';
import { createEndpoint, type Sandbox } from '../../src/sandbox/sandbox.js';
import type { HttpResponse } from '../../src/soap/transport/http.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';

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

  for (const query of ['WSDL', 'wsdl', 'Wsdl', 'wsdl&v=2', 'x=1&WSDL']) {
    it(`is given under ?${query}, as text/xml in UTF-8`, async () => {
      const answer = await get(`/V1/service.asmx?${query}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'text/xml; charset=utf-8');
      const text = await textOf(answer);
      assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<wsdl:definitions /);
      assert.match(text, / targetNamespace="http:\/\/relctl\.example\/sandbox">/);
    });
  }

  it('is not given where the query names something else', async () => {
    for (const query of ['wsdl=1', 'x=wsdl', 'wsdls'])
      assert.doesNotMatch(await textOf(await get(`/V1/service.asmx?${query}`)), /<wsdl:definitions/);
  });

  it('names the address under which it was asked for', async () => {
    for (const [host, path] of [
      ['127.0.0.1:8050', '/V1/service.asmx'],
      ['localhost:41234', '/v1/Service.ASMX'],
      ['[::1]:80', '/V1/service.asmx'],
    ] as const) {
      const text = await textOf(await get(`${path}?WSDL`, { host }));
      assert.deepEqual(
        [...text.matchAll(/<soap(?:12)?:address location="([^"]*)" \/>/g)].map(([, address]) => address),
        [`http://${host}${path}`, `http://${host}${path}`],
      );
    }
  });
});
