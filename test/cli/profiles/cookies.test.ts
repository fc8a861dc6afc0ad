import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, brokenServer, type BrokenServer } from '../../support/broken-server.js';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { namespace, relations } from '../../support/soap-answers.js';

const ids = Array.from({ length: 40 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`);

describe('A load balancer that keeps a client on one node by a cookie', () => {
  let place: Home;
  let server: BrokenServer;
  before(async () => {
    place = home();
    // Each node has the list in an order of its own.
    const nodes = [ids, ids.toReversed()];
    let next = 0;
    server = await brokenServer({
      answer: (socket, request) => {
        const body = request.body.toString();
        const [page, size] = ['pageNumber', 'pageSize'].map((name) =>
          Number(new RegExp(`<${name}>(\\d+)`).exec(body)?.[1]),
        );
        const kept = /AWSALB=node-(\d)-sesame/.exec(request.headers['cookie'] ?? '')?.[1];
        const node = kept === undefined ? next++ % 2 : Number(kept);
        const from = ((page ?? 1) - 1) * (size ?? 0);
        const answer = relations(...(nodes[node] ?? []).slice(from, from + (size ?? 0)));
        const headers = { ...answer.headers, 'Set-Cookie': `AWSALB=node-${node}-sesame; Path=/; HttpOnly` };
        void answers({ ...answer, headers })(socket, request);
      },
    });
  });
  after(async () => {
    await server.close();
    place.remove();
  });

  const list = (...args: readonly string[]): Promise<Run> =>
    relctl(['relation', 'list', '-o', 'csv', '--columns', 'Id', '--no-header', '--page-size', '10', ...args], {
      env: {
        ...place.env,
        RELCTL_BASE_URL: server.url,
        RELCTL_NAMESPACE: namespace,
        RELCTL_API_KEY: '11111111-2222-4333-8444-555555555555',
      },
    });

  it('gives a whole list, and nothing of its cookie is in a recording, a trace or a file', async () => {
    const folder = join(place.folder, 'rec');
    const trace = join(place.folder, 'trace');
    const { stdout, stderr } = await ends(list('--record', folder, `--trace=${trace}`), 0);
    assert.deepEqual(new Set(stdout.trim().split('\n')), new Set(ids));
    assert.ok(server.requests.slice(1).every(({ headers }) => headers['cookie'] !== undefined));
    const files = readdirSync(place.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const told = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    assert.ok(told.length > 3);
    for (const text of [stdout, stderr, ...told]) assert.doesNotMatch(text, /sesame|AWSALB/);
  });

  it('gets none of an earlier run', async () => {
    const before = server.requests.length;
    await list();
    assert.equal(server.requests[before]?.headers['cookie'], undefined);
  });

  it('gets none at all where a setting says so', async () => {
    const before = server.requests.length;
    await list('--set', 'cookies=no');
    assert.ok(server.requests.slice(before).every(({ headers }) => headers['cookie'] === undefined));
  });
});
