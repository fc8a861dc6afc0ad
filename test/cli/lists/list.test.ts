import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { home, program, relctl } from '../../support/relctl.js';
import { needs, python } from '../../support/skip.js';

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
});
