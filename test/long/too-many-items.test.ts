import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { home, relctl, type Run } from '../support/relctl.js';
import { envelope, namespace } from '../support/soap-answers.js';

/** Answers of one item more than a list may have, by operation. */
const answers: Readonly<Record<string, string>> = {
  RelationGetAll: `<Relations>${'<PvRelationData/>'.repeat(1_000_001)}</Relations>`,
  MarkGetAll: `<Marks>${'<PvMarkData/>'.repeat(1_000_001)}</Marks>`,
};

describe('An answer with more items than a list may have', () => {
  const place = home();
  let server: Server;
  const run = (...args: readonly string[]): Promise<Run> => relctl([...args, '--set', 'retries=0'], { env: place.env });

  before(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      request.on('end', () => {
        const name = Object.keys(answers).find((each) => text.includes(`<${each} `)) ?? '';
        response.writeHead(200, { 'Content-Type': 'application/soap+xml; charset=utf-8' });
        const result = `<${name}Result>${answers[name] ?? ''}</${name}Result>`;
        response.end(envelope('1.2', `<${name}Response xmlns="${namespace}">${result}</${name}Response>`).body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo;
    Object.assign(place.env, {
      RELCTL_BASE_URL: `http://127.0.0.1:${port}`,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
    });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    place.remove();
  });

  const smallerPages = /^ {2}Ask for smaller pages: --set pageSize=N\.$/m;
  const lessAsked =
    /^ {2}An answer with fewer of them can be read: ask for less by the parameters of the operation\.$/m;
  const given = ['--param', 'includeFields=false', '--param', 'includeCounters=false'];
  for (const [what, args, advice] of [
    [
      'of a list with pages',
      ['call', 'RelationGetAll', '--list', 'Relations', ...given, '--set', 'pageSize=5'],
      smallerPages,
    ],
    ['of a list without pages', ['mark', 'list'], lessAsked],
  ] as const) {
    it(`${what} is refused with advice that the command can follow`, async () => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [7, '']);
      assert.match(stderr, /(?:Relations|Marks) has more than 1000000 items in one answer/);
      assert.match(stderr, advice);
    });
  }
});
