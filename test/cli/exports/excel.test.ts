import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

describe('CSV for Excel on the command line', () => {
  const here = place();
  const products = ['product', 'list', '--limit', '1', '--quiet', '--columns', 'Code,SalesPrice'];

  async function out(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return (await ends(here.run([...products, ...args], { env }), 0, '')).stdout;
  }

  let plain: readonly string[];
  before(async () => {
    const [, row = ''] = (await out(['-o', 'csv'])).split('\n');
    plain = row.split(',');
    assert.match(row, /^0\d+,\d+\.\d+$/);
  });

  it('refuses what contradicts it, with exit code 2', async () => {
    for (const [flags, said] of [
      [
        ['-o', 'csv', '--delimiter', 'comma', '--decimal', 'comma'],
        /Excel cannot read commas both as delimiter and in decimals/,
      ],
      [['-o', 'tsv'], /--excel is for csv, not for tsv/],
      [['--json'], /--excel is for csv, not for json/],
      [['-o', 'xlsx', '--output-file', here.fresh('a.xlsx')], /--excel is for csv, not for xlsx/],
    ] as const) {
      await ends(here.run([...products, '--excel', ...flags]), 2, said, '');
    }
  });

  it('is what the country of the profile writes, unless a flag says otherwise', async () => {
    const [code = '', price = ''] = plain;
    const [comma, kept] = [price.replace('.', ','), `"=""${code}"""`];
    for (const [country, flags, wanted] of [
      ['NL', [], `Code;SalesPrice\r\n${kept};${comma}`],
      ['gb', [], `Code,SalesPrice\r\n${kept},${price}`],
      ['GB', ['--decimal', 'comma'], `Code;SalesPrice\r\n${kept};${comma}`],
      ['GB', ['--delimiter', 'semicolon'], `Code;SalesPrice\r\n${kept};${price}`],
      ['CH', [], `Code;SalesPrice\r\n${kept};${price}`],
    ] as const)
      assert.equal(
        await out(['-o', 'csv', '--excel', '--set', `country=${country}`, ...flags]),
        `\ufeff${wanted}\r\n`,
        [country, ...flags].join(' '),
      );
    assert.equal(await out(['-o', 'csv', '--set', 'country=GB']), `Code,SalesPrice\n${plain.join(',')}\n`);
    for (const wrong of ['XQ', 'Nederland', '1A']) {
      const { code: exit, stderr } = await here.run([...products, '--set', `country=${wrong}`]);
      assert.equal(exit, 2);
      assert.match(stderr, /--set country takes the two letters of a country, such as NL or GB/);
    }
  });

  it('is a setting of the profile, for CSV alone, that a flag takes back', async () => {
    const wanted = await out(['-o', 'csv', '--excel']);
    const json = await out(['-o', 'json']);
    const tsv = await out(['-o', 'tsv']);
    const env = { RELCTL_EXCEL: 'true' };
    assert.equal(await out(['-o', 'csv'], env), wanted);
    await ends(here.run(['profile', 'edit', 'local', '--set', 'excel=yes']), 0);
    assert.equal(await out(['-o', 'csv']), wanted);
    const file = here.fresh('a.csv');
    await out(['--output-file', file]);
    assert.equal(readFileSync(file, 'utf8'), wanted);
    assert.deepEqual([await out(['-o', 'json']), await out(['-o', 'tsv'])], [json, tsv]);
    assert.equal(await out(['-o', 'csv', '--no-excel']), `Code,SalesPrice\n${plain.join(',')}\n`);
    const whole = await here.run(['relation', 'list', '-o', 'csv', '--columns', 'Id,ImportKey']);
    assert.ok(
      whole.stdout.startsWith('\ufeffId;ImportKey\r\n') && whole.stdout.includes(';"=""100001"""\r\n'),
      whole.stdout,
    );
    assert.equal((await here.run(['profile', 'edit', 'local', '--set', 'excel=no'])).code, 0);
  });
});
