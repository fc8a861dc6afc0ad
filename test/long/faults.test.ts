import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatted } from '../../scripts/generated.js';
import { faultKinds } from '../../src/sandbox/faults/kinds/catalogue.js';
import { home, relctl, type Run } from '../support/relctl.js';
import { sandboxHere, type ServingSandbox } from '../support/sandbox.js';
import { elsewhere, rows, tableOfRows, type Json, type Printed } from '../support/cli/fault-table.js';

const page = fileURLToPath(new URL('../../docs/sandbox.md', import.meta.url));
const profile = ['-p', 'sandbox'];
const once = ['--set', 'retries=0'];
const list = ['relation', 'list', '-o', 'ndjson', '--page-size', '10', ...profile];
const activity = '00000000-0020-4000-8000-000000000001';
const line =
  `activity add-line ${activity} --product 00000000-0060-4000-8000-000000000001 --quantity 1 --amount 1 ` +
  '--purchase-amount 1 --vat 00000000-0062-4000-8000-000000000001 -o json';
const add = [...line.split(' '), ...profile];

const recordsIn = (stdout: string): readonly Json[] =>
  stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Json);

const idsOf = (text: string): readonly unknown[] => recordsIn(text).map(({ Id }) => Id);

describe('Against the faults of a service, relctl', function () {
  const place = home();
  const { env } = place;
  const log = join(place.folder, 'requests.ndjson');
  let running: ServingSandbox;
  let plain: Run;

  /** Has the sandbox misbehave in this way only. */
  const under = async (spec: string): Promise<void> => {
    const faults = `${running.url}/faults`;
    await fetch(faults, { method: 'DELETE' });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(faults, { method: 'POST', headers, body: JSON.stringify({ spec }) });
    assert.equal(status, 201, spec);
  };
  /** How many calls have written a line of this description, by the log of the service. */
  const written = (description: string): number =>
    recordsIn(readFileSync(log, 'utf8')).filter(
      ({ input, written: count }) => JSON.stringify(input ?? {}).includes(`"${description}"`) && Number(count ?? 0) > 0,
    ).length;

  before(async () => {
    running = await sandboxHere(env, ['--relations', '25', '--log', log]);
    plain = await relctl(list, { env });
    assert.deepEqual([plain.code, recordsIn(plain.stdout).length, plain.stderr], [0, 25, '']);
  });
  after(async () => {
    await running.stop();
    place.remove();
  });

  const checkPrinted = (stdout: string, printed: Printed): void => {
    if (typeof printed !== 'string') {
      assert.ok(printed.fits(recordsIn(stdout), recordsIn(plain.stdout)), `not ${printed.words}:\n${stdout}`);
      return;
    }
    if (printed === 'exact') assert.equal(stdout, plain.stdout);
    else if (printed === 'none') assert.equal(stdout, '');
    else assert.ok(stdout !== '' && stdout !== plain.stdout && plain.stdout.startsWith(stdout), stdout);
  };

  /** What went wrong is one object on stderr, of a kind that has a name; without a fault there is no word. */
  const checkSaid = ({ code, stderr }: Run, says: RegExp | undefined): void => {
    assert.match(stderr, says ?? /^/);
    if (code === 0) {
      if (says === undefined) assert.equal(stderr, '');
      return;
    }
    const { error } = JSON.parse(stderr) as { readonly error: Json };
    assert.equal(error['exitCode'], code);
    assert.notEqual(error['kind'], 'bug');
    assert.doesNotMatch(stderr, /zandbak|00000000-0000-4000-8000-000000000001/);
  };

  for (const row of rows) {
    const { plans, flags = [], environment = {}, read, write } = row;
    const besides = [...flags, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)].join(' ');
    for (const plan of plans) {
      const [readCode, printed, says] = read;
      it(`reads a list under ${plan} ${besides}: exit code ${readCode}`, async () => {
        await under(plan);
        const run = await relctl([...list, ...(flags.length > 0 ? flags : once)], { env: { ...env, ...environment } });
        assert.equal(run.code, readCode, run.stderr);
        checkSaid(run, says);
        checkPrinted(run.stdout, printed);
      });
      if (write === undefined) continue;
      const [writeCode, effect, writeSays] = write;
      it(`writes under ${plan} ${besides}: exit code ${writeCode}, ${effect}`, async () => {
        await under(plan);
        const description = `${plan} ${besides}`;
        const run = await relctl([...add, '--description', description, ...(flags.length > 0 ? flags : once)], {
          env: { ...env, ...environment },
        });
        assert.equal(run.code, writeCode, run.stderr);
        checkSaid(run, writeSays);
        assert.equal(run.stdout !== '', writeCode === 0);
        assert.ok(written(description) <= 1, 'nothing is written twice');
        if (effect !== 'not known to relctl') assert.equal(written(description), effect === 'written' ? 1 : 0);
      });
    }
  }

  it('prints no rows under error-information, not even those that came with it', async () => {
    const search = [
      'activity',
      'search',
      '--entity-type',
      '00000000-0040-4000-8000-000000000011',
      '-o',
      'json',
      ...profile,
    ];
    for (const plan of ['error-information', 'error-information="Not all was read.",data=with']) {
      await under(plan);
      const run = await relctl(search, { env });
      assert.deepEqual([run.code, run.stdout], [4, ''], run.stderr);
      checkSaid(run, /told to fail|Not all was read/);
    }
  });

  it('prints moments under odd-dates as they came, whatever they are', async () => {
    for (const moment of ['2026-02-30T10:00:00', '9999-12-31T23:59:59.9999999', 'never']) {
      await under(`odd-dates=${moment}`);
      const run = await relctl(['relationship', 'list', '-o', 'ndjson', ...profile], { env });
      assert.equal(run.code, 0, run.stderr);
      const audits = recordsIn(run.stdout).flatMap(({ AuditData: audit }) => (audit === null ? [] : [audit as Json]));
      assert.ok(audits.length > 5);
      for (const audit of audits) assert.deepEqual([audit['CreatedAt'], audit['ModifiedAt']], [moment, moment]);
    }
  });

  // Without a look at the page before the first, which the faults below would count as well.
  const calibrated = { ...env, RELCTL_FIRST_PAGE: '1' };

  it('finds rows that moved past by reading the list again, with --consistent', async () => {
    await under('rows-deleted=1;first=4');
    const file = join(place.folder, 'relations.ndjson');
    const run = await relctl([...list, '--consistent', '--output-file', file], { env: calibrated });
    assert.equal(run.code, 0, run.stderr);
    assert.equal(readFileSync(file, 'utf8'), plain.stdout);
  });

  it('never gives part of a list for the whole when rows change places, with --consistent', async () => {
    const file = join(place.folder, 'unstable.ndjson');
    const codes = new Set<number | null>();
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      await under(`unstable-order=across;seed=${seed}`);
      const run = await relctl([...list, '--consistent', '--output-file', file, '--restart'], { env: calibrated });
      codes.add(run.code);
      if (run.code === 0) {
        assert.deepEqual(new Set(idsOf(readFileSync(file, 'utf8'))), new Set(idsOf(plain.stdout)), `seed ${seed}`);
        continue;
      }
      assert.equal(run.code, 8, run.stderr);
      checkSaid(run, /did not agree/);
    }
    assert.ok(codes.has(8), 'the order hardly changed');
  });

  it('is tried with every fault that the sandbox has', () => {
    const tried = rows.flatMap(({ plans }) => plans.map((plan) => /^[a-z-]+/.exec(plan)?.[0]));
    assert.deepEqual(new Set([...tried, ...elsewhere]), new Set(faultKinds.map(({ name }) => name)));
  });

  it('does what docs/sandbox.md says: FAULTS_WRITE=1 writes it down', async () => {
    const present = readFileSync(page, 'utf8');
    const [begin, end] = ['<!-- begin:outcomes -->', '<!-- end:outcomes -->'];
    const [from, to] = [present.indexOf(begin) + begin.length, present.indexOf(end)];
    const wanted = await formatted(page, `${present.slice(0, from)}\n\n${tableOfRows()}\n\n${present.slice(to)}`);
    if (process.env['FAULTS_WRITE'] === '1') writeFileSync(page, wanted);
    else assert.equal(present, wanted);
  });
});
