import assert from 'node:assert/strict';
import { kinds, type Kind } from '../../../src/core/errors/kinds.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  answers,
  brokenServer,
  endsWithinBody,
  endsWithinChunks,
  endsWithinHead,
  inTurn,
  resets,
  writesAndStalls,
  type AnswerText,
  type Behaviour,
  type BrokenServer,
  type Reaction,
  fullQueue,
} from '../../support/broken-server.js';
import { authority } from '../../support/certificates.js';
import { recordingProxy } from '../../support/recording-proxy.js';
import { ends, home, relctl, type Run } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';
import { count, envelope, html, namespace, wrongNamespace } from '../../support/soap-answers.js';

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

/** A failure: what is broken, the kind of the error, where the call goes, words of its message, and of what to try. */
type Failure = readonly [title: string, kind: Kind, place: () => Promise<Place>, words: RegExp, hint?: RegExp];

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
const gzipped = (body: Uint8Array) =>
  says({ headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/soap+xml' }, body });
const stalls = writesAndStalls(`HTTP/1.1 200 OK\r\nContent-Length: ${whole.length}\r\n\r\n${half}`);

const fault =
  '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value>InvalidCredentials</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">Wrong user name or password.</soap:Text></soap:Reason></soap:Fault>';

const fullPort = async (): Promise<Place> => {
  const full = await fullQueue();
  closers.push(() => full.close());
  return { url: `http://127.0.0.1:${full.port}`, ...patience('CONNECT') };
};
const overTls =
  (behaviour: Behaviour, extra: Omit<Place, 'url'> = {}) =>
  async (): Promise<Place> => ({ url: `https://127.0.0.1:${(await serve(behaviour)).port}`, ...extra });
const behind = (proxyOptions: Omit<Parameters<typeof recordingProxy>[0], 'port'>) => async (): Promise<Place> => {
  const proxy = await recordingProxy({ port: 0, ...proxyOptions });
  closers.push(() => proxy.close());
  return { url: 'https://service.invalid', env: { RELCTL_PROXY: `http://127.0.0.1:${proxy.port}` } };
};

/** Failures of transport and form; those that people meet more often are in test/cli/program/mistakes/served.txt. */
const failures: readonly Failure[] = [
  ['no connection in time', 'no-answer', fullPort, /no connection to 127\.0\.0\.1:\d+ within 1 s/, /profile show/],
  ['no TLS handshake in time', 'no-answer', overTls({}, patience('TLS')), /no TLS handshake with 127\.\S+ within 1 s/],
  ['no first byte in time', 'no-answer', at({}, patience('FIRST_BYTE')), /gave no answer within 1 s/, /--timeout/],
  ['an answer that stalls', 'no-answer', at(stalls, patience('IDLE')), /stalled for 1 s/, /--timeout/],
  ['a call that takes too long', 'no-answer', at({}, { args: ['--timeout', '1'] }), /took more than 1 s/, /--timeout/],
  [
    'a connection closed at once',
    'no-answer',
    at({ atAccept: (socket) => void socket.end() }),
    /closed the connection/,
  ],
  ['half a head', 'no-answer', at(endsWithinHead), /closed the connection without an answer/],
  [
    'https where http is spoken',
    'no-answer',
    overTls({ atAccept: (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')) }),
    /TLS with 127\.0\.0\.1:\d+ failed/,
    /http instead of https/,
  ],
  ['nothing with 503', 'no-answer', says({ status: 503 }), /HTTP 503 without SOAP: an empty answer/],
  [
    'a proxy that wants a login',
    'profile',
    behind({ login: 'user:right' }),
    /the proxy \S+ wants a login \(407\)/,
    /proxy/,
  ],
  ['a proxy that refuses', 'no-answer', behind({ refuses: 403 }), /the proxy \S+ refused the connection \(403\)/],
  ['wrong credentials', 'profile', says(envelope('1.2', fault, 500)), /Wrong user name or password/, /relctl profile/],
  ['truncated XML', 'bad-answer', says({ ...count, body: half }), /the document ends within/],
  ['XML without its last byte', 'bad-answer', says({ ...count, body: whole.slice(0, -1) }), /the document ends/],
  ['a body shorter than its length', 'bad-answer', at(endsWithinBody(whole, 300)), /truncated/],
  ['chunks that end early', 'bad-answer', at(endsWithinChunks(whole)), /truncated/],
  ['truncated gzip', 'bad-answer', gzipped(gzipSync(whole).subarray(0, -9)), /the compressed answer was truncated/],
  [
    'gzip with a wrong checksum',
    'bad-answer',
    gzipped(Buffer.concat([gzipSync(whole).subarray(0, -8), Buffer.alloc(8)])),
    /the compressed answer is damaged/,
  ],
  [
    'bytes after gzip',
    'bad-answer',
    gzipped(Buffer.concat([gzipSync(whole), Buffer.alloc(9)])),
    /bytes follow the end of the compressed answer/,
  ],
  [
    'a gzip bomb',
    'bad-answer',
    gzipped(gzipSync(Buffer.alloc(2 ** 25, ' '))),
    /inflates to more than 200 times its size/,
  ],
  ['another namespace', 'bad-answer', says(wrongNamespace), /http:\/\/elsewhere\.example\//, /RELCTL_NAMESPACE=http/],
  ['an empty Body', 'bad-answer', says(envelope('1.2', '')), /Body of the envelope is empty/],
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

  failures.forEach(([title, kind, place, words, hint], index) => {
    const { exitCode } = kinds[kind];
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
      const outcome = await ends(run({ url: server.url, args: ['--set', 'retries=1'] }, ...counting, '-o', 'json'), 0);
      assert.deepEqual(JSON.parse(outcome.stdout), { NumberOfNotifications: 7 });
      assert.equal(outcome.stderr, '');
      assert.equal(server.requests.length, 2);
    }
  });

  it('gives up at once when the service asks for more than a minute', async () => {
    const server = await serve({ answer: answers(html('Later', 503, { 'Retry-After': '3600' })) });
    const outcome = await ends(run({ url: server.url, args: ['--set', 'retries=2'] }, ...counting, '-o', 'json'), 6);
    const { error } = JSON.parse(outcome.stderr) as { error: Record<string, unknown> };
    assert.equal(error['retryAfterSeconds'], 3600);
    assert.equal(server.requests.length, 1);
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
      assert.match(refusedCall.stderr, /set its certificate: --set caFile=FILE/);
      assert.equal(server.requests.length, 0);
      await ends(run({ url: server.url, args: ['--set', `caFile=${own.ca.certFile}`] }, ...counting, '-o', 'json'), 0);
    });
  });
});
