import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, brokenServer, type BrokenServer } from '../../support/broken-server.js';
import { authority, type Authority } from '../../support/certificates.js';
import { recordingProxy } from '../../support/recording-proxy.js';
import { ends, home, relctlProcess } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';
import { count, namespace } from '../../support/soap-answers.js';

describe('Modules of Node that a call may do without', () => {
  const place = home();
  const servers: BrokenServer[] = [];
  const made: { remove(): void }[] = [place];
  let own: Authority;
  before(function () {
    needs(this, 'openssl');
    own = authority();
    made.push(own);
  });
  after(async () => {
    for (const server of servers) await server.close();
    // Without openssl there is no authority.
    for (const each of made) each.remove();
  });

  /** Runs a call of the built program; gives its answer, and what it loaded of Node. */
  async function called(url: string, variables: NodeJS.ProcessEnv = {}) {
    const file = join(place.folder, 'loaded');
    const preload = join(place.folder, 'preload.cjs');
    writeFileSync(
      preload,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, process.moduleLoadList.join('\\n')));`,
    );
    const env = {
      ...place.env,
      NODE_OPTIONS: `--require ${preload}`,
      RELCTL_BASE_URL: url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
      RELCTL_DATABASE_ID: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
      RELCTL_USER_ID: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
      ...variables,
    };
    const { stdout } = await ends(relctlProcess(['notification', 'count', '-o', 'json'], { env }), 0);
    assert.match(stdout, /7/);
    const loaded = readFileSync(file, 'utf8').split('\n');
    return ['child_process', 'crypto', 'https', 'perf_hooks', 'tls'].filter((name) =>
      loaded.includes(`NativeModule ${name}`),
    );
  }

  async function service(tls?: { readonly cert: string; readonly key: string }): Promise<BrokenServer> {
    const server = await brokenServer({ answer: answers(count), ...(tls === undefined ? {} : { tls }) });
    servers.push(server);
    return server;
  }

  it('are not loaded by a call over http', async () => {
    assert.deepEqual(await called((await service()).url), []);
  });

  it('are there for a service with TLS, reached directly and through a proxy', async () => {
    const { cert, key } = own.issue({ name: 'server' });
    const secure = await service({ cert, key });
    const trust = { RELCTL_CA_FILE: own.ca.certFile };
    assert.ok((await called(secure.url, trust)).includes('tls'));
    const proxy = await recordingProxy({ port: secure.port });
    servers.push(proxy);
    const through = { ...trust, RELCTL_PROXY: proxy.url };
    assert.ok((await called('https://service.test', through)).includes('tls'));
    assert.equal(proxy.requests[0]?.method, 'CONNECT');
  });
});
