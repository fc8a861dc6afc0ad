import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { agent, type Agent } from '../support/mcp.js';
import { home, relctl, type Home, type Run } from '../support/relctl.js';

const path = (file: string): string => fileURLToPath(new URL(`../support/interop/${file}`, import.meta.url));

describe('Imported operations as tools', () => {
  let here: Home;
  let server: ChildProcess;
  const run = (...args: readonly string[]): Promise<Run> =>
    relctl(args, { env: here.env, input: '00000000-0000-4000-8000-000000000001' });
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, stderr);
    return stdout;
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

  it('are offered where --reads says that they read, with their types, and called by them', () =>
    withAgent(['-p', 'one'], async (one) => {
      const { tools } = await one.client.listTools();
      const books = tools.find(({ name }) => name === 'BooksGet') ?? assert.fail();
      assert.match(books.description ?? '', /^Lists the books of the library\.\n/);
      assert.deepEqual(Object.keys(books.inputSchema.properties ?? {}), ['pageNumber', 'pageSize', 'since', 'author']);
      assert.equal(
        tools.some(({ name }) => name === 'BookAdd'),
        false,
      );
      const { answered } = await one.call('BooksGet', { pageNumber: 0, pageSize: 2 });
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
      assert.equal((await one.call('BooksGet', { pageNumber: 'x', pageSize: 2 })).answered.error?.['kind'], 'usage');
    }));

  it('are no tools where nothing says so', () =>
    withAgent(['-p', 'two'], async (two) => {
      const { tools } = await two.client.listTools();
      assert.deepEqual(
        tools.filter(({ name }) => name.startsWith('Book')),
        [],
      );
    }));

  it('are written with --allow-writes, and are in the ledger', () =>
    withAgent(['-p', 'two', '--allow-writes'], async (two) => {
      const { tools } = await two.client.listTools();
      const hints = tools
        .filter(({ name }) => name.startsWith('Book'))
        .map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
      assert.deepEqual(hints, [
        ['BooksGet', false],
        ['BookAdd', false],
      ]);
      assert.equal((await two.call('BooksGet', { pageNumber: 0, pageSize: 1 })).isError, false);
      const written = JSON.parse(await done('writes', 'list', '-p', 'two', '-o', 'json')) as readonly {
        readonly Operation: string;
      }[];
      assert.deepEqual(
        written.map(({ Operation }) => Operation),
        ['BooksGet'],
      );
    }));

  it('that two profiles know otherwise are two tools, each for those that know it', () =>
    withAgent(['-p', 'bare', '-p', 'one', '-p', 'two', '--allow-writes'], async (all) => {
      const { tools } = await all.client.listTools();
      const profilesOf = (name: string): unknown => {
        const property = tools.find((tool) => tool.name === name)?.inputSchema.properties?.['profile'];
        return (property as { readonly enum: unknown } | undefined)?.enum;
      };
      assert.deepEqual(profilesOf('BooksGet'), ['one']);
      assert.deepEqual(profilesOf('BooksGet-two'), ['two']);
      assert.deepEqual(profilesOf('BookAdd'), ['one', 'two']);
      assert.deepEqual(profilesOf('RelationGet'), ['bare', 'one', 'two']);
      const { isError, answered } = await all.call('BooksGet', { pageNumber: 0, pageSize: 1, profile: 'two' });
      assert.deepEqual(
        [isError, answered.error?.['message']],
        [true, 'profile takes one: no other profile is allowed'],
      );
    }));

  it('that another import made writes are not called any more', () =>
    withAgent(['-p', 'one'], async (one) => {
      const before = calls().length;
      await done('operations', 'import', '--reads', 'Nothing*', '-p', 'one');
      const { isError, answered } = await one.call('BooksGet', { pageNumber: 0, pageSize: 1 });
      assert.deepEqual([isError, answered.error?.['kind']], [true, 'usage']);
      assert.match(String(answered.error?.['message']), /^what was imported has changed: BooksGet/);
      assert.equal(calls().length, before);
    }));
});
