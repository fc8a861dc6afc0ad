import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { list, opt, record, req, type RecordType } from '../../../../src/contract/build.js';
import {
  anyType,
  boolean,
  dateTime,
  decimal,
  guid,
  int,
  long,
  short,
  string,
} from '../../../../src/contract/scalars.js';
import { allColumns, chosenColumns } from '../../../../src/formats/columns.js';
import { openParquet, type RowGroupBounds } from '../../../../src/formats/writers/parquet/file.js';
import type { RecordValue } from '../../../../src/core/values/value.js';
import { duckdb, quoted, type Questions } from '../../../support/output/other-programs.js';

const Inner = record('Inner', 'A record within.', { At: opt(dateTime, 'At.'), By: opt(guid, 'By.') });
const Sample = record('Sample', 'A sample.', {
  Id: req(guid, 'Id.'),
  Name: opt(string, 'Name.'),
  Count: opt(int, 'Count.'),
  Place: opt(short, 'Place.'),
  Big: opt(long, 'Big.'),
  Price: opt(decimal, 'Price.'),
  Done: opt(boolean, 'Done.'),
  Audit: opt(Inner, 'Audit.'),
  Tags: opt(list(string), 'Tags.'),
  Any: opt(anyType, 'Any.'),
});

/** The cells that each record is to have: as CSV has them, but for numbers, booleans, and what is not there. */
const wanted = ({ Id, Name, Count, Place, Big, Price, Done, Audit, Tags, Any }: RecordValue): readonly unknown[] => {
  const { At, By } = (Audit ?? {}) as RecordValue;
  const whole = (value: unknown): unknown => (typeof value === 'number' ? BigInt(value) : null);
  const text = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  const cells = [Id, Name, whole(Count), whole(Place), Big, Price, Done, At, By, text(Tags), text(Any)];
  return cells.map((cell) => cell ?? null);
};

function bytesOf(records: readonly RecordValue[], bounds?: RowGroupBounds, type: RecordType = Sample): Buffer {
  const usual = { isChosen: false, shape: 'list', hasHeader: true } as const;
  const writer = openParquet({ ...usual, columns: allColumns(type) }, bounds);
  const pieces = [writer.begin()];
  for (let at = 0; at < records.length; at += 3) pieces.push(writer.records(records.slice(at, at + 3)));
  return Buffer.concat([...pieces, writer.end()]);
}

const orNothing = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 4, arbitrary: values }, fc.constant(null), fc.constant(undefined));

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '007', '1E5', 'null', 'Zoë 😀 漢字', '\uffff'),
);

/** A record without the members that are undefined. */
const sample = fc
  .record({
    Id: fc.uuid(),
    Name: orNothing(text),
    Count: orNothing(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    Place: orNothing(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
    Big: orNothing(fc.constantFrom('0', '-9223372036854775808', '+5', '007')),
    Price: orNothing(fc.constantFrom('0.00', '-0.125', '79228162514264337593543950335', '12.50')),
    Done: orNothing(fc.boolean()),
    Audit: orNothing(fc.record({ At: orNothing(fc.constantFrom('2026-01-31T09:30:00.1234567+01:00', 'no time')) })),
    Tags: orNothing(fc.array(text, { maxLength: 3 })),
    Any: orNothing(fc.oneof(text, fc.constant({ a: [1, null] }))),
  })
  .map((values) => JSON.parse(JSON.stringify(values)) as RecordValue);

describe('A Parquet file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-parquet-'));
  const file = join(folder, 'a.parquet');
  const from = `from ${quoted(file)}`;
  let reader: Questions | undefined;
  before(async function () {
    reader = await duckdb(this);
  });
  after(() => {
    reader?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function asked(sql: string): Promise<readonly (readonly unknown[])[]> {
    assert.ok(reader);
    return reader.rows(sql);
  }

  it('is read by DuckDB as the records are, in order, whatever they hold and wherever row groups end', async () => {
    const bounds = fc.record({ rows: fc.integer({ min: 1, max: 9 }), bytes: fc.constantFrom(1, 200, 1e9) });
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { maxLength: 40 }), bounds, async (records, ends) => {
        writeFileSync(file, bytesOf(records, ends));
        assert.deepEqual(await asked(`select * ${from}`), records.map(wanted));
      }),
      { numRuns: 60 },
    );
  });

  it('has a column for each member, with the type that loses nothing', async () => {
    writeFileSync(file, bytesOf([]));
    const described = await asked(`select column_name, column_type from (describe select * ${from})`);
    assert.deepEqual(Object.fromEntries(described as [string, string][]), {
      ...{ Id: 'VARCHAR', Name: 'VARCHAR', Count: 'BIGINT', Place: 'BIGINT', Big: 'VARCHAR', Price: 'VARCHAR' },
      ...{ Done: 'BOOLEAN', 'Audit.At': 'VARCHAR', 'Audit.By': 'VARCHAR', Tags: 'VARCHAR', Any: 'VARCHAR' },
    });
    assert.deepEqual(await asked(`select * ${from}`), []);
  });

  it('ends a row group at so many rows, or at so many bytes', async () => {
    const many = Array.from({ length: 10 }, (_, at) => ({ Id: String(at), Name: 'x'.repeat(at === 5 ? 5000 : 1) }));
    const groups = `select distinct row_group_id, row_group_num_rows from parquet_metadata(${quoted(file)}) order by 1`;
    const rows = async (bounds: RowGroupBounds): Promise<readonly unknown[]> => {
      writeFileSync(file, bytesOf(many, bounds));
      return (await asked(groups)).map(([, count]) => count);
    };
    assert.deepEqual(await rows({ rows: 4, bytes: 1e9 }), [4n, 4n, 2n]);
    assert.deepEqual(await rows({ rows: 100, bytes: 4000 }), [6n, 4n]);
  });

  it('lets a reader pass over row groups by their least and greatest values, and never over a row', async () => {
    const names = ['', 'a', 'Zoë', '😀', '\uffff', 'x'.repeat(40), `${'x'.repeat(40)}y`, '😁'.repeat(600)];
    const records = Array.from({ length: 64 }, (_, at) => ({ Id: String(at), Name: names[(at * 5) % 8] ?? '' }));
    writeFileSync(file, bytesOf(records, { rows: 3, bytes: 1e9 }));
    for (const name of names)
      assert.deepEqual(await asked(`select count(*) ${from} where Name = ${quoted(name)}`), [[8n]]);
    const bounds = `select stats_min_value, stats_max_value from parquet_metadata(${quoted(file)})`;
    const ids = await asked(`${bounds} where path_in_schema = 'Id' order by row_group_id limit 2`);
    assert.deepEqual(ids, [
      ['0', '2'],
      ['3', '5'],
    ]);
    // A long text would be in memory until the end.
    const without = await asked(`${bounds} where path_in_schema = 'Name' and stats_max_value is null`);
    assert.equal(without.length, 8);
  });

  it('holds long texts, and many of them', async () => {
    const lengths = [...new Array<number>(40).fill(1000), 0, 1, 1024, 1025, 30_000, 400_000, 7];
    const records = [...lengths, ...lengths].map((length, at) => ({ Id: String(at), Name: '漢'.repeat(length) }));
    writeFileSync(file, bytesOf(records));
    const wantedRows = records.map(({ Id, Name }) => [Id, Name]);
    assert.deepEqual(await asked(`select Id, Name ${from}`), wantedRows);
  });

  it('is the same file for the same records', () => {
    const records = fc.sample(fc.array(sample, { minLength: 30, maxLength: 30 }), { numRuns: 1, seed: 7 })[0] ?? [];
    assert.deepEqual(bytesOf(records), bytesOf(records));
  });

  it('has no two columns of one name, in any case of letters, and not none', () => {
    const usual = { isChosen: true, shape: 'list', hasHeader: true } as const;
    const columns = chosenColumns(Sample, 'Id,Name,ID=Price');
    assert.throws(() => openParquet({ ...usual, columns }), {
      kind: 'usage',
      message: 'two columns of a Parquet file would be called ID and Id',
    });
    assert.throws(() => openParquet({ ...usual, columns: [] }), { kind: 'usage' });
  });

  it('holds no value of another type than its column has', () => {
    for (const wrong of [{ Done: 'true' }, { Count: '1' }, { Count: 1.5 }, { Place: 2 ** 60 }])
      assert.throws(() => bytesOf([{ Id: 'a', ...wrong }]), { kind: 'bug' });
  });
});
