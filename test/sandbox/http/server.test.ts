import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest, Agent, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { serverLimits, startServer, type RunningServer } from '../../../src/sandbox/http/server.js';
import { type Body, type HttpHandler, isStreamed, wholeOf } from '../../../src/soap/transport/http.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

function ask(server: RunningServer, asked: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', headers = {}, body = '', agent } = asked;
    const options = {
      host: '127.0.0.1',
      port: server.port,
      path: '/V1/service.asmx',
      method,
      headers,
      agent: agent ?? false,
    };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Says back what came. */
const echo: HttpHandler = async (request) => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: pieces(`${request.method} ${request.url} `, Buffer.from(wholeOf(request.body)).toString('utf8')),
});

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });

const ended = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });

describe('The server of the sandbox', () => {
  let server: RunningServer;
  before(async () => {
    server = await startServer({ endpoint: echo });
  });
  after(() => server.close());

  it('hands over method, path and body, and measures the answer', async () => {
    const answer = await ask(server, { body: 'één' });
    assert.deepEqual(
      [answer.status, answer.body.toString(), answer.headers['content-length']],
      [200, 'POST /V1/service.asmx één', '27'],
    );
    assert.equal(server.url, `http://127.0.0.1:${server.port}`);
  });

  it('answers no other address of this machine', async () => {
    const refused = await new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.2');
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('connect', () => resolve('connected'));
    });
    assert.equal(refused, 'ECONNREFUSED');
  });

  const foreign: readonly (readonly [title: string, headers: Record<string, string>])[] = [
    ['another Host', { host: 'evil.example' }],
    ['a proxy that speaks for another', { 'x-forwarded-for': '203.0.113.7' }],
    ['another Origin', { origin: 'http://evil.example' }],
    ['the Origin null', { origin: 'null' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ];
  for (const [title, headers] of foreign) {
    it(`refuses ${title} with 403 and without asking the endpoint`, async () => {
      const answer = await ask(server, { headers, body: 'secret' });
      assert.equal(answer.status, 403);
      assert.doesNotMatch(answer.body.toString(), /secret|POST/);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    });
  }

  const raw = async (head: string): Promise<string> => {
    const socket = await open(server.port);
    const text = ended(socket);
    socket.end(`${head}\r\nConnection: close\r\n\r\n`);
    return text;
  };

  const served: readonly (readonly [title: string, head: string, asked: string])[] = [
    ['a Host with another port', 'GET /a?b HTTP/1.1\r\nHost: localhost:1', '/a?b'],
    ['a Host without a port', 'GET /a HTTP/1.1\r\nHost: LOCALHOST', '/a'],
    ['a target with scheme and host', 'GET http://127.0.0.1:7/a?b HTTP/1.1\r\nHost: 127.0.0.1', '/a?b'],
    ['a target without a path', 'GET HTTP://localhost HTTP/1.1\r\nHost: localhost', '/'],
    ['a target that goes before its Host', 'GET http://localhost/a HTTP/1.1\r\nHost: evil.example', '/a'],
    ['HTTP/1.0 without a Host', 'GET /a HTTP/1.0', '/a'],
  ];
  for (const [title, head, asked] of served) {
    it(`answers ${title}`, async () => {
      const text = await raw(head);
      assert.match(text, /^HTTP\/1\.1 200 /);
      assert.ok(text.endsWith(`GET ${asked} `), text);
    });
  }

  const unserved: readonly (readonly [title: string, head: string, status: number])[] = [
    ['two headers Host', 'GET /a HTTP/1.1\r\nHost: localhost\r\nHost: localhost', 400],
    ['HTTP/1.1 without a Host', 'GET /a HTTP/1.1', 400],
    ['a target on another host', 'GET http://evil.example/a HTTP/1.1\r\nHost: localhost', 403],
    ['a target with a user', 'GET http://localhost@evil.example/a HTTP/1.1\r\nHost: localhost', 403],
    ['HTTP/1.0 with another Host', 'GET /a HTTP/1.0\r\nHost: evil.example', 403],
  ];
  for (const [title, head, status] of unserved) {
    it(`answers ${status} to ${title}`, async () =>
      assert.match(await raw(head), new RegExp(`^HTTP/1\\.1 ${status} `)));
  }

  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD']) {
    it(`answers 405 to ${method}`, async () => {
      const answer = await ask(server, { method });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, POST']);
    });
  }

  it('refuses a body over the bound by its announced length, before it is sent', async () => {
    const socket = await open(server.port);
    const text = ended(socket);
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Length: ${serverLimits.bodyBytes + 1}\r\n\r\n`,
    );
    assert.match(await text, /^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
  });

  it('refuses a body over the bound that announces no length', async () => {
    const socket = await open(server.port);
    const text = ended(socket);
    socket.write(`POST / HTTP/1.1\r\nHost: localhost:${server.port}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 0x20), Buffer.from('\r\n')]);
    const enough = serverLimits.bodyBytes / 2 ** 20 + 1;
    for (let sent = 0; sent < enough && !socket.destroyed; sent += 1) socket.write(megabyte);
    assert.match(await text, /^HTTP\/1\.1 413 /);
  });

  it('keeps a large body out of memory, to the byte, and for as long as it is answered', async () => {
    const bodies: Body[] = [];
    const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    const other = await startServer({
      endpoint: async ({ body }) => {
        bodies.push(body);
        return { status: 200, headers: {}, body: pieces(`${isStreamed(body)} ${hash(wholeOf(body))}`) };
      },
    });
    for (const [more, isElsewhere] of [
      [-1, false],
      [0, false],
      [1, true],
      [5_000_000, true],
    ] as const) {
      const body = randomBytes(serverLimits.heldBytes + more);
      const answer = await ask(other, { body });
      assert.equal(answer.body.toString(), `${isElsewhere} ${hash(body)}`);
    }
    await other.close();
    for (const body of bodies) if (isStreamed(body)) assert.throws(() => wholeOf(body));
  });

  it('refuses headers over the bound with 431', async () => {
    const answer = await ask(server, { headers: { 'x-long': 'x'.repeat(serverLimits.headerBytes) } });
    assert.equal(answer.status, 431);
  });

  for (const [accept, coding] of [
    ['gzip', 'gzip'],
    ['deflate, GZIP;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['br', undefined],
    ['', undefined],
  ] as const) {
    it(`compresses for ${accept === '' ? 'nobody' : accept}: ${coding ?? 'not'}`, async () => {
      const body = 'abc '.repeat(1000);
      const answer = await ask(server, { headers: { 'accept-encoding': accept }, body });
      assert.equal(answer.headers['content-encoding'], coding);
      const plain = coding === undefined ? answer.body : gunzipSync(answer.body);
      assert.equal(plain.toString(), `POST /V1/service.asmx ${body}`);
      assert.equal(answer.headers['content-length'], String(answer.body.length));
    });
  }

  it('leaves a small answer as it is', async () => {
    const answer = await ask(server, { headers: { 'accept-encoding': 'gzip' }, body: 'small' });
    assert.equal(answer.headers['content-encoding'], undefined);
  });

  it('keeps a connection for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(server, { agent });
    await ask(server, { agent });
    assert.equal(Object.values(agent.freeSockets).flat().length, 1);
    agent.destroy();
  });

  it('answers although hundreds of connections are open and idle', async () => {
    const idle = await Promise.all(Array.from({ length: 300 }, () => open(server.port)));
    for (const socket of idle) socket.on('error', () => {});
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, { body: 'still there' })));
    assert.ok(answers.every((answer) => answer.status === 200));
    for (const socket of idle) socket.destroy();
  });

  it('drops a connection above their number, and goes on with the others', async () => {
    const own = await startServer({ endpoint: echo });
    const sockets = await Promise.all(Array.from({ length: serverLimits.connections }, () => open(own.port)));
    for (const socket of sockets) socket.on('error', () => {});
    // The server counts a connection when it accepts it, and answers the last one only then.
    const [last] = sockets.slice(-1);
    last?.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => last?.once('data', resolve));
    const further = await open(own.port);
    await new Promise((resolve) => further.on('error', () => {}).once('close', resolve));
    assert.ok(sockets.every(({ destroyed }) => !destroyed));
    for (const socket of sockets) socket.destroy();
    await own.close();
  });

  it('says which port is taken', async () => {
    await assert.rejects(startServer({ endpoint: echo, port: server.port }), {
      kind: 'local',
      message: `The sandbox cannot listen on 127.0.0.1:${server.port}: EADDRINUSE.`,
      facts: { foreignCode: 'EADDRINUSE' },
      hint: '--port 0',
    });
  });

  it('sends an answer that declares its length as it comes, and breaks off when it breaks off', async () => {
    const broken: HttpHandler = async () => ({
      status: 200,
      headers: { 'content-length': '100' },
      body: (async function* () {
        yield Buffer.from('a beginning');
        throw new Error('cut');
      })(),
    });
    const other = await startServer({ endpoint: broken });
    await assert.rejects(ask(other), { code: 'ECONNRESET' });
    await other.close();
  });

  it('answers 500 without the reason when the endpoint fails', async () => {
    const other = await startServer({
      endpoint: async () => {
        throw new Error('with a secret');
      },
    });
    const answer = await ask(other);
    assert.deepEqual([answer.status, answer.body.toString()], [500, 'The sandbox failed to answer.\n']);
    await other.close();
  });
});

describe('Closing the server of the sandbox', () => {
  it('lets the answer under way finish, ends idle connections, and gives back the port', async () => {
    let begun: () => void = () => {};
    const started = new Promise<void>((resolve) => (begun = resolve));
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const server = await startServer({
      endpoint: async (request) => {
        begun();
        await released;
        return echo(request);
      },
    });
    const idle = await open(server.port);
    const idleEnded = ended(idle);
    const agent = new Agent({ keepAlive: true });
    const answer = ask(server, { body: 'last', agent });
    await started;
    const closing = server.close();
    await idleEnded;
    release();
    assert.equal((await answer).body.toString(), 'POST /V1/service.asmx last');
    await closing;
    await server.close();
    const again = await startServer({ endpoint: echo, port: server.port });
    assert.equal(again.port, server.port);
    await again.close();
    agent.destroy();
  });
});
