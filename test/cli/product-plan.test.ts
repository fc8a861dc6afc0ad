import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { callsIn, place } from '../support/operations/place.js';

/** Rows of a CSV file without quotes. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));

describe('product update --dry-run and --from-plan', () => {
  const here = place();
  const file = (text: string): string => {
    const path = here.fresh('prices.csv');
    writeFileSync(path, text);
    return path;
  };
  const update = (...args: readonly string[]): ReturnType<typeof here.run> => here.run(['product', 'update', ...args]);
  const dryRun = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    update('--from', path, '--dry-run', '--no-base', ...more);
  /** Makes a plan of these rows; nothing may be written by it. */
  const planOf = async (text: string, ...more: readonly string[]): Promise<string> => {
    const plan = here.fresh('prices.plan');
    const before = here.digest();
    const run = await dryRun(file(text), '--plan', plan, ...more);
    assert.equal(run.code, 0, run.stderr);
    assert.equal(here.digest(), before);
    return plan;
  };
  const apply = (plan: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    update('--from-plan', plan, '--yes', ...more);
  const price = (code: string): unknown =>
    here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE Code = ?', code)[0]?.[0];
  const setPrice = (code: string, text: string): void =>
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '${text}' WHERE "Code" = '${code}'`);
  const outcomes = (plan: string): readonly string[] =>
    rowsOf(readFileSync(`${plan}.results.csv`, 'utf8')).map((cells) => cells[2] ?? '');

  it('shows a line for each row, with what changes, what does not and what is wrong, and sends nothing', async () => {
    setPrice('00001', '1.00');
    setPrice('00002', '2.00');
    const path = file('Code,SalesPrice\n00001,1.50\n00002,2.0\nabc,1\n');
    const before = here.digest();
    const trace = here.fresh('trace');
    const run = await dryRun(path, '-o', 'json', `--trace=${trace}`);
    assert.equal(run.code, 2);
    assert.match(run.stderr, /"line":4,"column":"Code","what":"there is no product 'abc'"/);
    const rows = JSON.parse(run.stdout) as readonly Record<string, unknown>[];
    assert.deepEqual(
      rows.map(({ Line, Plan, Changes }) => ({ Line, Plan, Changes })),
      [
        { Line: 2, Plan: 'change', Changes: [{ Member: 'SalesPrice', Before: '1.00', After: '1.50' }] },
        { Line: 3, Plan: 'unchanged', Changes: [] },
        { Line: 4, Plan: 'mistake', Changes: undefined },
      ],
    );
    assert.deepEqual(
      callsIn(trace).map(({ operation }) => operation),
      ['ProductGetAll_V2'],
    );
    assert.equal(here.digest(), before);
    assert.ok(!existsSync(`${path}.results.csv`) && !existsSync(`${path}.results.csv.journal`));
    const table = await dryRun(path, '--skip-invalid');
    assert.equal(table.code, 0);
    assert.match(table.stdout, /SalesPrice: "1\.00" -> "1\.50"/);
    assert.match(table.stderr, /3 rows: 1 change, 1 unchanged, 1 mistake; nothing was sent/);
  });

  it('keeps a plan that others cannot read, and names its hash', async () => {
    const plan = here.fresh('prices.plan');
    const run = await dryRun(file('Code,SalesPrice\n00001,3.25\n'), '--plan', plan);
    assert.equal(run.code, 0, run.stderr);
    assert.ok(run.stderr.includes(createHash('sha256').update(readFileSync(plan)).digest('hex')), run.stderr);
    if (process.platform !== 'win32') assert.equal(statSync(plan).mode & 0o777, 0o600);
    const again = await dryRun(file('Code,SalesPrice\n00001,3.26\n'), '--plan', plan);
    assert.deepEqual([again.code, /exists already/.test(again.stderr)], [2, true]);
    const mistaken = here.fresh('prices.plan');
    assert.equal((await dryRun(file('Code,SalesPrice\n00001,x\n'), '--plan', mistaken)).code, 2);
    assert.ok(!existsSync(mistaken));
  });

  it('applies a plan without its spreadsheet, once', async () => {
    setPrice('00001', '1.00');
    const path = file('Code,SalesPrice\n00001,12345678901234567890.10\n');
    const plan = here.fresh('prices.plan');
    assert.equal((await dryRun(path, '--plan', plan)).code, 0);
    rmSync(path);
    const run = await apply(plan);
    assert.equal(run.code, 0, run.stderr);
    assert.equal(price('00001'), '12345678901234567890.10');
    assert.deepEqual(outcomes(plan), ['done']);
    const second = await apply(plan);
    assert.equal(second.code, 2);
    assert.match(second.stderr, /was written .* already/);
    // What a row would write is there already: nothing is sent.
    const trace = here.fresh('trace');
    assert.equal((await apply(plan, '--restart', `--trace=${trace}`)).code, 0);
    assert.deepEqual(outcomes(plan), ['unchanged']);
    assert.ok(callsIn(trace).every(({ operation }) => operation === 'ProductGetAll_V2'));
  });

  it('reports rows whose record has moved since, with what changed, and sends the others', async () => {
    setPrice('00001', '1.00');
    setPrice('00002', '2.00');
    const plan = await planOf('Code,SalesPrice\n00001,1.50\n00002,2.50\n');
    setPrice('00001', '9.99');
    const shown = await update('--from-plan', plan, '--dry-run', '-o', 'json');
    assert.equal(shown.code, 0, shown.stderr);
    assert.deepEqual(
      (JSON.parse(shown.stdout) as readonly Record<string, unknown>[]).map((row) => row['Plan']),
      ['conflict', 'change'],
    );
    const run = await apply(plan);
    assert.equal(run.code, 8, run.stderr);
    assert.deepEqual([price('00001'), price('00002')], ['9.99', '2.50']);
    assert.deepEqual(outcomes(plan), ['conflict', 'done']);
    assert.match(readFileSync(`${plan}.results.csv`, 'utf8'), /SalesPrice was ""1\.00"", is ""9\.99""/);
  });

  it('leaves the rows with mistakes out, and ends with 8', async () => {
    setPrice('00001', '1.00');
    const plan = await planOf('Code,SalesPrice\n00001,1.75\n00002,x\n', '--skip-invalid');
    const run = await apply(plan);
    assert.equal(run.code, 8, run.stderr);
    assert.deepEqual([price('00001'), outcomes(plan)], ['1.75', ['done', 'not sent']]);
  });

  it('refuses a plan that was cut, edited, put together or made for something else, and sends nothing', async () => {
    setPrice('00001', '1.00');
    setPrice('00002', '1.00');
    const plan = await planOf('Code,SalesPrice\n00001,5.00\n00002,6.00\n');
    const other = await planOf('Code,SalesPrice\n00001,5.00\n00002,7.00\n');
    const before = here.digest();
    const text = readFileSync(plan, 'utf8');
    const lines = text.split('\n');
    const otherLines = readFileSync(other, 'utf8').split('\n');
    const variants: Readonly<Record<string, string>> = {
      edited: text.replaceAll('6.00', '9.00'),
      'without its last line': lines.slice(0, -2).join('\n').concat('\n'),
      'without its last line feed': text.slice(0, -1),
      'cut in a line': text.slice(0, -20),
      'without a row': lines.filter((_, index) => index !== 1).join('\n'),
      'with a row twice': lines.toSpliced(1, 0, lines[1] ?? '').join('\n'),
      'with a row of another plan': lines.with(2, otherLines[2] ?? '').join('\n'),
      'with something behind it': `${text}${lines[1] ?? ''}\n`,
      'with its head alone': `${lines[0] ?? ''}\n`,
      empty: '',
      'a CSV file': 'Code,SalesPrice\n00001,5.00\n',
    };
    for (const [what, changed] of Object.entries(variants)) {
      const path = here.fresh('changed.plan');
      writeFileSync(path, changed);
      const run = await apply(path);
      assert.deepEqual([run.code, here.digest() === before], [2, true], `${what}: ${run.stderr}`);
      assert.ok(!existsSync(`${path}.results.csv.journal`), what);
    }
    const elsewhere = await apply(plan, '--profile', 'sandbox');
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /was made for another profile/);
    const old = await apply(plan, '--max-plan-age', '1ms');
    assert.equal(old.code, 2, old.stderr);
    assert.match(old.stderr, /too long ago/);
    assert.equal(here.digest(), before);
    assert.equal((await apply(plan)).code, 0);
  });

  it('refuses flags that a plan would not heed', async () => {
    const plan = await planOf('Code,SalesPrice\n00003,5.00\n');
    const path = file('Code,SalesPrice\n00003,6.00\n');
    const before = here.digest();
    for (const args of [
      ['--from-plan', plan, '--from', path],
      ['--from-plan', plan, '--sales-price', '7'],
      ['--from-plan', plan, '--map', 'A=b'],
      ['--from-plan', plan, '--plan', `${plan}.2`, '--dry-run'],
      ['--from', path, '--plan', `${plan}.3`],
      ['--from', path, '--plan', '-', '--dry-run'],
      ['--from', path, '--dry-run', '--no-base', '--resume'],
      ['--from', path, '--max-plan-age', '1d'],
      ['--from', path, '--dry-run', '--no-base', '--plan', path, '--force'],
      ['00003', '--plan', `${plan}.4`, '--sales-price', '8'],
    ]) {
      const run = await update(...args, '--yes');
      assert.equal(run.code, 2, `${args.join(' ')}: ${run.stderr}`);
    }
    assert.equal(here.digest(), before);
    assert.equal(readFileSync(path, 'utf8'), 'Code,SalesPrice\n00003,6.00\n');
  });

  it('writes by a plan exactly what a run without one does', async function () {
    this.timeout(120_000);
    const code = fc.integer({ min: 1, max: 12 }).map((number) => String(number).padStart(5, '0'));
    const cells = fc.record({
      price: fc.option(
        fc.bigInt({ min: 0n, max: 10n ** 20n }).map((digits) => `${digits}.${String(digits % 100n)}`),
        { nil: '' },
      ),
      name: fc.option(fc.stringMatching(/^[A-Za-z][A-Za-z0-9 =+-]{0,11}[a-z]$/), { nil: '' }),
    });
    const rows = fc.uniqueArray(fc.tuple(code, cells), { minLength: 1, maxLength: 8, selector: ([each]) => each });
    const state = (): unknown => here.rows('SELECT * FROM "PvProductData_V2" ORDER BY "Id"');
    const kept = here.fresh('kept');
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const lines = all.map(([key, { price: cell, name }]) => `${key},${cell},${name}`);
        const path = file(`Code,SalesPrice,Name\n${lines.join('\n')}\n`);
        copyFileSync(path, kept);
        here.execute('CREATE TABLE IF NOT EXISTS kept AS SELECT * FROM "PvProductData_V2"');
        const direct = await update('--from', path, '--no-base', '--yes');
        assert.equal(direct.code, 0, direct.stderr);
        const written = state();
        here.execute('DELETE FROM "PvProductData_V2"; INSERT INTO "PvProductData_V2" SELECT * FROM kept');
        const plan = here.fresh('all.plan');
        const dry = await dryRun(path, '--plan', plan);
        assert.equal(dry.code, 0, dry.stderr);
        // What happens to the spreadsheet afterwards is of no account.
        appendFileSync(path, '00012,1.00,Other\n');
        const applied = await apply(plan);
        assert.equal(applied.code, 0, applied.stderr);
        assert.deepEqual(state(), written);
        here.execute('DELETE FROM "PvProductData_V2"; INSERT INTO "PvProductData_V2" SELECT * FROM kept');
      }),
      { numRuns: 12 },
    );
  });
});
