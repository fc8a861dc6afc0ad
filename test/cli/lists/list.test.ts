import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { home, program, relctl } from '../../support/relctl.js';
import { needs, python } from '../../support/skip.js';
import { argv } from '../../support/argv.js';

interface Row {
  readonly Id: string;
  readonly DisplayName?: string | null;
}

/** Rows of a CSV file as Python's csv module reads them. */
function readByPython(csv: string): string[][] {
  const script =
    'import csv,io,json,sys; json.dump(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer,"utf-8",newline=""))), sys.stdout)';
  const { stdout, status, stderr } = spawnSync(python('csv'), ['-c', script], { input: csv, maxBuffer: 2 ** 28 });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString()) as string[][];
}

describe('A list of the embedded service', () => {
  const place = home();
  const { env } = place;
  after(() => place.remove());
  const needsPython = function (this: Mocha.Context): void {
    needs(this, 'python3');
  };

  it('is a table in text, with every row and no Id cut', async () => {
    const run = await relctl(['relation', 'list', '--profile', 'sandbox', '--limit', '5'], { env });
    assert.equal(run.code, 0, run.stderr);
    const ids = run.stdout.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
    assert.equal(new Set(ids).size, 5);
    assert.match(run.stderr, /more relations exist/);
  });

  it('gives every relation exactly once as CSV, read by Python', async function () {
    needsPython.call(this);
    const csv = await relctl(['relation', 'list', '--profile', 'sandbox', '-o', 'csv'], { env });
    const json = await relctl(['relation', 'list', '--profile', 'sandbox', '-o', 'json'], { env });
    assert.deepEqual([csv.code, json.code, csv.stderr, json.stderr], [0, 0, '', '']);
    const [header = [], ...rows] = readByPython(csv.stdout);
    const records = JSON.parse(json.stdout) as Row[];
    assert.equal(rows.length, 250);
    assert.equal(new Set(rows.map((row) => row[header.indexOf('Id')])).size, 250);
    assert.deepEqual(
      rows.map((row) => row[header.indexOf('Id')]),
      records.map((record) => record.Id),
    );
    assert.deepEqual(
      rows.map((row) => row[header.indexOf('DisplayName')]),
      records.map((record) => record.DisplayName ?? ''),
    );
  });

  it('gives the same rows whatever the page size', async () => {
    const first = await relctl(['relation', 'list', '-p', 'sandbox', '-o', 'ndjson', '--page-size', '7'], { env });
    const second = await relctl(['relation', 'list', '-p', 'sandbox', '-o', 'ndjson', '--page-size', '1000'], { env });
    assert.equal(first.stdout.split('\n').length, 251);
    assert.equal(first.stdout, second.stdout);
  });

  for (const format of ['table', 'card', 'json', 'ndjson', 'csv', 'tsv', 'yaml']) {
    it(`is never empty, and silent on stderr, as ${format}`, async () => {
      const run = await relctl(['relationship', 'list', '-p', 'sandbox', '-o', format], { env });
      assert.deepEqual([run.code, run.stderr], [0, '']);
      assert.ok(run.stdout.length > 1000);
    });
  }

  it('shows the columns asked for, with dots into nested records', async () => {
    const args = argv`relationship list -p sandbox -o csv --columns Id,AuditData.CreatedAt --limit 2`;
    const run = await relctl([...args, '--quiet'], { env });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.equal(run.stdout.split('\n')[0], 'Id,AuditData.CreatedAt');
    const bare = await relctl([...args, '--quiet', '--no-header'], { env });
    assert.equal(bare.stdout, run.stdout.split('\n').slice(1).join('\n'));
  });

  it('goes to a file whole, again and again, but not unasked over a file of somebody else', async () => {
    const file = `${place.folder}/relations.csv`;
    const args = ['relation', 'list', '-p', 'sandbox', '-o', 'csv', '--output-file', file];
    const written = await relctl(args, { env });
    assert.deepEqual([written.code, written.stdout], [0, '']);
    const whole = readFileSync(file, 'utf8');
    assert.equal((await relctl(args, { env })).code, 0);
    assert.equal(readFileSync(file, 'utf8'), whole);
    appendFileSync(file, 'a line of somebody else\n');
    const refused = await relctl(args, { env });
    assert.equal(refused.code, 10);
    assert.match(refused.stderr, /--force/);
    assert.match(readFileSync(file, 'utf8'), /a line of somebody else/);
    assert.equal((await relctl([...args, '--force'], { env })).code, 0);
    assert.equal(readFileSync(file, 'utf8'), whole);
  });

  it('ends quietly when the reader has gone, and asks for no page beyond the prefetch depth', async () => {
    const trace = `${place.folder}/trace.txt`;
    const command = `"${process.execPath}" "${program}" relation list -p sandbox -o csv --page-size 5 --trace=${trace} | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { env });
    const [header, code] = stdout.toString().trim().split('\n');
    assert.match(header ?? '', /^Id,/);
    assert.equal(code, '0');
    assert.equal(stderr.toString(), '');
    // Fifty pages exist. A closed pipe is seen at the first write after it: a page or two may go before.
    const asked = readFileSync(trace, 'utf8').split('> RelationGetAll').length - 1;
    assert.ok(asked >= 1 && asked <= 8, `${asked} pages`);
  });

  it('arrives whole through a slow pipe', async () => {
    const child = spawn(process.execPath, [program, 'operations', '-o', 'json'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const pieces: Buffer[] = [];
    child.stdout.pause();
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdout.on('readable', () => {
      const piece = child.stdout.read() as Buffer | null;
      if (piece !== null) pieces.push(piece);
    });
    assert.equal(await ended, 0);
    assert.ok((JSON.parse(Buffer.concat(pieces).toString()) as unknown[]).length >= 33);
  });

  it('passes json.tool as JSON', async function () {
    needsPython.call(this);
    const run = await relctl(['relation', 'list', '-p', 'sandbox', '-o', 'json'], { env });
    const { status, stderr } = spawnSync(python('csv'), ['-m', 'json.tool'], { input: run.stdout });
    assert.equal(status, 0, stderr.toString());
  });
});
