import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { csvReader } from '../../../src/core/text/separated/csv.js';
import { callsIn, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

type Record = Readonly<{ [member: string]: string | number | boolean | object | null }>;

const rowsIn = (text: string): readonly (readonly string[])[] => {
  const reader = csvReader();
  return [...reader.push(text), ...reader.end()].map(({ cells }) => cells);
};

describe('--columns', () => {
  const here = place();

  async function out(...args: readonly string[]): Promise<string> {
    return (await ends(here.run(args), 0, '')).stdout;
  }
  const inFile = async (name: string, ...args: readonly string[]): Promise<string> => {
    const file = here.fresh(name);
    await out(...args, '--output-file', file);
    return readFileSync(file, 'utf8');
  };
  const list = ['product', 'list'];

  it('gives columns other titles in every format', async () => {
    const plain = rowsIn(await out(...list, '-o', 'csv', '--columns', 'Code,Name')).slice(1);
    assert.ok(plain.length > 40);
    const chosen = ['--columns', 'Nr=Code,Called=name'];
    const titled = [['Nr', 'Called'], ...plain];
    assert.deepEqual(rowsIn(await out(...list, '-o', 'csv', ...chosen)), titled);
    assert.equal(await out(...list, '-o', 'tsv', ...chosen), titled.map((row) => `${row.join('\t')}\n`).join(''));
    const objects = plain.map(([Nr, Called]) => ({ Nr, Called }));
    assert.deepEqual(JSON.parse(await out(...list, '-o', 'json', ...chosen)), objects);
    const lines = objects.map((each) => `${JSON.stringify(each)}\n`).join('');
    assert.equal(await out(...list, '-o', 'ndjson', ...chosen), lines);
    assert.equal(await inFile('renamed.ndjson', ...list, ...chosen), lines);
    assert.match(await out(...list, '-o', 'yaml', ...chosen), /^- Nr: .+\n {2}Called: /);
    assert.match(await out(...list, '-o', 'table', ...chosen), /^Nr +Called\n/);
    assert.match(await out(...list, '-o', 'card', ...chosen), /^Nr {6}\S+\nCalled {2}/);
    const { stdout: stored } = await here.run([...list, '-o', 'xlsx', ...chosen]);
    assert.ok(stored.startsWith('PK'));
  });

  it('takes * for all others, as CSV has them without --columns', async () => {
    const [header = [], ...rows] = rowsIn(await out(...list, '-o', 'csv'));
    assert.equal(header[0], 'Id');
    assert.deepEqual(rowsIn(await out(...list, '-o', 'csv', '--columns', '*')), [header, ...rows]);
    assert.deepEqual(rowsIn(await out(...list, '-o', 'csv', '--columns', 'Nr=Id,*')), [
      ['Nr', ...header.slice(1)],
      ...rows,
    ]);
    const at = header.indexOf('Code');
    const moved = rows.map((row) => [row[at], ...row.filter((_, index) => index !== at)]);
    assert.deepEqual(rowsIn(await out(...list, '-o', 'csv', '--columns', 'code,*')).slice(1), moved);
  });

  it('takes * for the columns of fields too, in cells and in JSON, to stdout as to a file', async () => {
    const read = ['relation', 'list', '--include-fields', '--include-counters'];
    const [header = [], ...rows] = rowsIn(await out(...read, '-o', 'csv'));
    assert.ok(header.filter((title) => title.startsWith('Field.')).length > 3);
    assert.ok(header.some((title) => title.startsWith('Counter.')));
    assert.deepEqual(rowsIn(await out(...read, '-o', 'csv', '--columns', 'Nr=Id,*'))[0], ['Nr', ...header.slice(1)]);
    const lines = await out(...read, '-o', 'ndjson', '--columns', '*');
    const cells = lines
      .trimEnd()
      .split('\n')
      .map((line) => {
        const record = JSON.parse(line) as Record;
        for (const name of Object.keys(record)) assert.ok(header.includes(name), name);
        return header.map((name) => {
          const value = record[name] ?? '';
          return typeof value === 'object' ? JSON.stringify(value) : String(value);
        });
      });
    assert.deepEqual(cells, rows);
    assert.equal(await inFile('all.ndjson', ...read, '--columns', '*'), lines);
  });

  it('names one column of a list whose items have rows', async () => {
    const book = ['relation', 'phone-book', '-o', 'csv'];
    const plain = rowsIn(await out(...book, '--columns', 'TelephoneNumbers.Value'));
    assert.deepEqual(rowsIn(await out(...book, '--columns', 'Tel=telephonenumbers.value')), [
      ['Tel'],
      ...plain.slice(1),
    ]);
    const { code, stderr } = await here.run([...book, '--columns', 'Tel=TelephoneNumbers']);
    assert.equal(code, 2);
    assert.match(stderr, /TelephoneNumbers is 6 columns here.*'Tel=TelephoneNumbers\./);
  });

  it('says for which id of --ids a record came, where that is asked for', async () => {
    const ids = here.fresh('ids.txt');
    const others = rowsIn(await out('relation', 'list', '-o', 'csv', '--columns', 'Id', '--limit', '5', '-q'));
    writeFileSync(ids, `${others.slice(1).flat().join('\n')}\n`);
    const get = ['relation', 'get', '--ids', ids];
    const pairs = others.slice(1).map(([id = '']) => [id, id]);
    assert.deepEqual(rowsIn(await out(...get, '-o', 'csv', '--columns', '_relationId,Id')), [
      ['_relationId', 'Id'],
      ...pairs,
    ]);
    assert.deepEqual(
      await here.json([...get, '--columns', 'For=_relationid']),
      pairs.map(([id]) => ({ For: id })),
    );
    assert.doesNotMatch(await out(...get, '-o', 'csv'), /_relationId/);
  });

  it('resumes no export of other titles', async () => {
    const file = here.fresh('r.csv');
    const args = ['relation', 'list', '--page-size', '10', '--output-file', file, '--set', 'retries=0'];
    await here.fault('fault=Server,message="x";page=3');
    const failed = await here.run([...args, '--columns', 'A=Id']);
    await here.calm();
    assert.equal(failed.code, 8, failed.stderr);
    const other = await here.run([...args, '--columns', 'A=ImportKey', '--resume']);
    assert.notEqual(other.code, 0);
    assert.match(other.stderr, /columns/);
    assert.equal((await here.run([...args, '--columns', 'A=Id', '--resume'])).code, 0);
    const ids = await out('relation', 'list', '-o', 'csv', '--columns', 'Id');
    assert.equal(readFileSync(file, 'utf8'), ids.replace(/^Id/, 'A'));
  });

  it('refuses what is none before any call', async () => {
    const trace = here.fresh('trace.txt');
    for (const columns of ['Id,id', 'N=Id,N=Code', 'N=', '*,*', 'All=*', 'N=Idd', '*,Nope', '']) {
      const args = [...list, '-o', 'csv', '--columns', columns];
      const { code, stdout, stderr } = await here.run([...args, `--trace=${trace}`]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.deepEqual(callsIn(trace), [], stderr);
    }
    const { stderr } = await here.run(['product', 'list', '--sort', 'Cod']);
    assert.match(stderr, /there is no column 'Cod'.*\n.*Try: .*--sort Code/s);
  });
});
