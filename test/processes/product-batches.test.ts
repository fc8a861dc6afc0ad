import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { outcomesOf, place } from '../support/operations/place.js';
import { ends, program } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { started, until } from '../support/export-lane.js';
import { skip } from '../support/skip.js';

describe('A batch of product updates', () => {
  const here = place();
  const file = (rows: readonly (readonly [string, string])[]): string => {
    const path = here.fresh('prices.csv');
    writeFileSync(path, `Code,SalesPrice\n${rows.map((row) => `${row.join(',')}\n`).join('')}`);
    return path;
  };
  /** Rows that change the first products, to prices that no other test has. */
  let prices = 0;
  const pricesOf = (count: number): readonly (readonly [string, string])[] => {
    prices += 1;
    return Array.from({ length: count }, (_, index) => [String(index + 1).padStart(5, '0'), `${prices}.${index + 10}`]);
  };
  const words = (path: string, ...more: readonly string[]): readonly string[] =>
    argv`product update --file ${path} --no-base --yes ${more}`;
  const update = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(words(path, ...more));
  const price = (code: string): unknown =>
    here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE Code = ?', code)[0]?.[0];
  const countOf = (path: string, wanted: string): number => outcomesOf(path).filter((each) => each === wanted).length;

  /** True once the service has failed a call as it was told to. */
  async function hasFailed(): Promise<boolean> {
    const { faults } = (await (await fetch(`${here.url()}/faults`)).json()) as {
      faults: readonly { befallen: number }[];
    };
    return faults.some(({ befallen }) => befallen > 0);
  }

  it('tells the key of each row, and as JSON its counts and files', async () => {
    const path = file(pricesOf(3));
    const { stdout } = await ends(update(path, '-o', 'json', '--concurrency', '2'), 0, '');
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    const { Rows, Done, Unknown, Results, Journal } = summary;
    assert.deepEqual(
      [Rows, Done, Unknown, Results, Journal],
      [3, 3, 0, `${path}.results.csv`, `${path}.results.csv.journal`],
    );
    assert.match(readFileSync(`${path}.results.csv`, 'utf8'), /\r\n2,[0-9a-f-]{36},done,/);
  });

  it('is not written again with results elsewhere; --restart keeps the journal of the first', async () => {
    const path = file(pricesOf(2));
    assert.equal((await update(path)).code, 0);
    const other = await update(path, '--results', `${path}.other.csv`);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /was already written on .*; .*prices\.csv\.results\.csv has the outcome/);
    assert.match(other.stderr, /Try: .*--resume --results \S*prices\.csv\.results\.csv/);
    assert.match(
      other.stderr,
      /Continue with the remaining rows with --resume, or write all rows again with --restart\.\n/,
    );
    const first = readFileSync(`${path}.results.csv.journal`, 'utf8');
    assert.equal((await update(path, '--restart')).code, 0);
    const journals = readdirSync(dirname(path)).filter(
      (name) => /\.results\.csv\.\d{8}T\d{6}\.\d{3}Z\.journal$/.test(name) && name.startsWith(basename(path)),
    );
    assert.equal(journals.length, 1);
    assert.equal(readFileSync(`${dirname(path)}/${journals[0] ?? ''}`, 'utf8'), first);
  });

  it('tells what became of its rows in a file: - is none', async () => {
    await ends(update(file(pricesOf(2)), '--results', '-', '--dry-run'), 2, /--results takes a file, not -/, '');
  });

  it('stops when more rows than --max-errors have failed, and goes on by --resume', async () => {
    const path = file(pricesOf(10));
    const refused = 'not-succeeded;operation=ProductUpdate_V2;after=3';
    const run = await here.failing(refused, () => update(path, '--max-errors', '10%'));
    assert.equal(run.code, 8);
    assert.deepEqual(
      ['done', 'refused', 'not sent'].map((each) => countOf(path, each)),
      [3, 2, 5],
    );
    assert.match(run.stderr, /10 rows: 3 done, 2 refused, 5 not sent/);
    await ends(update(path, '--resume'), 8);
    assert.deepEqual(
      ['done', 'refused', 'not sent'].map((each) => countOf(path, each)),
      [8, 2, 0],
    );
  });

  it('goes on although a row that is done has changed the code by which it was found', async () => {
    const path = here.fresh('codes.csv');
    writeFileSync(path, 'product,Code\n00007,R00007\n00008,R00008\n');
    const first = await here.failing('reset=request;operation=ProductUpdate_V2;after=1', () => update(path));
    assert.deepEqual(outcomesOf(path), ['done', 'unknown'], first.stderr);
    assert.equal((await update(path, '--resume')).code, 9);
    await ends(update(path, '--resume', '--retry-unknown'), 0, '');
    assert.deepEqual(outcomesOf(path), ['done', 'done']);
    for (const code of ['R00007', 'R00008']) assert.notEqual(price(code), undefined);
    const missing = await update(path, '--restart');
    assert.match(missing.stderr, /2 of 2 rows have mistakes/);
    here.execute(`UPDATE "PvProductData_V2" SET "Code" = substr("Code", 2) WHERE "Code" LIKE 'R0000_'`);
  });

  it('ends with the code that all rows have in common, and with 9 when some are unknown and nothing else is wrong', async () => {
    const refused = await here.failing('not-succeeded;operation=ProductUpdate_V2', () => update(file(pricesOf(2))));
    assert.equal(refused.code, 4);
    const path = file(pricesOf(3));
    const unknown = await here.failing('reset=head;operation=ProductUpdate_V2;after=1;first=2', () => update(path));
    assert.equal(unknown.code, 9, unknown.stderr);
    assert.deepEqual(outcomesOf(path).toSorted(), ['done', 'done', 'unknown']);
  });

  it('sends unknown rows again only when asked to', async () => {
    const path = file(pricesOf(1));
    const [[code = ''] = []] = [pricesOf(1)[0]];
    const before = price(code);
    const lost = await here.failing('reset=request;operation=ProductUpdate_V2', () => update(path));
    assert.equal(lost.code, 9);
    assert.equal((await update(path, '--resume')).code, 9);
    await ends(update(path, '--retry-unknown'), 2, /Try: relctl .*--resume --retry-unknown\n/);
    assert.equal(price(code), before);
    assert.equal((await update(path, '--resume', '--retry-unknown')).code, 0);
    assert.notEqual(price(code), before);
  });

  it('waits for the answer at Ctrl-C, writes the results, and ends with the line that goes on', async () => {
    const path = file(pricesOf(6));
    const journal = `${path}.results.csv.journal`;
    await here.failing('latency=400ms;operation=ProductUpdate_V2', async () => {
      const run = started(words(path, '--restart'), { env: here.env });
      assert.ok(await until(run, () => existsSync(journal) && /"ends"/.test(readFileSync(journal, 'utf8'))));
      run.child.kill('SIGINT');
      const { signal, stderr } = await run.ended;
      assert.equal(signal, 'SIGINT');
      assert.match(stderr, /interrupted by Ctrl-C; 6 rows: [12] done, [45] not sent/);
      assert.match(stderr, /Try: .*--resume/);
      assert.doesNotMatch(stderr, /--restart/);
    });
    assert.equal(countOf(path, 'unknown'), 0);
    assert.equal((await update(path, '--resume')).code, 0);
    assert.equal(countOf(path, 'done'), 6);
  });

  it('waits for it also where nobody takes its trace', async () => {
    const path = file(pricesOf(6));
    const preload = here.fresh('full.cjs');
    writeFileSync(preload, "process.stderr.write('x'.repeat(4_000_000));");
    await here.failing('latency=4s;operation=ProductUpdate_V2', async () => {
      const child = spawn(process.execPath, [program, ...words(path, '--trace', '-')], {
        ...{ env: { ...here.env, NODE_OPTIONS: `--require ${preload}` }, stdio: ['ignore', 'ignore', 'pipe'] },
        ...{ timeout: 60_000, killSignal: 'SIGKILL' },
      });
      const exited = once(child, 'exit');
      while (child.exitCode === null && !(await hasFailed())) await pause(10);
      child.kill('SIGINT');
      const [, signal] = (await exited) as [number | null, string | null];
      child.stderr.destroy();
      assert.equal(signal, 'SIGINT');
    });
    assert.deepEqual([outcomesOf(path).length, countOf(path, 'done'), countOf(path, 'unknown')], [6, 1, 0]);
  });

  it('leaves the row unknown that was under way at the second Ctrl-C', async () => {
    const path = file(pricesOf(3));
    await here.failing('latency=5s;operation=ProductUpdate_V2', async () => {
      const run = started(words(path), { env: here.env });
      while (!run.isOver() && !(await hasFailed())) await pause(10);
      run.child.kill('SIGINT');
      setTimeout(() => run.child.kill('SIGINT'), 200);
      assert.equal((await run.ended).code, 9);
    });
    assert.equal((await update(path, '--resume')).code, 9);
    assert.deepEqual(outcomesOf(path).toSorted(), ['done', 'done', 'unknown']);
  });

  it('tells what became of its rows also where the summary cannot be printed', async function () {
    if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full here');
    const under = ['sh', '-c', '"$0" "$@" > /dev/full'];
    const unprinted = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
      started(words(path, '-o', 'json', ...more), { env: here.env, under }).ended;
    const path = file(pricesOf(2));
    await ends(
      unprinted(path),
      10,
      /2 rows: 2 done; .*results\.csv tells each; but cannot write to stdout: the disk is full/,
    );
    assert.deepEqual(outcomesOf(path), ['done', 'done']);
    const refused = file(pricesOf(2));
    const failed = await here.failing('not-succeeded;operation=ProductUpdate_V2', () => unprinted(refused));
    assert.match(failed.stderr, /2 rows: 2 refused; .*results\.csv tells each/);
    assert.doesNotMatch(failed.stderr, /the disk is full/);
    assert.notEqual(failed.code, 10, failed.stderr);
  });

  it('is locked while another run writes it, also with results elsewhere', async () => {
    const path = file(pricesOf(2));
    const journal = `${path}.results.csv.journal`;
    await here.failing('latency=8s;operation=ProductUpdate_V2;first=1', async () => {
      const run = started(words(path), { env: here.env });
      assert.ok(await until(run, () => existsSync(journal)));
      for (const more of [[], ['--results', `${path}.other.csv`]]) {
        await ends(update(path, ...more), 11, /the batch is locked by process/);
      }
      assert.equal((await run.ended).code, 0);
    });
  });
});
