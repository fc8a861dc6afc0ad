import assert from 'node:assert/strict';
import { agent, answeredIn, opening, talk, toolCall, type Agent } from '../support/mcp.js';
import { place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { commands } from '../support/manifest.js';

const [relation, organisation] = ['00000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000101'];

describe('relctl mcp', () => {
  const here = place();
  let reader: Agent;
  before(async () => {
    await ends(here.run(['mirror', 'sync']), 0);
    reader = await agent(here.env, []);
  });
  after(() => reader.close());

  it('offers a dozen tools that read, in at most 12,000 bytes, also with those that write', async () => {
    const listed = async (one: Agent): Promise<readonly string[]> => {
      const { tools } = await one.client.listTools();
      assert.ok(Buffer.byteLength(JSON.stringify({ tools })) <= 12_000, String(JSON.stringify(tools).length));
      for (const { name, description, annotations, inputSchema } of tools) {
        assert.match(name, /^[a-z_]{1,64}$/);
        assert.ok(description !== undefined && description.length > 20, name);
        assert.equal(typeof annotations?.readOnlyHint, 'boolean', name);
        assert.equal(inputSchema['additionalProperties'], false);
      }
      return tools.map(({ name }) => name);
    };
    const names = await listed(reader);
    assert.deepEqual(
      names,
      argv`
      find relation_get product_get list activity_search notifications sql mirror_status operations whoami call
    `,
    );
    const { tools } = await reader.client.listTools();
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    const writer = await agent(here.env, ['--allow-writes']);
    try {
      const more = ['product_update', 'writes_list', 'writes_undo', 'write'];
      assert.deepEqual([...(await listed(writer))].sort(), [...names, ...more].sort());
    } finally {
      await writer.close();
    }
  });

  it('takes no parameter that names a file, another service, or what is kept between runs', async () => {
    const { tools } = await reader.client.listTools();
    const refused = argv`
      output-file output trace file output-dir results users changes-since resume ca-file client-cert client-key
      insecure soap schema yes confirm force profile calibrate exit-code dry-run envelope
    `; // prettier-ignore
    for (const { name, inputSchema } of tools) {
      const has = Object.keys(inputSchema.properties ?? {});
      assert.deepEqual(
        has.filter((each) => refused.includes(each)),
        [],
        name,
      );
    }
  });

  it('describes parameters by what reads them: bounds, words, and lists', async () => {
    const { tools } = await reader.client.listTools();
    const propertyOf = (tool: string, name: string): Record<string, unknown> => {
      const found = tools.find((each) => each.name === tool)?.inputSchema.properties?.[name];
      return found as Record<string, unknown>;
    };
    const { minimum, maximum, type } = propertyOf('list', 'limit');
    assert.deepEqual([type, minimum, maximum], ['integer', 1, 2147483647]);
    assert.equal(propertyOf('list', 'include-fields')['type'], 'boolean');
    assert.deepEqual(propertyOf('find', 'text')['items'], { type: 'string' });
    const lists = propertyOf('list', 'list')['enum'] as readonly string[];
    assert.ok(lists.length > 10);
    for (const words of lists) assert.ok(commands[words.replaceAll(' ', ':')] !== undefined, words);
    assert.match(
      tools.find(({ name }) => name === 'sql')?.description ?? '',
      /Tables: relations\(Id, .*relation_marks\(/,
    );
  });

  it('answers commands and operations with the records that the program prints, to the letter', async () => {
    const listed = await reader.call('list', { list: 'relation list', columns: 'Id,DisplayName', limit: 5 });
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
    const called = await reader.call('call', { operation: 'RelationGetAll', parameters: page });
    assert.deepEqual(called.answered.records, [
      await here.json(['call', 'RelationGetAll', '--input', '-'], { input: JSON.stringify(page) }),
    ]);
    const many = await reader.call('relation_get', { ids: [relation, organisation], columns: 'Id' });
    assert.deepEqual(many.answered.records, [{ Id: relation }, { Id: organisation }]);
    const activities = ['relation', 'activities', relation, '--from', '2000-01-01', '--columns', 'Id'];
    const of = { list: 'relation activities', of: relation, from: '2000-01-01', columns: 'Id' };
    assert.deepEqual((await reader.call('list', of)).answered.records, await here.json(activities));
    const described = await reader.call('operations', { name: ['RelationGet'] });
    assert.deepEqual(described.answered.records, [await here.json(['operations', 'RelationGet'])]);
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
    assert.equal(error['advice'], 'Check the Id, and that this is the right service.');
    const includes = { includeFields: false, includeCounters: false };
    const calls = (operation: string, parameters: object): Record<string, unknown> => ({ operation, parameters });
    const relations = { list: 'relation list' };
    const cases: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['list', { ...relations, limt: 1 }, /has no parameter 'limt'; it has list, of/],
      ['list', {}, /^list is missing$/],
      ['list', { list: 'relation tree' }, /^list takes relation list, .*, not "relation tree"$/],
      ['list', { ...relations, of: relation }, /^relation list is a whole list: omit 'of'$/],
      ['list', { ...relations, from: 'today' }, /^relation list has no from$/],
      ['list', { list: 'relation activities' }, /ID/],
      ['list', { ...relations, limit: 'many' }, /--limit takes a whole number/],
      ['list', { ...relations, limit: 1.5 }, /^limit takes a whole number, not 1.5$/],
      ['list', { ...relations, 'include-fields': 'yes' }, /^include-fields takes true or false, not "yes"$/],
      ['list', { ...relations, where: 'fold(' }, /^the condition is incomplete, at character 6$/],
      ['relation_get', {}, /ID/],
      ['find', { text: 'veen' }, /^text takes a list$/],
      ['call', {}, /^operation is missing$/],
      ['call', { operation: 'RelationGet', parameters: 'x' }, /^parameters must be an object$/],
      ['call', calls('RelationGetAll', { pageNumber: '1' }), /^pageSize, includeFields, includeCounters are missing/],
      ['call', calls('RelationGetAll', { pageNumber: '1', pageSize: 1, ...includes }), /pageNumber/],
      ['call', calls('RelationGet', { relationId: 'no guid', ...includes }), /relationId/],
      ['call', calls('RelationGt', {}), /^profile 'local' has no operation 'RelationGt'$/],
      ['call', calls('__proto__', {}), /has no operation '__proto__'$/],
      ['call', calls('ProductUpdate_V2', {}), /^ProductUpdate_V2 writes, or may write; nothing was sent$/],
      ['relation_get', { ids: ['a\nb'] }, /is not an Id/],
      ['relation_get', { id: '--output-file=x' }, /^ID: '--output-file=x' is not a GUID/],
    ];
    for (const [name, given, words] of cases) {
      const { isError, answered } = await reader.call(name, given);
      assert.deepEqual([isError, answered.error?.['kind']], [true, 'usage'], name);
      assert.match(String(answered.error?.['message']), words);
    }
  });

  it('refuses a tool that it does not have, as one that writes', async () => {
    await assert.rejects(reader.call('write', {}), /there is no tool 'write'/);
    await assert.rejects(reader.call('__proto__', {}), /there is no tool '__proto__'/);
  });

  it('answers every request that it read before stdin ended, and ends with 0', async () => {
    const calls = Array.from({ length: 20 }, (_, at) =>
      toolCall(at, 'sql', { query: `SELECT Id FROM relations ORDER BY Id LIMIT 1 OFFSET ${at}` }),
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
      params: { name: 'list', arguments: { list: 'relation list', limit: 1, columns: 'Id' }, _meta: meta },
    };
    const { code, messages } = await talk(here.env, [], [request]);
    assert.equal(code, 0);
    assert.equal(answeredIn(messages[0]).count, 1);
  });

  it('cuts a long answer between records, and says so', async () => {
    const small = await agent(here.env, ['--max-bytes', '6000']);
    try {
      const all = await here.json<readonly unknown[]>(['relation', 'list']);
      const listed = await small.call('list', { list: 'relation list' });
      assert.equal(listed.isError, false);
      assert.ok(Buffer.byteLength(listed.text) <= 6000);
      const { count, records, cut } = listed.answered;
      assert.ok(count > 5 && count < all.length);
      assert.deepEqual(records, all.slice(0, count));
      assert.match(String(cut), /^cut at 6000 bytes: the next record has \d+ bytes; request less/);
      const page = { pageNumber: 1, pageSize: 50, includeFields: false, includeCounters: false };
      const called = await small.call('call', { operation: 'RelationGetAll', parameters: page });
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
            'cut at 6000 bytes: the first record has 8011 bytes; request less, with columns, a filter, a limit or a page',
          exitCode: 8,
        },
        records: [],
      });
    } finally {
      await small.close();
    }
  });

  it('refuses what makes no sense', async () => {
    const failing = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await here.run(['mcp', ...args]);
      assert.deepEqual([code, stdout], [code === 3 ? 3 : 2, '']);
      return stderr;
    };
    assert.match(await failing('--max-bytes', '100'), /--max-bytes takes a whole number from 4096/);
    assert.match(await failing('--deadline', '0s'), /--deadline/);
    assert.match(await failing('--profile', 'nobody'), /nobody/);
  });
});
