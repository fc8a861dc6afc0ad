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

  it('is not given where the query names something else', async () => {
    for (const query of ['wsdl=1', 'x=wsdl', 'wsdls'])
      assert.doesNotMatch(await textOf(await get(`/V1/service.asmx?${query}`)), /<wsdl:definitions/);
  });
});
