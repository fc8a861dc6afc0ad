import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { agent, type Agent } from '../../support/mcp.js';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { valuesOf } from '../../support/thrown.js';

const path = (file: string): string => fileURLToPath(new URL(`../../interop/programs/${file}`, import.meta.url));

describe('Imported operations as tools', () => {
  let here: Home;
  let server: ChildProcess;
  const run = (...args: readonly string[]): Promise<Run> =>
    relctl(args, { env: here.env, input: '00000000-0000-4000-8000-000000000001' });
  const done = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(...args), 0)).stdout;
  };
  const calls = (): readonly string[] =>
    readFileSync(join(here.folder, 'log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const withAgent = async (args: readonly string[], use: (agent: Agent) => Promise<void>): Promise<void> => {
    const one = await agent(here.env, args);
    try {
      await use(one);
    } finally {
      await one.close();
    }
  };

  before(async () => {
    here = home();
    const wsdl = join(here.folder, 'library.wsdl');
    copyFileSync(path('library.wsdl'), wsdl);
    writeFileSync(join(here.folder, 'log'), '');
    server = spawn(process.execPath, [path('library-server.mjs')], {
      env: { ...here.env, RELCTL_WSDL: wsdl, RELCTL_LOG: join(here.folder, 'log') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(createInterface(server.stdout ?? assert.fail()), 'line')) as [string];
    const address = ['--base-url', `http://127.0.0.1:${port}/library.asmx`, '--namespace', 'http://library.example/'];
    for (const name of ['one', 'two', 'bare'])
      await done('profile', 'add', name, ...address, '--set', 'soapVersion=1.1', '--api-key-stdin');
    await done('operations', 'import', '--reads', '*Get', '-p', 'one');
    await done('operations', 'import', '-p', 'two');
  });
  after(async () => {
    server.kill();
    await once(server, 'close');
    here.remove();
  });

  const books = (pageNumber: unknown, pageSize: number): Record<string, unknown> => ({
    operation: 'BooksGet',
    parameters: { pageNumber, pageSize },
  });

  it('are called where --reads says that they read', () =>
    withAgent(['-p', 'one'], async (one) => {
      const described = await one.call('operations', { name: ['BooksGet'] });
      const [{ Parameters } = { Parameters: [] }] = described.answered.records as readonly {
        readonly Parameters: readonly { readonly Name: string }[];
      }[];
      assert.deepEqual(valuesOf(Parameters, 'Name'), ['pageNumber', 'pageSize', 'since', 'author']);
      const { answered } = await one.call('call', books(0, 2));
      assert.deepEqual(answered, {
        count: 1,
        records: [
          {
            Count: '3',
            Book: [
              {
                Title: 'First & foremost',
                Price: '12.50',
                Published: '1999-12-31',
                Rating: '1.5E3',
                Binding: 'hard',
                Author: ['A', 'B'],
              },
              { Title: 'Second', Price: '0.10', Binding: 'soft', Author: [] },
            ],
          },
        ],
      });
      assert.equal((await one.call('call', books('x', 2))).answered.error?.['kind'], 'usage');
      const before = calls().length;
      const add = await one.call('call', { operation: 'BookAdd', parameters: {} });
      assert.match(String(add.answered.error?.['message']), /^BookAdd writes, or may write; nothing was sent$/);
      assert.equal(calls().length, before);
    }));

  it('are not called by a profile that does not say so, or does not know them', () =>
    withAgent(['-p', 'two', '-p', 'bare'], async (two) => {
      const before = calls().length;
      assert.match(String((await two.call('call', books(0, 1))).answered.error?.['message']), /writes, or may write/);
      const bare = await two.call('call', { ...books(0, 1), profile: 'bare' });
      assert.match(String(bare.answered.error?.['message']), /^profile 'bare' has no operation 'BooksGet'$/);
      assert.equal(calls().length, before);
    }));

  it('are written with --allow-writes, and are in the ledger', () =>
    withAgent(['-p', 'two', '--allow-writes'], async (two) => {
      assert.equal((await two.call('write', books(0, 1))).isError, false);
      const written = JSON.parse(await done('writes', 'list', '-p', 'two', '-o', 'json')) as readonly {
        readonly Operation: string;
      }[];
      assert.deepEqual(valuesOf(written, 'Operation'), ['BooksGet']);
    }));

  it('that another import made writes are not called any more', () =>
    withAgent(['-p', 'one'], async (one) => {
      const before = calls().length;
      await done('operations', 'import', '--reads', 'Nothing*', '-p', 'one');
      const { isError, answered } = await one.call('call', books(0, 1));
      assert.deepEqual([isError, answered.error?.['kind']], [true, 'usage']);
      assert.match(String(answered.error?.['message']), /^BooksGet writes, or may write; nothing was sent$/);
      assert.equal(calls().length, before);
    }));
});
