import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ends, home, relctl } from '../../support/relctl.js';

const password = 'sésame%open';
const login = Buffer.from(`operator:${password}`).toString('base64');

describe('A proxy that brings back what it was told', () => {
  const place = home();
  /** Quotes the login that it was given, as it came and in plain words. */
  let proxy: Server;

  before(async () => {
    proxy = createServer((asked, answer) => {
      const given = asked.headers['proxy-authorization'] ?? '';
      const plain = Buffer.from(given.replace('Basic ', ''), 'base64').toString();
      answer.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' });
      answer.end(`denied: ${given}, ${plain}`);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  after(() => {
    proxy.close();
    place.remove();
  });

  for (const variable of ['RELCTL_PROXY', 'http_proxy']) {
    it(`brings no password into error or trace, given by ${variable}`, async () => {
      const { port } = proxy.address() as AddressInfo;
      const trace = join(place.folder, `trace-${variable}`);
      const env = {
        ...place.env,
        RELCTL_BASE_URL: 'http://crm.invalid',
        RELCTL_NAMESPACE: 'http://crm.invalid/api',
        RELCTL_API_KEY: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
        RELCTL_RETRIES: '0',
        [variable]: `http://operator:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      };
      const { stderr } = await ends(relctl(['mark', 'list', `--trace=${trace}`], { env }), 6);
      for (const told of [stderr, readFileSync(trace, 'utf8')]) {
        assert.match(told, /denied: Basic .*\*{8}.*, operator:\*{8}/);
        assert.ok(!told.includes(password) && !told.includes(login), told);
      }
    });
  }

  it('is not asked when only HTTP_PROXY in capitals names it, which a request to a CGI program could set', async () => {
    const { port } = proxy.address() as AddressInfo;
    const settings = { RELCTL_NAMESPACE: 'urn:n', RELCTL_API_KEY: '6f9619ff-8b86-d011-b42d-00c04fc964ff' };
    const env = { ...place.env, ...settings, RELCTL_BASE_URL: 'http://crm.invalid', RELCTL_RETRIES: '0' };
    const address = `http://127.0.0.1:${port}`;
    const shouted = await relctl(['mark', 'list'], { env: { ...env, HTTP_PROXY: address } });
    assert.match(shouted.stderr, /host name of crm\.invalid:80 was not found/);
    const said = await relctl(['mark', 'list'], { env: { ...env, http_proxy: address } });
    assert.match(said.stderr, /denied/);
  });
});
