import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, basename, dirname } from 'node:path';
import type { Row } from '../../../src/state/sqlite/open.js';
import type { Cell } from '../../../src/contract/columns.js';
import { openStore, type Store } from '../../../src/sandbox/store/open.js';
import { ends, home, relctl, type Run, type RunOptions } from '../relctl.js';
import { sandboxHere, type ServingSandbox } from '../sandbox.js';
import { operations, type OperationName } from '../../../src/contract/service.js';
import { parse } from 'csv-parse/sync';

/** A line of the log of a sandbox. */
export interface LoggedRequest {
  readonly operation?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** `done` where the service carried it out. */
  readonly outcome: string;
  /** Rows written to the database. */
  readonly written: number;
  /** The faults that were applied to it. */
  readonly faults?: readonly string[];
}

/** A home with a profile for a sandbox of its own, for the tests of one file. */
export interface Place {
  /** Folder of the home; files of a test may be made in it. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Base URL of the sandbox. */
  readonly url: () => string;
  /** Runs the program through the profile. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Run>;
  /** The same; it must end with 0, say nothing on stderr and print JSON, which is given. */
  readonly json: <T = unknown>(args: readonly string[], options?: RunOptions) => Promise<T>;
  /** Rows straight from the database of the sandbox. */
  readonly rows: (sql: string, ...values: readonly Cell[]) => readonly Row[];
  /** Changes that database beside the sandbox. */
  readonly execute: (sql: string) => void;
  /** A hash of everything in that database. */
  readonly digest: () => string;
  /** Has the sandbox fail as a line of faults says. */
  readonly fault: (spec: string) => Promise<void>;
  /** Takes all lines of faults away. */
  readonly calm: () => Promise<void>;
  /** Has the sandbox fail as a line of faults says while work is done. */
  readonly failing: <T>(spec: string, work: () => Promise<T>) => Promise<T>;
  /** What the sandbox was asked by an operation so far, as its log tells it, in order. */
  readonly requests: (operation: string) => readonly LoggedRequest[];
  /** A path for a file that does not exist yet. */
  readonly fresh: (name: string) => string;
}

/** Everything in a database as one hash. */
function digestOf(store: Store): string {
  const hash = createHash('sha256');
  const names = store.statement("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all().flat();
  for (const name of names) hash.update(JSON.stringify(store.statement(`SELECT * FROM "${String(name)}"`).all()));
  return hash.digest('hex');
}

/**
 * Opens the place before the tests of the describe block that calls this, and closes it after them.
 * @param settings more words of `profile add`
 * @param logs whether the sandbox keeps the log that `requests` reads
 */
export function place(settings: readonly string[] = [], logs = false): Place {
  const own = home();
  const { folder } = own;
  // Times without a zone mean the same wherever the tests run.
  const env = { ...own.env, TZ: 'UTC' };
  const database = join(folder, 'data.db');
  const log = join(folder, 'requests.ndjson');
  let running: ServingSandbox | undefined;
  let opened: Store | undefined;
  let files = 0;
  const store = (): Store => (opened ??= openStore(database));
  before(async function () {
    running = await sandboxHere(env, ['--db', database, '--relations', '60', ...(logs ? ['--log', log] : [])]);
    await ends(relctl([...running.profileAdd, ...settings], { env, input: running.secrets }), 0, '', '');
  });
  after(async () => {
    opened?.close();
    await running?.stop();
    own.remove();
  });
  const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
    relctl(args, { ...options, env: { ...env, ...options.env } });
  const url = (): string => running?.url ?? '';
  const fault = async (spec: string): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const added = await fetch(`${url()}/faults`, { method: 'POST', headers, body: JSON.stringify({ spec }) });
    assert.equal(added.status, 201, spec);
  };
  const calm = async (): Promise<void> => {
    assert.ok((await fetch(`${url()}/faults`, { method: 'DELETE' })).ok);
  };
  return {
    folder,
    env,
    url,
    run,
    fault,
    calm,
    failing: async (spec, work) => {
      await fault(spec);
      try {
        return await work();
      } finally {
        await calm();
      }
    },
    json: async <T>(args: readonly string[], options?: RunOptions): Promise<T> => {
      const { stdout } = await ends(run([...args, '-o', 'json'], options), 0, '');
      return JSON.parse(stdout) as T;
    },
    rows: (sql, ...values) =>
      store()
        .statement(sql)
        .all(...values),
    execute: (sql) => store().execute(sql),
    digest: () => digestOf(store()),
    requests: (operation) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LoggedRequest]))
        .filter((each) => each.operation === operation),
    fresh: (name) => join(folder, `${(files += 1)}-${name}`),
  };
}

/** What a trace file says was called, in order; nothing when there is no such file. */
export function callsIn(trace: string): readonly { readonly operation: string; readonly soap: '1.1' | '1.2' }[] {
  if (!existsSync(trace)) return [];
  const found = readFileSync(trace, 'utf8').matchAll(/^> (\w+), attempt \d+\nPOST .*\ncontent-type: (\S+);/gm);
  return [...found].map(([, operation = '', type]) => ({
    operation,
    soap: type === 'application/soap+xml' ? '1.2' : '1.1',
  }));
}

/** The program in one SOAP version. */
export interface Calling extends Pick<Place, 'run' | 'json'> {
  readonly soap: '1.1' | '1.2';
}

/** What a promise does. */
type Work = (calling: Calling) => Promise<void>;

/** A mistake: the arguments, and what the message must name. */
export type Mistake = readonly [args: readonly string[], names: RegExp];

/** What an end-to-end test of one operation has to show. */
interface EndToEnd {
  /** Promises of the commands that call the operation; each is kept in SOAP 1.1 and in 1.2. */
  readonly works: Readonly<Record<string, Work>>;
  /** Bad input that is refused before anything is sent. */
  readonly refuses: readonly Mistake[];
}

async function refused(place: Place, [args, names]: Mistake): Promise<void> {
  const trace = place.fresh('trace');
  const { code, stdout, stderr } = await place.run([...args, `--trace=${trace}`]);
  const what = `${args.join(' ')}\n${stderr}`;
  assert.equal(code, 2, what);
  assert.equal(stdout, '', what);
  assert.match(stderr, names, what);
  assert.deepEqual(callsIn(trace), [], what);
}

/** Runs mistakes: each is exit code 2, is named, and sends nothing. */
export async function allRefused(place: Place, mistakes: readonly Mistake[]): Promise<void> {
  const before = place.digest();
  await Promise.all(mistakes.map((mistake) => refused(place, mistake)));
  assert.equal(place.digest(), before);
}

/** Keeps a promise in one SOAP version. */
async function kept(place: Place, operation: OperationName, work: Work, soap: Calling['soap']): Promise<void> {
  const trace = place.fresh('trace');
  const flags = ['--set', `soapVersion=${soap}`, `--trace=${trace}`];
  const run = (args: readonly string[], options?: RunOptions): Promise<Run> => place.run([...args, ...flags], options);
  await work({ soap, run, json: (args, options) => place.json([...args, ...flags], options) });
  const calls = callsIn(trace);
  assert.ok(
    calls.some((call) => call.operation === operation),
    JSON.stringify(calls),
  );
  assert.deepEqual([...new Set(calls.map((call) => call.soap))], [soap]);
}

/**
 * The end-to-end test of an operation: the built program against the sandbox, in both SOAP versions; what reads runs in
 * both at once. That the operation was called, and in that version, is read from the trace. The name must be written out:
 * coverage.test.ts and the documentation look for it.
 */
export function endToEnd(place: Place, operation: OperationName, { works, refuses }: EndToEnd): void {
  describe(operation, () => {
    for (const [title, work] of Object.entries(works)) {
      it(`${title}, in SOAP 1.1 and 1.2`, async () => {
        const first = kept(place, operation, work, '1.1');
        if (operations[operation].access !== 'read') await first;
        await Promise.all([first, kept(place, operation, work, '1.2')]);
      });
    }
    it('refuses bad input by name, before anything is sent', () => allRefused(place, refuses));
  });
}

/** The results of the undo of a file of rows; of the one that there is. */
export function undoOf(file: string): string {
  const folder = dirname(file);
  const form = new RegExp(`^${basename(file).replaceAll('.', '\\.')}\\.undo-[0-9a-f]{8}\\.csv`);
  const [found] = readdirSync(folder).flatMap((name) => form.exec(name)?.[0] ?? []);
  return join(folder, found ?? `${basename(file)}.undo.csv`);
}

/** What the results of a file of rows say of each row, in their order. */
export const resultsOf = (file: string): readonly Readonly<Record<string, string>>[] =>
  parse(readFileSync(`${file}.results.csv`), { columns: true });

/** The outcome of each row of a file, in their order. */
export const outcomesOf = (file: string): readonly string[] =>
  resultsOf(file).map(({ _outcome: outcome = '' }) => outcome);
