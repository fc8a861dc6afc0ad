import assert from 'node:assert/strict';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { TransportSettings } from '../../../src/soap/transport/agents.js';
import { createTransport } from '../../../src/soap/transport/axios-client.js';
import { authority } from '../../support/certificates.js';
import { fullQueue, type FullQueue } from '../../support/broken-server.js';
import { needs, skip } from '../../support/skip.js';

const patient = { connectMs: 60_000, tlsMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, wholeMs: 120_000 };

const closers: (() => unknown)[] = [];

/** Has a name stand for these addresses of this machine; nothing is asked of a name server. */
function resolves(name: string, addresses: readonly string[], asked = (): void => undefined): void {
  const { lookup } = dns;
  const stub = (host: string, ...more: readonly unknown[]): void => {
    const done = more.at(-1) as (error: null, found: readonly LookupAddress[]) => void;
    if (host !== name) (lookup as (host: string, ...more: readonly unknown[]) => void)(host, ...more);
    else {
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
      asked();
    }
  };
  dns.lookup = stub as unknown as typeof lookup;
  closers.push(() => {
    dns.lookup = lookup;
  });
}

async function serving(server: Server, host: string, port = 0): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : assert.fail();
}

const good = (): Server => createServer((_, response) => response.end('good'));

async function blackHole(host: string, port = 0): Promise<FullQueue> {
  const queue = await fullQueue(host, port);
  closers.push(() => queue.close());
  return queue;
}

async function get(url: string, settings: Partial<TransportSettings> = {}, limits = patient): Promise<string> {
  const transport = createTransport({ userAgent: 'relctl/1.2.3', ...settings });
  closers.push(() => transport.close());
  const request = { method: 'POST', url, headers: {}, body: Buffer.from('x') } as const;
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await transport.send(request, { limits })).body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const [one, two, three] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

describe('A host with several addresses', function () {
  before(function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has all of 127.0.0.0/8 by itself');
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  it('is connected to where one of them says nothing, whichever comes first', async () => {
    const { port } = await blackHole(one);
    await serving(good(), two, port);
    for (const addresses of [
      [one, two],
      [two, one],
      [three, one, two],
    ]) {
      resolves('several.test', addresses);
      assert.equal(await get(`http://several.test:${port}`), 'good', addresses.join(' '));
    }
  });

  it('is connected to by the slow one where the others refuse, whichever comes first', async () => {
    for (const addresses of [
      [one, two],
      [two, one],
    ]) {
      const queue = await blackHole(one);
      // The queue is full when the first attempt comes, which the system makes again after a second.
      resolves('several.test', addresses, () => setTimeout(() => queue.open(), 300));
      assert.equal(await get(`http://several.test:${queue.port}`), 'slow', addresses.join(' '));
    }
  });

  it('is given up when the time to connect is over, and not before', async () => {
    const { port } = await blackHole(one);
    await blackHole(two, port);
    resolves('several.test', [one, two]);
    await assert.rejects(get(`http://several.test:${port}`, {}, { ...patient, connectMs: 600 }), {
      message: `no connection to several.test:${port} within 0.6 s`,
      facts: { code: 'timeout-connect', url: `http://several.test:${port}`, unsent: true },
    });
  });

  it('that all refuse is told of as one that refuses', async () => {
    const closed = good();
    const port = await serving(closed, one);
    closed.close();
    resolves('several.test', [one, two]);
    await assert.rejects(get(`http://several.test:${port}`), /several\.test:\d+ refused the connection/);
  });

  it('is spoken TLS with, by its name', async function () {
    needs(this, 'openssl');
    const own = authority();
    closers.push(() => own.remove());
    const { port } = await blackHole(one);
    const { cert, key } = own.issue({ name: 'several', names: 'DNS:several.test' });
    await serving(
      createSecureServer({ cert, key }, (_, response) => response.end('secure')),
      two,
      port,
    );
    resolves('several.test', [one, two]);
    assert.equal(await get(`https://several.test:${port}`, { ca: [own.ca.cert] }), 'secure');
    resolves('another.test', [one, two]);
    await assert.rejects(get(`https://another.test:${port}`, { ca: [own.ca.cert] }), /it is for another host/);
  });

  it('may be a proxy, for plain HTTP and for tunnels', async function () {
    needs(this, 'openssl');
    const own = authority();
    closers.push(() => own.remove());
    const { port } = await blackHole(one);
    const proxy = createServer((_, response) => response.end('forwarded'));
    const { cert, key } = own.issue({ name: 'service', names: 'DNS:service.test' });
    const service = createSecureServer({ cert, key }, (_, response) => response.end('tunnelled'));
    const inner = await serving(service, one);
    const { connect } = await import('node:net');
    proxy.on('connect', (_, socket) => {
      const onward = connect(inner, one);
      for (const each of [socket, onward]) each.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    await serving(proxy, two, port);
    resolves('proxy.test', [one, two]);
    const settings = { ca: [own.ca.cert], proxy: { url: `http://proxy.test:${port}` } };
    assert.equal(await get('http://service.test', settings), 'forwarded');
    assert.equal(await get('https://service.test', settings, { ...patient, connectMs: 1000 }), 'tunnelled');
  });
});
