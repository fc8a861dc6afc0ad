import assert from 'node:assert/strict';
import { answers, brokenServer, type BrokenServer } from '../../support/broken-server.js';
import { ends, home, relctl, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { count, namespace } from '../../support/soap-answers.js';

const clear = 'is called without TLS: others on the network can read the credentials';
const lookalike = 'looks like this machine, but its name can resolve to any machine, which gets the credentials';
const anyCertificate = 'may present any certificate: an impostor gets the credentials';

describe('The way to a service', () => {
  const place = home();
  after(() => place.remove());
  const env = {
    ...place.env,
    RELCTL_NAMESPACE: namespace,
    RELCTL_API_KEY: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    RELCTL_USER_ID: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    RELCTL_RETRIES: '0',
  };
  /** No name is looked up: a dry run sends nothing. */
  const tried = (url: string, ...args: readonly string[]): Promise<Run> =>
    relctl(['notification', 'count', '--envelope', ...args], { env: { ...env, RELCTL_BASE_URL: url } });

  const told: readonly (readonly [url: string, args: readonly string[], notes: readonly string[]])[] = [
    ['http://crm.test', [], [`crm.test ${clear}`]],
    ['http://10.0.0.1:8080', [], [`10.0.0.1 ${clear}`]],
    ['http://localhost.evil.test', [], [`localhost.evil.test ${lookalike}`, `localhost.evil.test ${clear}`]],
    ['http://127.evil.test', [], [`127.evil.test ${lookalike}`, `127.evil.test ${clear}`]],
    ['https://127.0.0.1.nip.test', [], [`127.0.0.1.nip.test ${lookalike}`]],
    ['https://crm.test', ['--set', 'insecureTls=yes'], [`crm.test ${anyCertificate}`]],
    ['https://localhost', ['--set', 'insecureTls=yes'], [`localhost ${anyCertificate}`]],
    ['https://crm.test', [], []],
    ...['127.1', 'localhost.', 'foo.localhost', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]'].map(
      (host) => [`http://${host}:8080`, ['--set', 'insecureTls=yes'], []] as const,
    ),
  ];
  for (const [url, args, notes] of told) {
    it(`to ${[url, ...args].join(' ')} is ${notes.length === 0 ? 'nothing to tell of' : 'told of on stderr'}`, async () => {
      const run = await ends(tried(url, ...args), 0, notes.map((each) => `Note: ${each}\n`).join(''));
      assert.ok(!run.stdout.includes('may lead') && run.stdout.includes('Envelope'));
      const asJson = await tried(url, ...args, '-o', 'json');
      assert.equal(asJson.stderr, notes.length === 0 ? '' : `${JSON.stringify({ notes })}\n`);
      assert.equal((await tried(url, ...args, '--quiet')).stderr, '');
    });
  }

  describe('with a proxy', () => {
    let service: BrokenServer;
    let proxy: BrokenServer;
    before(async () => {
      service = await brokenServer({ answer: answers(count) });
      proxy = await brokenServer({ answer: answers({ status: 403, body: 'not from here' }) });
    });
    after(async () => Promise.all([service.close(), proxy.close()]));
    const called = (authority: string): Promise<Run> => {
      const way = { RELCTL_BASE_URL: `http://${authority}`, RELCTL_PROXY: `http://127.0.0.1:${proxy.port}` };
      return relctl(['notification', 'count'], { env: { ...env, ...way } });
    };

    for (const host of ['127.1', '0x7f.1', '2130706433', '0177.0.0.1', 'LOCALHOST', '0.0.0.0', '127.0.0.1.'])
      it(`goes past it to ${host}, which is this machine`, async () => {
        const { code, stderr } = await called(`${host}:${service.port}`);
        assert.deepEqual([code, stderr, proxy.requests.length], [0, '', 0]);
      });

    it('goes through it to a name that only looks like this machine, which a run says once', async () => {
      const add = (name: string): Promise<Run> =>
        relctl(
          argv`
            profile add ${name} --base-url http://localhost.evil.test --namespace ${namespace} --secret
            proxy=env:WAY
          `,
          { env: place.env },
        );
      assert.equal((await add('a')).code, 0);
      const key = 'env:KEY';
      assert.equal((await relctl(['profile', 'edit', 'a', '--api-key-from', key], { env: place.env })).code, 0);
      const variables = { WAY: `http://127.0.0.1:${proxy.port}`, KEY: env.RELCTL_API_KEY, RELCTL_RETRIES: '0' };
      const { stderr } = await relctl(['mark', 'list', '--profile', 'a'], {
        env: { ...place.env, ...variables },
      });
      assert.match(stderr, /not from here/);
      assert.equal(stderr.split(lookalike).length, 2, stderr);
      assert.equal(stderr.split(clear).length, 2, stderr);
      assert.ok(proxy.requests.every(({ target }) => target.startsWith('http://localhost.evil.test/')));
      assert.ok(proxy.requests.length > 0);
    });
  });
});
