import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenServer } from '../support/broken-server.js';
import { home, program, relctlProcess } from '../support/relctl.js';

const key = '6f9619ff-8b86-d011-b42d-00c04fc964fe';

/** What a library might do: an error that holds the request, where nobody catches it. */
const faulty = (how: string): string => `
const http = require('node:http');
http.request = () => {
  const error = Object.assign(new Error('no ${key}'), { config: { data: '<ApiKey>${key}</ApiKey>' } });
  ${how}
  return new (require('node:events'))();
};`;

const ways: Readonly<Record<string, string>> = {
  'is thrown in a callback': 'setImmediate(() => { throw error; });',
  'rejects a promise that nobody waits for': 'void Promise.reject(error);',
  'comes twice': 'setImmediate(() => { throw error; }); void Promise.reject(error);',
  'is no error': `setImmediate(() => { throw 'no ${key}'; });`,
};

/** The same once a request is on its way. */
const faultyLater = `
const http = require('node:http');
const { request } = http;
http.request = (...parts) => {
  const made = request(...parts);
  made.once('finish', () => setImmediate(() => { throw new Error('no ${key}'); }));
  return made;
};`;

/** The same behind the first rows, with a stderr that is full; tells in a file what is done after it. */
const faultyUnheard = (late: string): string => `
const { appendFileSync } = require('node:fs');
let [hasRows, isOver] = [false, false];
const { write } = process.stdout;
process.stdout.write = function (...parts) {
  if (isOver) appendFileSync(${JSON.stringify(late)}, 'row\\n');
  if (!hasRows) {
    hasRows = true;
    process.stderr.write('x'.repeat(16_000_000));
    setImmediate(() => { isOver = true; throw new Error('nobody hears this'); });
  }
  return write.apply(this, parts);
};`;

describe('An error that nobody caught', () => {
  const place = home();
  after(() => place.remove());
  const env = {
    ...place.env,
    RELCTL_BASE_URL: 'http://127.0.0.1:9',
    RELCTL_NAMESPACE: 'urn:n',
    RELCTL_API_KEY: key,
  };

  for (const [title, how] of Object.entries(ways))
    for (const shape of title === 'comes twice' ? ['json', 'table'] : ['json'])
      it(`that ${title} ends the run as a defect, told once and without secrets (${shape})`, async () => {
        const preload = join(place.folder, 'faulty.cjs');
        writeFileSync(preload, faulty(how));
        const { code, stdout, stderr } = await relctlProcess(['mark', 'list', '-o', shape], {
          env: { ...env, NODE_OPTIONS: `--require ${preload}` },
        });
        assert.deepEqual([code, stdout], [1, ''], stderr);
        if (shape === 'json') {
          const { error } = JSON.parse(stderr) as { readonly error: Readonly<Record<string, unknown>> };
          assert.deepEqual([error['kind'], error['message']], ['bug', 'no ********']);
        } else {
          assert.equal(stderr.split('\n')[0], 'Error: no ********');
          assert.match(stderr, /This is a bug in relctl\./);
        }
        assert.ok(!stderr.includes(key), stderr);
      });

  it('says that the outcome of a write is unknown which is under way', async () => {
    const server = await brokenServer();
    try {
      const preload = join(place.folder, 'later.cjs');
      writeFileSync(preload, faultyLater);
      const line = ['call', 'Anything', '--param', 'a=b', '--yes', '-o', 'json'];
      const ends = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
        const { code, stdout, stderr } = await relctlProcess([...line, ...words], {
          env: { ...env, RELCTL_BASE_URL: server.url, NODE_OPTIONS: `--require ${preload}` },
        });
        assert.ok(!stderr.includes(key), stderr);
        const { error } = JSON.parse(stderr) as { readonly error: Readonly<Record<string, unknown>> };
        assert.deepEqual([code, stdout], [error['exitCode'], '']);
        return error;
      };
      const { kind, code, exitCode, message, advice } = await ends('--write');
      assert.deepEqual([kind, code, exitCode], ['outcome-unknown', 'defect', 9]);
      assert.match(String(message), /does not know whether the service carried it out: no \*+$/);
      assert.match(String(advice), /before you repeat it\. This is a bug in relctl\./);
      const read = await ends('--read');
      assert.deepEqual([read['kind'], read['exitCode'], read['message']], ['bug', 1, 'no ********']);
      assert.equal(server.requests.length, 2);
    } finally {
      await server.close();
    }
  });

  it('says so where a tool of an agent writes', async () => {
    const server = await brokenServer();
    const preload = join(place.folder, 'tool.cjs');
    writeFileSync(preload, faultyLater);
    const settings = { RELCTL_BASE_URL: server.url, RELCTL_DATABASE_ID: key, RELCTL_USER_ID: key };
    const ends = async (name: string, given: object): Promise<readonly unknown[]> => {
      const child = spawn(process.execPath, [program, 'mcp', '--allow-writes'], {
        ...{
          env: {
            ...env,
            ...settings,
            RELCTL_USER_NAME: 'u',
            RELCTL_PASSWORD: 'pass',
            NODE_OPTIONS: `--require ${preload}`,
          },
        },
        ...{ timeout: 60_000, killSignal: 'SIGKILL' },
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.stdout.resume();
      const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      for (const [id, method, params] of [
        [1, 'initialize', opening],
        [2, 'tools/call', { name, arguments: given }],
      ] as const)
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const [code] = (await once(child, 'close')) as [number | null];
      return [code, /does not know whether the service carried it out/.test(stderr), stderr.includes(key)];
    };
    try {
      const line = { activityId: key, productId: key, vatId: key, quantity: '1', amount: '1', purchaseAmount: '1' };
      assert.deepEqual(await ends('write', { operation: 'ActivityAddProductLine', parameters: line }), [
        9,
        true,
        false,
      ]);
      assert.deepEqual(await ends('call', { operation: 'MarkGetAll', parameters: {} }), [1, false, false]);
      assert.equal(server.requests.length, 2);
    } finally {
      await server.close();
    }
  });

  it('stops what is under way, and ends the process though nobody reads what it says', async () => {
    const late = join(place.folder, 'late');
    const preload = join(place.folder, 'unheard.cjs');
    writeFileSync(preload, faultyUnheard(late));
    const line = ['relation', 'list', '--page-size', '5', '-o', 'csv', '--profile', 'sandbox'];
    const child = spawn(process.execPath, [program, ...line], {
      ...{ env: { ...place.env, NODE_OPTIONS: `--require ${preload}` } },
      ...{ timeout: 60_000, killSignal: 'SIGKILL' },
    });
    child.stdout.resume();
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    child.stderr.destroy();
    assert.deepEqual([code, signal, existsSync(late)], [1, null, false]);
  });
});
