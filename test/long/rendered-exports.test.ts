import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { relctlProgram, throughShell } from '../support/output/pipe.js';
import { resultService, type Asked, type ResultService } from '../support/called.js';
import { argv } from '../support/argv.js';

const guid = (number: number): string => `6f9619ff-8b86-d011-b42d-${number.toString(16).padStart(12, '0')}`;

interface Row {
  readonly id?: number;
  readonly name: string;
  readonly more?: string;
}

const relation = ({ id, name, more = '' }: Row): string =>
  `<PvRelationData>${id === undefined ? '' : `<Id>${guid(id)}</Id>`}<EntityTypeId>${guid(9999)}</EntityTypeId>` +
  `<DisplayName>${name}</DisplayName><IsRoot>true</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive>${more}</PvRelationData>`;

const rowsFrom = (first: number, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index, name: `R${first + index}` }));

/** Lists in which a page holds more than plain new rows. */
const lists: Readonly<Record<string, readonly (readonly Row[])[]>> = {
  'of plain rows': [rowsFrom(1, 40), rowsFrom(41, 40), rowsFrom(81, 7)],
  'with rows that come again': [rowsFrom(1, 20), [...rowsFrom(15, 6), ...rowsFrom(21, 14)], rowsFrom(30, 9)],
  'with rows that come again and were changed': [rowsFrom(1, 10), [{ id: 3, name: 'changed' }, ...rowsFrom(11, 9)]],
  'with quotes, commas, line breaks and references': [
    [
      { id: 1, name: 'a, "b"' },
      { id: 2, name: 'line\nbreak' },
      { id: 3, name: '&amp;&#x20AC;&lt;' },
      { id: 4, name: '=1+1' },
      { id: 5, name: '' },
      { id: 6, name: '\u{1d4b3} \u00e9' },
    ],
  ],
  'with members that the contract does not know': [
    [...rowsFrom(1, 5), { id: 6, name: 'R6', more: '<Extra>x</Extra>' }, ...rowsFrom(7, 5)],
    [{ id: 12, name: 'R12', more: '<Extra>y</Extra>' }],
  ],
  'with rows without an Id': [[...rowsFrom(1, 3), { name: 'nobody' }, ...rowsFrom(4, 3)], [{ name: 'nobody else' }]],
};

const styles = [
  ['-o', 'csv'],
  ['-o', 'csv', '--delimiter', 'semicolon', '--decimal', 'comma', '--null-as', '\\N'],
  ['-o', 'csv', '--columns', 'DisplayName'],
  ['-o', 'csv', '--columns', 'Id,DisplayName'],
  ['-o', 'tsv'],
  ['-o', 'ndjson'],
  ['-o', 'ndjson', '--columns', 'Id'],
  ['-o', 'json'],
  ['-o', 'json', '--columns', 'DisplayName'],
  ['-o', 'yaml'],
  ['-o', 'csv', '--limit', '13'],
  ['-o', 'csv', '--where', "DisplayName like '%3%'"],
  ['-o', 'ndjson', '--where', "DisplayName not like '%3%'", '--limit', '13'],
  ['-o', 'tsv', '--columns', 'DisplayName', '--where', 'Info is not null and IsRoot'],
  ['-o', 'csv', '--where', 'IsDummy'],
  ['-o', 'json', '--where', 'IsDummy'],
  ['-o', 'yaml', '--where', 'IsDummy'],
];

/** Outputs that need the records, which are kept as text until then. */
const readBack = [
  ['-o', 'table'],
  ['-o', 'table', '--columns', 'DisplayName'],
  ['-o', 'card', '--limit', '13'],
  ['-o', 'xlsx'],
  ['-o', 'parquet', '--where', "DisplayName like '%3%'"],
  ['-o', 'csv', '--sort', 'DisplayName:desc'],
  ['-o', 'json', '--sort', 'DisplayName', '--limit', '5'],
  ['-o', 'json', '--query', '@'],
  ['-o', 'json', '--query', "length([?contains(DisplayName, '1')])"],
];

describe('An export whose rows are rendered while they are decoded', function () {
  let service: ResultService;
  let pages: readonly (readonly Row[])[] = [];
  /** The page that is answered with HTTP 500. */
  let broken = 0;
  /** What comes behind the list of each page. */
  let behind = '';
  /** A record that comes behind those of the first page. */
  let lastRow = (): string => '';

  before(async () => {
    service = await resultService(({ operation, page }: Asked) => {
      if (operation !== 'RelationGetAll' || page === broken) return undefined;
      const last = page === 1 ? lastRow() : '';
      return `<Relations>${(pages[page - 1] ?? []).map(relation).join('')}${last}</Relations>${behind}`;
    });
  });
  beforeEach(() => {
    broken = 0;
    behind = '';
    lastRow = () => '';
  });
  after(() => service.close());

  const file = (name: string): string => join(service.place.folder, name);
  const exported = async (name: string, ...flags: readonly string[]) => {
    const run = await service.run(['relation', 'list', '--output-file', file(name), '--force', ...flags]);
    const bytes = existsSync(file(name)) ? readFileSync(file(name)).toString('latin1') : undefined;
    // The name of the file stands in messages.
    return { code: run.code, stderr: run.stderr.replaceAll(name, 'FILE'), bytes };
  };

  for (const [what, list] of Object.entries(lists)) {
    it(`is to the byte that of records, for a list ${what}`, async () => {
      pages = list;
      for (const style of styles) {
        const rendered = await exported('rendered', ...style);
        // A trace shows the records, so they are kept.
        const kept = await exported('kept', ...style, `--trace=${file('trace')}`);
        assert.deepEqual(rendered, kept, style.join(' '));
        assert.notEqual(rendered.bytes, undefined);
        // Rows that come again, or have no Id, are told by their contents.
        if (what.includes('again') || style.includes('--limit')) continue;
        const agreed = await exported('agreed', ...style, '--consistent');
        assert.deepEqual([agreed.code, agreed.bytes], [0, kept.bytes], agreed.stderr);
      }
    });
  }

  for (const [what, list] of Object.entries(lists))
    it(`has as many rows as --count says, for a list ${what}`, async () => {
      pages = list;
      for (const filter of [[], ['--where', "DisplayName like '%3%'"], ['--where', 'IsDummy is not null']]) {
        const { bytes = '' } = await exported('counted', '-o', 'ndjson', ...filter);
        const { code, stdout } = await service.run(['relation', 'list', '--count', ...filter]);
        assert.deepEqual([code, stdout], [0, `${bytes.split('\n').length - 1}\n`], filter.join(' '));
      }
    });

  it('is consistent only where rows without an Id are the same each time, wherever they stand', async () => {
    const noId = (name: string): string =>
      relation({ id: 0, name }).replace(guid(0), guid(0).replaceAll(/[0-9a-f]/g, '0'));
    pages = [rowsFrom(1, 400)];
    lastRow = () => noId('always the same');
    assert.equal((await exported('agreed', '-o', 'csv', '--consistent')).code, 0);
    let asked = 0;
    lastRow = () => noId(`another each time ${(asked += 1)}`);
    const { code, stderr } = await exported('agreed', '-o', 'csv', '--consistent');
    assert.equal(code, 8, stderr);
    assert.match(stderr, /returned different records/);
    // It stands at two places by turns.
    lastRow = () => '';
    const [few, many] = [rowsFrom(1, 200), rowsFrom(201, 200)];
    pages = [];
    lastRow = () => {
      asked += 1;
      const [before, after] = asked % 2 === 0 ? [few, many] : [many, few];
      return [...before.map(relation), noId('somewhere'), ...after.map(relation)].join('');
    };
    assert.equal((await exported('agreed', '-o', 'csv', '--consistent')).code, 0);
  });

  it('tells of a refusal behind rows what it does of records', async () => {
    for (const count of [3, 400]) {
      pages = [rowsFrom(1, count)];
      behind = '<ErrorInformation>no more today</ErrorInformation>';
      const dataOf = async (...flags: readonly string[]): Promise<unknown> => {
        const run = await service.run(['relation', 'list', '-o', 'ndjson', ...flags]);
        assert.deepEqual([run.code, run.stdout], [4, '']);
        return (JSON.parse(run.stderr) as { readonly error: { readonly data: unknown } }).error.data;
      };
      const trace = `--trace=${file('trace')}`;
      const told = await dataOf(trace);
      for (const where of [['--output-file', file('refused'), '--restart'], ['--count']])
        assert.deepEqual(await dataOf(...where), told, where.join(' '));
      const { Relations } = told as { readonly Relations: readonly unknown[] };
      // An error has room for some of them.
      if (count === 3) assert.equal(Relations.length, 3);
      else assert.match(String(Relations.at(-1)), /^… \d+ more$/);
      assert.deepEqual((Relations[0] as Record<string, unknown>)['DisplayName'], 'R1');
    }
  });

  it('is resumed with records, and the other way round', async () => {
    pages = lists['with rows that come again'] ?? [];
    const trace = [`--trace=${file('trace')}`];
    const filters = [
      [],
      ['--where', "DisplayName like '%2%'"],
      ['--where', 'IsDummy'],
      // In two passes.
      ['--sort', 'DisplayName:desc', '--where', "DisplayName like '%2%'"],
    ];
    const formats = ['csv', 'json', 'yaml'];
    for (const [format, filter] of formats.flatMap((each) => filters.map((filter) => [each, filter] as const))) {
      const flags = ['-o', format, ...filter];
      const whole = await exported('whole', ...flags);
      for (const [first, second] of [
        [[], trace],
        [trace, []],
        [[], []],
      ] as const) {
        broken = 3;
        assert.equal((await exported('resumed', ...flags, '--restart', ...first)).code, 8);
        broken = 0;
        const { code, bytes } = await exported('resumed', ...flags, '--resume', ...second);
        assert.deepEqual([code, bytes], [0, whole.bytes]);
      }
    }
  });

  const printed = {
    'pages of a list': ['relation', 'list'],
    'pages by a key of their own': argv`
      call RelationGetAll --list Relations --key DisplayName --param includeFields=false --param includeCounters=false
    `,
    'a list without pages': ['call', 'RelationGetAll', '--list', 'Relations', '--page-params', 'none'].concat(
      ['pageNumber=1', 'pageSize=9', 'includeFields=false', 'includeCounters=false'].flatMap((one) => ['--param', one]),
    ),
  };

  for (const [what, args] of Object.entries(printed)) {
    // Each style with each list by pages; by the other ways, each style with a third of the lists.
    const most = what === 'pages of a list' ? 1 : 3;
    it(`are on stdout to the byte those of records, for ${what}`, async () => {
      for (const [which, list] of Object.values(lists).entries()) {
        pages = list;
        const all = [...styles, ...readBack, ['--count']];
        for (const style of all.filter((_, at) => (at + which) % most === 0)) {
          const rendered = await service.run([...args, ...style]);
          const kept = await service.run([...args, ...style, `--trace=${file('trace')}`]);
          assert.deepEqual(rendered, kept, style.join(' '));
          assert.equal(rendered.code, 0, rendered.stderr);
        }
      }
    });

    it(`are those of records where they are many, and where they are long, for ${what}`, async () => {
      const long = Array.from({ length: 60 }, (_, at) => ({
        id: at + 1,
        name: `R${(at * 7) % 60}`,
        more: at % 2 === 0 ? `<Info>é"&lt;${'x'.repeat(600_000)}</Info>` : '',
      }));
      for (const [list, formats] of [
        [rowsFrom(1, 30_000), what === 'pages of a list' ? ['table'] : []],
        [long, what === 'pages of a list' ? ['csv', 'yaml'] : ['csv']],
      ] as const) {
        if (formats.length === 0) continue;
        pages = [list];
        for (const style of [...formats.map((format) => ['-o', format]), ['-o', 'ndjson', '--sort', 'DisplayName']]) {
          const rendered = await service.run([...args, ...style]);
          const kept = await service.run([...args, ...style, `--trace=${file('trace')}`]);
          assert.equal(rendered.code, 0, rendered.stderr.slice(0, 500));
          assert.ok(rendered.stdout === kept.stdout && rendered.stderr === kept.stderr, style.join(' '));
          assert.ok(rendered.stdout.length > 1000);
        }
      }
    });

    it(`are not on stdout where the answer breaks off behind them, for ${what}`, async () => {
      pages = [rowsFrom(1, 300)];
      const ends = { '<Unclosed>': 7, '</Relations>': 7, '<ErrorInformation>no more today</ErrorInformation>': 4 };
      for (const [end, code] of Object.entries(ends))
        for (const format of ['csv', 'tsv', 'ndjson', 'json', 'yaml', 'table', 'card', 'xlsx', 'parquet']) {
          behind = end;
          const run = await service.run([...args, '-o', format]);
          assert.deepEqual([run.code, run.stdout], [code, ''], `${format} ${end}: ${run.stderr}`);
        }
    });

    it(`end quietly when the reader of stdout goes, for ${what}`, async () => {
      pages = [rowsFrom(1, 5000)];
      for (const format of ['csv', 'json', 'yaml']) {
        const program = relctlProgram(...args, '-o', format, '-p', 'there', '--quiet');
        const run = await throughShell('"$0" "$@" | head -1; exit "${PIPESTATUS[0]}"', program, service.env);
        assert.deepEqual([run.code, run.stderr, run.stdout.split('\n').length], [0, '', 2], format);
      }
    });
  }
});
