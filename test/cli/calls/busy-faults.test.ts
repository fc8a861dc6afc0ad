import assert from 'node:assert/strict';
import { brokenServer, httpAnswer, type AnswerText, type BrokenServer } from '../../support/broken-server.js';
import { home, relctl, type Home, type Run } from '../../support/relctl.js';
import { count, fault12, namespace } from '../../support/soap-answers.js';

const user = '00000000-0000-4000-8000-000000000011';

describe('A fault with which a gateway turns a call away', () => {
  let place: Home;
  let server: BrokenServer;
  /** The answers to come; the last one stays. */
  let answers: AnswerText[] = [];
  const busy = (status: number, headers: Readonly<Record<string, string>> = { 'Retry-After': '0' }): AnswerText => {
    const fault = fault12('Receiver', 'Too many requests');
    return { ...fault, status, headers: { ...fault.headers, ...headers } };
  };
  const run = (...args: readonly string[]): Promise<Run> =>
    relctl(args, {
      env: {
        ...place.env,
        RELCTL_BASE_URL: server.url,
        RELCTL_NAMESPACE: namespace,
        RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
        RELCTL_RETRIES: '2',
      },
    });
  before(async () => {
    place = home();
    server = await brokenServer({
      answer: (socket) => void socket.write(httpAnswer((answers.length > 1 ? answers.shift() : answers[0]) ?? count)),
    });
  });
  after(async () => {
    await server.close();
    place.remove();
  });
  const called = async (...args: readonly string[]): Promise<Run & { readonly calls: number }> => {
    const before = server.requests.length;
    const ended = await run(...args);
    return { ...ended, calls: server.requests.length - before };
  };
  const read = ['notification', 'count', '--user', user];

  for (const status of [429, 503]) {
    it(`is repeated for reads, as ${status} without SOAP`, async () => {
      answers = [busy(status), count];
      const { code, stderr, calls } = await called(...read);
      assert.deepEqual([code, calls], [0, 2], stderr);
    });

    it(`is exit code 6 in the end, with the words of the fault of ${status}`, async () => {
      answers = [busy(status)];
      const { code, stderr, calls } = await called(...read);
      assert.deepEqual([code, calls], [6, 3], stderr);
      assert.match(stderr, new RegExp(`HTTP ${status}: Too many requests`));
    });
  }

  it('is final without Retry-After, and for writes, of which it tells the outcome', async () => {
    answers = [busy(503, {})];
    assert.deepEqual(await called(...read).then(({ code, calls }) => [code, calls]), [4, 1]);
    answers = [busy(503)];
    const write = await called('call', 'ProductTouch', '--write', '--yes');
    assert.deepEqual([write.code, write.calls], [4, 1], write.stderr);
  });
});
