import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serverLimits } from '../../../src/sandbox/http/exchange.js';
import { startServer, type RunningServer } from '../../../src/sandbox/http/server.js';
import { type HttpHandler, wholeOf } from '../../../src/soap/transport/http.js';
import { postHead, rawClient, type RawClient } from '../../support/sandbox/asmx/http.js';

setFlagsFromString('--expose-gc');
/** Collects garbage. */
const collect = runInNewContext('gc') as () => void;

async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

const said = (text: string): ReturnType<HttpHandler> =>
  Promise.resolve({ status: 200, headers: { 'content-type': 'text/plain' }, body: piece(Buffer.from(text)) });

/** Answers a request with its path and the length of its body. */
const measured: HttpHandler = ({ url, body }) => said(`${url} has ${wholeOf(body).length}.`);

/** An endpoint whose answers come when they are let go, one after the other. */
function held(): {
  endpoint: HttpHandler;
  asked: string[];
  release: () => void;
  begun: (count: number) => Promise<void>;
} {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let told = (): void => undefined;
  return {
    asked,
    endpoint: async ({ url }) => {
      asked.push(url);
      told();
      await new Promise<void>((resolve) => waiting.push(resolve));
      return said(`${url} is done.`);
    },
    release: () => waiting.shift()?.(),
    begun: async (count) => {
      while (asked.length < count) await new Promise<void>((resolve) => (told = resolve));
    },
  };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** A number of connections that each do the same first. */
const many = async (count: number, port: number, first: string | Buffer): Promise<readonly RawClient[]> => {
  const clients: RawClient[] = [];
  for (let at = 0; at < count; at += 1) {
    const client = await rawClient(port);
    client.socket.write(first);
    clients.push(client);
  }
  return clients;
};

/**
 * The bytes in buffers above those of before, once they are few enough, or after a number of looks: what was read and is
 * not held any more counts until V8 has collected it, which it does beside the program.
 */
async function settledBytes(before: number, few: number): Promise<number> {
  for (let look = 0; ; look += 1) {
    collect();
    const taken = process.memoryUsage().arrayBuffers - before;
    if (taken < few || look === 100) return taken;
    await pause(20);
  }
}

describe('Clients of the sandbox that send half a request', () => {
  let server: RunningServer;
  before(async () => {
    server = await startServer({ endpoint: measured });
  });
  after(() => server.close());

  const halves = async (count: number, bytes: number): Promise<readonly RawClient[]> =>
    many(count, server.port, Buffer.concat([Buffer.from(postHead(4_000_000)), Buffer.alloc(bytes, 'x')]));

  for (const [words, first] of [
    ['a body', `${postHead(4_000_000)}xxxx`],
    ['a head', 'POST /V1/service.asmx HTTP/1.1\r\nHost: localh'],
    ['nothing', ''],
  ] as const) {
    it(`keep nobody out, with ${words} begun on more connections than there may be`, async () => {
      const clients = await many(serverLimits.connections + 20, server.port, first);
      for (let time = 0; time < 3; time += 1) {
        const client = await rawClient(server.port);
        client.socket.write(`${postHead(3)}abc`);
        await client.until('has 3.');
        client.socket.destroy();
      }
      for (const { socket } of clients) socket.destroy();
    });
  }

  it('are dropped where there are too many, the one that was silent longest first', async () => {
    const clients = await halves(serverLimits.connections, 10);
    const [first, second] = clients;
    first?.socket.write('more');
    // What was written before is read before the next connection is accepted: its answer shows it.
    const one = await rawClient(server.port);
    one.socket.write(get('/one'));
    await one.until('has 0.');
    await second?.ended;
    assert.equal(first?.socket.destroyed, false);
    for (const { socket } of [...clients, one]) socket.destroy();
  });

  it('take little memory together, whatever they send', async () => {
    collect();
    const before = process.memoryUsage().arrayBuffers;
    const clients = await halves(64, 1_000_000);
    // Short pieces, each of which is read with others.
    const slow = await rawClient(server.port);
    slow.socket.setNoDelay(true).write(postHead(50_000));
    for (let sent = 0; sent < 300; sent += 1) {
      slow.socket.write('x');
      await pause(1);
    }
    const after = await rawClient(server.port);
    after.socket.write(get('/after'));
    await after.until('has 0.');
    const most = 2 * 64 * serverLimits.heldBytes;
    const taken = await settledBytes(before, most);
    assert.ok(taken < most, `${taken} bytes`);
    // What went to a file is whole there.
    const last = clients.at(-1);
    last?.socket.write(Buffer.alloc(3_000_000, 'y'));
    await last?.until('has 4000000.');
    for (const { socket } of [...clients, slow, after]) socket.destroy();
  });
});

describe('Requests that are sent one behind the other', () => {
  it('are carried out one at a time, and answered in order', async () => {
    const { endpoint, asked, release, begun } = held();
    const server = await startServer({ endpoint });
    const client = await rawClient(server.port);
    client.socket.write(['/a', '/b', '/c'].map(get).join(''));
    for (const [at, path] of ['/a', '/b', '/c'].entries()) {
      await begun(at + 1);
      // Another connection is answered meanwhile, but no other request of this one.
      const other = await rawClient(server.port);
      other.socket.write('OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await other.until('405');
      other.socket.destroy();
      assert.deepEqual(asked, ['/a', '/b', '/c'].slice(0, at + 1));
      release();
      await client.until(`${path} is done.`);
    }
    client.socket.destroy();
    await server.close();
  });

  it('are all answered to a client that has ended its side since', async () => {
    const { endpoint, release, begun } = held();
    const server = await startServer({ endpoint });
    const client = await rawClient(server.port);
    client.socket.end(get('/a') + get('/b'));
    for (const count of [1, 2]) {
      await begun(count);
      release();
    }
    assert.match(await client.ended, /\/a is done\.[^]*\/b is done\.$/);
    await server.close();
  });

  it('are whole, also when the second one ends long after the first was answered', async () => {
    const server = await startServer({ endpoint: measured });
    const client = await rawClient(server.port);
    client.socket.write(`${postHead(3)}abc${postHead(300_000)}${'x'.repeat(100_000)}`);
    await client.until('has 3.');
    client.socket.write('x'.repeat(200_000));
    await client.until('has 300000.');
    client.socket.write(get('/last'));
    await client.until('/last has 0.');
    client.socket.destroy();
    await server.close();
  });

  it('are answered before what is behind them and is no HTTP is refused', async () => {
    const { endpoint, release, begun } = held();
    const server = await startServer({ endpoint });
    const client = await rawClient(server.port);
    client.socket.write(`${postHead(3)}abc${get('/b')}GARBAGE\r\n\r\n`);
    for (const count of [1, 2]) {
      await begun(count);
      release();
    }
    const answers = (await client.ended).match(/HTTP\/1\.1 \d+ [^\r]*/g);
    assert.deepEqual(answers, ['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'HTTP/1.1 400 Bad Request']);
    const amid = await rawClient(server.port);
    amid.socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    assert.match(await amid.ended, /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/);
    await server.close();
  });

  it('end their connection when too many wait', async () => {
    const { endpoint, asked, begun } = held();
    const server = await startServer({ endpoint });
    const client = await rawClient(server.port);
    client.socket.write(get('/held'));
    await begun(1);
    client.socket.write(get('/behind').repeat(serverLimits.pipelined));
    assert.equal(await client.ended, '');
    assert.equal(asked.length, 1);
    await server.close();
  });
});

describe('More clients than the sandbox answers at once', () => {
  it('are answered 503 with Retry-After, and when others were answered are served', async () => {
    const { endpoint, asked, release, begun } = held();
    const server = await startServer({ endpoint });
    const clients = await many(serverLimits.requests, server.port, get('/held'));
    await begun(serverLimits.requests);
    for (let time = 0; time < 3; time += 1) {
      const one = await rawClient(server.port);
      one.socket.write(get('/surplus'));
      await one.until('The sandbox answers 128 requests at once.');
      assert.match(one.said(), /^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n/);
      one.socket.destroy();
    }
    release();
    await clients[0]?.until('/held is done.');
    const later = await rawClient(server.port);
    later.socket.write(get('/later'));
    await begun(serverLimits.requests + 1);
    assert.equal(asked.at(-1), '/later');
    for (let time = 0; time < serverLimits.requests; time += 1) release();
    await later.until('/later is done.');
    for (const { socket } of [...clients, later]) socket.destroy();
    await server.close();
  });

  it('are served in turn while they are no more than that', async () => {
    const server = await startServer({ endpoint: measured });
    const clients = await many(16, server.port, get('/first'));
    await Promise.all(clients.map((client) => client.until('/first has 0.')));
    for (const { socket } of clients) socket.write(get('/second'));
    await Promise.all(clients.map((client) => client.until('/second has 0.')));
    for (const { socket } of clients) socket.destroy();
    await server.close();
  });

  it('leave no room for as many idle connections, of which the one that was silent longest is ended', async () => {
    const { endpoint, begun } = held();
    const server = await startServer({ endpoint });
    const clients = await many(serverLimits.requests, server.port, get('/held'));
    await begun(serverLimits.requests);
    const idle = await many(serverLimits.connections - serverLimits.requests + 1, server.port, '');
    const [longest, next] = idle;
    assert.equal(await longest?.ended, '');
    assert.equal(next?.socket.destroyed, false);
    for (const { socket } of [...clients, ...idle]) socket.destroy();
    await server.close();
  });
});

describe('Clients of the sandbox that do not take their answers', () => {
  it('are dropped when others need the memory, and those are answered', async () => {
    const long = Buffer.alloc(serverLimits.unsentBytes / 4, 'x');
    const endpoint: HttpHandler = (request) =>
      request.url === '/long' ? Promise.resolve({ status: 200, headers: {}, body: piece(long) }) : measured(request);
    const server = await startServer({ endpoint });
    const clients = await many(6, server.port, '');
    const last = get('/long').replace('Host', 'Connection: close\r\nHost');
    for (const { socket } of clients) socket.pause().write(last);
    const answered = async (): Promise<string> => {
      const { socket, ended } = await rawClient(server.port);
      socket.write(get('/other').replace('Host', 'Connection: close\r\nHost'));
      return ended;
    };
    for (let text = await answered(); !text.includes('/other has 0.'); text = await answered()) {
      assert.match(text, /^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n/);
      await pause(100);
    }
    for (const { socket } of clients) socket.resume();
    const taken = await Promise.all(clients.map(({ ended }) => ended));
    assert.ok(taken.some((text) => text.length < long.length));
    await server.close();
  });
});

describe('A request that is too large for the sandbox', () => {
  it('is refused so that its sender sees it, who only reads when all was sent', async () => {
    const server = await startServer({ endpoint: measured });
    const client = await rawClient(server.port);
    client.socket.pause();
    client.socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, ' '), Buffer.from('\r\n')]);
    const count = serverLimits.bodyBytes / 2 ** 20 + 8;
    for (let sent = 0; sent < count; sent += 1) {
      assert.equal(client.socket.destroyed, false);
      await new Promise((resolve) => client.socket.write(megabyte, resolve));
    }
    client.socket.write('0\r\n\r\n');
    client.socket.resume();
    assert.match(await client.ended, /^HTTP\/1\.1 413 [^]*holds at most 134217728 bytes/);
    await server.close();
  });
});
