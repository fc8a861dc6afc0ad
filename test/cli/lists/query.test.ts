import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { valuesOf } from '../../support/thrown.js';

interface Product {
  readonly Id: string;
  readonly Code: string;
  readonly Name: string;
  readonly SalesPrice: string;
  readonly ProductType: string;
  readonly IsInactive: boolean;
}

interface Relation {
  readonly Id: string;
  readonly DisplayName: string;
}

/** A price in units of its tenth digit behind the point. */
const units = ({ SalesPrice: price }: Product): bigint => {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(10, '0'));
};

const dear = 1_000_0000000000n;

const codesIn = (csv: string): readonly string[] => csv.trim().split('\n').slice(1);

describe('What is asked of records', () => {
  const here = place();
  let products: readonly Product[] = [];
  before(async () => {
    products = await here.json<readonly Product[]>(['product', 'list']);
    assert.ok(products.length > 40);
  });

  const run = (...args: readonly string[]): Promise<Run> => here.run(args);
  const good = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(...args), 0)).stdout;
  };

  /** What --meta wrote of the records in a file. */
  function metaOf(file: string): { rows: unknown; firstId: unknown; lastId: unknown } {
    const { rows, firstId, lastId } = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as Record<string, unknown>;
    return { rows, firstId, lastId };
  }

  /** Runs an export whose third page cannot be had. */
  async function interrupted(...args: readonly string[]): Promise<void> {
    await here.fault('fault=Server,message="x";page=3');
    const failed = await run(...args, '--set', 'retries=0');
    await here.calm();
    assert.equal(failed.code, 8, failed.stderr);
  }

  const isDear = ['--where', 'SalesPrice > 1000'];
  const expected = (): readonly string[] => products.filter((each) => units(each) > dear).map(({ Code }) => Code);
  const byPrice = (): readonly string[] =>
    products.toSorted((a, b) => (units(a) < units(b) ? 1 : units(a) > units(b) ? -1 : 0)).map(({ Code }) => Code);

  describe('--where', () => {
    it('keeps the records for which it is true, in each format, page by page', async () => {
      assert.ok(expected().length > 3 && expected().length < products.length);
      const csv = await good('product', 'list', ...isDear, '-o', 'csv', '--columns', 'Code');
      assert.deepEqual(codesIn(csv), expected());
      const json = JSON.parse(await good('product', 'list', ...isDear, '-o', 'json')) as readonly Product[];
      assert.deepEqual(
        json,
        products.filter(({ Code }) => expected().includes(Code)),
      );
      const table = await good('product', 'list', ...isDear, '-o', 'table', '--columns', 'Code', '--no-header');
      assert.deepEqual(
        table
          .trim()
          .split('\n')
          .map((line) => line.trim()),
        expected(),
      );
    });

    it('goes through all pages of a list, to stdout as to a file, and lets --limit count what passes', async () => {
      const relations = await here.json<readonly Relation[]>(['relation', 'list']);
      const passing = relations
        .filter(({ DisplayName }) => DisplayName.toLowerCase().includes('e'))
        .map(({ Id }) => Id);
      assert.ok(passing.length > 10 && passing.length < relations.length);
      const asked = ['relation', 'list', '--where', "DisplayName like '%e%'", '--columns', 'Id', '--page-size', '7'];
      assert.deepEqual(codesIn(await good(...asked, '-o', 'csv')), passing);
      const file = here.fresh('e.csv');
      await good(...asked, '--output-file', file);
      assert.deepEqual(codesIn(readFileSync(file, 'utf8')), passing);
      const limited = await run(...asked, '--limit', '9', '--output-file', file);
      assert.deepEqual(codesIn(readFileSync(file, 'utf8')), passing.slice(0, 9));
      assert.match(limited.stderr, /stopped at --limit: relctl did not read the remaining relations/);
      const more = await run(...asked, '--limit', '1000', '-o', 'csv');
      assert.deepEqual([codesIn(more.stdout), more.stderr], [passing, '']);
    });

    it('gives --meta the first and the last record that pass, to the end of the list and to --limit', async () => {
      const asked = ['relation', 'list', '--where', "fold(DisplayName) like '%veen%'", '--columns', 'Id'];
      for (const limit of [[], ['--limit', '2']]) {
        const file = here.fresh('passed.csv');
        await good(...asked, ...limit, '--output-file', file, '--meta');
        const rows = codesIn(readFileSync(file, 'utf8'));
        assert.ok(rows.length > 1);
        assert.deepEqual(metaOf(file), { rows: rows.length, firstId: rows[0], lastId: rows.at(-1) });
      }
    });

    it('is asked of each row, where the items of a list have rows', async () => {
      interface Book {
        readonly relation: Relation;
        readonly TelephoneNumbers?: readonly { readonly Type: string; readonly Value: string }[] | null;
      }
      const book = await here.json<readonly Book[]>(['relation', 'phone-book']);
      const wanted = book.flatMap(({ relation, TelephoneNumbers: numbers }) =>
        (numbers ?? []).flatMap(({ Type, Value }) => (Type === 'Mobile' ? [`${relation.Id},${Value}`] : [])),
      );
      assert.ok(wanted.length > 2);
      const where = ['--where', "TelephoneNumbers.Type = 'Mobile'"];
      const asked = argv`relation phone-book ${where} --columns relation.Id,TelephoneNumbers.Value -o csv`;
      assert.deepEqual(codesIn(await good(...asked)), wanted);
      const file = here.fresh('sorted-numbers.csv');
      await good(...asked, '--sort', 'relation.Id', '--output-file', file);
      assert.deepEqual(codesIn(readFileSync(file, 'utf8')).toSorted(), wanted.toSorted());
      const limited = codesIn(await good(...asked, '--limit', '2'));
      assert.equal(new Set(limited.map((line) => line.split(',')[0])).size, 2);
      assert.deepEqual(limited, wanted.slice(0, limited.length));
      await ends(run('relation', 'phone-book', ...where, '-o', 'json'), 2, /TelephoneNumbers is a list/);
    });

    it('names fields as columns do, whatever the format', async () => {
      const fields = ['relation', 'list', '--include-fields'];
      interface Fielded extends Relation {
        readonly FieldValues: { readonly Items?: readonly { readonly Id: string; readonly Value?: string }[] };
      }
      const all = await here.json<readonly Fielded[]>(fields);
      const items = all.flatMap(({ FieldValues }) => FieldValues.Items ?? []);
      const [{ Id: id, Value: value = '' } = { Id: '' }] = items.filter(
        ({ Value }) => Value !== undefined && Value !== '',
      );
      const wanted = all.filter(({ FieldValues }) => {
        const first = FieldValues.Items?.find((item) => item.Id === id);
        return first?.Value === value;
      });
      assert.ok(wanted.length > 0 && wanted.length < all.length);
      const where = ['--where', `Field."${id}" = '${value.replaceAll("'", "''")}'`];
      const ids = wanted.map(({ Id }) => Id);
      assert.deepEqual(valuesOf(await here.json<readonly Relation[]>([...fields, ...where]), 'Id'), ids);
      assert.deepEqual(codesIn(await good(...fields, ...where, '-o', 'csv', '--columns', 'Id')), ids);
      assert.equal(await good(...fields, ...where, '--count'), `${ids.length}\n`);
      const one = ['relation', 'get', ids[0] ?? '', '--include-fields', '--count', ...where];
      assert.equal(await good(...one), '1\n');
      const bare = await run('relation', 'list', ...where);
      assert.match(bare.stderr, /needs --include-fields[^]*Try: [^\n]* --include-fields\n/);
    });

    it('that was interrupted goes on with --resume, for the same filter only', async () => {
      const file = here.fresh('resumed.csv');
      const asked = (text: string): readonly string[] => argv`
        relation list --where "DisplayName like '%${text}%'" --columns Id --page-size 10 --output-file ${file}
      `;
      const whole = await good(...asked('e').slice(0, -2), '-o', 'csv');
      await interrupted(...asked('e'));
      await ends(run(...asked('a'), '--resume'), 2);
      await good(...asked('e'), '--resume');
      assert.equal(readFileSync(file, 'utf8'), whole);
    });

    it('goes with --ids, and sees the column of the relation', async () => {
      const relations = await here.json<readonly { readonly Id: string }[]>(['relation', 'list']);
      const ids = here.fresh('ids.txt');
      writeFileSync(
        ids,
        relations
          .slice(0, 20)
          .map(({ Id }) => `${Id}\n`)
          .join(''),
      );
      const [one] = relations;
      const asked = ['relation', 'get', '--ids', ids, '-o', 'csv', '--columns', 'Id'];
      assert.deepEqual(codesIn(await good(...asked, '--where', `Id = '${one?.Id ?? ''}'`)), [one?.Id]);
      assert.equal(await good(...asked.slice(0, 4), '--count'), '20\n');
    });

    it('is asked of records that were printed, not of those that --changes-since compares', async () => {
      const since = (...more: readonly string[]): Promise<string> =>
        good('product', 'list', '--changes-since', 'asked', '-o', 'ndjson', ...more);
      await since('--where', "Code = 'none'");
      // All were compared, so none has changed since.
      assert.equal(await since(), '');
    });

    it('that one record does not pass gives the nothing of each format', async () => {
      const get = ['product', 'get', products[0]?.Code ?? '', '--where', "Code = 'none'", '--columns', 'Code'];
      const nothing = { json: 'null\n', yaml: 'null\n', ndjson: '', csv: 'Code\n', tsv: 'Code\n', card: '', table: '' };
      for (const [format, text] of Object.entries(nothing)) {
        const { code, stdout, stderr } = await run(...get, '-o', format);
        const isForPeople = format === 'card' || format === 'table';
        assert.deepEqual([code, stdout, stderr], [0, text, isForPeople ? 'Nothing found.\n' : ''], format);
      }
      assert.equal(await good(...get.slice(0, 5), '--count'), '0\n');
    });

    it('is asked of what other commands print', async () => {
      const operations = JSON.parse(
        await good('operations', '--where', "Access = 'read' and Name like '%Mark%'", '-o', 'json'),
      ) as readonly { readonly Name: string }[];
      assert.deepEqual(valuesOf(operations, 'Name'), ['RelationGetMarksModified', 'MarkGetAll', 'CampaignMarkGetAll']);
    });
  });

  describe('--sort', () => {
    it('sorts by value and keeps equal ones in the order of the list', async () => {
      const asked = ['product', 'list', '--sort', 'SalesPrice:desc', '--columns', 'Code'];
      assert.deepEqual(codesIn(await good(...asked, '-o', 'csv')), byPrice());
      const file = here.fresh('sorted.csv');
      await good(...asked, '--output-file', file);
      assert.deepEqual(codesIn(readFileSync(file, 'utf8')), byPrice());
    });

    it('says that --limit left some out, wherever they go', async () => {
      const asked = ['relation', 'list', '--sort', 'DisplayName', '--columns', 'Id', '--limit'];
      const note = 'Note: stopped at --limit: the list has more rows\n';
      const file = (end: string) => (): string[] => ['--output-file', here.fresh(`cut.${end}`)];
      for (const where of [() => ['-o', 'tsv'], file('csv'), file('xlsx')]) {
        await ends(run(...asked, '9999', ...where()), 0, '');
        await ends(run(...asked, '3', ...where()), 0, note);
      }
      const counted = await run('relation', 'list', '--sort', 'Id', '--limit', '3', '--count');
      assert.deepEqual([counted.stdout, counted.stderr], ['3\n', note]);
    });

    it('with --limit gives the number that --expect and --meta mean', async () => {
      const file = here.fresh('expected.csv');
      const asked = ['relation', 'list', '--sort', 'DisplayName', '--columns', 'Id', '--limit', '4', '-o', 'csv'];
      const rows = codesIn(await good(...asked, '--expect', '4'));
      await good(...asked, '--expect', '4', '--output-file', file, '--meta');
      assert.deepEqual(metaOf(file), { rows: 4, firstId: rows[0], lastId: rows[3] });
      await ends(run(...asked, '--expect', '5'), 8);
    });

    it('of an export that was interrupted goes on with --resume', async () => {
      const relations = await here.json<readonly Relation[]>(['relation', 'list']);
      // Names that people take for the same are beside each other.
      const letters = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
      const sorted = relations.toSorted(
        ({ DisplayName: a }, { DisplayName: b }) => compare(letters(a), letters(b)) || compare(a, b),
      );
      const file = here.fresh('resumed.csv');
      const asked = ['relation', 'list', '--sort', 'DisplayName', '--columns', 'Id', '--page-size', '10'];
      await interrupted(...asked, '--output-file', file);
      await good(...asked, '--output-file', file, '--resume');
      assert.deepEqual(
        codesIn(readFileSync(file, 'utf8')),
        sorted.map(({ Id }) => Id),
      );
    });
  });

  it('an interrupted export with --sort is not passed over by one without', async () => {
    const file = here.fresh('left.csv');
    const plain = ['relation', 'list', '--columns', 'Id', '--page-size', '10', '--output-file', file];
    const beside = (): readonly string[] =>
      readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
    await interrupted(...plain, '--sort', 'DisplayName');
    const left = beside();
    assert.ok(left.length > 0);
    for (const [flags, code] of [
      [[], 8],
      [['--resume'], 2],
    ] as const) {
      const refused = await run(...plain, ...flags);
      assert.deepEqual([refused.code, beside()], [code, left], refused.stderr);
      assert.match(refused.stderr, /another export.*--sort.*was interrupted/);
      assert.match(refused.stderr, /Try: .* --restart\n/);
    }
    await good(...plain, '--restart');
    assert.deepEqual(beside(), [basename(file)]);
    const ids = await good('relation', 'list', '-o', 'csv', '--columns', 'Id');
    assert.equal(readFileSync(file, 'utf8'), ids);
  });

  describe('--query', () => {
    const names = ['--query', "[?ProductType == 'Service'].{Nr: Code, Called: Name}"];
    const found = (): readonly { readonly Nr: string; readonly Called: string }[] =>
      products
        .filter(({ ProductType }) => ProductType === 'Service')
        .map(({ Code, Name }) => ({ Nr: Code, Called: Name }));

    it('is asked of all pages at once, and its records are printed in each format', async () => {
      const asked = ['product', 'list', ...names];
      assert.deepEqual(JSON.parse(await good(...asked, '-o', 'json')), found());
      const csv = await good(...asked, '-o', 'csv');
      assert.equal(csv.split('\n')[0], 'Nr,Called');
      assert.equal(csv.trim().split('\n').length, found().length + 1);
      const file = here.fresh('asked.json');
      await good(...asked, '--output-file', file);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), found());
    });

    it('is asked of the same records whatever the format: a list in a list is one', async () => {
      for (const format of ['csv', 'json', 'table'])
        assert.match(
          await good('relation', 'list', '--query', 'length([].FieldValues.Items[])', '-o', format),
          /\b0\b/,
        );
    });

    it('prints a value that is no record as a line, and as JSON', async () => {
      assert.equal(await good('product', 'list', '--query', 'length(@)'), `${products.length}\n`);
      assert.equal(await good('product', 'list', '--query', 'length(@)', '-o', 'json'), `${products.length}\n`);
      assert.deepEqual(
        JSON.parse(await good('product', 'list', '--query', '[].Code | [:2]', '-o', 'json')),
        products.slice(0, 2).map(({ Code }) => Code),
      );
    });

    it('may name a column as it likes, and a spreadsheet runs no title as a formula', async () => {
      const asked = ['product', 'list', '--query', '[:1].{"=1+1": Code}', '-o', 'csv'];
      assert.match(await good(...asked), /^=1\+1\n/);
      assert.match(await good(...asked, '--excel'), /^\ufeff"=""=1\+1"""\r\n/);
    });

    it('comes after --where and --sort', async () => {
      const asked = ['product', 'list', ...isDear, '--sort', 'SalesPrice:desc', '--query', '[].Code', '-o', 'json'];
      assert.deepEqual(
        JSON.parse(await good(...asked)),
        byPrice().filter((code) => expected().includes(code)),
      );
    });
  });

  it('--count is a number and a newline in each format, after --where', async () => {
    for (const format of ['table', 'csv', 'json', 'yaml', 'ndjson'])
      assert.equal(await good('product', 'list', ...isDear, '--count', '-o', format), `${expected().length}\n`, format);
    const file = here.fresh('count.txt');
    await good('product', 'list', '--count', '--output-file', file);
    assert.equal(readFileSync(file, 'utf8'), `${products.length}\n`);
  });

  it('--count is refused in a workbook, and with --query where --meta would describe what no record is', async () => {
    for (const [args, message] of [
      [['product', 'list', '--count', '-o', 'xlsx'], /--count writes a line of text, which is not a workbook/],
      [['relation', 'list', '--count', '--output-file', here.fresh('count.xlsx')], /which is not a workbook/],
      [
        ['relation', 'list', '--count', '--output-file', here.fresh('count.csv'), '--meta'],
        /--meta and --count cannot be used together/,
      ],
      [
        ['relation', 'list', '--query', '[]', '--output-file', here.fresh('q.csv'), '--meta'],
        /--meta and --query cannot be used together/,
      ],
    ] as const) {
      await ends(run(...args), 2, message);
    }
  });

  it('a mistake is exit 2 with its place, before any call', async () => {
    for (const [flags, message] of [
      [['--where', "SalesPrice > '3'"], /without quotes[^]*SalesPrice > '3'\n\s+\^[^]*SalesPrice > 3/],
      [['--query', '[?SalesPrice > `1000`]'], /cannot compare a decimal[^]*: --where compares by value/],
      [['--query', '[].Cod'], /no 'Cod' here[^]*Try: [^\n]*--query '?\[\]\.Code/],
      [['--sort', 'Nope'], /no column 'Nope'/],
      [['--sort', 'Code:up'], /directions are asc and desc/],
      [['--count', '--query', '@'], /--count and --query cannot be used together/],
      [
        ['--count', '--columns', 'Id'],
        /--columns and --count cannot be used together\n +--columns is [^\n]*\n +Try: [^\n]*--help\n/,
      ],
    ] as const) {
      const failed = await ends(run('product', 'list', ...flags, '--trace'), 2, message);
      assert.equal(callsIn(failed.stderr).length, 0, flags.join(' '));
    }
  });
});
