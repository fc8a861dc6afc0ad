import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import type { Kind } from '../../../src/core/errors/kinds.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { createTransport, type Transport } from '../../../src/soap/transport/axios-client.js';
import type { TransportSettings } from '../../../src/soap/transport/agents.js';
import type { ExchangeOptions, WholeRequest, HttpRequest, PhaseLimits } from '../../../src/soap/transport/http.js';
import {
  answers,
  brokenServer,
  closeOf,
  closedPort,
  drips,
  endsWithinBody,
  endsWithinChunks,
  endsWithinHead,
  httpAnswer,
  inTurn,
  resets,
  writesAndEnds,
  writesAndStalls,
  type Behaviour,
  type BrokenServer,
  type Reaction,
  fullQueue,
} from '../../support/broken-server.js';
import { stopClock, type StoppedClock } from '../../support/clock.js';
import { recordingProxy } from '../../support/recording-proxy.js';

const password = 'Sésame "öpen" & <close>';
const envelope = `<?xml version="1.0"?><a><Password>${password}</Password></a>`;

// None of these ends a test: on a busy machine everything takes long.
const patient: PhaseLimits = {
  connectMs: 60_000,
  tlsMs: 60_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  wholeMs: 120_000,
};

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(behaviour: Behaviour | Reaction): Promise<BrokenServer> {
  const server = await brokenServer(typeof behaviour === 'function' ? { answer: behaviour } : behaviour);
  closers.push(() => server.close());
  return server;
}

function transport(settings: Partial<TransportSettings> = {}): Transport {
  const made = createTransport({ userAgent: 'relctl/1.2.3', ...settings });
  closers.unshift(() => made.close());
  return made;
}

const post = (url: string, body: string | Uint8Array = envelope): WholeRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: Buffer.from(body),
});

interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One whole exchange, its body read to the end. */
async function exchange(
  { send }: Transport,
  request: HttpRequest,
  options: Partial<ExchangeOptions> = {},
): Promise<Outcome> {
  const { status, headers, body } = await send(request, { limits: patient, ...options });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { status, headers, text: Buffer.concat(chunks).toString() };
}

const secretForms = [
  'Sésame',
  'S\\xe9same',
  Buffer.from(password).toString('base64').slice(0, 20),
  Buffer.from(envelope).toString('base64').slice(0, 40),
  encodeURIComponent('Sésame'),
  'S&#233;same',
  '&lt;close&gt;',
  Buffer.from('Sésame').toString('hex').match(/../g)?.join(' ') ?? '',
];

/** The RelctlError that an exchange ends with; what it carries is searched for the request. */
async function failure(outcome: Promise<unknown>): Promise<RelctlError> {
  const error = await outcome.then(
    () => assert.fail('the exchange succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof RelctlError, inspect(error));
  assert.notEqual(error.kind, 'bug', inspect(error));
  const shown = inspect(error, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
  for (const form of secretForms) assert.ok(!shown.includes(form), `${form} in ${shown}`);
  assert.doesNotMatch(shown, /content-type|AxiosError|_header|<Buffer/i);
  assert.equal(error.cause, undefined);
  return error;
}

const failureOf = (server: { readonly url: string }, limits: Partial<PhaseLimits> = {}): Promise<RelctlError> =>
  failure(exchange(transport(), post(server.url), { limits: { ...patient, ...limits } }));

function assertFailure(error: RelctlError, kind: Kind, code: string): void {
  assert.deepEqual([error.kind, error.facts.code], [kind, code], error.message);
}

const page = 'x'.repeat(3000);

describe('The transport', () => {
  it('sends method, path, headers and body as they are, and gives the answer as it is', async () => {
    const server = await serve(answers({ headers: { 'X-One': '1', 'Content-Type': 'text/xml' }, body: page }));
    const outcome = await exchange(transport(), post(`${server.url}/V1/service.asmx?a=b`));
    assert.equal(outcome.text, page);
    assert.equal(outcome.headers['x-one'], '1');
    const [seen] = server.requests;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen.target, '/V1/service.asmx?a=b');
    assert.equal(seen.body.toString(), envelope);
    assert.equal(seen.headers['content-type'], 'text/xml; charset=utf-8');
    assert.equal(seen.headers['content-length'], String(Buffer.byteLength(envelope)));
    assert.equal(seen.headers['accept-encoding'], 'gzip, deflate');
    assert.equal(seen.headers['transfer-encoding'], undefined);
  });

  it('says which program sends, unless a profile names another one for its service', async () => {
    const server = await serve(answers({ body: page }));
    const { origin } = new URL(server.url);
    for (const gateway of [undefined, { origin, headers: { 'User-AGENT': 'watchman/2' } }])
      await exchange(transport({ userAgent: 'relctl/7.8.9', ...(gateway && { gateway }) }), post(server.url));
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['user-agent']),
      ['relctl/7.8.9', 'watchman/2'],
    );
  });

  it('finds this machine by its names, whatever a name server says of them', async () => {
    const server = await serve(answers({ body: page }));
    for (const name of ['localhost', 'service.localhost', 'localhost.']) {
      const outcome = await exchange(transport(), post(`http://${name}:${server.port}/`));
      assert.equal(outcome.text, page);
    }
    const hosts = server.requests.map(({ headers }) => headers['host']);
    assert.deepEqual(
      hosts,
      ['localhost', 'service.localhost', 'localhost.'].map((name) => `${name}:${server.port}`),
    );
  });

  it('names this machine by the name that was asked for when nothing listens there', async () => {
    const port = await closedPort();
    const error = await failureOf({ url: `http://service.localhost:${port}` });
    assertFailure(error, 'no-answer', 'connect-refused');
    assert.match(error.message, new RegExp(`service\\.localhost:${port}`));
  });

  it('joins headers that come more than once', async () => {
    const server = await serve(writesAndEnds('HTTP/1.1 200 OK\r\nvia: a\r\nVia: b\r\n\r\n'));
    assert.equal((await exchange(transport(), post(server.url))).headers['via'], 'a, b');
  });

  for (const status of [200, 204, 400, 404, 500, 503]) {
    it(`gives an answer with status ${status} as an answer`, async () => {
      const server = await serve(answers({ status, ...(status === 204 ? {} : { body: page }) }));
      const outcome = await exchange(transport(), post(server.url));
      assert.equal(outcome.status, status);
      assert.equal(outcome.text, status === 204 ? '' : page);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a redirect (${status}): the other place hears nothing`, async () => {
      const elsewhere = await serve(answers({ body: 'elsewhere' }));
      const server = await serve(answers({ status, headers: { Location: `${elsewhere.url}/new` } }));
      const outcome = await exchange(transport(), post(server.url));
      assert.equal(outcome.status, status);
      assert.equal(outcome.headers['location'], `${elsewhere.url}/new`);
      assert.equal(elsewhere.connections(), 0);
    });
  }

  describe('with cookies', () => {
    const sets = (cookie: string): Reaction => answers({ headers: { 'Set-Cookie': cookie }, body: page });
    const cookiesOf = ({ requests }: BrokenServer): readonly (string | undefined)[] =>
      requests.map(({ headers }) => headers['cookie']);

    it('sends them back to the origin that set them, and nowhere else', async () => {
      const [server, other] = [await serve(sets('node=A; Path=/')), await serve(answers({ body: page }))];
      const one = transport({ gateway: { origin: server.url, headers: { Cookie: 'own=1' } } });
      assert.equal((await exchange(one, post(server.url))).headers['set-cookie'], undefined);
      await exchange(one, post(`${server.url}/x`));
      await exchange(one, post(other.url));
      await exchange(one, post(server.url), { withoutCookies: true });
      await exchange(transport(), post(server.url));
      assert.deepEqual(cookiesOf(server), ['own=1', 'own=1; node=A', 'own=1', undefined]);
      assert.deepEqual(cookiesOf(other), [undefined]);
    });

    it('sends none where a setting says so', async () => {
      const server = await serve(sets('node=A'));
      const one = transport({ withoutCookies: true });
      for (const { hasCookies } of [await one.send(post(server.url), { limits: patient })])
        assert.equal(hasCookies, undefined);
      await exchange(one, post(server.url));
      assert.deepEqual(cookiesOf(server), [undefined, undefined]);
    });

    it('keeps calls at once at once: all are there before one is answered', async () => {
      const waiting: (() => void)[] = [];
      const server = await serve((socket, request) => {
        const answer = (): void => void sets('node=A')(socket, request);
        if (server.requests.length === 1) answer();
        else waiting.push(answer);
        // Calls of which one waits for another never come to four.
        if (waiting.length === 4) for (const each of waiting) each();
      });
      const one = transport();
      await exchange(one, post(server.url));
      await Promise.all([1, 2, 3, 4].map(() => exchange(one, post(server.url))));
      assert.deepEqual(cookiesOf(server), [undefined, ...Array.from({ length: 4 }, () => 'node=A')]);
    });
  });

  it('uses one connection for many calls, and leaves nothing behind on it', async () => {
    const server = await serve(answers({ body: page }));
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    closers.push(() => process.off('warning', warned));
    const one = transport();
    const { signal } = new AbortController();
    for (let call = 0; call < 25; call += 1) await exchange(one, post(server.url), { signal });
    assert.equal(server.connections(), 1);
    assert.equal(server.requests.length, 25);
    assert.deepEqual(warnings, []);
  });

  const unasked: readonly (readonly [title: string, later: (write: () => void) => void])[] = [
    ['with the answer', (write) => write()],
    ['behind it', (write) => void setImmediate(write)],
    ['while nothing is asked', (write) => void setTimeout(write, 50)],
  ];
  for (const [title, later] of unasked) {
    it(`drops a kept connection on which an answer comes that nobody asked for, ${title}`, async () => {
      let dropped: Promise<unknown> = Promise.resolve();
      const server = await serve({
        atAccept: (socket) => void (dropped = closeOf(socket)),
        answer: inTurn(
          (socket) => {
            socket.write(httpAnswer({ body: 'first' }));
            later(() => void socket.write(httpAnswer({ body: 'unasked' })));
          },
          answers({ body: 'second' }),
        ),
      });
      const one = transport();
      assert.equal((await exchange(one, post(server.url))).text, 'first');
      await dropped;
      assert.equal((await exchange(one, post(server.url))).text, 'second');
      assert.equal(server.connections(), 2);
    });
  }

  it('looks at what has come on a kept connection before it asks again', async () => {
    let first: Socket | undefined;
    const server = await serve({
      atAccept: (socket) => (first ??= socket),
      answer: inTurn(answers({ body: 'first' }), answers({ body: 'second' })),
    });
    const one = transport();
    assert.equal((await exchange(one, post(server.url))).text, 'first');
    // It waits in the socket when the next call is made.
    first?.write(httpAnswer({ body: 'unasked' }));
    assert.equal((await exchange(one, post(server.url))).text, 'second');
    assert.equal(server.connections(), 2);
  });

  it('opens a connection of its own where that is asked for, and ends it', async () => {
    const server = await serve(answers({ body: page }));
    const one = transport();
    await exchange(one, post(server.url));
    await exchange(one, post(server.url), { connection: 'fresh' });
    await exchange(one, post(server.url));
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [1, 2, 1],
    );
    assert.equal(server.requests[1]?.headers['connection'], 'close');
  });

  it('keeps a connection for what follows at once, apart from those that were idle for any time', async () => {
    const server = await serve(answers({ body: page }));
    const one = transport();
    await exchange(one, post(server.url));
    await exchange(one, post(server.url), { connection: 'busy' });
    await exchange(one, post(server.url), { connection: 'busy' });
    await exchange(one, post(server.url));
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [1, 2, 2, 1],
    );
  });

  it('ends a connection that was kept for what follows at once when nothing does, and no other', async () => {
    const ended: Promise<unknown>[] = [];
    const server = await serve({
      atAccept: (socket) => ended.push(closeOf(socket)),
      answer: answers({ body: page }),
    });
    const one = transport();
    await exchange(one, post(server.url));
    await exchange(one, post(server.url), { connection: 'busy' });
    await ended[1];
    await exchange(one, post(server.url), { connection: 'busy' });
    await exchange(one, post(server.url));
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [1, 2, 3, 1],
    );
  });

  it('sends once what a kept connection loses, and does not say that it was not sent', async () => {
    const server = await serve(inTurn(answers({ body: 'first' }), resets));
    const one = transport();
    await exchange(one, post(server.url), { connection: 'busy' });
    const error = await failure(exchange(one, post(server.url), { connection: 'busy' }));
    assertFailure(error, 'no-answer', 'reset');
    assert.equal(error.facts.unsent, undefined);
    assert.equal(server.requests.length, 2);
  });

  it('keeps nothing open after it is closed', async () => {
    const ended: Promise<unknown>[] = [];
    const server = await serve({
      atAccept: (socket) => ended.push(closeOf(socket)),
      answer: answers({ body: page }),
    });
    const one = transport();
    await exchange(one, post(server.url));
    one.close();
    await Promise.all(ended);
    assert.equal(server.open(), 0);
  });

  it('gives up its connection when the reader of an answer stops', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await serve({
      atAccept: (socket) => void (closed = closeOf(socket)),
      answer: writesAndStalls(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${page}`),
    });
    const { body } = await transport().send(post(server.url), { limits: patient });
    for await (const chunk of body) {
      assert.ok(chunk.length > 0);
      break;
    }
    await closed;
  });
});

describe('The transport, when there is no answer', () => {
  it('refused: no-answer, unsent, and says where', async () => {
    const port = await closedPort();
    const error = await failureOf({ url: `http://127.0.0.1:${port}` });
    assertFailure(error, 'no-answer', 'connect-refused');
    assert.equal(error.facts.unsent, true);
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}`));
    assert.equal(error.facts.url, `http://127.0.0.1:${port}`);
  });

  it('unknown host: no-answer, unsent, with its name', async () => {
    const error = await failureOf({ url: 'http://service.invalid' });
    assertFailure(error, 'no-answer', 'dns');
    assert.equal(error.facts.unsent, true);
    assert.match(error.message, /service\.invalid/);
  });

  it('no connection: the connect limit, unsent', async () => {
    const full = await fullQueue();
    closers.push(() => full.close());
    const error = await failureOf({ url: `http://127.0.0.1:${full.port}` }, { connectMs: 150 });
    assertFailure(error, 'no-answer', 'timeout-connect');
    assert.equal(error.facts.unsent, true);
    assert.match(error.message, /0\.15 s/);
  });

  it('no TLS handshake: the TLS limit, unsent', async () => {
    const server = await serve({});
    const error = await failureOf({ url: `https://127.0.0.1:${server.port}` }, { tlsMs: 100 });
    assertFailure(error, 'no-answer', 'timeout-tls');
    assert.equal(error.facts.unsent, true);
  });

  const silences: readonly [title: string, answer: Reaction | undefined, limits: Partial<PhaseLimits>, code: string][] =
    [
      ['no first byte', undefined, { firstByteMs: 100 }, 'timeout-first-byte'],
      ['half a head', writesAndStalls('HTTP/1.1 200 OK\r\nContent-Le'), { firstByteMs: 100 }, 'timeout-first-byte'],
      [
        'only 100 Continue',
        writesAndStalls('HTTP/1.1 100 Continue\r\n\r\n'),
        { firstByteMs: 100 },
        'timeout-first-byte',
      ],
      [
        'a head alone',
        writesAndStalls('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
        { idleMs: 100 },
        'timeout-idle',
      ],
      [
        'half a body',
        writesAndStalls('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<a>'),
        { idleMs: 100 },
        'timeout-idle',
      ],
      [
        'half a compressed body',
        writesAndStalls(
          httpAnswer({
            headers: { 'Content-Encoding': 'gzip', 'Content-Length': '999' },
            body: gzipSync(page).subarray(0, 30),
          }),
        ),
        { idleMs: 100 },
        'timeout-idle',
      ],
      ['a body that never ends', drips({ body: page }, 1, 20), { wholeMs: 200 }, 'timeout-whole'],
      ['a head that never ends', drips({ body: page }, 1, 20), { wholeMs: 200 }, 'timeout-whole'],
    ];
  for (const [title, answer, limits, code] of silences) {
    it(`${title}: ${code}, and the connection is given up`, async () => {
      let closed: Promise<unknown> = Promise.resolve();
      const server = await serve({
        atAccept: (socket) => void (closed = closeOf(socket)),
        ...(answer === undefined ? {} : { answer }),
      });
      const error = await failureOf(server, limits);
      assertFailure(error, 'no-answer', code);
      assert.equal(error.facts.unsent, undefined);
      assert.match(error.message, /127\.0\.0\.1:\d+/);
      await closed;
    });
  }

  /** A clock that goes on with the test. */
  function stoppedClock(): StoppedClock {
    const clock = stopClock();
    closers.push(() => clock.end());
    return clock;
  }

  it('a slow body is whole as long as it moves', async () => {
    const pieces = ['<a>', '<b/>', '<c/>', '</a>'];
    let socket: Socket | undefined;
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${pieces.join('').length}\r\n\r\n`;
    const server = await serve({ atAccept: (made) => void (socket = made), answer: writesAndStalls(head) });
    const clock = stoppedClock();
    const { body } = await transport().send(post(server.url), { limits: { ...patient, idleMs: 150 } });
    const reader = body[Symbol.asyncIterator]();
    let text = '';
    for (const piece of pieces) {
      const next = reader.next();
      clock.pass(100);
      socket?.write(piece);
      text += String((await next).value);
    }
    assert.equal((await reader.next()).done, true);
    assert.equal(text, pieces.join(''));
  });

  it('a slow reader is not taken for a silent service', async () => {
    const long = 'x'.repeat(4 * 1024 * 1024);
    const server = await serve(answers({ body: long }));
    const clock = stoppedClock();
    const { body } = await transport().send(post(server.url), { limits: { ...patient, idleMs: 50 } });
    let bytes = 0;
    for await (const chunk of body) {
      // The reader stops longer than the service may, with most of the answer still to come.
      if (bytes === 0) clock.pass(1000);
      bytes += chunk.length;
    }
    assert.equal(bytes, long.length);
  });

  it('a large request may take longer than the first byte, as long as it moves', async () => {
    const server = await serve(answers({ body: 'done' }));
    const clock = stoppedClock();
    const part = Buffer.alloc(64 * 1024, 'x');
    const open = function* (): Generator<Buffer> {
      for (let count = 0; count < 12; count += 1) {
        yield part;
        clock.pass(200);
      }
    };
    const request = { ...post(server.url), body: { length: 12 * part.length, open } };
    const limits = { ...patient, firstByteMs: 250 };
    assert.equal((await exchange(transport(), request, { limits })).text, 'done');
    assert.equal(server.requests[0]?.body.length, 12 * part.length);
  });

  it('a large request arrives byte for byte', async () => {
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const server = await serve(answers({ body: 'done' }));
    await exchange(transport(), post(server.url, body));
    assert.deepEqual(server.requests[0]?.body, body);
    assert.equal(server.requests[0].headers['content-length'], '300000');
  });

  for (const size of [1000, 300_000]) {
    it(`a request of ${size} bytes is told to have left once it has, before its answer comes`, async () => {
      let told = 0;
      let left: () => void = () => undefined;
      const hasLeft = new Promise<void>((resolve) => (left = resolve));
      const server = await serve(async (socket) => {
        await hasLeft;
        socket.write(httpAnswer({ body: 'done' }));
      });
      const sent = (): void => {
        told += 1;
        left();
      };
      const { text } = await exchange(transport(), post(server.url, Buffer.alloc(size, 'x')), { sent });
      assert.deepEqual([text, told], ['done', 1]);
    });
  }

  it('a request that could not be sent is never told to have left', async () => {
    let told = 0;
    const url = `http://127.0.0.1:${await closedPort()}`;
    await failure(exchange(transport(), post(url), { sent: () => (told += 1) }));
    assert.equal(told, 0);
  });

  const breaks: readonly [title: string, behaviour: Behaviour, kind: Kind, code: string][] = [
    ['closed at accept', { atAccept: (socket) => void socket.end() }, 'no-answer', 'reset'],
    ['reset at accept', { atAccept: (socket) => void socket.resetAndDestroy() }, 'no-answer', 'reset'],
    ['closed instead of an answer', { answer: (socket) => void socket.end() }, 'no-answer', 'reset'],
    ['reset instead of an answer', { answer: resets }, 'no-answer', 'reset'],
    ['closed within the head', { answer: endsWithinHead }, 'no-answer', 'reset'],
    ['closed within the body', { answer: endsWithinBody(page, 1000) }, 'bad-answer', 'truncated'],
    ['closed at the last byte', { answer: endsWithinBody(page, page.length - 1) }, 'bad-answer', 'truncated'],
    ['closed between chunks', { answer: endsWithinChunks(page) }, 'bad-answer', 'truncated'],
    [
      'a bad chunk size',
      { answer: writesAndEnds('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n') },
      'bad-answer',
      'truncated',
    ],
    [
      'reset within the body',
      {
        answer: (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${page}`, () => socket.resetAndDestroy());
        },
      },
      'bad-answer',
      'truncated',
    ],
    ['not HTTP', { answer: writesAndEnds('SSH-2.0-OpenSSH_9.7\r\n') }, 'bad-answer', 'not-http'],
    [
      'another protocol',
      { answer: writesAndStalls('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n') },
      'bad-answer',
      'not-http',
    ],
    [
      'two lengths',
      { answer: writesAndEnds('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n') },
      'bad-answer',
      'not-http',
    ],
    [
      'headers without end',
      { answer: writesAndStalls(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}`) },
      'bad-answer',
      'limit',
    ],
    [
      'interim answers without end',
      {
        answer: writesAndEnds(
          `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(101)}${httpAnswer({ body: page }).toString()}`,
        ),
      },
      'bad-answer',
      'limit',
    ],
  ];
  for (const [title, behaviour, kind, code] of breaks) {
    it(`${title}: ${kind}, ${code}`, async () => {
      const server = await serve(behaviour);
      assertFailure(await failureOf(server), kind, code);
    });
  }

  const forgiven: readonly [title: string, bytes: string, minded: RegExp][] = [
    ['a folded header', 'X: a,\r\n b\r\nContent-Length: 2\r\n\r\nab', /: Unexpected whitespace after header value$/],
    [
      'a padded chunk size',
      'Transfer-Encoding: chunked\r\n\r\n2 \r\nab\r\n0\r\n\r\n',
      /damaged: Invalid character in chunk size$/,
    ],
  ];
  for (const [title, bytes, minded] of forgiven) {
    it(`${title} is named, and read where a setting says so`, async () => {
      const server = await serve(writesAndEnds(`HTTP/1.1 200 OK\r\n${bytes}`));
      const error = await failureOf(server);
      assert.equal(error.kind, 'bad-answer');
      assert.match(error.message, minded);
      assert.equal((await exchange(transport({ isLenient: true }), post(server.url))).text, 'ab');
    });
  }

  it('a hundred interim answers are taken', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100);
    const server = await serve(writesAndEnds(`${interim}${httpAnswer({ body: page }).toString()}`));
    assert.equal((await exchange(transport(), post(server.url))).status, 200);
  });

  it('headers up to 32 KiB are taken', async () => {
    const server = await serve(answers({ headers: { 'X-Long': 'x'.repeat(30_000) }, body: page }));
    assert.equal((await exchange(transport(), post(server.url))).headers['x-long']?.length, 30_000);
  });

  it('https on a port that speaks http: no-answer, tls, unsent', async () => {
    const server = await serve({
      atAccept: (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    });
    const error = await failureOf({ url: `https://127.0.0.1:${server.port}` });
    assertFailure(error, 'no-answer', 'tls');
    assert.equal(error.facts.unsent, true);
  });

  it('a connection that the service closed while it was idle does not fail the next call', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await serve({
      atAccept: (socket) => void (closed = closeOf(socket)),
      answer: writesAndEnds(httpAnswer({ body: page })),
    });
    const one = transport();
    await exchange(one, post(server.url));
    await closed;
    assert.equal((await exchange(one, post(server.url))).text, page);
    assert.equal(server.connections(), 2);
  });

  it('refuses an address that is not http before anything is watched', async () => {
    assertFailure(
      await failure(transport().send(post('ftp://a.test/'), { limits: patient })),
      'usage',
      undefined as never,
    );
  });
});

describe('The transport, stopped by a signal', () => {
  const reason = new RelctlError('interrupted', 'interrupted by Ctrl-C', { facts: { exitCode: 130 } });

  async function stoppedAt(
    behaviour: Behaviour,
    when: (stop: () => void, server: BrokenServer) => Promise<unknown>,
    url?: (server: BrokenServer) => string,
  ): Promise<RelctlError> {
    const server = await serve(behaviour);
    const stopping = new AbortController();
    const outcome = failure(
      exchange(transport(), post(url === undefined ? server.url : url(server)), { signal: stopping.signal }),
    );
    await when(() => stopping.abort(reason), server);
    return outcome;
  }

  it('before it begins: nothing is sent', async () => {
    const server = await serve(answers({ body: page }));
    const error = await failure(exchange(transport(), post(server.url), { signal: AbortSignal.abort(reason) }));
    assert.equal(error.kind, 'interrupted');
    assert.equal(error.facts.unsent, true);
    // A request that is sent after all arrives later.
    await pause(100);
    assert.equal(server.requests.length, 0);
  });

  it('while it connects: unsent', async () => {
    const error = await stoppedAt({}, async (stop) => stop());
    assert.equal(error.kind, 'interrupted');
    assert.equal(error.facts.unsent, true);
    assert.equal(error.exitCode, 130);
  });

  it('within the TLS handshake: unsent', async () => {
    const error = await new Promise<RelctlError>((resolve, reject) => {
      let stop = (): void => undefined;
      stoppedAt(
        { atAccept: (socket) => void socket.once('data', () => stop()) },
        async (now) => (stop = now),
        ({ port }) => `https://127.0.0.1:${port}`,
      ).then(resolve, reject);
    });
    assert.equal(error.kind, 'interrupted');
    assert.equal(error.facts.unsent, true);
  });

  it('while it waits for an answer: sent', async () => {
    let stop = (): void => undefined;
    const error = await stoppedAt({ answer: () => stop() }, async (now) => (stop = now));
    assert.equal(error.kind, 'interrupted');
    assert.equal(error.message, reason.message);
    assert.equal(error.facts.unsent, undefined);
  });

  for (const coding of ['identity', 'gzip']) {
    it(`within the body (${coding}): its reason, and the connection is given up`, async () => {
      let closed: Promise<unknown> = Promise.resolve();
      const half = httpAnswer({
        headers: { 'Content-Length': '99999', 'Content-Encoding': coding },
        body: coding === 'gzip' ? gzipSync(page).subarray(0, 20) : page,
      });
      const server = await serve({
        atAccept: (socket) => void (closed = closeOf(socket)),
        answer: writesAndStalls(half),
      });
      const stopping = new AbortController();
      const { body } = await transport().send(post(server.url), { limits: patient, signal: stopping.signal });
      const read = (async () => {
        for await (const chunk of body) assert.ok(chunk.length > 0);
      })();
      stopping.abort(reason);
      assert.equal((await failure(read)).kind, 'interrupted');
      await closed;
    });
  }

  it('without a reason of ours: interrupted all the same', async () => {
    const server = await serve({});
    const error = await failure(exchange(transport(), post(server.url), { signal: AbortSignal.timeout(50) }));
    assert.equal(error.kind, 'interrupted');
  });

  it('after it has ended: nothing happens', async () => {
    const server = await serve(answers({ body: page }));
    const stopping = new AbortController();
    const one = transport();
    await exchange(one, post(server.url), { signal: stopping.signal });
    stopping.abort(reason);
    assert.equal((await exchange(one, post(server.url))).text, page);
    assert.equal(server.connections(), 1);
  });
});

describe('The transport and compressed answers', () => {
  const compressed = (coding: string, body: Uint8Array): Reaction =>
    answers({ headers: { 'Content-Encoding': coding }, body });

  for (const [coding, body] of [
    ['gzip', gzipSync(page)],
    ['GZIP', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['deflate', deflateSync(page)],
    ['identity', Buffer.from(page)],
  ] as const) {
    it(`takes ${coding}`, async () => {
      const server = await serve(compressed(coding, body));
      assert.equal((await exchange(transport(), post(server.url))).text, page);
    });
  }

  const bad: readonly [title: string, answer: Reaction, code: string][] = [
    [
      'cut off within the stream, Content-Length right',
      compressed('gzip', gzipSync(page).subarray(0, -12)),
      'truncated',
    ],
    ['cut off within the checksum', compressed('gzip', gzipSync(page).subarray(0, -1)), 'truncated'],
    ['of no byte', compressed('gzip', new Uint8Array()), 'truncated'],
    [
      'closed early',
      endsWithinBody('x'.repeat(500), 100, { 'Content-Encoding': 'gzip', 'Content-Length': '500' }),
      'encoding',
    ],
    ['with bytes behind it', compressed('gzip', Buffer.concat([gzipSync(page), Buffer.from('more')])), 'encoding'],
    ['that is plain', compressed('gzip', Buffer.from(page)), 'encoding'],
    ['in a coding that was not asked for', compressed('br', Buffer.from(page)), 'encoding'],
    ['coded twice', compressed('gzip, gzip', gzipSync(gzipSync(page))), 'encoding'],
    ['that is a bomb', compressed('gzip', gzipSync(Buffer.alloc(32 * 1024 * 1024))), 'limit'],
  ];
  for (const [title, answer, code] of bad) {
    it(`refuses one ${title}: ${code}`, async () => {
      const server = await serve(answer);
      assertFailure(await failureOf(server), 'bad-answer', code);
    });
  }

  it('says that the connection broke when that is why a compressed answer ends', async () => {
    const bytes = gzipSync(page);
    const server = await serve(
      writesAndEnds(
        httpAnswer({ headers: { 'Content-Encoding': 'gzip', 'Content-Length': '999' }, body: bytes.subarray(0, -5) }),
      ),
    );
    assertFailure(await failureOf(server), 'bad-answer', 'truncated');
  });
});

describe('The transport through a proxy, for http', () => {
  async function behindProxy(
    behaviour: Partial<Parameters<typeof recordingProxy>[0]> = {},
  ): Promise<{ service: BrokenServer; proxy: BrokenServer }> {
    const service = await serve(answers({ body: page }));
    const proxy = await recordingProxy({ port: service.port, ...behaviour });
    closers.push(() => proxy.close());
    return { service, proxy };
  }

  const proxied = ({ port }: BrokenServer, login = ''): Partial<TransportSettings> => ({
    proxy: { url: `http://${login}127.0.0.1:${port}` },
  });

  it('hands the request to it whole, with the login for it only', async () => {
    const { service, proxy } = await behindProxy({ login: 'user:p@ss word' });
    const settings = proxied(proxy, 'user:p%40ss%20word@');
    const outcome = await exchange(transport(settings), post('http://service.test:8080/V1/service.asmx?a=b'));
    assert.equal(outcome.text, page);
    const [asked] = proxy.requests;
    assert.equal(asked?.target, 'http://service.test:8080/V1/service.asmx?a=b');
    assert.equal(asked.headers['host'], 'service.test:8080');
    const [served] = service.requests;
    assert.equal(served?.target, '/V1/service.asmx?a=b');
    assert.equal(served.headers['proxy-authorization'], undefined);
    assert.equal(served.body.toString(), envelope);
  });

  for (const login of ['', 'user:wrong@']) {
    it(`says that it wants ${login === '' ? 'a' : 'another'} login`, async () => {
      const { service, proxy } = await behindProxy({ login: 'user:right' });
      const error = await failure(exchange(transport(proxied(proxy, login)), post('http://service.test/')));
      assertFailure(error, 'profile', 'proxy-authentication');
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${proxy.port}`));
      assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /wrong|d3Jvbmc/);
      assert.equal(service.connections(), 0);
    });
  }

  it('names the proxy, not the service, when the proxy refuses', async () => {
    const settings = { proxy: { url: `http://user:sesame-open@127.0.0.1:${await closedPort()}` } };
    const error = await failure(exchange(transport(settings), post('http://service.test/')));
    assertFailure(error, 'no-answer', 'connect-refused');
    assert.match(error.message, /the proxy 127\.0\.0\.1:\d+ refused/);
    assert.equal(error.facts.unsent, true);
    assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /sesame/);
  });

  it('passes on what it answers by itself', async () => {
    const { proxy } = await behindProxy({ refuses: 502 });
    const outcome = await exchange(transport(proxied(proxy)), post('http://service.test/'));
    assert.deepEqual([outcome.status, outcome.text], [502, 'refused by the proxy']);
  });

  it('is left out for loopback addresses and for what NO_PROXY lists', async () => {
    const { service, proxy } = await behindProxy();
    const { url } = proxied(proxy).proxy ?? { url: '' };
    await exchange(transport({ proxy: { url } }), post(service.url));
    await exchange(transport({ proxy: { url } }), post(`http://localhost:${service.port}/`)).catch(() => undefined);
    const named = exchange(transport({ proxy: { url, noProxy: '.invalid' } }), post('http://service.invalid/'));
    assertFailure(await failure(named), 'no-answer', 'dns');
    assert.equal(proxy.connections(), 0);
  });
});
