import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, relctl } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { commands } from '../../support/manifest.js';

interface Line {
  readonly Column: string;
  readonly Type: string;
  readonly With?: string;
  readonly Meaning: string;
}

const relation = '00000000-0000-4000-8000-000000000102';

describe('--columns help', () => {
  const here = place();
  const help = ['--columns', 'help'];

  const linesOf = async (...args: readonly string[]): Promise<readonly Line[]> =>
    here.json<readonly Line[]>([...args, ...help]);

  it('lists columns with types for every command that prints records, whatever else it needs', async () => {
    const ids = Object.entries(commands).filter(([, { flags }]) => Object.hasOwn(flags, 'columns'));
    assert.ok(ids.length > 30);
    const blank: string[] = [];
    for (const [id] of ids.filter(([each]) => each !== 'call' && each !== 'sql')) {
      const lines = await linesOf(...id.split(':'));
      if (lines.length === 0) blank.push(id);
      for (const { Column, Type, Meaning } of lines)
        assert.ok(Column !== '' && Type !== '' && Meaning !== '', `${id} ${Column}`);
      const columns = lines.map(({ Column }) => Column);
      assert.deepEqual(columns, [...new Set(columns)], id);
    }
    // What these call answers nothing.
    assert.deepEqual(blank.toSorted(), ['product:update']);
  });

  const reads: readonly (readonly string[])[] = [
    ['relation', 'list'],
    ['relation', 'get', relation],
    ['relation', 'marks', relation],
    ['relation', 'activities', relation],
    ['relation', 'phone-book', '--explode', 'none'],
    ['relationship', 'list'],
    ['product', 'list'],
    ['product', 'get', '00001'],
    ['mark', 'list'],
    ['notification', 'list'],
    ['notification', 'count'],
    ['datastore', 'sbi-codes'],
    ['datastore', 'system', 'PaymentMethod'],
    ['whoami'],
    ['profile', 'list'],
    ['operations'],
    argv`
      call RelationGet --param relationId=${relation} --param includeFields=false --param includeCounters=false
    `,
  ];
  for (const args of reads)
    it(`names the columns of ${args.slice(0, 2).join(' ')} as its CSV has them`, async () => {
      const { stdout } = await ends(here.run([...args, '-o', 'csv', '-q']), 0);
      const header = stdout.split('\n', 1)[0]?.split(',') ?? [];
      const own = (await linesOf(...args)).filter(({ With }) => With === undefined).map(({ Column }) => Column);
      // The name of a mark, and the users of --ids, are there when they are asked for.
      const asked = new Set(['Mark.Name', 'User', 'UserId'].filter((name) => !header.includes(name)));
      assert.deepEqual(
        own.filter((name) => !asked.has(name)),
        header,
      );
    });

  it('says of a statement that it decides', async () => {
    await ends(here.run(['sql', ...help]), 2, /the columns depend on the statement/);
  });

  it('names flags that bring further columns, which are there with them', async () => {
    const lines = await linesOf('relation', 'phone-book');
    const value = lines.find(({ Column }) => Column === 'TelephoneNumbers.Value');
    assert.deepEqual([value?.Type, value?.With], ['string', '--explode TelephoneNumbers']);
    const { stdout } = await here.run(['relation', 'phone-book', '-o', 'csv', '--explode', 'TelephoneNumbers']);
    const header = stdout.split('\n', 1)[0]?.split(',') ?? [];
    for (const { Column } of lines.filter(({ With }) => With === '--explode TelephoneNumbers'))
      assert.ok(header.includes(Column), Column);
    const needed = Object.fromEntries(
      (await linesOf('relation', 'activities')).map((line) => [line.Column, line.With]),
    );
    assert.deepEqual(
      ['_relationId', 'Field.NAME', 'Counter.NAME', 'Id'].map((name) => needed[name]),
      ['--ids', '--include-fields', '--include-counters', undefined],
    );
    const ofProducts = await linesOf('product', 'list');
    assert.ok(ofProducts.some(({ Column }) => Column === '_change'));
    assert.equal(ofProducts.find(({ Column }) => Column === 'UnitType')?.With, 'ProductGetAllByGroup');
  });

  it('is printed in each format, to a terminal or not, and calls nothing', async () => {
    const trace = here.fresh('trace.txt');
    const args = ['relation', 'list', `--trace=${trace}`];
    const lines = await linesOf(...args);
    const { stdout: csv } = await here.run([...args, '--columns=HELP', '-o', 'csv']);
    assert.equal(csv.split('\n')[0], 'Column,Type,With,Meaning');
    assert.equal(csv.trim().split('\n').length, lines.length + 1);
    const { stdout: text } = await here.run([...args, ...help]);
    assert.match(text, /^Column +Type +With +Meaning\nId +guid +Identifies the relation\.\n/);
    const { stdout: ndjson } = await here.run([...args, ...help, '-o', 'ndjson']);
    assert.deepEqual(
      ndjson
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
      lines,
    );
    const { stdout: yaml } = await here.run([...args, ...help, '-o', 'yaml']);
    assert.match(yaml, /^- Column: Id\n {2}Type: guid\n {2}Meaning: /);
    assert.ok((await here.run([...args, ...help, '-o', 'xlsx'])).stdout.startsWith('PK'));
    assert.deepEqual(callsIn(trace), []);
  });

  it('needs no profile, and changes nothing for a write', async () => {
    const env = { PATH: process.env['PATH'], HOME: here.folder, XDG_CONFIG_HOME: here.fresh('none') };
    const { stdout } = await ends(relctl(['relation', 'get', ...help, '-o', 'json'], { env }), 0, '');
    assert.equal((JSON.parse(stdout) as readonly Line[])[0]?.Column, 'Id');
    const before = here.digest();
    const write = ['product', 'update', '00001', '--name', 'Changed', '--yes', ...help];
    assert.equal((await here.run(write)).code, 0);
    assert.equal(here.digest(), before);
  });

  it('keeps the other mistakes of the line', async () => {
    const file = here.fresh('kept.csv');
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['relation', 'list', '--nope'], /unknown flag --nope/],
      [['relation', 'list', '-o', 'nope'], /unknown output format 'nope'/],
      [['relation', 'list', '--output-file', file], /--output-file is for records/],
      [['call'], /OPERATION is missing/],
      [['call', 'RelationGt'], /the contract has no operation 'RelationGt'/],
    ];
    for (const [args, message] of cases) {
      await ends(here.run([...args, ...help]), 2, message, '');
    }
    assert.throws(() => readFileSync(file));
  });
});
