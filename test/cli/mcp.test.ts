import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operations } from '../../src/contract/service.js';
import { agent, answeredIn, opening, talk, toolCall, type Agent } from '../support/mcp.js';
import { place } from '../support/operations/place.js';

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly summary: string; readonly operations?: readonly string[] }>>;
}

const { commands } = JSON.parse(
  readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'),
) as Manifest;

const [relation, organisation] = ['00000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000101'];

describe('relctl mcp', () => {
  const here = place();
  let reader: Agent;
  before(async () => {
    const { code, stderr } = await here.run(['mirror', 'sync']);
    assert.equal(code, 0, stderr);
    reader = await agent(here.env, []);
  });
  after(() => reader.close());

  it('offers a tool for each operation and each command that reads, with words of the contract and the manifest', async () => {
    const { tools } = await reader.client.listTools();
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    const reads = Object.values(operations).filter(({ access }) => access === 'read');
    assert.ok(reads.length > 20);
    for (const { name, doc } of reads) assert.ok(byName.get(name)?.description?.startsWith(doc), name);
    const readNames = new Set<string>(reads.map(({ name }) => name));
    const readers = Object.entries(commands).filter(
      ([id, { operations: called = [] }]) =>
        called.length > 0 && called.every((name) => readNames.has(name)) && id !== 'profile:test',
    );
    assert.ok(readers.length > 15);
    for (const id of [...readers.map(([each]) => each), 'find', 'sql']) {
      const tool = byName.get(id.replaceAll(':', '_'));
      assert.ok(tool?.description?.startsWith(commands[id]?.summary ?? '?'), id);
    }
    for (const { name, annotations } of tools) {
      assert.equal(annotations?.readOnlyHint, true, name);
      assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    }
    for (const name of [
      'ProductUpdate_V2',
      'product_update',
      'writes_undo',
      'mirror_sync',
      'call',
      'profile_list',
      'activity_attach',
    ])
      assert.equal(byName.has(name), false, name);
  });

  it('takes no parameter that names a file, another service, or what is kept between runs', async () => {
    const { tools } = await reader.client.listTools();
    const refused = [
      'output-file', 'output', 'trace', 'file', 'output-dir', 'results', 'users', 'changes-since', 'since-last', 'resume',
      'ca-file', 'client-cert', 'client-key', 'insecure', 'soap', 'schema', 'no-ledger', 'yes', 'confirm', 'force', 'profile',
      'calibrate', 'exit-code', 'warn', 'crit', 'dry-run', 'envelope',
    ]; // prettier-ignore
    for (const { name, inputSchema } of tools) {
      const has = Object.keys(inputSchema.properties ?? {});
      assert.deepEqual(
        has.filter((each) => refused.includes(each)),
        [],
        name,
      );
      assert.equal(inputSchema['additionalProperties'], false);
    }
  });

  it('describes the parameters of an operation by its types', async () => {
    const { tools } = await reader.client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'RelationGetAll') ?? assert.fail();
    const int = { type: 'integer', minimum: -2147483648, maximum: 2147483647 };
    const doc = (name: 'pageNumber' | 'pageSize' | 'includeFields' | 'includeCounters'): string =>
      operations.RelationGetAll.parameters[name].doc;
    assert.deepEqual(inputSchema, {
      type: 'object',
      properties: {
        pageNumber: { ...int, description: doc('pageNumber') },
        pageSize: { ...int, description: doc('pageSize') },
        includeFields: { type: 'boolean', description: doc('includeFields') },
        includeCounters: { type: 'boolean', description: doc('includeCounters') },
      },
      required: ['pageNumber', 'pageSize', 'includeFields', 'includeCounters'],
      additionalProperties: false,
    });
  });

  it('answers commands and operations with the records that the program prints, to the letter', async () => {
    const listed = await reader.call('relation_list', { columns: 'Id,DisplayName', limit: 5 });
    assert.deepEqual(listed, {
      isError: false,
      text: listed.text,
      answered: {
        count: 5,
        notes: ['stopped at --limit: more relations exist'],
        records: JSON.parse(
          (await here.run(['relation', 'list', '--columns', 'Id,DisplayName', '--limit', '5', '-o', 'json'])).stdout,
        ) as unknown,
      },
    });
    const product = await reader.call('product_get', { product: '00001' });
    assert.deepEqual(product.answered.records, [await here.json(['product', 'get', '00001'])]);
    const page = { pageNumber: 1, pageSize: 3, includeFields: false, includeCounters: false };
    const called = await reader.call('RelationGetAll', page);
    assert.deepEqual(called.answered.records, [
      await here.json(['call', 'RelationGetAll', '--input', '-'], { input: JSON.stringify(page) }),
    ]);
    const many = await reader.call('relation_get', { ids: [relation, organisation], columns: 'Id' });
    assert.deepEqual(many.answered.records, [{ Id: relation }, { Id: organisation }]);
  });

  it('finds and asks by SQL what the mirror has', async () => {
    const asked = await reader.call('sql', {
      query: 'SELECT Id FROM relations WHERE Id = :id',
      param: [`id=${relation}`],
    });
    assert.deepEqual(asked.answered.records, [{ Id: relation }]);
    const found = await reader.call('find', { text: ['veen'], type: 'relation', limit: 1 });
    assert.equal((found.answered.records[0] as { readonly Id: string }).Id, relation);
    const written = await reader.call('sql', { query: 'DELETE FROM relations' });
    assert.equal(written.answered.error?.['kind'], 'usage');
    const elsewhere = await agent({ ...here.env, RELCTL_STATE_DIR: here.fresh('state') }, []);
    try {
      const none = await elsewhere.call('sql', { query: 'SELECT 1 AS n' });
      assert.equal(none.isError, true);
      assert.deepEqual([none.answered.error?.['kind'], none.answered.error?.['code']], ['not-found', 'mirror']);
    } finally {
      await elsewhere.close();
    }
  });

  it('tells failures as errors of the tool, with kind, code and advice', async () => {
    const missing = await reader.call('relation_get', { id: '00000000-0000-4000-8000-0000000fffff' });
    const { error, ...rest } = missing.answered;
    assert.deepEqual(rest, { count: 0, records: [] });
    assert.equal(missing.isError, true);
    assert.equal(error?.['kind'], 'not-found');
    assert.equal(error['exitCode'], 5);
    assert.equal(error['advice'], 'Check the Id, and which service was asked.');
    const includes = { includeFields: false, includeCounters: false };
    const cases: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['relation_list', { limt: 1 }, /has no parameter 'limt'; it has include-fields/],
      ['relation_list', { limit: 'many' }, /--limit takes a whole number/],
      ['relation_list', { limit: 1.5 }, /^limit takes a whole number, not 1.5$/],
      ['relation_list', { 'include-fields': 'yes' }, /^include-fields takes true or false, not "yes"$/],
      ['relation_list', { filter: 'contains(' }, /^the expression ends too early, at character 10$/],
      ['relation_get', {}, /ID/],
      ['find', { text: 'veen' }, /^text takes a list$/],
      ['RelationGetAll', { pageNumber: '1' }, /^pageSize, includeFields, includeCounters are missing/],
      ['RelationGetAll', { pageNumber: '1', pageSize: 1, ...includes }, /pageNumber/],
      ['RelationGet', { relationId: 'no guid', ...includes }, /relationId/],
      ['relation_get', { ids: ['a\nb'] }, /is no Id/],
      ['relation_get', { id: '--output-file=x' }, /^ID: '--output-file=x' is no GUID/],
    ];
    for (const [name, given, words] of cases) {
      const { isError, answered } = await reader.call(name, given);
      assert.deepEqual([isError, answered.error?.['kind']], [true, 'usage'], name);
      assert.match(String(answered.error?.['message']), words);
    }
  });

  it('refuses a tool that it does not have, as one that writes', async () => {
    await assert.rejects(reader.call('ProductUpdate_V2', {}), /there is no tool 'ProductUpdate_V2'/);
    await assert.rejects(reader.call('__proto__', {}), /there is no tool '__proto__'/);
  });

  it('answers every request that it read before stdin ended, and ends with 0', async () => {
    const calls = Array.from({ length: 20 }, (_, at) =>
      toolCall(at, 'relation_list', { limit: 1, page: at + 1, 'page-size': 1 }),
    );
    const { code, stderr, messages } = await talk(here.env, [], [...opening, ...calls]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(messages.map(({ id }) => id).sort(), ['opening', ...calls.map((_, at) => at)].sort());
    const ids = messages
      .filter(({ id }) => typeof id === 'number')
      .map((message) => (answeredIn(message).records[0] as { readonly Id: string }).Id);
    assert.equal(new Set(ids).size, 20);
    assert.deepEqual(await talk(here.env, [], []), { code: 0, stderr: '', messages: [] });
  });

  it('is spoken to by the newest protocol too', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'relation_list', arguments: { limit: 1, columns: 'Id' }, _meta: meta },
    };
    const { code, messages } = await talk(here.env, [], [request]);
    assert.equal(code, 0);
    assert.equal(answeredIn(messages[0]).count, 1);
  });

  it('cuts a long answer between records, and says so', async () => {
    const small = await agent(here.env, ['--max-bytes', '6000']);
    try {
      const all = await here.json<readonly unknown[]>(['relation', 'list']);
      const listed = await small.call('relation_list');
      assert.equal(listed.isError, false);
      assert.ok(Buffer.byteLength(listed.text) <= 6000);
      const { count, records, cut } = listed.answered;
      assert.ok(count > 5 && count < all.length);
      assert.deepEqual(records, all.slice(0, count));
      assert.match(String(cut), /^cut at 6000 bytes: the next record has \d+ bytes; ask for less/);
      const page = { pageNumber: 1, pageSize: 50, includeFields: false, includeCounters: false };
      const called = await small.call('RelationGetAll', page);
      const [only] = called.answered.records as readonly { readonly Relations: readonly unknown[] }[];
      assert.deepEqual(only?.Relations, all.slice(0, only?.Relations.length));
      assert.equal(
        called.answered.cut?.split('; ')[0],
        `cut at 6000 bytes: Relations has ${only.Relations.length} of 50 items`,
      );
      const first = await small.call('sql', { query: "SELECT printf('%8000s', 'x') AS long" });
      assert.deepEqual(first.answered, {
        count: 0,
        error: {
          kind: 'partial',
          layer: 'service',
          code: 'max-bytes',
          message:
            'cut at 6000 bytes: the first record has 8011 bytes; ask for less, by columns, a filter, a limit or a page',
          exitCode: 8,
        },
        records: [],
      });
    } finally {
      await small.close();
    }
  });

  it('lists its tools in every format, and refuses what makes no sense', async () => {
    const lines = await here.json<readonly Readonly<Record<string, unknown>>[]>([
      'mcp',
      '--list',
      '--tools',
      'find,Relation*',
    ]);
    assert.deepEqual(lines[0], {
      Name: 'find',
      Access: 'read',
      Runs: 'find',
      Parameters: ['text', 'type', 'gone', 'max-age', 'limit', 'columns', 'filter', 'sort', 'query', 'count'],
      Purpose: commands['find']?.summary,
    });
    assert.ok(lines.length > 5 && lines.slice(1).every(({ Name }) => String(Name).startsWith('Relation')));
    const failing = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await here.run(['mcp', ...args]);
      assert.deepEqual([code, stdout], [code === 3 ? 3 : 2, '']);
      return stderr;
    };
    assert.match(await failing('--tools', 'fnd'), /no tool is called 'fnd'\n.*Try: relctl mcp --tools find/s);
    assert.match(await failing('-o', 'json'), /--output goes with --list/);
    assert.match(await failing('--max-bytes', '100'), /--max-bytes takes a whole number from 4096/);
    assert.match(await failing('--deadline', '0s'), /--deadline/);
    assert.match(await failing('--profile', 'nobody'), /nobody/);
  });
});
