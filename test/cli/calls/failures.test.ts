import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  answers,
  brokenServer,
  closedPort,
  endsWithinBody,
  endsWithinChunks,
  endsWithinHead,
  inTurn,
  resets,
  writesAndEnds,
  writesAndStalls,
  type AnswerText,
  type Behaviour,
  type BrokenServer,
  type Reaction,
  fullQueue,
} from '../../support/broken-server.js';
import { authority } from '../../support/certificates.js';
import { recordingProxy } from '../../support/recording-proxy.js';
import { home, relctl, type Run } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';
import {
  count,
  envelope,
  errorInformation,
  fault11,
  fault12,
  html,
  namespace,
  notSucceeded,
  relations,
  wrongElement,
  wrongNamespace,
} from '../../support/soap-answers.js';

const user = '00000000-0000-4000-8000-000000000011';
const apiKey = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';
const password = 'Sésame "öpen" & <close> 100%';

/** The secrets as they could stand in text: as they are, escaped, and encoded. */
const traces: readonly string[] = [apiKey, password, 'Sésame'].flatMap((secret) => {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString('base64');
    return text.slice(shift === 0 ? 0 : shift + 1).replace(/.?=*$/, '');
  });
  return [
    secret,
    xml,
    xml.replaceAll('"', '&quot;'),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    ...base64,
  ];
});

function assertNoSecret(text: string, where: string): void {
  for (const form of traces) assert.ok(!text.includes(form), `${where} holds '${form}':\n${text}`);
}

const closers: (() => unknown)[] = [];

async function serve(behaviour: Behaviour): Promise<BrokenServer> {
  const server = await brokenServer(behaviour);
  closers.push(() => server.close());
  return server;
}

/** Where a failing call goes. */
interface Place {
  readonly url: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
}

/** A failure: what is broken, the exit code and kind that it has, and words that its message must say. */
interface Failure {
  readonly title: string;
  readonly place: () => Promise<Place>;
  readonly exitCode: number;
  readonly kind: string;
  readonly words: RegExp;
  /** Words of what to try; by default there may be none. */
  readonly hint?: RegExp;
}

const at =
  (behaviour: Behaviour | Reaction, extra: Omit<Place, 'url'> = {}) =>
  async (): Promise<Place> => {
    const { url } = await serve(typeof behaviour === 'function' ? { answer: behaviour } : behaviour);
    return { url, ...extra };
  };
const says = (answer: AnswerText) => at(answers(answer));
const patience = (name: string): Omit<Place, 'url'> => ({ env: { [`RELCTL_${name}_TIMEOUT`]: '1' } });

const whole: string = count.body;
const half = whole.slice(0, whole.length / 2);
const gzipped = (body: Uint8Array): AnswerText => ({
  headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/soap+xml' },
  body,
});

const wrongCredentials = envelope(
  '1.2',
  '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value>InvalidCredentials</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">Wrong user name or password.</soap:Text></soap:Reason></soap:Fault>',
  500,
);

const noAnswer = { exitCode: 6, kind: 'no-answer' } as const;
const badAnswer = { exitCode: 7, kind: 'bad-answer' } as const;
const refused = { exitCode: 4, kind: 'refused' } as const;
const profile = { exitCode: 3, kind: 'profile' } as const;

const failures: readonly Failure[] = [
  {
    title: 'an unknown host',
    place: async () => ({ url: 'https://service.invalid' }),
    ...noAnswer,
    words: /service\.invalid.* was not found/,
    hint: /relctl profile show/,
  },
  {
    title: 'a refused connection',
    place: async () => ({ url: `http://127.0.0.1:${await closedPort()}` }),
    ...noAnswer,
    words: /127\.0\.0\.1:\d+ refused the connection/,
    hint: /relctl profile show/,
  },
  {
    title: 'no connection in time',
    place: async () => {
      const full = await fullQueue();
      closers.push(() => full.close());
      return { url: `http://127.0.0.1:${full.port}`, ...patience('CONNECT') };
    },
    ...noAnswer,
    words: /no connection to 127\.0\.0\.1:\d+ within 1 s/,
    hint: /relctl profile show/,
  },
  {
    title: 'no TLS handshake in time',
    place: async () => {
      const { port } = await serve({});
      return { url: `https://127.0.0.1:${port}`, ...patience('TLS') };
    },
    ...noAnswer,
    words: /no TLS handshake with 127\.0\.0\.1:\d+ within 1 s/,
  },
  {
    title: 'no first byte in time',
    place: at({}, patience('FIRST_BYTE')),
    ...noAnswer,
    words: /gave no answer within 1 s/,
    hint: /--timeout/,
  },
  {
    title: 'an answer that stalls',
    place: at(writesAndStalls(`HTTP/1.1 200 OK\r\nContent-Length: ${whole.length}\r\n\r\n${half}`), patience('IDLE')),
    ...noAnswer,
    words: /stalled for 1 s/,
    hint: /--timeout/,
  },
  {
    title: 'a call that takes too long as a whole',
    place: at({}, { args: ['--timeout', '1'] }),
    ...noAnswer,
    words: /took more than 1 s/,
    hint: /--timeout/,
  },
  {
    title: 'a connection closed at accept',
    place: at({ atAccept: (socket) => void socket.end() }),
    ...noAnswer,
    words: /closed the connection/,
  },
  { title: 'a reset', place: at(resets), ...noAnswer, words: /closed the connection without an answer/ },
  { title: 'half a head', place: at(endsWithinHead), ...noAnswer, words: /closed the connection without an answer/ },
  {
    title: 'https where http is spoken',
    place: async () => {
      const { port } = await serve({
        atAccept: (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
      });
      return { url: `https://127.0.0.1:${port}` };
    },
    ...noAnswer,
    words: /TLS with 127\.0\.0\.1:\d+ failed/,
    hint: /http instead of https/,
  },
  {
    title: 'a redirect',
    place: says({ status: 307, headers: { Location: 'https://elsewhere.invalid/x' } }),
    ...noAnswer,
    words: /redirects to https:\/\/elsewhere\.invalid; redirects are not followed/,
    hint: /make it the base URL of the profile, with --base-url/,
  },
  {
    title: 'a page with 404',
    place: says(html('Not Found', 404)),
    ...noAnswer,
    words: /HTTP 404.*'Not Found'/,
    hint: /base URL/,
  },
  {
    title: 'a page with 500',
    place: says(html('Runtime Error', 500)),
    ...noAnswer,
    words: /HTTP 500.*'Runtime Error'/,
  },
  {
    title: 'a page with 503',
    place: says(html('Down for maintenance', 503, { 'Retry-After': '120' })),
    ...noAnswer,
    words: /HTTP 503.*'Down for maintenance'/,
  },
  {
    title: 'nothing with 503',
    place: says({ status: 503 }),
    ...noAnswer,
    words: /HTTP 503 without SOAP: an empty answer/,
  },
  {
    title: 'a proxy that wants a login',
    place: async () => {
      const proxy = await recordingProxy({ port: 0, login: 'user:right' });
      closers.push(() => proxy.close());
      return { url: 'https://service.invalid', env: { RELCTL_PROXY: `http://127.0.0.1:${proxy.port}` } };
    },
    ...profile,
    words: /the proxy 127\.0\.0\.1:\d+ wants a login \(407\)/,
    hint: /proxy/,
  },
  {
    title: 'a proxy that refuses',
    place: async () => {
      const proxy = await recordingProxy({ port: 0, refuses: 403 });
      closers.push(() => proxy.close());
      return { url: 'https://service.invalid', env: { RELCTL_PROXY: `http://127.0.0.1:${proxy.port}` } };
    },
    ...noAnswer,
    words: /the proxy 127\.0\.0\.1:\d+ refused the connection \(403\)/,
  },
  {
    title: 'wrong credentials',
    place: says(wrongCredentials),
    ...profile,
    words: /Wrong user name or password/,
    hint: /relctl profile/,
  },
  {
    title: 'wrong credentials by the result',
    place: says(notSucceeded('InvalidCredentials', 'Wrong user name or password.')),
    ...profile,
    words: /Wrong user name or password/,
    hint: /relctl profile/,
  },
  {
    title: 'a login in front of the service',
    place: says(html('Unauthorized', 401)),
    ...profile,
    words: /web server, not the service.*401/,
  },
  {
    title: 'a fault of SOAP 1.1',
    place: says(fault11('Server', 'The period is closed.')),
    ...refused,
    words: /The period is closed\./,
  },
  {
    title: 'a fault of SOAP 1.2',
    place: says(fault12('Receiver', 'The period is closed.')),
    ...refused,
    words: /The period is closed\./,
  },
  {
    title: 'Succeeded=false',
    place: says(notSucceeded('Locked', 'The period is closed.')),
    ...refused,
    words: /The period is closed\./,
  },
  {
    title: 'ErrorInformation',
    place: says(errorInformation('Field 3 is unknown.')),
    ...refused,
    words: /Field 3 is unknown\./,
  },
  {
    title: 'a page with 200',
    place: says(html('Log in')),
    ...badAnswer,
    words: /HTML page titled 'Log in' came instead of SOAP/,
  },
  { title: 'an empty answer', place: says({}), ...badAnswer, words: /an empty answer came instead of SOAP/ },
  { title: 'truncated XML', place: says({ ...count, body: half }), ...badAnswer, words: /the document ends within/ },
  {
    title: 'XML without its last byte',
    place: says({ ...count, body: whole.slice(0, -1) }),
    ...badAnswer,
    words: /the document ends/,
  },
  { title: 'a body shorter than its length', place: at(endsWithinBody(whole, 300)), ...badAnswer, words: /cut off/ },
  { title: 'chunks that end early', place: at(endsWithinChunks(whole)), ...badAnswer, words: /cut off/ },
  {
    title: 'truncated gzip',
    place: says(gzipped(gzipSync(whole).subarray(0, -9))),
    ...badAnswer,
    words: /the compressed answer was cut off/,
  },
  {
    title: 'gzip with a wrong checksum',
    place: says(gzipped(Buffer.concat([gzipSync(whole).subarray(0, -8), Buffer.alloc(8)]))),
    ...badAnswer,
    words: /the compressed answer is damaged/,
  },
  {
    title: 'bytes after gzip',
    place: says(gzipped(Buffer.concat([gzipSync(whole), Buffer.alloc(9)]))),
    ...badAnswer,
    words: /bytes follow the end of the compressed answer/,
  },
  {
    title: 'a gzip bomb',
    place: says(gzipped(gzipSync(Buffer.alloc(32 * 1024 * 1024, ' ')))),
    ...badAnswer,
    words: /inflates to more than 200 times its size/,
  },
  {
    title: 'no HTTP',
    place: at(writesAndEnds('SSH-2.0-OpenSSH_9.7\r\n')),
    ...badAnswer,
    words: /did not answer in HTTP/,
  },
  { title: 'the answer to another call', place: says(wrongElement), ...badAnswer, words: /<RelationGetAllResponse>/ },
  {
    title: 'another namespace',
    place: says(wrongNamespace),
    ...badAnswer,
    words: /http:\/\/elsewhere\.example\//,
    hint: /RELCTL_NAMESPACE=http:..elsewhere/,
  },
  { title: 'an empty Body', place: says(envelope('1.2', '')), ...badAnswer, words: /Body of the envelope is empty/ },
];

describe('A failing call', () => {
  const own = home();
  after(() => own.remove());
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const environment = ({ url, env }: Place): NodeJS.ProcessEnv => ({
    ...own.env,
    RELCTL_BASE_URL: url,
    RELCTL_NAMESPACE: namespace,
    RELCTL_API_KEY: apiKey,
    RELCTL_USER_NAME: 'operator',
    RELCTL_PASSWORD: password,
    RELCTL_RETRIES: '0',
    ...env,
  });
  const run = (place: Place, ...args: readonly string[]): Promise<Run> =>
    relctl([...args, ...(place.args ?? [])], { env: environment(place) });
  const counting = ['notification', 'count', '--user', user];

  failures.forEach(({ title, place, exitCode, kind, words, hint }, index) => {
    it(`${title}: exit ${exitCode}, in text and in JSON, without a secret`, async () => {
      const where = await place();
      const traceFile = join(own.folder, `trace-${index}`);
      const [text, json] = await Promise.all([
        run(where, ...counting, '--trace'),
        run(where, ...counting, '-o', 'json', `--trace=${traceFile}`),
      ]);
      assert.equal(text.code, exitCode, text.stderr);
      assert.match(text.stderr, words);
      assert.match(text.stderr, /^Error: .*\n {2}.*NotificationGetCount, profile environment/m);
      if (hint !== undefined) assert.match(text.stderr, hint);
      assert.match(text.stderr, /^ {2}Try: \S/m);

      assert.equal(json.code, exitCode, json.stderr);
      const { error } = JSON.parse(json.stderr) as { error: Record<string, unknown> };
      assert.equal(error['kind'], kind);
      assert.equal(error['exitCode'], exitCode);
      assert.equal(error['operation'], 'NotificationGetCount');
      assert.equal(error['profile'], 'environment');
      assert.match(String(error['message']), words);
      if (hint !== undefined) assert.match(`${String(error['advice'])} ${String(error['hint'])}`, hint);

      for (const { stdout } of [text, json]) assert.equal(stdout, '');
      const trace = readFileSync(traceFile, 'utf8');
      assert.match(trace, /> NotificationGetCount, attempt 1/);
      assertNoSecret(text.stderr, 'stderr');
      assertNoSecret(json.stderr, 'JSON');
      assertNoSecret(trace, 'the trace');
      assert.doesNotMatch(text.stderr + json.stderr + trace, /\bat .*\.[jt]s:\d+/);
    });
  });

  it('that passes is repeated, and succeeds without a word', async () => {
    for (const first of [
      answers({ status: 503, headers: { 'Retry-After': '0' } }),
      resets,
      endsWithinBody(whole, 100),
    ]) {
      const server = await serve({ answer: inTurn(first, answers(count)) });
      const outcome = await run({ url: server.url, args: ['--set', 'retries=1'] }, ...counting, '-o', 'json');
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.deepEqual(JSON.parse(outcome.stdout), { NumberOfNotifications: 7 });
      assert.equal(outcome.stderr, '');
      assert.equal(server.requests.length, 2);
    }
  });

  it('that does not pass says how often it was tried', async () => {
    const server = await serve({ answer: answers({ status: 503, headers: { 'Retry-After': '0' } }) });
    const outcome = await run({ url: server.url, args: ['--set', 'retries=2'] }, ...counting);
    assert.equal(outcome.code, 6);
    assert.match(outcome.stderr, /3 attempts/);
    assert.equal(server.requests.length, 3);
  });

  it('that would fail again is not repeated', async () => {
    const answersOnce = [fault12('Receiver', 'No.'), html('Log in'), html('Not Found', 404), wrongElement];
    for (const answer of [...answersOnce, { status: 302, headers: { Location: 'https://elsewhere.invalid/' } }]) {
      const server = await serve({ answer: answers(answer) });
      await run({ url: server.url, args: ['--set', 'retries=2'] }, ...counting);
      assert.equal(server.requests.length, 1, answer.body?.toString());
    }
  });

  it('gives up at once when the service asks for more than a minute', async () => {
    const server = await serve({ answer: answers(html('Later', 503, { 'Retry-After': '3600' })) });
    const outcome = await run({ url: server.url, args: ['--set', 'retries=2'] }, ...counting, '-o', 'json');
    assert.equal(outcome.code, 6);
    const { error } = JSON.parse(outcome.stderr) as { error: Record<string, unknown> };
    assert.equal(error['retryAfterSeconds'], 3600);
    assert.equal(server.requests.length, 1);
  });

  it('follows no redirect: nobody else hears of the call', async () => {
    const elsewhere = await serve({ answer: answers(count) });
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve({
        answer: answers({ status, headers: { Location: `${elsewhere.url}/V1/service.asmx` } }),
      });
      assert.equal((await run({ url: server.url }, ...counting)).code, 6);
    }
    assert.equal(elsewhere.connections(), 0);
  });

  it('on a later page of a list is exit 8, names the page, and is no JSON document', async () => {
    const ids = [1, 2].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
    const paged: Reaction = (socket, request) => {
      const [, page] = /<pageNumber>(\d+)</.exec(request.body.toString()) ?? [];
      const reaction = page === '1' ? answers(relations(...ids)) : endsWithinBody(relations(...ids).body, 300);
      return reaction(socket, request);
    };
    const server = await serve({ answer: paged });
    const outcome = await run({ url: server.url }, 'relation', 'list', '-o', 'csv');
    assert.equal(outcome.code, 8, outcome.stderr);
    assert.match(outcome.stderr, /stopped short at page 2 after 2 rows/);
    const json = await run({ url: server.url }, 'relation', 'list', '-o', 'json');
    assert.equal(json.code, 8);
    const { error } = JSON.parse(json.stderr) as { error: Record<string, unknown> };
    assert.equal(error['kind'], 'partial');
    assert.equal(error['page'], 2);
    assertNoSecret(outcome.stderr + json.stderr, 'stderr');
  });

  it('for want of a password or a profile is exit 3, before anything is sent', async () => {
    const outcome = await relctl([...counting, '-p', 'nobody', '-o', 'json'], { env: own.env });
    assert.equal(outcome.code, 3, outcome.stderr);
    const none = await relctl(counting, { env: own.env });
    assert.equal(none.code, 3, none.stderr);
    assert.match(none.stderr, /Try: relctl profile add/);
  });

  it('for a record that is not there is exit 5', async () => {
    const unknown = ['relation', 'get', 'ffffffff-0000-4000-8000-00000000ffff', '-p', 'sandbox'];
    const [text, json] = await Promise.all([
      relctl(unknown, { env: own.env }),
      relctl([...unknown, '-o', 'json'], { env: own.env }),
    ]);
    assert.equal(text.code, 5, text.stderr);
    assert.match(text.stderr, /there is no such relation/);
    assert.equal(json.code, 5, json.stderr);
    const { error } = JSON.parse(json.stderr) as { error: Record<string, unknown> };
    assert.equal(error['kind'], 'not-found');
  });

  describe('over TLS', () => {
    before(function () {
      // openssl makes the certificates; nothing of them is kept in the repository.
      needs(this, 'openssl');
    });

    it('with a certificate of an unknown authority is exit 6 and names --set caFile, which puts it right', async () => {
      const own = authority();
      closers.push(() => own.remove());
      const { cert, key } = own.issue({ name: 'server' });
      const server = await serve({ answer: answers(count), tls: { cert, key } });
      const refusedCall = await run({ url: server.url }, ...counting);
      assert.equal(refusedCall.code, 6, refusedCall.stderr);
      assert.match(refusedCall.stderr, /certificate of 127\.0\.0\.1:\d+ is not accepted/);
      assert.match(refusedCall.stderr, /name its certificate: --set caFile=FILE/);
      assert.equal(server.requests.length, 0);
      const taken = await run(
        { url: server.url, args: ['--set', `caFile=${own.ca.certFile}`] },
        ...counting,
        '-o',
        'json',
      );
      assert.equal(taken.code, 0, taken.stderr);
    });
  });
});
