import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { bypassesProxy, checkedUrl, portOf, routeTo } from '../../../src/soap/transport/agents.js';

const bypasses: readonly [url: string, noProxy: string | undefined, expected: boolean][] = [
  ['http://localhost/', undefined, true],
  ['http://api.localhost/', undefined, true],
  ['http://127.0.0.1:8080/', undefined, true],
  ['http://127.1/', undefined, true],
  ['http://2130706433/', undefined, true],
  ['http://[::1]/', undefined, true],
  ['http://service.test/', undefined, false],
  ['http://service.test/', '', false],
  ['http://service.test/', '*', true],
  ['http://service.test/', 'service.test', true],
  ['http://SERVICE.test/', 'Service.Test', true],
  ['http://api.service.test/', 'service.test', true],
  ['http://api.service.test/', '.service.test', true],
  ['http://api.service.test/', '*.service.test', true],
  ['http://myservice.test/', 'service.test', false],
  ['http://service.test.evil.test/', 'service.test', false],
  ['http://service.test/', 'other.test, service.test', true],
  ['http://service.test/', 'service.test:80', true],
  ['http://service.test:8080/', 'service.test:80', false],
  ['https://service.test/', 'service.test:443', true],
  ['http://localhost.evil.test/', undefined, false],
  ['http://0.0.0.0/', undefined, true],
  ['http://localhost./', undefined, true],
  ['http://127.0.0.1.nip.test/', 'service.test', false],
  ['http://service.test./', 'service.test', true],
  ['http://service.test/', 'service.test.', true],
  ['http://api.service.test./', '.service.test', true],
  ['http://service.test.evil.test./', 'service.test', false],
  ['http://128.0.0.1/', undefined, false],
];

describe('The way to a service', () => {
  for (const [url, noProxy, expected] of bypasses) {
    it(`${expected ? 'goes straight' : 'takes the proxy'} to ${url} with NO_PROXY '${noProxy ?? ''}'`, () => {
      assert.equal(bypassesProxy(new URL(url), noProxy), expected);
    });
  }

  it('knows the port of a scheme', () => {
    assert.equal(portOf(new URL('http://a.test/')), '80');
    assert.equal(portOf(new URL('https://a.test/')), '443');
    assert.equal(portOf(new URL('https://a.test:81/')), '81');
  });

  it('is a tunnel for https through a proxy, and forwarding for http', async () => {
    const settings = { userAgent: 'relctl/1.2.3', proxy: { url: 'http://user:sesame-open@proxy.test:3128' } };
    const options = { connection: 'fresh', systemCa: [] } as const;
    assert.equal((await routeTo(new URL('https://service.test/'), settings, options)).via, 'tunnel');
    const forward = await routeTo(new URL('http://service.test/'), settings, options);
    assert.equal(forward.via, 'forward');
    assert.equal(forward.proxyHost, 'proxy.test:3128');
    assert.equal((await routeTo(new URL('http://localhost/'), settings, options)).via, 'direct');
  });

  it('refuses a proxy that does not speak HTTP', async () => {
    const settings = { userAgent: 'relctl/1.2.3', proxy: { url: 'socks5://user:sesame-open@proxy.test:1080' } };
    await assert.rejects(
      routeTo(new URL('https://service.test/'), settings, { connection: 'fresh', systemCa: [] }),
      (error) => error instanceof RelctlError && error.kind === 'profile' && !error.message.includes('sesame'),
    );
  });

  for (const url of ['file:///etc/passwd', 'ftp://a.test/', 'service.test', 'data:text/xml,a', '//a.test/', '']) {
    it(`refuses '${url}' as the address of a service`, () => {
      assert.throws(
        () => checkedUrl(url),
        (error) => error instanceof RelctlError && error.kind === 'usage',
      );
    });
  }

  it('refuses credentials within an address and does not repeat them', () => {
    assert.throws(
      () => checkedUrl('https://user:sesame-open@a.test/'),
      (error) => error instanceof RelctlError && error.kind === 'usage' && !JSON.stringify(error).includes('sesame'),
    );
  });
});
