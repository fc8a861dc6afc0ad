import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { known } from '../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../support/operations/place.js';
import { ends, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { valuesOf } from '../support/thrown.js';

const { activityId } = known;
const entryName = '00000000-0041-4000-8000-000000002101';
const store = '00000000-0040-4000-8000-000000000021';

describe('--dry-run of a single write', () => {
  const here = place();
  /** Runs what must write nothing, and gives what it called. */
  const shown = async (args: readonly string[]): Promise<Run & { readonly calls: readonly string[] }> => {
    const trace = here.fresh('trace');
    const before = here.digest();
    const run = await here.run([...args, `--trace=${trace}`]);
    assert.equal(here.digest(), before);
    return { ...run, calls: callsIn(trace).map(({ operation }) => operation) };
  };
  const changes = async (args: readonly string[]): Promise<unknown> => {
    const { stdout } = await ends(shown([...args, '--dry-run', '-o', 'json', '-q']), 0);
    return JSON.parse(stdout);
  };

  it('reads the product, and shows the members that change with their values before and after', async () => {
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '12.50' WHERE "Code" = '00001'`);
    const update = ['product', 'update', '00001', '--sales-price', '9'];
    const { stdout, stderr, calls } = await ends(shown([...update, '--dry-run', '-o', 'csv']), 0);
    assert.equal(stdout, 'Member,Before,After\nSalesPrice,12.50,9\n');
    assert.deepEqual(calls, ['ProductGetAll_V2']);
    assert.match(stderr, /^Note: relctl called ProductGetAll_V2 for it\n/);
    assert.match(stderr, /would change product 00001 .*; nothing was sent\n$/);
    assert.deepEqual(await changes(update), [{ Member: 'SalesPrice', Before: '12.50', After: '9' }]);
  });

  it('shows no change where the product is so already', async () => {
    assert.deepEqual(await changes(['product', 'update', '00001', '--sales-price', '12.5']), []);
  });

  it('shows what a write that only adds would add, and calls nothing', async () => {
    const add = argv`datastore create-item ${store} --field ${entryName}=Visserij --translation en-US=Fishing`;
    const { code, stdout, stderr, calls } = await shown([...add, '--dry-run', '-o', 'json']);
    assert.deepEqual([code, calls], [0, []], stderr);
    assert.deepEqual(JSON.parse(stdout), [
      { Member: 'entityTypeId', After: store },
      { Member: `Field.${entryName}`, After: 'Visserij' },
      { Member: 'translations[0].CultureCode', After: 'en-US' },
      { Member: 'translations[0].Value', After: 'Fishing' },
    ]);
  });

  it('shows name, size and hash of a file, and not its content', async () => {
    const file = here.fresh('minutes.txt');
    writeFileSync(file, 'Minutes');
    const rows = (await changes(['activity', 'attach', activityId, file])) as readonly {
      Member: string;
      After: unknown;
    }[];
    assert.deepEqual(valuesOf(rows, 'Member'), ['fileName', 'size', 'sha256']);
    assert.equal(rows[1]?.After, 7);
  });

  it('shows the parameters of a call that writes, and is refused for one that reads and for XML', async () => {
    const call = ['call', 'ActivityUpdate', '--param', `activityId=${activityId}`];
    assert.deepEqual(await changes(call), [{ Member: 'activityId', After: activityId }]);
    const read = await shown(['call', 'MarkGetAll', '--dry-run']);
    assert.deepEqual([read.code, read.stdout, read.calls], [2, '', []]);
    assert.match(read.stderr, /MarkGetAll reads, and changes nothing: --envelope shows the request/);
    assert.match(read.stderr, /Try: relctl call MarkGetAll --envelope/);
  });

  it('of a command that reads is exit code 2, with a line that shows the request', async () => {
    for (const flag of ['--dry-run', '-n']) {
      const refused = await shown(['product', 'list', flag]);
      assert.deepEqual([refused.code, refused.stdout, refused.calls], [2, '', []]);
      const [, line = ''] = /Try: relctl (.*)\n/.exec(refused.stderr) ?? [];
      assert.match(line, /--envelope/, refused.stderr);
      const run = await shown([...line.split(' ').filter((word) => !word.startsWith('--trace'))]);
      assert.deepEqual([run.code, run.calls], [0, []], run.stderr);
      assert.match(run.stdout, /<ProductGetAll_V2 /);
    }
  });

  it('is not given with --envelope', async () => {
    const both = await shown(['product', 'update', '00001', '--name', 'x', '--dry-run', '--envelope']);
    assert.deepEqual([both.code, both.stdout], [2, '']);
    assert.match(both.stderr, /use one of them/);
  });
});

describe('--envelope of rows', () => {
  const here = place();

  it('prints the request of the first row that would be sent, and sends nothing', async () => {
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '1' WHERE "Code" IN ('00001', '00002')`);
    const file = here.fresh('prices.csv');
    writeFileSync(file, 'Code,SalesPrice\n00001,1\n00002,7.25\n');
    const before = here.digest();
    const run = await ends(here.run(['product', 'update', '--file', file, '--no-base', '--envelope']), 0);
    assert.match(run.stdout, /<Code>00002<\/Code>[^]*<SalesPrice>7\.25<\/SalesPrice>/);
    assert.equal(run.stdout.match(/<productData>/g)?.length, 1);
    assert.match(run.stderr, /the request of line 3 of \S+prices\.csv; nothing was sent/);
    assert.equal(here.digest(), before);
  });
});
