import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../support/python.js';
import { home, relctl } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { smallWsdl } from './small-wsdl.js';

const program = fileURLToPath(new URL('./zeep-client.py', import.meta.url));
const python = pythonWith('zeep');
const namespace = 'http://relctl.example/sandbox';

const credentials = {
  ApiKey: '00000000-0000-4000-8000-000000000001',
  DatabaseId: '00000000-0000-4000-8000-000000000002',
  UserId: '00000000-0000-4000-8000-000000000011',
  UserName: 'sandbox',
  Password: 'zandbak',
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** An answer in a shape that both have: zeep's lists have one more level, and it cannot tell absent, nil and empty apart. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && /^Pv/.test(only[0]) && Array.isArray(only[1]))
    return plain(only[1]);
  return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]).filter(([, each]) => !isEmpty(each)));
}

/** True for what libxml2 takes no reference to. */
const holdsControls = (value: unknown): boolean =>
  /\\u00(?:0[0-8bcef]|1[0-9a-f])|[\ufffe\uffff]/.test(JSON.stringify(value));

describe('python3-zeep', function () {
  this.timeout(60_000);
  const place = home();
  let running: RunningSandbox | undefined;

  before(async function () {
    // Debian: apt-get install python3-zeep
    if (python === undefined) this.skip();
    running = await sandbox(place.env);
    writeFileSync(join(place.folder, 'small.wsdl'), smallWsdl(namespace, `${running.url}/V1/service.asmx`));
  });
  after(async () => {
    await running?.stop();
    place.remove();
  });

  function zeep(port: string, calls: readonly { operation: string; parameters: object }[]): unknown[] {
    const job = { wsdl: join(place.folder, 'small.wsdl'), port, calls };
    const { stdout, stderr, status } = spawnSync(python ?? '', [program], {
      input: JSON.stringify(job),
      env: place.env,
      maxBuffer: 2 ** 28,
    });
    assert.equal(status, 0, stderr.toString().slice(-1000));
    return JSON.parse(stdout.toString()) as unknown[];
  }

  async function byRelctl(args: readonly string[]): Promise<unknown> {
    const run = await relctl([...args, '--profile', 'sandbox', '-o', 'json'], { env: place.env });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    return plain(JSON.parse(run.stdout));
  }

  for (const port of ['CrmSoap', 'CrmSoap12']) {
    it(`gets the same records as relctl through ${port}`, async () => {
      const id = '00000000-0000-4000-8000-000000000101';
      const includes = { includeFields: true, includeCounters: true };
      const [relationships, relation, count, ...pages] = zeep(port, [
        {
          operation: 'RelationshipGetAll',
          parameters: { credentials, pageNumber: 1, pageSize: 1000, includeFields: true },
        },
        { operation: 'RelationGet', parameters: { credentials, relationId: id, ...includes } },
        { operation: 'NotificationGetCount', parameters: { credentials, userId: credentials.UserId } },
        ...Array.from({ length: 50 }, (_, index) => ({
          operation: 'RelationGetAll',
          parameters: { credentials, pageNumber: index + 1, pageSize: 5, ...includes },
        })),
      ]);
      const relations = (await byRelctl(['relation', 'list', '--include-fields', '--include-counters'])) as unknown[];
      const expected = Array.from({ length: 50 }, (_, index) => {
        const page = relations.slice(index * 5, index * 5 + 5);
        return holdsControls(page) ? { refused: true } : page;
      });
      assert.ok(expected.filter(Array.isArray).length > 45);
      // A result with one member comes without it: zeep unwraps.
      assert.deepEqual(pages.map(plain), expected);
      const listed = (await byRelctl(['relationship', 'list', '--include-fields'])) as unknown[];
      assert.ok(listed.length > 200);
      assert.deepEqual(plain(relationships), listed);
      const { Relation } = relation as { Relation: unknown };
      const shown = (await byRelctl(['relation', 'get', id, '--include-fields', '--include-counters'])) as Record<
        string,
        unknown
      >;
      const { Counters, ...fields } = shown;
      assert.ok(Array.isArray(Counters));
      assert.deepEqual(plain(Relation), fields);
      const { NumberOfNotifications } = count as { NumberOfNotifications: number };
      assert.deepEqual(await byRelctl(['notification', 'count']), { NumberOfNotifications });
    });
  }
});
