import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, relctlProcess } from '../support/relctl.js';

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
    for (const shape of ['json', 'table'])
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
          assert.match(stderr, /This is a defect in relctl\./);
        }
        assert.ok(!stderr.includes(key), stderr);
      });
});
