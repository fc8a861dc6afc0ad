import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatted } from '../../scripts/generated.js';
import { faultKinds } from '../../src/sandbox/faults/spec.js';
import { ends, home, relctl, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { sandboxHere, type ServingSandbox } from '../support/sandbox.js';

/** A record as relctl prints it. */
type Json = Readonly<Record<string, unknown>>;

/** What a read prints: `exact` is what it prints without a fault, `part` the beginning of that. */
type Printed = 'exact' | 'none' | 'part' | Difference;

/** What is otherwise, where it is the data themselves that the fault changes. */
interface Difference {
  /** For people: ends up in docs/sandbox.md. */
  readonly words: string;
  /** True when this is what comes of these records. */
  readonly fits: (printed: readonly Json[], plain: readonly Json[]) => boolean;
}

/** What relctl makes of some faults. */
interface Row {
  /** Lines of a fault plan, tried one by one. */
  readonly plans: readonly [string, ...string[]];
  /** What is needed besides. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read: readonly [exitCode: number, printed: Printed, says?: RegExp];
  /** Whether the write was carried out is as well found out: not where nobody can be sure of it. */
  readonly write?: readonly [
    exitCode: number,
    effect: 'written' | 'not written' | 'not known to relctl',
    says?: RegExp,
  ];
}

const text = (records: readonly Json[]): string => JSON.stringify(records);

const ids = (records: readonly Json[]): readonly unknown[] => records.map(({ Id: id }) => id);

const mapped = (
  records: readonly Json[],
  change: (name: string, value: unknown) => readonly (readonly [string, unknown])[],
): readonly Json[] =>
  records.map((record) => Object.fromEntries(Object.entries(record).flatMap(([name, value]) => change(name, value))));

const otherOrder: Difference = {
  words: 'every row once, in another order',
  fits: (printed, plain) =>
    text(printed) !== text(plain) &&
    text(
      ids(printed)
        .toSorted()
        .map((id) => ({ id })),
    ) ===
      text(
        ids(plain)
          .toSorted()
          .map((id) => ({ id })),
      ),
};

const fewer = (words: string): Difference => ({
  words,
  fits: (printed, plain) =>
    printed.length < plain.length &&
    ids(printed).every((id) => ids(plain).includes(id)) &&
    new Set(ids(printed)).size === printed.length,
});

const unknownMember: Difference = {
  words: 'exact, with the member that the contract does not know',
  fits: (printed, plain) =>
    printed.every((record) => record['NotInTheContract'] === 'unknown') &&
    text(mapped(printed, (name, value) => (name === 'NotInTheContract' ? [] : [[name, value]]))) === text(plain),
};

const without = (words: string, ...names: readonly string[]): Difference => ({
  words,
  fits: (printed, plain) =>
    text(printed) === text(mapped(plain, (name, value) => (names.includes(name) ? [] : [[name, value]]))),
});

const controls: Difference = {
  words: 'exact, each text with its control character',
  fits: (printed, plain) =>
    text(printed) ===
    text(
      mapped(plain, (name, value) => [
        [name, typeof value === 'string' && !/Id$/.test(name) ? `${value}\u001f` : value],
      ]),
    ),
};

const nestedFilled: Difference = {
  words: 'exact, with the nested records filled',
  fits: (printed, plain) => {
    const flat = (records: readonly Json[]): string =>
      text(mapped(records, (name, value) => (typeof value === 'object' ? [] : [[name, value]])));
    return (
      flat(printed) === flat(plain) &&
      printed.every(({ FieldValues: values }) => typeof values === 'object' && values !== null)
    );
  },
};

/** What relctl makes of each fault: a read is `relation list --set retries=0`, a write `activity add-line`. */
const rows: readonly Row[] = [
  { plans: ['latency=50ms', 'jitter=50ms', 'drip=200/2ms'], read: [0, 'exact'], write: [0, 'written'] },
  {
    plans: ['latency=10s', 'drip=1/500ms', 'stall=before', 'stall=head', 'stall=amid'],
    flags: ['--timeout', '1', '--set', 'retries=0'],
    read: [6, 'none', /took more than 1 s/],
    write: [9, 'not known to relctl', /does not know/],
  },
  {
    plans: ['stall=request', 'reset=request', 'close=request'],
    flags: ['--timeout', '1', '--set', 'retries=0'],
    read: [6, 'none'],
    write: [9, 'not known to relctl'],
  },
  {
    plans: ['reset=before', 'close=before'],
    read: [6, 'none', /closed the connection/],
    write: [9, 'not known to relctl'],
  },
  {
    plans: ['reset=head', 'close=head', 'reset=amid', 'close=amid', 'truncate-gzip=-8', 'truncate-gzip=50%'],
    read: [7, 'none', /truncated/],
    write: [9, 'not known to relctl'],
  },
  {
    plans: ['truncate=50%', 'truncate=-1'],
    read: [7, 'none', /the document ends within/],
    write: [9, 'not known to relctl'],
  },
  { plans: ['reset=after', 'close=after'], flags: ['--set', 'retries=2'], read: [0, 'exact'], write: [0, 'written'] },
  {
    plans: ['reset=amid;every=2', 'truncate=50%;every=2', 'html=502;every=2'],
    // One after the other: of two at once, the retries of one may be every second call.
    flags: ['--set', 'retries=2', '--concurrency', '1'],
    read: [0, 'exact'],
  },
  {
    plans: ['status=503,retry-after=0;every=2'],
    flags: ['--set', 'retries=2', '--concurrency', '1'],
    read: [0, 'exact', /relctl calls the service less often from now on: it answered HTTP 503 again/],
  },
  { plans: ['status=503;after=1', 'reset=before;after=1'], read: [8, 'part', /stopped short at page 2 after 10 rows/] },
  { plans: ['status=429,retry-after=1'], read: [6, 'none', /HTTP 429/], write: [6, 'not written', /HTTP 429/] },
  {
    plans: ['status=500', 'status=503', 'html=502'],
    read: [6, 'none', /HTTP 50\d/],
    write: [9, 'not known to relctl'],
  },
  { plans: ['status=401', 'status=403'], read: [3, 'none', /HTTP 40\d/], write: [3, 'not written', /HTTP 40\d/] },
  { plans: ['html=200'], read: [7, 'none', /an HTML page/], write: [9, 'not known to relctl'] },
  { plans: ['redirect=307', 'redirect=308'], read: [6, 'none', /redirects/], write: [6, 'not written', /redirects/] },
  { plans: ['redirect=302', 'redirect=303'], read: [6, 'none', /redirects/], write: [9, 'not known to relctl'] },
  {
    plans: ['fault', 'fault=Client,message="The period is closed."', 'not-succeeded'],
    read: [4, 'none'],
    write: [4, 'not written'],
  },
  {
    plans: ['page-cap=4', 'page-cap=4,offset=asked', 'list-end=nil', 'list-end=empty', 'first-page=1'],
    read: [0, 'exact'],
  },
  { plans: ['list-end=absent'], environment: { RELCTL_LIST_END: 'absent' }, read: [0, 'exact'] },
  { plans: ['list-end=absent'], read: [8, 'exact', /no <[A-Za-z]+>: that is not a list/] },
  { plans: ['no-list=nil;first=1'], read: [8, 'none', /page 1 has no records, but page 2 after it has 10/] },
  { plans: ['no-list=absent;after=1', 'no-list=nil;every=2'], read: [8, 'part'] },
  { plans: ['no-list=absent'], read: [7, 'none', /no <[A-Za-z]+>: that is not a list/] },
  { plans: ['first-page=0'], environment: { RELCTL_FIRST_PAGE: '0' }, read: [0, 'exact'] },
  { plans: ['first-page=0'], read: [7, fewer('without the first page'), /numbers pages from 0/] },
  { plans: ['page-number-ignored'], read: [7, 'part', /pages 2 to 5 have exactly the records of page 1/] },
  { plans: ['last-page-repeated'], read: [7, 'exact', /pages 4 to 7 have exactly the records of page 3/] },
  { plans: ['unstable-order=within'], read: [0, otherOrder] },
  {
    plans: ['unstable-order=across;seed=3'],
    read: [
      0,
      fewer('what came, every row once, and a note that others may be missing'),
      /moved while relctl read the list/,
    ],
  },
  { plans: ['rows-inserted=2'], read: [0, 'exact', /moved while relctl read the list/] },
  { plans: ['rows-deleted=1'], read: [0, fewer('without the rows that moved past: nothing shows them')] },
  {
    plans: [
      'announced-charset=none',
      'announced-charset=iso-8859-1',
      'announced-charset=utf-16',
      'announced-charset=nonsense',
      'bom',
      'reordered-members',
      'nested=nil',
      'nested=empty',
    ],
    read: [0, 'exact'],
    write: [0, 'written'],
  },
  // Its first bytes tell UTF-16 from UTF-8, whatever the header says.
  { plans: ['real-charset=utf16le'], read: [0, 'exact'], write: [0, 'written'] },
  { plans: ['real-charset=latin1'], read: [7, 'none', /is not utf-8/] },
  {
    plans: ['unknown-elements'],
    read: [0, unknownMember, /NotInTheContract is not in the contract/],
    write: [0, 'written', /NotInTheContract is not in the contract/],
  },
  {
    plans: ['missing-fields'],
    read: [
      0,
      without('without what is missing, and a note that names it', 'EntityTypeId', 'IsRoot', 'IsDummy', 'IsInactive'),
      /EntityTypeId is missing though the contract requires it \(25 times\)/,
    ],
    write: [0, 'written', /is missing though the contract requires it/],
  },
  { plans: ['missing-fields=DisplayName'], read: [0, without('without what is missing', 'DisplayName')] },
  { plans: ['nested=populated'], read: [0, nestedFilled], write: [0, 'written'] },
  { plans: ['control-characters'], read: [0, controls], write: [0, 'written'] },
];

/** Faults that a list of relations cannot show; they are tried on other lists. */
const elsewhere: readonly string[] = ['error-information', 'odd-dates'];

const printedWords = (printed: Printed, code: number): string => {
  if (typeof printed !== 'string') return printed.words;
  if (printed === 'exact') return code === 0 ? 'exact' : 'every row, and that it is not sure of the end';
  return { none: 'nothing', part: 'the rows before it' }[printed];
};

const planCell = ({ plans, flags = [], environment = {} }: Row): string => {
  const besides = [...flags, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  const shown = plans.map((plan) => `\`${plan}\``).join(', ');
  return besides.length === 0 ? shown : `${shown}; with \`${besides.join(' ')}\``;
};

/** The table as docs/sandbox.md shows it. */
function tableOfRows(): string {
  const lines = rows.map((row) => {
    const [readCode, printed] = row.read;
    const write = row.write === undefined ? ['', ''] : [String(row.write[0]), row.write[1]];
    return `| ${[planCell(row), String(readCode), printedWords(printed, readCode), ...write].join(' | ')} |`;
  });
  return [
    '| plan | a read ends with | and prints | a write ends with | and was |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

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
    const search = argv`activity search --entity-type 00000000-0040-4000-8000-000000000011 -o json ${profile}`;
    for (const plan of ['error-information', 'error-information="Not all was read.",data=with']) {
      await under(plan);
      const run = await relctl(search, { env });
      assert.deepEqual([run.code, run.stdout], [4, ''], run.stderr);
      checkSaid(run, /makes the sandbox fail|Not all was read/);
    }
  });

  it('prints moments under odd-dates as they came, whatever they are', async () => {
    for (const moment of ['2026-02-30T10:00:00', '9999-12-31T23:59:59.9999999', 'never']) {
      await under(`odd-dates=${moment}`);
      const run = await ends(relctl(['relationship', 'list', '-o', 'ndjson', ...profile], { env }), 0);
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
    await ends(relctl([...list, '--consistent', '--output-file', file], { env: calibrated }), 0);
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
      checkSaid(run, /different records/);
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
