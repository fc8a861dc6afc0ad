import assert from 'node:assert/strict';
import { request } from 'node:http';
import { FaultPlan } from '../../../src/sandbox/faults/plan.js';
import { readPublicUrl, withoutPrefix } from '../../../src/sandbox/http/access.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import type { RunningServer } from '../../../src/sandbox/http/server.js';
import { temporaryFolder } from '../../support/sandbox/temporary.js';

describe('A public address', () => {
  const right: readonly (readonly [given: string, origin: string, host: string, path: string])[] = [
    ['https://crm.example', 'https://crm.example', 'crm.example', ''],
    ['https://CRM.example:443/', 'https://crm.example', 'crm.example', ''],
    ['http://crm.example:8443/proxy/8050/', 'http://crm.example:8443', 'crm.example:8443', '/proxy/8050'],
  ];
  for (const [given, origin, host, path] of right) {
    it(`may be ${given}`, () => assert.deepEqual(readPublicUrl(given), { origin, host, path }));
  }

  for (const given of [
    '',
    'crm.example',
    'ftp://crm.example',
    'https://u:geheim@crm.example',
    'https://crm.example/?a',
  ]) {
    it(`is not '${given}', which is not repeated`, () => {
      assert.throws(
        () => readPublicUrl(given),
        (thrown: Error) => 'kind' in thrown && thrown.kind === 'usage' && !thrown.message.includes('geheim'),
      );
    });
  }

  it('is taken from the paths of proxies that leave it there', () => {
    const url = readPublicUrl('https://crm.example/proxy/8050');
    assert.equal(withoutPrefix('/proxy/8050/V1/service.asmx?op=MarkGetAll', url), '/V1/service.asmx?op=MarkGetAll');
    assert.equal(withoutPrefix('/V1/service.asmx', url), '/V1/service.asmx');
    assert.equal(withoutPrefix('/proxy/80501/V1/service.asmx', url), '/proxy/80501/V1/service.asmx');
    assert.equal(withoutPrefix('/V1/service.asmx', undefined), '/V1/service.asmx');
  });
});

interface Heard {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

describe('The sandbox behind a public address', () => {
  const folder = temporaryFolder();
  const publicUrl = readPublicUrl('https://crm-8050.example/proxy/8050');
  let place: Sandbox;
  let server: RunningServer;
  before(async () => {
    place = await openSandbox({ file: `${folder.path}/public.db`, relations: 5, publicUrl });
    server = await serveSandbox(place, { faults: new FaultPlan([]) });
  });
  after(async () => {
    await server.close();
    place.close();
    folder.remove();
  });
  const get = (
    path: string,
    headers: Readonly<Record<string, string>> = { host: 'crm-8050.example' },
  ): Promise<Heard> =>
    new Promise((resolve, reject) => {
      const asking = request({ port: server.port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, location: response.headers.location, text }));
      });
      asking.on('error', reject).end();
    });

  it('answers under that name, whatever a proxy says of whom it speaks for, and under no other', async () => {
    for (const headers of [
      { host: 'crm-8050.example', 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'crm-8050.example' },
      { host: 'CRM-8050.example', origin: 'https://crm-8050.example' },
      { host: 'localhost:8050', origin: 'https://crm-8050.example', via: '1.1 proxy' },
    ]) {
      assert.equal((await get('/V1/service.asmx', headers)).status, 200, JSON.stringify(headers));
    }
    for (const headers of [
      { host: 'evil.example' },
      { host: 'crm-8050.example:8050' },
      { host: 'crm-8050.example', origin: 'https://evil.example' },
    ]) {
      assert.equal((await get('/V1/service.asmx', headers)).status, 403, JSON.stringify(headers));
    }
  });

  it('puts that address into links, samples and the description, and takes its path with and without', async () => {
    for (const path of ['/V1/service.asmx', '/proxy/8050/V1/service.asmx']) {
      const { text } = await get(path);
      const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
      assert.ok(links.length > 33 && links.includes('/proxy/8050/'));
      const others = links.filter((link) => link !== '/proxy/8050/');
      assert.ok(others.every((link) => link.startsWith('/proxy/8050/V1/service.asmx?')));
      const description = (await get(`${path}?WSDL`)).text;
      const addresses = [...description.matchAll(/location="([^"]*)"/g)].map(([, address]) => address);
      assert.deepEqual(new Set(addresses), new Set(['https://crm-8050.example/proxy/8050/V1/service.asmx']));
      const page = (await get(`${path}?op=MarkGetAll`)).text;
      assert.match(page, /POST \/proxy\/8050\/V1\/service\.asmx HTTP\/1\.1\nHost: crm-8050\.example\n/);
    }
  });

  it('keeps its forms and its fault plan to this machine', async () => {
    assert.match((await get('/V1/service.asmx?op=MarkGetAll')).text, /only available for requests from the local/);
    const own = { host: `127.0.0.1:${server.port}` };
    assert.match((await get('/V1/service.asmx?op=MarkGetAll', own)).text, /action="\/proxy\/8050\/V1\/service\.asmx\//);
    assert.equal((await get('/faults')).status, 404);
    assert.equal((await get('/faults', own)).status, 200);
  });

  it('shows at its root what is in the data set, with links that lead through it', async () => {
    for (const path of ['/', '/proxy/8050/']) {
      const { status, text } = await get(path);
      assert.equal(status, 200);
      const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link]) => link ?? '');
      assert.ok(links.includes('/proxy/8050/V1/service.asmx'));
      assert.ok(links.includes('/proxy/8050/counts'));
      assert.ok(links.every((link) => link.startsWith('/proxy/8050/')));
    }
    assert.equal((await get('/proxy/8050/counts')).status, 200);
  });
});
