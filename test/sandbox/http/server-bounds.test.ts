import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serverLimits } from '../../../src/sandbox/http/server.js';
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
    assert.match(await client.ended, /^HTTP\/1\.1 413 [^]*can have at most 134217728 bytes/);
    await server.close();
  });
});
