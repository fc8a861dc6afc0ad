import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { valuesOf } from '../../support/thrown.js';

interface Change {
  readonly _change: 'new' | 'changed' | 'gone';
  readonly Id: string;
  readonly [field: string]: unknown;
}

describe('A list of changes', function () {
  const here = place();
  let names = 0;
  const fresh = (): string => `snap-${(names += 1)}`;
  const changesOf = ({ code, stdout, stderr }: Run): readonly Change[] => {
    assert.deepEqual([code, stderr], [0, '']);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Change);
  };
  const list = async (what: string, name: string, ...more: readonly string[]): Promise<readonly Change[]> =>
    changesOf(await here.run([what, 'list', '--changes-since', name, '-o', 'ndjson', ...more]));
  const brief = (changes: readonly Change[]): readonly string[] =>
    changes.map(({ _change, Id }) => `${_change} ${Id}`).sort();
  const file = (name: string): string => join(here.folder, 'state/relctl/bookmarks/local', `${name}.bookmark`);
  const some = (table: string, count: number): readonly string[] =>
    here.rows(`SELECT "Id" FROM "${table}" ORDER BY seq DESC LIMIT ${count}`).map(([id]) => String(id));
  it('has what is gone where --where asks of it what the run before did not keep', async () => {
    const [gone = ''] = some('PvProductData_V2', 4).slice(3);
    const other = gone.replace(/^......../, 'fffffff0');
    const rename = (from: string, to: string): void =>
      here.execute(`UPDATE "PvProductData_V2" SET "Id" = '${to}' WHERE "Id" = '${from}'`);
    const found = async (kept: readonly string[], where: string): Promise<readonly string[]> => {
      const name = fresh();
      await list('product', name, ...kept);
      rename(gone, other);
      const changes = await list('product', name, '--where', where);
      rename(other, gone);
      return brief(changes.filter(({ _change }) => _change === 'gone'));
    };
    assert.deepEqual(await found([], 'SalesPrice < -1'), [`gone ${gone}`]);
    assert.deepEqual(await found(['--show', 'Name'], 'SalesPrice < -1'), [`gone ${gone}`]);
    assert.deepEqual(await found(['--show', 'SalesPrice'], 'SalesPrice < -1'), []);
    assert.deepEqual(await found(['--show', 'SalesPrice'], 'SalesPrice >= -1'), [`gone ${gone}`]);
    assert.deepEqual(await found([], "_change = 'new' and SalesPrice > 1000000"), []);
  });

  it('has of what is gone the columns that --show kept, and no more', async () => {
    for (const what of ['product', 'relation']) {
      const table = what === 'product' ? 'PvProductData_V2' : 'PvRelationData';
      const title = what === 'product' ? 'Name' : 'DisplayName';
      const name = fresh();
      await list(what, name, '--show', title);
      const [gone = '', another = '', third = ''] = some(table, 9).slice(6);
      const all = await here.json<readonly { readonly Id: string }[]>([what, 'list']);
      const recordOf = (id: string): object | undefined => all.find(({ Id }) => Id === id);
      const rename = (from: string, to: string): void =>
        here.execute(`UPDATE "${table}" SET "Id" = '${to}' WHERE "Id" = '${from}'`);
      const away = async (id: string, ...more: readonly string[]): Promise<unknown> => {
        const other = id.replace(/^......../, 'ffffffff');
        rename(id, other);
        const found = await list(what, name, ...more);
        rename(other, id);
        await list(what, name, ...more);
        const [one, ...others] = found.filter(({ _change }) => _change === 'gone');
        assert.deepEqual(others, []);
        return one;
      };
      const { [title]: text } = recordOf(gone) as Readonly<Record<string, unknown>>;
      assert.deepEqual(await away(gone, '--show', '*'), { _change: 'gone', Id: gone, [title]: text });
      assert.deepEqual(await away(another), { _change: 'gone', ...recordOf(another) });
      assert.deepEqual(await away(third), { _change: 'gone', Id: third });
    }
    await ends(here.run(['product', 'list', '--show', 'Name']), 2, /--show needs --changes-since/);
    await ends(here.run(['product', 'list', '--changes-since', fresh(), '--show', 'Nme']), 2, /Try: .* --show Name/);
  });

  it('refuses a snapshot whose kept columns were damaged', async () => {
    const name = fresh();
    await list('product', name, '--show', '*');
    const bytes = readFileSync(file(name));
    for (const damaged of [
      bytes.subarray(0, bytes.length - 1),
      Buffer.from(bytes.toString('latin1').replace('"records":', '"records":1'), 'latin1'),
    ]) {
      writeFileSync(file(name), damaged);
      await ends(here.run(['product', 'list', '--changes-since', name]), 10, /is damaged/);
    }
    rmSync(file(name));
  });

  it('has every record as new at first, and then only what changed, once', async () => {
    const name = fresh();
    const first = await list('product', name);
    const all = await here.json<readonly { readonly Id: string }[]>(['product', 'list']);
    assert.deepEqual(
      first,
      all.map((record) => ({ _change: 'new', ...record })),
    );
    assert.deepEqual(Object.keys(first[0] ?? {})[0], '_change');
    assert.deepEqual(await list('product', name), []);
    await ends(here.run(['product', 'update', '00001', '--sales-price', '13.5', '--yes', '--quiet']), 0);
    const changed = await list('product', name);
    assert.deepEqual(valuesOf(changed, '_change', 'Code', 'SalesPrice'), [['changed', '00001', '13.5']]);
    assert.deepEqual(await list('product', name), []);
  });

  it('reports records that are gone by their Id alone, and as new when they come back', async () => {
    const name = fresh();
    await list('relation', name, '--page-size', '7');
    const [gone = ''] = some('PvRelationData', 1);
    here.execute(`UPDATE "PvRelationData" SET "Id" = 'ffffffff-0000-4000-8000-000000000001' WHERE "Id" = '${gone}'`);
    const changes = await list('relation', name, '--page-size', '7');
    assert.deepEqual(brief(changes), [`gone ${gone}`, 'new ffffffff-0000-4000-8000-000000000001']);
    assert.deepEqual(changes.at(-1), { _change: 'gone', Id: gone });
    assert.deepEqual(await list('relation', name), [], 'the page size makes it no other job');
    here.execute(`UPDATE "PvRelationData" SET "Id" = '${gone}' WHERE "Id" = 'ffffffff-0000-4000-8000-000000000001'`);
    const back = await list('relation', name);
    assert.deepEqual(brief(back), ['gone ffffffff-0000-4000-8000-000000000001', `new ${gone}`]);
  });

  it('begins with the column _change in every format, whatever columns are asked for', async () => {
    const run = (...more: readonly string[]): Promise<Run> =>
      here.run(['product', 'list', '--changes-since', fresh(), ...more]);
    const csv = await run('-o', 'csv', '--columns', 'Code,Id');
    assert.match(csv.stdout, /^_change,Code,Id\nnew,00001,/);
    const placed = await run('-o', 'csv', '--columns', 'Code,_change');
    assert.match(placed.stdout, /^Code,_change\n00001,new\n/);
    const whole = await run('-o', 'tsv');
    assert.match(whole.stdout, /^_change\tId\t/);
    const table = await run();
    assert.match(table.stdout, /^_change +Id/);
  });

  it('stays as it was when a run fails or a list is not read to its end, and no record is gone by that', async () => {
    const name = fresh();
    await list('relation', name);
    const before = readFileSync(file(name));
    const [changed = ''] = some('PvRelationData', 2);
    here.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'Changed' WHERE "Id" = '${changed}'`);
    await here.failing('status=503;after=2', async () => {
      const args = argv`relation list --changes-since ${name} -o ndjson --page-size 20 --set retries=0`;
      const { stdout } = await ends(here.run(args), 8);
      assert.ok(!stdout.includes('"gone"'), stdout);
    });
    assert.deepEqual(readFileSync(file(name)), before);
    for (const flag of ['--limit', '--page']) {
      const { code, stderr } = await here.run(['relation', 'list', '--changes-since', name, flag, '1']);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`--changes-since and ${flag} cannot be used together`));
    }
    assert.deepEqual(brief(await list('relation', name)), [`changed ${changed}`]);
  });

  it('looks again for records that a first pass did not meet: a row that moved is not gone', async () => {
    const name = fresh();
    const rows = (await list('relationship', name)).length;
    // Each page begins one row too late, up to the empty one that ends the first pass.
    const firstPass = Math.ceil(rows / 11) + 1;
    const trace = here.fresh('trace');
    const args = ['--page-size', '10', '--concurrency', '1', `--trace=${trace}`];
    await here.failing(`rows-deleted=1;operation=RelationshipGetAll;first=${firstPass}`, async () => {
      assert.deepEqual(await list('relationship', name, ...args), []);
    });
    // Behind the end of each pass one page more is looked at; then page 0, and page 1, which it repeats.
    assert.equal(callsIn(trace).length, firstPass + 1 + 2 + Math.ceil(rows / 10) + 1 + 1);
    assert.deepEqual(await list('relationship', name), []);
  });

  it('is a file that is complete or not there, and begun again after an interruption', async () => {
    const name = fresh();
    const target = here.fresh('changes.ndjson.gz');
    const args = argv`relation list --changes-since ${name} -o ndjson --output-file ${target} --page-size 20`;
    await here.failing('status=503;after=2', async () => {
      assert.equal((await here.run([...args, '--set', 'retries=0'])).code, 8);
    });
    await ends(here.run(args), 0, '');
    const lines = gunzipSync(readFileSync(target)).toString().split('\n');
    assert.equal(lines.length - 1, 60);
    await ends(here.run([...args, '--resume']), 0);
    assert.equal(gunzipSync(readFileSync(target)).toString(), '');
  });

  it('refuses another job by what differs', async () => {
    const name = fresh();
    await list('product', name);
    const group = ['product', 'list', '--group', '00000000-0061-4000-8000-000000000001', '--changes-since', name];
    const { stderr } = await ends(here.run(group), 2, /operation was ProductGetAll_V2, is ProductGetAllByGroup/);
    assert.match(stderr, /Try: relctl bookmark list/);
  });

  it('is no flag of lists whose rows leave members out', async () => {
    const id = '00000000-0000-4000-8000-000000000102';
    for (const words of [
      ['relation', 'activities', id],
      ['relation', 'marks', id],
      ['activity', 'search', '--entity-type', id],
      ['activity', 'connected', id],
    ]) {
      await ends(here.run([...words, '--changes-since', 'x']), 2, /unknown flag --changes-since/, '');
    }
    for (const from of ['-2d', 'yesterday', '2020-01-01']) {
      await ends(here.run(['relation', 'activities', id, '--from', from, '-o', 'csv']), 0, '');
    }
  });

  it('is listed with its operation and its rows, and removed', async () => {
    const name = fresh();
    await list('product', name);
    const listed = async (): Promise<readonly unknown[]> =>
      (await here.json<{ Name: string; Operation: string; Rows: number }[]>(['bookmark', 'list'])).flatMap((line) =>
        line.Name === name ? [[line.Operation, line.Rows]] : [],
      );
    const products = Number(here.rows('SELECT count(*) FROM "PvProductData_V2"')[0]?.[0]);
    assert.deepEqual(await listed(), [['ProductGetAll_V2', products]]);
    assert.equal((await here.run(['bookmark', 'remove', name])).code, 0);
    assert.deepEqual(await listed(), []);
    await ends(here.run(['bookmark', 'remove', name]), 2, /there is no bookmark/);
  });
});
