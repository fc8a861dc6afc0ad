import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TlsOptions } from 'node:tls';
import { inspect } from 'node:util';
import type { Kind } from '../../../src/core/errors/kinds.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { TransportSettings } from '../../../src/soap/transport/agents.js';
import { createTransport, type Transport } from '../../../src/soap/transport/axios-client.js';
import type { ExchangeOptions } from '../../../src/soap/transport/http.js';
import {
  answers,
  brokenServer,
  closedPort,
  inTurn,
  type Behaviour,
  type BrokenServer,
} from '../../support/broken-server.js';
import { authority, type Authority, type Certificate } from '../../support/certificates.js';
import { recordingProxy, type ProxyBehaviour } from '../../support/recording-proxy.js';
import { needs } from '../../support/skip.js';
import { argv } from '../../support/argv.js';

const limits = { connectMs: 60_000, tlsMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, wholeMs: 120_000 };
const body = '<a><Password>sesame-open</Password></a>';

/** Certificates that take openssl to make, made once. */
interface Certificates {
  readonly own: Authority;
  readonly server: Certificate;
  readonly expired: Certificate;
  readonly otherHost: Certificate;
  readonly client: Certificate;
  readonly locked: Certificate;
  readonly stranger: Authority;
  readonly strangersClient: Certificate;
}

function makeCertificates(): Certificates {
  const own = authority();
  const stranger = authority();
  return {
    own,
    stranger,
    server: own.issue({ name: 'server' }),
    expired: own.issue({ name: 'expired', days: -1 }),
    otherHost: own.issue({ name: 'other', names: 'DNS:other.test' }),
    client: own.issue({ name: 'client', names: 'DNS:client.test' }),
    locked: own.issue({ name: 'locked', names: 'DNS:client.test', passphrase: 'passphrase-open' }),
    strangersClient: stranger.issue({ name: 'client', names: 'DNS:client.test' }),
  };
}

const closers: (() => unknown)[] = [];

async function serve(certificate: Certificate, behaviour: Behaviour = {}, tls: TlsOptions = {}): Promise<BrokenServer> {
  const { cert, key } = certificate;
  const server = await brokenServer({ answer: answers({ body: 'served' }), ...behaviour, tls: { cert, key, ...tls } });
  closers.push(() => server.close());
  return server;
}

async function behindProxy(port: number, behaviour: Partial<ProxyBehaviour> = {}): Promise<BrokenServer> {
  const proxy = await recordingProxy({ port, ...behaviour });
  closers.push(() => proxy.close());
  return proxy;
}

const through = ({ port }: BrokenServer, login = ''): Pick<TransportSettings, 'proxy'> => ({
  proxy: { url: `http://${login}127.0.0.1:${port}` },
});

function transportBy(settings: Partial<TransportSettings>): Transport {
  const transport = createTransport({ userAgent: 'relctl/1.2.3', ...settings });
  closers.unshift(() => transport.close());
  return transport;
}

async function call(
  url: string,
  settings: Partial<TransportSettings>,
  options: Partial<ExchangeOptions> = {},
): Promise<string> {
  const transport = transportBy(settings);
  const request = { method: 'POST', url, headers: { 'content-type': 'text/xml' }, body: Buffer.from(body) } as const;
  const answer = await transport.send(request, { limits, ...options });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function failure(outcome: Promise<unknown>): Promise<RelctlError> {
  const error = await outcome.then(
    () => assert.fail('the exchange succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof RelctlError, inspect(error));
  const shown = inspect(error, { depth: 20, showHidden: true });
  assert.doesNotMatch(shown, /sesame|c2VzYW1l|passphrase-open|PRIVATE KEY/);
  return error;
}

async function assertFails(outcome: Promise<unknown>, kind: Kind, code: string): Promise<RelctlError> {
  const error = await failure(outcome);
  assert.deepEqual([error.kind, error.facts.code], [kind, code], error.message);
  return error;
}

/** A server that turns clients down by an alert, which Node's own does not send. */
async function demandingServer({ own, server }: Certificates, version: string): Promise<string> {
  const files = ['-cert', server.certFile, '-key', server.keyFile, '-CAfile', own.ca.certFile];
  const child = spawn(
    'openssl',
    argv`s_server -accept 127.0.0.1:0 ${files} -Verify 1 -verify_return_error -www ${version}`,
  );
  closers.push(() => child.kill());
  let said = '';
  for await (const text of child.stdout as AsyncIterable<Buffer>) {
    said += text.toString();
    const port = /ACCEPT .*:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return `https://127.0.0.1:${port}`;
  }
  return assert.fail(`openssl s_server ended: ${said}`);
}

describe('The transport over TLS', () => {
  let made: Certificates | undefined;
  const certificates = (): Certificates => made ?? assert.fail('there are no certificates');

  before(function () {
    // openssl makes the certificates; nothing of them is kept in the repository.
    needs(this, 'openssl');
    made = makeCertificates();
  });
  after(() => {
    made?.own.remove();
    made?.stranger.remove();
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const trusting = (): Partial<TransportSettings> => ({ ca: [certificates().own.ca.cert] });

  it('trusts an authority that it is given', async () => {
    const { url } = await serve(certificates().server);
    assert.equal(await call(url, trusting()), 'served');
  });

  it('watches a kept connection as one whose handshake is done', async () => {
    const server = await serve(certificates().server, { answer: inTurn(answers({ body: 'served' }), () => undefined) });
    const transport = transportBy(trusting());
    const request = { method: 'POST', url: server.url, headers: {}, body: Buffer.from(body) } as const;
    const first = await transport.send(request, { limits });
    for await (const chunk of first.body) assert.ok(chunk.length > 0);
    const silent = transport.send(request, { limits: { ...limits, tlsMs: 100, firstByteMs: 100 } });
    const error = await assertFails(silent, 'no-answer', 'timeout-first-byte');
    // It was sent: whoever calls may not take it for safe to send again.
    assert.equal(error.facts.unsent, undefined);
    assert.equal(server.connections(), 1);
  });

  const refusals: readonly [
    title: string,
    which: 'server' | 'expired' | 'otherHost',
    settings: () => Partial<TransportSettings>,
    message: RegExp,
  ][] = [
    ['of an authority that it does not know', 'server', () => ({}), /authority is unknown|self-signed/],
    ['that has expired', 'expired', trusting, /expired/],
    ['for another host', 'otherHost', trusting, /another host/],
  ];
  for (const [title, which, settings, message] of refusals) {
    it(`refuses a certificate ${title}, and sends nothing`, async () => {
      const server = await serve(certificates()[which]);
      const error = await assertFails(call(server.url, settings()), 'no-answer', 'certificate');
      assert.match(error.message, message);
      assert.equal(error.facts.unsent, true);
      assert.match(error.advice ?? '', /--set caFile=FILE/);
      assert.equal(server.requests.length, 0);
    });
  }

  it('says that a service speaks old versions of TLS alone', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const { url } = await serve(certificates().server, {}, old);
    const error = await assertFails(call(url, trusting()), 'no-answer', 'tls');
    assert.match(error.message, /failed \(it does not support TLS 1\.2 or later: /);
    assert.equal(error.facts.unsent, true);
  });

  it('takes any certificate only when it is told so', async () => {
    const { url } = await serve(certificates().expired);
    assert.equal(await call(url, { verification: 'none' }), 'served');
  });

  it('is not weakened by NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const { url } = await serve(certificates().server);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    closers.push(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    await assertFails(call(url, {}), 'no-answer', 'certificate');
    const service = await serve(certificates().server);
    const proxy = await behindProxy(service.port);
    await assertFails(call('https://service.test/', through(proxy)), 'no-answer', 'certificate');
  });

  it('an http call to a port that speaks TLS fails and says so', async () => {
    const { port } = await serve(certificates().server);
    const error = await failure(call(`http://127.0.0.1:${port}`, {}));
    assert.match(error.facts.code ?? '', /^(?:reset|not-http)$/);
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const demanding = (): TlsOptions => ({
      requestCert: true,
      rejectUnauthorized: true,
      ca: [certificates().own.ca.cert],
      minVersion: version,
      maxVersion: version,
    });

    it(`shows its client certificate (${version})`, async () => {
      const { url } = await serve(certificates().server, {}, demanding());
      const { cert, key } = certificates().client;
      assert.equal(await call(url, { ...trusting(), clientCertificate: { cert, key } }), 'served');
    });

    it(`says when a client certificate is missing or not accepted (${version})`, async () => {
      const url = await demandingServer(certificates(), version === 'TLSv1.2' ? '-tls1_2' : '-tls1_3');
      const { cert, key } = certificates().strangersClient;
      for (const settings of [trusting(), { ...trusting(), clientCertificate: { cert, key } }]) {
        const error = await failure(call(url, settings));
        assert.match(`${error.message} ${error.advice ?? ''}`, /client certificate/i);
        // TLS 1.2 says that one is missing by the alert for any failure.
        assert.match(
          error.facts.code ?? '',
          version === 'TLSv1.2' ? /^(?:client-certificate|tls)$/ : /^client-certificate$/,
        );
      }
    });
  }

  it('says that the service closed the connection within the handshake', async () => {
    const server = await brokenServer({ atAccept: (socket) => void socket.once('data', () => socket.end()) });
    closers.push(() => server.close());
    const error = await assertFails(call(`https://127.0.0.1:${server.port}`, trusting()), 'no-answer', 'tls');
    assert.match(`${error.message} ${error.advice ?? ''}`, /closed the connection.*client certificate/);
    assert.equal(error.facts.unsent, true);
  });

  it('opens an encrypted key by its passphrase', async () => {
    const asking = { requestCert: true, rejectUnauthorized: true, ca: [certificates().own.ca.cert] };
    const { url } = await serve(certificates().server, {}, asking);
    const { cert, key } = certificates().locked;
    const clientCertificate = { cert, key, passphrase: 'passphrase-open' };
    assert.equal(await call(url, { ...trusting(), clientCertificate }), 'served');
  });

  it('says that a key, its passphrase or a certificate cannot be used, before anything is sent', async () => {
    const server = await serve(certificates().server);
    const { client, locked, server: other } = certificates();
    for (const clientCertificate of [
      { cert: locked.cert, key: locked.key, passphrase: 'wrong' },
      { cert: client.cert, key: other.key },
      { cert: 'no certificate', key: client.key },
    ]) {
      const error = await assertFails(
        call(server.url, { ...trusting(), clientCertificate }),
        'profile',
        'client-certificate',
      );
      assert.equal(error.facts.unsent, true);
    }
    assert.equal(server.requests.length, 0);
  });

  describe('through a proxy', () => {
    it('asks for a tunnel with its login, and shows the proxy nothing of the call', async () => {
      const service = await serve(certificates().server);
      const proxy = await behindProxy(service.port, { login: 'user:p@ss' });
      const settings = { ...trusting(), ...through(proxy, 'user:p%40ss@') };
      assert.equal(await call('https://service.test/V1/service.asmx', settings), 'served');
      assert.equal(proxy.requests.length, 1);
      const [asked] = proxy.requests;
      assert.equal(`${asked?.method ?? ''} ${asked?.target ?? ''}`, 'CONNECT service.test:443');
      assert.equal(asked?.headers['host'], 'service.test:443');
      assert.equal(asked.body.length, 0);
      const [served] = service.requests;
      assert.equal(served?.target, '/V1/service.asmx');
      assert.equal(served.headers['proxy-authorization'], undefined);
    });

    it('keeps what a gateway of the service gets from the proxy', async () => {
      const service = await serve(certificates().server);
      const proxy = await behindProxy(service.port);
      const gateway = { origin: 'https://service.test', headers: { 'X-Key': 'k', Authorization: 'Bearer t' } };
      const settings = { ...trusting(), ...through(proxy), gateway };
      assert.equal(await call('https://service.test/V1/service.asmx', settings), 'served');
      const names = proxy.requests.map(({ headers }) => Object.keys(headers).sort());
      assert.deepEqual(names, [['host', 'proxy-connection', 'user-agent']]);
      assert.equal(proxy.requests[0]?.headers['user-agent'], 'relctl/1.2.3');
      assert.deepEqual(
        service.requests.map(({ headers }) => [headers['x-key'], headers['authorization']]),
        [['k', 'Bearer t']],
      );
    });

    it('keeps its tunnel for further calls', async () => {
      const service = await serve(certificates().server);
      const proxy = await behindProxy(service.port);
      const transport = transportBy({ ...trusting(), ...through(proxy) });
      for (let count = 0; count < 3; count += 1) {
        const request = { method: 'POST', url: 'https://service.test/', headers: {}, body: Buffer.from(body) } as const;
        const answer = await transport.send(request, { limits });
        for await (const chunk of answer.body) assert.ok(chunk.length > 0);
      }
      assert.equal(proxy.connections(), 1);
    });

    it('opens a tunnel of its own for a call that wants a fresh connection', async () => {
      const service = await serve(certificates().server);
      const proxy = await behindProxy(service.port);
      const settings = { ...trusting(), ...through(proxy) };
      assert.equal(await call('https://service.test/', settings, { connection: 'fresh' }), 'served');
      assert.equal(service.requests[0]?.headers['connection'], 'close');
    });

    it('checks the certificate of the service, not of the proxy', async () => {
      const service = await serve(certificates().otherHost);
      const proxy = await behindProxy(service.port);
      const error = await assertFails(
        call('https://service.test/', { ...trusting(), ...through(proxy) }),
        'no-answer',
        'certificate',
      );
      assert.match(error.message, /service\.test:443.*another host/);
      assert.equal(error.facts.unsent, true);
      assert.equal(service.requests.length, 0);
    });

    it('checks an address that is no name as that address', async () => {
      const service = await serve(certificates().server);
      const proxy = await behindProxy(service.port);
      // The certificate is for 127.0.0.1 and localhost.
      await assertFails(call('https://192.0.2.7/', { ...trusting(), ...through(proxy) }), 'no-answer', 'certificate');
    });

    it('shows a client certificate to the service', async () => {
      const asking = { requestCert: true, rejectUnauthorized: true, ca: [certificates().own.ca.cert] };
      const service = await serve(certificates().server, {}, asking);
      const proxy = await behindProxy(service.port);
      const { cert, key } = certificates().client;
      const settings = { ...trusting(), ...through(proxy), clientCertificate: { cert, key } };
      assert.equal(await call('https://service.test/', settings), 'served');
    });

    it('takes any certificate when it is told so', async () => {
      const service = await serve(certificates().expired);
      const proxy = await behindProxy(service.port);
      assert.equal(await call('https://service.test/', { ...through(proxy), verification: 'none' }), 'served');
    });

    const refusals: readonly [status: number, kind: Kind, code: string][] = [
      [403, 'no-answer', 'proxy'],
      [502, 'no-answer', 'proxy'],
    ];
    for (const [status, kind, code] of refusals) {
      it(`names it when it refuses (${status}); nothing was sent`, async () => {
        const service = await serve(certificates().server);
        const proxy = await behindProxy(service.port, { refuses: status });
        const error = await assertFails(
          call('https://service.test/', { ...trusting(), ...through(proxy) }),
          kind,
          code,
        );
        assert.match(error.message, new RegExp(`proxy 127\\.0\\.0\\.1:${proxy.port} .*${status}`));
        assert.equal(error.facts.unsent, true);
        assert.equal(service.connections(), 0);
      });
    }

    for (const login of ['', 'user:sesame-closed@']) {
      it(`says that it wants ${login === '' ? 'a' : 'another'} login (407)`, async () => {
        const service = await serve(certificates().server);
        const proxy = await behindProxy(service.port, { login: 'user:right' });
        const settings = { ...trusting(), ...through(proxy, login) };
        const error = await assertFails(call('https://service.test/', settings), 'profile', 'proxy-authentication');
        assert.equal(error.facts.unsent, true);
      });
    }

    it('names it when nobody listens there', async () => {
      const settings = { ...trusting(), proxy: { url: `http://user:sesame-open@127.0.0.1:${await closedPort()}` } };
      const error = await assertFails(call('https://service.test/', settings), 'no-answer', 'connect-refused');
      assert.match(error.message, /the proxy 127\.0\.0\.1/);
    });

    it('names it when it says nothing, within the connect limit', async () => {
      const proxy = await behindProxy(0, { silent: true });
      const settings = { ...trusting(), ...through(proxy) };
      const options = { limits: { ...limits, connectMs: 100 } };
      const error = await assertFails(call('https://service.test/', settings, options), 'no-answer', 'timeout-connect');
      assert.match(error.message, /the proxy 127\.0\.0\.1/);
      assert.equal(error.facts.unsent, true);
    });

    it('names it when it closes the connection', async () => {
      const proxy = await brokenServer({ answer: (socket) => void socket.end() });
      closers.push(() => proxy.close());
      const error = await assertFails(call('https://service.test/', through(proxy)), 'no-answer', 'proxy');
      assert.match(error.message, /the proxy 127\.0\.0\.1/);
    });

    it('has the TLS limit within the tunnel; nothing was sent', async () => {
      const silent = await brokenServer();
      closers.push(() => silent.close());
      const proxy = await behindProxy(silent.port);
      const options = { limits: { ...limits, tlsMs: 100 } };
      const error = await assertFails(
        call('https://service.test/', { ...trusting(), ...through(proxy) }, options),
        'no-answer',
        'timeout-tls',
      );
      assert.match(error.message, /service\.test:443/);
      assert.equal(error.facts.unsent, true);
    });

    it('can be stopped while the tunnel is asked for', async () => {
      const reason = new RelctlError('interrupted', 'interrupted by Ctrl-C');
      const stopping = new AbortController();
      const proxy = await brokenServer({ answer: () => stopping.abort(reason) });
      closers.push(() => proxy.close());
      const error = await failure(call('https://service.test/', through(proxy), { signal: stopping.signal }));
      assert.equal(error.kind, 'interrupted');
      assert.equal(error.facts.unsent, true);
    });

    it('can be a proxy that is itself reached over TLS', async () => {
      const service = await serve(certificates().server);
      const inner = await behindProxy(service.port, { login: 'user:right' });
      const { cert, key } = certificates().server;
      const { createServer } = await import('node:tls');
      const { connect } = await import('node:net');
      const outer = createServer({ cert, key }, (socket) => {
        socket.on('error', () => undefined);
        const onward = connect(inner.port, '127.0.0.1');
        onward.on('error', () => undefined);
        socket.pipe(onward).pipe(socket);
      });
      outer.listen(0, '127.0.0.1');
      await once(outer, 'listening');
      closers.push(() => void outer.close());
      const address = outer.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const settings = { ...trusting(), proxy: { url: `https://user:right@127.0.0.1:${port}` } };
      assert.equal(await call('https://service.test/', settings), 'served');
      assert.equal(
        await call('http://service.test/', settings).catch(() => 'no plain service there'),
        'no plain service there',
      );
    });
  });
});
