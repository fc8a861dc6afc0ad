import type { RecordValue } from '../../../../src/plain/value.js';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { CallOptions, Client, Reply } from '../../../../src/client/client.js';
import type { Connection } from '../../../../src/client/connection.js';
import { operations } from '../../../../src/contract/service.js';
import { RelctlError } from '../../../../src/errors/relctl-error.js';
import type { Sink } from '../../../../src/output/streams.js';
import type { Context } from '../../../../src/host/context.js';
import { KeptOut } from '../../../../src/secrets/kept-out.js';
import { itemType, type ListPlan } from '../../../../src/lists/plan.js';
import { runList } from '../../../../src/lists/run.js';
import type { Session } from '../../../../src/cli/session/session.js';
import { periodPlans } from '../../../../src/lists/since/period.js';
import { modifiedAt, type SinceFlags } from '../../../../src/lists/since/since-last.js';
import { mount, type Lots, type MemoryDisk } from '../disk.js';
import type { Clocks, ModelService, Shows } from './service.js';

/** Where the rows go when they go to a file. */
export const target = `${mount}/out/changes.ndjson`;

/** What surrounds a run. */
export interface World {
  readonly disk: MemoryDisk;
  readonly service: ModelService;
  readonly clocks: Clocks;
  readonly shows: Shows;
  readonly lots: Lots;
  readonly tell: (line: string) => void;
}

/** How a run is made, and what befalls it. */
export interface RunFacts {
  readonly isFirst: boolean;
  readonly toFile: boolean;
  readonly pageSize: number;
  readonly concurrency: number;
  /** The list changes in so many of a hundred calls, just before one is answered. */
  readonly changePercent: number;
  /** The call to the service that fails. */
  readonly failsAt: number | undefined;
  /** The call to the disk at which the process is killed. */
  readonly killedAt: number | undefined;
}

/** How a run ended, and what it had written to stdout. */
export interface Outcome {
  readonly end: 'done' | 'killed' | RelctlError;
  readonly stdout: string;
  /** Calls that the service answered. */
  readonly answers: number;
}

interface Waiting {
  readonly input: RecordValue;
  readonly sentMs: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Answers calls one at a time, in any order; time passes and the list changes meanwhile. */
class Line {
  readonly #world: World;
  readonly #facts: RunFacts;
  #waiting: Waiting[] = [];
  #calls = 0;
  answers = 0;

  constructor(world: World, facts: RunFacts) {
    this.#world = world;
    this.#facts = facts;
  }

  call(input: RecordValue, { signal }: CallOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, sentMs: this.#world.clocks.trueMs, signal, resolve, reject });
    });
  }

  #page({ input }: Waiting): readonly RecordValue[] {
    const { from, to, pageNumber, pageSize } = input;
    if (!isText(from) || !isText(to)) throw new Error('a period has two ends');
    const asked = { from, to, pageNumber: Number(pageNumber), pageSize: Number(pageSize) };
    const records = this.#world.service.page(asked);
    this.#world.tell(`  page ${asked.pageNumber} from ${from}: ${records.map((each) => this.#short(each)).join(' ')}`);
    return records;
  }

  #short(record: RecordValue): string {
    const { Id } = record;
    return `${isText(Id) ? Id.slice(-2) : ''}v${this.#world.service.versions.get(record) ?? 0}`;
  }

  #answer(waiting: Waiting): void {
    const { clocks, lots, service, disk, tell } = this.#world;
    this.#calls += 1;
    const isFailing = this.#calls === this.#facts.failsAt;
    if (isFailing) tell('  no answer');
    if (isFailing || disk.isKilled || waiting.signal?.aborted === true) {
      waiting.reject(new RelctlError('no-answer', 'no answer'));
      return;
    }
    clocks.trueMs += lots(1500);
    if (lots(100) < this.#facts.changePercent) {
      const row = 1 + lots(service.size + 1);
      service.change(row);
      tell(`  row ${row} changes`);
    }
    this.answers += 1;
    const records = this.#page(waiting);
    clocks.trueMs += lots(1500);
    const serverDate = new Date(Math.floor(service.nowMs / 1000) * 1000).toUTCString();
    const elapsedMs = clocks.trueMs - waiting.sentMs;
    waiting.resolve({ result: { Activities: records }, notes: [], version: '1.2', serverDate, attempts: 1, elapsedMs });
  }

  /** Answers until the work is over. */
  async serve(work: Promise<unknown>): Promise<void> {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    work.then(end, end);
    while (!state.isOver) {
      await setImmediate();
      const [next] = this.#waiting.splice(this.#world.lots(Math.max(1, this.#waiting.length)), 1);
      if (next !== undefined) this.#answer(next);
    }
  }
}

const nothing: Sink = {
  write: () => Promise.resolve(),
  writeBytes: () => Promise.resolve(),
  isTerminal: false,
  isPipe: false,
  width: undefined,
  hasColor: false,
};

function contextFor({ disk, clocks }: World, write: (text: string) => void, closers: (() => unknown)[]): Context {
  const out: Sink = {
    ...nothing,
    write: (text) => {
      if (disk.isKilled) return Promise.reject(new Error('killed'));
      write(text);
      return Promise.resolve();
    },
  };
  const { signal } = new AbortController();
  // Nobody asks here: a prompt is never drawn.
  const secrets = new KeptOut();
  const streams = { out, err: nothing, outClosed: signal, finish: () => Promise.resolve() } as unknown;
  return {
    environment: {
      variables: { RELCTL_STATE_DIR: `${mount}/state` },
      program: 'relctl',
      argv: ['relation', 'activities'],
      platform: 'linux',
      pathOf: (path) => path,
      stdinIsTerminal: false,
      stdin: () => Readable.from([]),
    },
    streams: streams as Context['streams'],
    secrets,
    clock: {
      nowMs: () => clocks.trueMs,
      date: () => new Date(clocks.trueMs + clocks.machineAheadMs),
      random: () => 0,
    },
    signal,
    version: '0',
    errorShape: 'text',
    notes: [],
    guardWrite: (work) => work(),
    collectGarbage: () => undefined,
    report: () => Promise.resolve(),
    loadCommand: () => Promise.reject(new Error('no command is run')),
    runCommand: () => Promise.reject(new Error('no command is run')),
    runApart: () => Promise.reject(new Error('no command is run')),
    onClose: (close) => void closers.unshift(close),
  };
}

function sessionFor(line: Line, { pageSize }: RunFacts): Session {
  const connection: Connection = {
    profile: 'model',
    url: 'http://127.0.0.1:1/V1/service.asmx',
    namespace: 'http://relctl.example/model',
    version: '1.2',
    credentials: {},
    firstPage: 1,
    listEnd: 'empty',
    pageSize,
    limits: { connectMs: 1000, tlsMs: 1000, firstByteMs: 1000, idleMs: 1000, wholeMs: 1000 },
    retries: 0,
  };
  const client: Client = {
    connection,
    callUntyped: (_, input, options = {}) => line.call(input, options),
    call: () => Promise.reject(new Error('lists are called untyped')),
  };
  return {
    profile: { name: 'model', chosenBy: '--profile', values: {}, overridden: [] },
    connection,
    client,
    send: () => Promise.reject(new Error('nothing but calls are made')),
    called: new Set<string>(),
    output: undefined,
    excel: false,
    country: undefined,
  };
}

/** The list of the command `relation activities`, with the version that each record shows. */
function planOf({ service, shows }: World, period: RecordValue): ListPlan {
  const operation = operations.RelationGetActivitiesModified_V2;
  const plan: ListPlan = {
    operation,
    input: { relationId: '00000000-0000-4000-8000-000000000102', ...period },
    shows: 'Activities',
    table: ['Id'],
    stampOf: modifiedAt,
    showsAll: shows !== 'nothing',
  };
  const of = (record: RecordValue): RecordValue => ({ ...record, _version: service.versions.get(record) ?? 0 });
  return { ...plan, printed: { type: itemType(plan), of } };
}

async function list(
  world: World,
  facts: RunFacts,
  { line, write }: { line: Line; write: (text: string) => void },
): Promise<void> {
  const closers: (() => unknown)[] = [];
  const context = contextFor(world, write, closers);
  // Those of a list that matter here.
  const flags = {
    'since-last': 'nightly',
    output: 'ndjson',
    'no-header': false,
    concurrency: facts.concurrency,
    ...(facts.isFirst ? { from: '0001-01-01' } : {}),
    ...(facts.toFile ? { 'output-file': target, resume: true } : {}),
  } as SinceFlags;
  const place = { context, session: sessionFor(line, facts), flags };
  try {
    const plans = await periodPlans(place, (_, { period }) => planOf(world, { ...period }));
    await runList(place, await plans(''));
  } finally {
    for (const close of closers) await close();
  }
}

/** Makes one run of the command as a process of its own. */
export async function run(world: World, facts: RunFacts): Promise<Outcome> {
  const { disk, lots } = world;
  disk.restart();
  if (facts.killedAt !== undefined) disk.killAt(facts.killedAt, lots);
  const line = new Line(world, facts);
  let stdout = '';
  const work = list(world, facts, { line, write: (text) => (stdout += text) }).then(
    (): Outcome['end'] => 'done',
    (thrown: unknown): Outcome['end'] => RelctlError.from(thrown),
  );
  await line.serve(work);
  return { end: disk.isKilled ? 'killed' : await work, stdout, answers: line.answers };
}
