import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { Comparison, type DiffClaim, type Difference } from '../../../../src/lists/export/diff/compare.js';
import type { TableFile } from '../../../../src/lists/export/diff/read-table.js';
import { valuesOf } from '../../../support/thrown.js';

type Row = Readonly<Record<string, string>>;

/** Formats that are text. */
type TableFormat = 'csv' | 'tsv' | 'ndjson' | 'json';

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const columns = ['Id', 'A', 'B'];

/** Rows as a file of a format. */
function textOf(format: TableFormat, rows: readonly Row[]): string {
  const lines = (cells: (row: Row) => string): string => rows.map((row) => `${cells(row)}\n`).join('');
  switch (format) {
    case 'csv':
      return `${columns.join(',')}\n${lines((row) => columns.map((name) => quoted(row[name] ?? '')).join(','))}`;
    case 'tsv':
      return `${columns.join('\t')}\n${lines((row) => columns.map((name) => row[name] ?? '').join('\t'))}`;
    case 'ndjson':
      return lines((row) => JSON.stringify(row));
    case 'json':
      return JSON.stringify(rows, null, 2);
  }
}

interface Outcome {
  readonly differences: readonly Difference[];
  readonly claim: DiffClaim;
}

/** The rows by their key, and which of those with the key each is. */
function numbered(rows: readonly Row[]): Map<string, { readonly key: string; readonly row: Row }> {
  const times = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const key = row['Id'] ?? '';
      times.set(key, (times.get(key) ?? 0) + 1);
      return [`${key} ${times.get(key)}`, { key, row }];
    }),
  );
}

/** How many rows have a key that came before. */
const repeatsIn = (rows: readonly Row[]): number => rows.length - new Set(rows.map(({ Id }) => Id)).size;

const brief = ({ change, key, field, old, new: now }: Difference): string => [change, key, field, old, now].join(' | ');

/** The same by the most obvious means. */
function naive(left: readonly Row[], right: readonly Row[]): readonly string[] {
  const [before, after] = [numbered(left), numbered(right)];
  const changes = [...after].flatMap(([name, { key, row }]) => {
    const old = before.get(name)?.row;
    if (old === undefined) return [`added | ${key} |  |  | `];
    return columns
      .filter((name) => old[name] !== row[name])
      .map((name) => `changed | ${key} | ${name} | ${old[name] ?? ''} | ${row[name] ?? ''}`);
  });
  const gone = [...before].filter(([name]) => !after.has(name));
  return [...changes, ...gone.map(([, { key }]) => `removed | ${key} |  |  | `)];
}

const keys = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((at) => `00000000-0000-4000-8000-00000000000${at}`),
  fc.constantFrom('1', 'x', 'y"', 'z,'),
);
const cells = fc.constantFrom('', 'a', 'b', '1', 'x,y', 'l1 l2', 'é');
const tables = fc.array(fc.record({ Id: keys, A: cells, B: cells }), { maxLength: 14 });

describe('A comparison of two exports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-diff-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  const file = (content: string | Uint8Array, ending: string): string => {
    const path = join(folder, `${(files += 1)}.${ending}`);
    writeFileSync(path, content);
    return path;
  };
  const compared = async (
    [left, right]: readonly [string, string],
    format: TableFormat,
    more: { readonly key?: string; readonly held?: number } = {},
  ): Promise<Outcome> => {
    const table = (path: string): TableFile => ({ file: path, format, delimiter: ',' });
    const comparison = new Comparison({ left: table(left), right: table(right), key: 'Id', ...more });
    const differences: Difference[] = [];
    for await (const some of comparison.differences()) differences.push(...some);
    return { differences, claim: comparison.claim };
  };
  const both = (left: readonly Row[], right: readonly Row[], format: TableFormat): readonly [string, string] => [
    file(textOf(format, left), format),
    file(textOf(format, right), format),
  ];

  it('finds what the obvious means find, in their order, however few records are held at once', () =>
    fc.assert(
      fc.asyncProperty(
        tables,
        tables,
        fc.constantFrom<TableFormat>('csv', 'tsv'),
        fc.integer({ min: 1, max: 1200 }),
        async (left, right, format, held) => {
          const { differences, claim } = await compared(both(left, right, format), format, { held });
          assert.deepEqual(differences.map(brief), naive(left, right));
          assert.equal(claim.same + claim.changed + claim.added, right.length);
          assert.equal(claim.same + claim.changed + claim.removed, left.length);
          assert.deepEqual(valuesOf(claim.repeats, 'count'), [repeatsIn(left), repeatsIn(right)]);
        },
      ),
      { numRuns: 60 },
    ));

  it('finds the same in JSON and NDJSON, with values as JSON', () =>
    fc.assert(
      fc.asyncProperty(tables, tables, async (left, right) => {
        const one = await compared(both(left, right, 'json'), 'json');
        const other = await compared(both(left, right, 'ndjson'), 'ndjson');
        assert.deepEqual(one.differences.map(brief), other.differences.map(brief));
        const plain = (text: string | undefined): string | undefined =>
          text === undefined ? undefined : (JSON.parse(text) as string);
        const told = one.differences.map((found) => brief({ ...found, old: plain(found.old), new: plain(found.new) }));
        assert.deepEqual(told, naive(left, right));
      }),
      { numRuns: 30 },
    ));

  it('names the field of a nested record that changed, and distinguishes absent, nil and empty', async () => {
    const left = '[{"Id":"1","Audit":{"At":"a","By":null},"Tags":[1,2],"Gone":""},{"Id":"2"}]';
    const right = '[{"Tags":[2,1],"Audit":{"At":"b","By":""},"Id":"1"},{"Id":"2"}]';
    const { differences } = await compared([file(left, 'json'), file(right, 'json')], 'json');
    assert.deepEqual(valuesOf(differences, 'field', 'old', 'new'), [
      ['Audit.At', '"a"', '"b"'],
      ['Audit.By', 'null', '""'],
      ['Tags', '[1,2]', '[2,1]'],
      ['Gone', '""', undefined],
    ]);
  });

  it('compares and prints numbers digit for digit, however many digits they have', async () => {
    const numbers = ['9007199254740993', '9007199254740992', '0.1234567890123456789', '0.1234567890123456788', '1e400'];
    for (const [at, old] of numbers.entries()) {
      const now = numbers[(at + 1) % numbers.length] ?? '';
      const [left, right] = [
        `{"Id":"1","N":${old},"T":["${old}\\"",${old}]}\n`,
        `{"Id":"1","N":${now},"T":["${old}\\"",${old}]}\n`,
      ];
      const { differences } = await compared([file(left, 'ndjson'), file(right, 'ndjson')], 'ndjson');
      assert.deepEqual(
        differences.map((each) => [each.field, each.old, each.new]),
        [['N', old, now]],
      );
    }
    const plain = '[{"Id":"1","N":5,"T":["9007199254740993"]}]';
    const { claim } = await compared([file(plain, 'json'), file(plain, 'json')], 'json');
    assert.equal(claim.same, 1);
  });

  it('reports a column that only one file has once, and compares the others in any order', async () => {
    const paths = [file('Id,A,B\n1,a,b\n2,c,d\n', 'csv'), file('\ufeffB,Id,C\nb,1,x\nD,2,y\n', 'csv')] as const;
    const { differences, claim } = await compared(paths, 'csv');
    const told = ['column-removed |  | A |  | ', 'column-added |  | C |  | ', 'changed | 2 | B | d | D'];
    assert.deepEqual(differences.map(brief), told);
    assert.deepEqual([claim.columns, claim.changed, claim.same], [2, 1, 1]);
  });

  it('reports lines and repeated keys, and takes any column as the key', async () => {
    const paths = [file('Code,A\nx,1\n"y\nz",2\nx,9\n', 'csv'), file('Code,A\nx,2\nnew,1\n', 'csv')] as const;
    const { differences, claim } = await compared(paths, 'csv', { key: 'Code' });
    assert.deepEqual(valuesOf(differences, 'change', 'key', 'line'), [
      ['changed', 'x', 2],
      ['added', 'new', 3],
      ['removed', 'y\nz', 3],
      ['removed', 'x', 5],
    ]);
    assert.deepEqual(claim.repeats, [{ count: 1, first: { key: 'x', line: 5 } }, { count: 0 }]);
  });

  it('reads packed files, also of more than one member', async () => {
    const left = file(Buffer.concat([gzipSync('Id,A\n1,a\n'), gzipSync('2,b\n')]), 'csv.gz');
    const right = file('Id,A\n2,c\n1,a\n', 'csv');
    assert.deepEqual((await compared([left, right], 'csv')).differences.map(brief), ['changed | 2 | A | b | c']);
  });

  it('takes old values from the record of the same place within a key, wherever it reads on from', async () => {
    const left = 'Id,A\n1,a\n2,b\n1,x\n2,y\n3,c\n';
    const paths = [file(left, 'csv'), file('Id,A\n3,C\n2,B\n1,A\n1,X\n', 'csv')] as const;
    for (const held of [1, 400, 10_000]) {
      const { differences } = await compared(paths, 'csv', { held });
      assert.deepEqual(differences.map(brief), [
        'changed | 3 | A | c | C',
        'changed | 2 | A | b | B',
        'changed | 1 | A | a | A',
        'changed | 1 | A | x | X',
        'removed | 2 |  |  | ',
      ]);
    }
  });

  it('refuses a file that changes while it is compared', async () => {
    const [changed, removed] = ['Id,A\nnew,\n2,B\n', 'Id,A\nnew,\n'];
    for (const [other, meanwhile] of [
      [changed, 'Id,A\n1,a\n'],
      [changed, 'Id,A\n2,b\n1,a\n'],
      [changed, 'Id,A\n'],
      [removed, 'Id,A\n1,a\n'],
      [removed, 'Id,A\n2,b\n1,a\n'],
    ] as const) {
      const path = file('Id,A\n1,a\n2,b\n', 'csv');
      const table = (name: string): TableFile => ({ file: name, format: 'csv', delimiter: ',' });
      const comparison = new Comparison({ left: table(path), right: table(file(other, 'csv')), key: 'Id', held: 1 });
      const found = comparison.differences();
      await found.next();
      await found.next();
      writeFileSync(path, meanwhile);
      await assert.rejects(
        async () => {
          for await (const some of found) assert.ok(some);
        },
        { kind: 'usage', message: /changed during the comparison/ },
      );
    }
  });

  it('refuses what is no whole table, by file and line', async () => {
    const sound = file('Id,A\n1,a\n', 'csv');
    const refused = async (content: string | Uint8Array, message: RegExp, ending = 'csv'): Promise<void> => {
      await assert.rejects(compared([sound, file(content, ending)], 'csv'), { kind: 'usage', message });
    };
    await refused('Id,A\n1,a\n2\n', /\d+\.csv, line 3: 1 cells, but the header has 2/);
    await refused('Id,A\n1,"a\n', /line 2: the quotation mark .* is not closed/);
    await refused('', /line 1: there is no header/);
    await refused('Id,Id\n', /line 1: two columns are named 'Id'/);
    await refused('A,B\n1,2\n', /has no column Id; it has A, B/);
    await refused('Id,A\n,2\n', /line 2: a record without Id/);
    await refused(Buffer.from([0x49, 0x64, 0x0a, 0xff, 0x0a]), /is not UTF-8/);
    await refused(gzipSync('Id,A\n1,a\n').subarray(0, 15), /is not a complete gzip file/, 'csv.gz');
    const missing = compared([sound, join(folder, 'nothing.csv')], 'csv');
    await assert.rejects(missing, { kind: 'usage', message: /cannot be read: there is no such file/ });
  });

  it('refuses what is no list of records in JSON, by line', async () => {
    const list = file('[]', 'json');
    const refused = async (text: string, message: RegExp): Promise<void> => {
      await assert.rejects(compared([list, file(text, 'json')], 'json'), { kind: 'usage', message });
    };
    await refused('[{"Id":1},\n[]]', /line 2: this is not a record/);
    await refused('[{"Id":1},\n{"Id"}]', /line 2: a record is not valid JSON/);
    await refused('[{"A":1}]', /line 1: a record without Id/);
    await refused('[{"Id":1}', /line 1: the JSON array does not end/);
  });
});
