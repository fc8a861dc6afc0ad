import assert from 'node:assert/strict';
import { callsIn, place } from '../support/operations/place.js';

const workflow = '00000000-0030-4000-8000-000000000001';
const branches = '00000000-0040-4000-8000-000000000021';
const groups = '00000000-0040-4000-8000-000000000022';

type Row = Readonly<Record<string, string>>;

const shown = ({ Kind, List, Key, Difference, Member, ValueA, ValueB }: Row): string =>
  [Kind, List, Key, Difference, Member, ValueA, ValueB].map((text) => text ?? '-').join(' | ');

describe('compare', function () {
  this.timeout(60_000);
  const here = place();
  const there = place();

  before(async () => {
    const words = [
      'profile',
      'add',
      'other',
      '--base-url',
      there.url(),
      '--namespace',
      'http://relctl.example/sandbox',
    ];
    const user = ['--user-id', '00000000-0000-4000-8000-000000000011', '--user-name', 'sandbox'];
    const database = ['--database-id', '00000000-0000-4000-8000-000000000002', '--api-key-stdin', '--password-stdin'];
    const input = '00000000-0000-4000-8000-000000000001\nzandbak\n';
    const added = await here.run([...words, ...user, ...database], { input });
    assert.deepEqual([added.code, added.stderr], [0, '']);
  });

  const rows = (...words: readonly string[]): Promise<readonly Row[]> =>
    here.json<readonly Row[]>(['compare', 'local', 'other', ...words]);

  it('says that there are no differences, and ends with 0', async () => {
    const same = await here.run(['compare', 'local', 'other', '--exit-code']);
    assert.deepEqual([same.code, same.stdout, same.stderr], [0, '', 'No differences.\n']);
  });

  it('calls each service for each list', async () => {
    const trace = here.fresh('trace');
    const lists = ['--workflow', workflow, '--datastore', branches, '--datastore', groups];
    const ran = await here.run(['compare', 'local', 'other', ...lists, `--trace=${trace}`]);
    assert.deepEqual([ran.code, ran.stderr], [0, 'No differences.\n']);
    const called = callsIn(trace).map(({ operation }) => operation);
    const count = (name: string): number => called.filter((each) => each === name).length;
    assert.equal(called.length, 32);
    assert.deepEqual(
      ['ProductGetAll_V2', 'MarkGetAll', 'CampaignMarkGetAll', 'DatastoreGetSbiCodes'].map(count),
      [2, 2, 2, 2],
    );
    assert.deepEqual(
      ['SystemDatastoreGetItems', 'WorkflowStepGetAll', 'ActivityGetFields', 'DatastoreGetWithParentItems_V2'].map(
        count,
      ),
      [16, 2, 2, 4],
    );
  });

  describe('of services that differ', () => {
    before(() => {
      there.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '12.5000' WHERE "Code" = '00001'`);
      there.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '1.10', "IsInactive" = 1 WHERE "Code" = '00002'`);
      there.execute(`UPDATE "PvProductData_V2" SET "Code" = 'NEW', "Name" = 'Newer' WHERE "Code" = '00003'`);
      there.execute(`UPDATE "PvProductData_V2" SET "Code" = '00005' WHERE "Code" = '00004'`);
      // Another Id for the same record is no difference.
      there.execute(
        `UPDATE "PvMarkData" SET "Id" = '00000000-0050-4000-8000-0000000000ff' WHERE "Name" = 'Nieuwsbrief'`,
      );
      there.execute(`UPDATE "PvMarkData" SET "ExternalDescription" = '' WHERE "Name" = 'Kerstkaart'`);
      there.execute(`UPDATE "PvSystemDatastoreItemData" SET "Code" = '04' WHERE "Description" = 'Contant'`);
      there.execute(`UPDATE "PvWorkflowStepData" SET "Name" = 'Klaar' WHERE "Code" = 'EIND'`);
      there.execute(`UPDATE "PvFieldData" SET "IsRequired" = 1 - "IsRequired" WHERE "Name" = 'Priority'`);
      there.execute(
        `UPDATE "PvDatastoreItemDataWithParent_V2_Translations" SET "Value" = 'Homes' WHERE "Value" = 'Housing'`,
      );
      there.execute(
        `UPDATE "PvDatastoreItemDataWithParent_V2" SET "ParentId" = '00000000-0042-4000-8000-000000002102' WHERE "Description" = 'Wegenbouw'`,
      );
    });

    it('prints each difference, by code or name, with numbers by value and without Ids', async () => {
      const products = here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE "Code" = ?', '00002');
      const names = here.rows(
        `SELECT "Name" FROM "PvProductData_V2" WHERE "Code" IN ('00003', '00004') ORDER BY "Code"`,
      );
      const found = await rows('--only', 'products,marks,system-datastores');
      assert.deepEqual(found.map(shown), [
        `product | - | 00002 | changed | SalesPrice | ${String(products[0]?.[0])} | 1.10`,
        'product | - | 00002 | changed | IsInactive | false | true',
        `product | - | 00003 | only-a | - | ${String(names[0]?.[0])} | -`,
        `product | - | 00004 | only-a | - | ${String(names[1]?.[0])} | -`,
        'product | - | 00005 | ambiguous | Code | 1 | 2',
        'product | - | NEW | only-b | - | - | Newer',
        'system-item | PaymentMethod | Contant | changed | Code | - | 04',
      ]);
    });

    it('ends with 12 when that is asked for, and with 0 otherwise, with the same rows', async () => {
      const words = ['compare', 'local', 'other', '--only', 'system-datastores', '-o', 'csv'];
      const [plain, coded] = [await here.run(words), await here.run([...words, '--exit-code'])];
      assert.deepEqual([plain.code, plain.stderr, coded.code], [0, '', 12]);
      assert.equal(
        plain.stdout,
        'Kind,List,Key,Difference,Member,ValueA,ValueB\nsystem-item,PaymentMethod,Contant,changed,Code,,04\n',
      );
      assert.equal(coded.stdout, plain.stdout);
      assert.match(coded.stderr, /local and other differ: 0 only-a, 0 only-b, 1 changed, 0 ambiguous/);
    });

    it('compares steps and fields of a workflow, and entries of datastores with parents and words', async () => {
      const lists = ['--workflow', workflow, '--datastore', groups, '--datastore', branches];
      const found = (await rows('--only', 'workflows,datastores', ...lists)).map(shown);
      assert.deepEqual(
        found.map((line) => line.replace(/(Priority \| changed \| IsRequired \|).*/, '$1')),
        [
          `workflow-step | ${workflow} | EIND | changed | Name | Afgerond | Klaar`,
          `workflow-field | ${workflow} | Priority | changed | IsRequired |`,
          `datastore-item | ${groups} | Wegenbouw | changed | Parent | Bouw | Zorg & welzijn`,
          `datastore-item | ${groups} | Woningbouw | changed | Translations.en-US | Housing | Homes`,
        ],
      );
    });

    it('says when what is above entries was not read', async () => {
      const { code, stdout, stderr } = await here.run([
        'compare',
        'local',
        'other',
        '--only',
        'datastores',
        '--datastore',
        groups,
        '-o',
        'csv',
      ]);
      assert.deepEqual([code, stdout.includes('Parent')], [0, false]);
      assert.match(stderr, /\d+ datastore-items of \S+ stand below entries of a datastore that was not read/);
    });
  });

  describe('by names', () => {
    const set = async (...words: readonly string[]): Promise<void> => {
      assert.equal((await here.run(['name', 'set', ...words])).code, 0);
    };
    before(async () => {
      await set('workflow', 'Sales', workflow, '--profile', 'local');
      await set('workflow', 'sales', '00000000-0030-4000-8000-000000000002', '--profile', 'other');
      await set('datastore', 'Branches', branches, '--profile', 'local');
    });

    it('means another Id in each profile, and takes what has a name in both', async () => {
      const trace = here.fresh('trace');
      const words = ['compare', 'local', 'other', '--only', 'workflows', `--trace=${trace}`];
      const byDefault = await here.run([...words, '-o', 'ndjson']);
      assert.equal(byDefault.code, 0);
      assert.equal(callsIn(trace).length, 4);
      const byName = await here.run([...words, '--workflow', 'SALES', '-o', 'ndjson']);
      const asBefore = byDefault.stdout.replaceAll('"List":"Sales"', '"List":"SALES"');
      assert.equal(byName.stdout, asBefore);
      assert.notEqual(byName.stdout, '');
    });

    it('ends as the call does that a service refuses, with the list and the profile', async () => {
      await set('workflow', 'Lost', workflow, '--profile', 'local');
      await set('workflow', 'Lost', '00000000-0030-4000-8000-0000000000ff', '--profile', 'other');
      const { code, stdout, stderr } = await here.run(['compare', 'local', 'other', '--workflow', 'Lost', '-o', 'csv']);
      assert.deepEqual([code, stdout], [5, '']);
      assert.match(stderr, /workflow-steps of Lost, profile 'other': There is no workflow/);
      for (const profile of ['local', 'other'])
        assert.equal((await here.run(['name', 'remove', 'workflow', 'Lost', '--profile', profile])).code, 0);
    });

    it('compares the groups and VAT rates of products that have a name in both', async () => {
      const [[code = '', group = '', vat = ''] = []] = here.rows(
        `SELECT Code, ProductGroupId, SalesVatId FROM PvProductData_V2 WHERE Code = '00001'`,
      );
      const words = ['--only', 'products', '--filter', `Key == '${String(code)}' && ends_with(Member, '.Name')`];
      await set('group', 'Bikes', String(group), '--profile', 'local');
      await set('vat-rate', 'High', String(vat), '--profile', 'local');
      assert.deepEqual(await rows(...words), []);
      await set('group', 'Cars', String(group), '--profile', 'other');
      await set('vat-rate', 'HIGH', String(vat), '--profile', 'other');
      assert.deepEqual((await rows(...words)).map(shown), [
        `product | - | ${String(code)} | changed | ProductGroupId.Name | Bikes | Cars`,
      ]);
    });

    it('says what has a name in one profile only', async () => {
      const whole = await here.run(['compare', 'local', 'other']);
      assert.match(whole.stderr, /datastore 'Branches' has a name in profile 'local' only and is not compared/);
      const asked = await here.run(['compare', 'local', 'other', '--datastore', 'Branches']);
      assert.equal(asked.code, 2);
      assert.match(asked.stderr, /profile 'other' has no datastore of that name/);
      assert.match(asked.stderr, /relctl name set datastore Branches ID --profile other/);
    });
  });

  describe('by the plans of mirrors', () => {
    const call = async (...words: readonly string[]): Promise<void> => {
      const { code, stderr } = await here.run(words);
      assert.equal(code, 0, stderr);
    };
    const steps = '00000000-0030-4000-8000-000000000003';
    const compare = ['compare', 'local', 'other', '--only', 'workflows,datastores'];

    before(async () => {
      await call('mirror', 'add', 'workflow', steps, '--profile', 'local');
      await call('mirror', 'add', 'datastore', groups, '--profile', 'local');
      await call('mirror', 'add', 'datastore', groups.toUpperCase(), '--profile', 'other');
    });

    it('takes what is in both, with one Id or one name, and says what is in one alone', async () => {
      const trace = here.fresh('trace');
      const { code, stderr } = await here.run([...compare, `--trace=${trace}`, '-o', 'csv']);
      assert.equal(code, 0);
      assert.match(stderr, new RegExp(`workflow ${steps} is a source of the mirror of profile 'local' only`));
      const read = callsIn(trace).filter(({ operation }) => operation.startsWith('Datastore'));
      assert.equal(read.length, 2);
      // A name in one of the profiles for an Id in both plans.
      await call('name', 'set', 'datastore', 'Groups', groups, '--profile', 'other');
      const named = await here.run([...compare, '-o', 'ndjson']);
      assert.match(named.stdout, /"List":"Groups"/);
      assert.doesNotMatch(named.stderr, /'Groups'/);
      await call('mirror', 'add', 'workflow', steps, '--profile', 'other');
      const both = await here.run([...compare, '-o', 'csv']);
      assert.doesNotMatch(both.stderr, new RegExp(steps));
    });

    it('goes on without that of a mirror of another service, and says so', async () => {
      await call('profile', 'edit', 'other', '--namespace', 'urn:other');
      try {
        const { stderr } = await here.run([...compare, '-o', 'csv']);
        assert.match(stderr, /a source of the mirror of 'other' is not compared: .*belongs to another service/);
      } finally {
        await call('profile', 'edit', 'other', '--namespace', 'http://relctl.example/sandbox');
      }
    });
  });

  it('prints nothing when one of the services does not give a list, and names both', async () => {
    await here.run(
      [
        'profile',
        'add',
        'dead',
        '--base-url',
        'http://127.0.0.1:1',
        '--namespace',
        'http://x',
        '--user-name',
        'x',
        '--api-key-stdin',
      ],
      {
        input: '00000000-0000-4000-8000-000000000001\n',
      },
    );
    const { code, stdout, stderr } = await here.run(['compare', 'local', 'dead', '-o', 'csv', '--retries', '0']);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /products, profile 'dead': /);
  });

  it('refuses flags that contradict each other, before any call', async () => {
    const trace = here.fresh('trace');
    const mistakes: readonly (readonly [RegExp, readonly string[]])[] = [
      [/--only leaves workflows out/, ['--only', 'marks', '--workflow', workflow]],
      [/no datastore has a name in both profiles/, ['--only', 'datastores']],
      [/--only takes one of products/, ['--only', 'marks,colours']],
      [/no column 'Colour'/, ['--columns', 'Colour', '-o', 'csv']],
    ];
    for (const [words, flags] of mistakes) {
      const { code, stderr } = await here.run(['compare', 'local', 'other', `--trace=${trace}`, ...flags]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
    }
    assert.deepEqual(callsIn(trace), []);
  });
});
