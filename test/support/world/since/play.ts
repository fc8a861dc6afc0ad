import type { Verdict } from '../play.js';
import { RelctlError } from '../../../../src/errors/relctl-error.js';
import { lots as lotsOf } from '../../lots.js';
import { MemoryDisk, mount, type Lots } from '../disk.js';
import { onDisk } from '../on-disk.js';
import { dropLocks, oneOf, powerFails, Story } from '../schedule.js';
import { run, target, type Outcome, type RunFacts, type World } from './one-run.js';
import { ModelService, type Clocks, type Order, type Shows } from './service.js';

const hourMs = 3_600_000;

/** What a schedule is made of. */
class Schedule {
  readonly seed: number;
  readonly #lots: Lots;
  readonly #clocks: Clocks = { trueMs: Date.UTC(2026, 2, 1), serviceAheadMs: 0, machineAheadMs: 0 };
  readonly #disk = new MemoryDisk();
  readonly #world: World;
  readonly #constant: Pick<RunFacts, 'toFile' | 'pageSize'>;
  /** The clock that is set now and then: with both of them set nobody could tell how much time went by. */
  readonly #steps: 'serviceAheadMs' | 'machineAheadMs' | undefined;
  readonly #delivered = new Map<string, number>();
  readonly #story: Story;
  #isFirst = true;
  #taken: string | undefined;
  /** A clock was set, and no run has seen it: one that is set back and forth again in the meantime leaves no trace. */
  #isStepUnseen = false;
  #counts = { runs: 0, killed: 0, failed: 0, repeats: 0 };

  constructor(seed: number) {
    this.seed = seed;
    this.#story = new Story(seed);
    this.#lots = lotsOf(seed);
    const lots = this.#lots;
    const order = oneOf<Order>(lots, ['by change', 'by change', 'by Id', 'by change, last first']);
    const shows = oneOf<Shows>(lots, ['stamp', 'content', 'nothing']);
    // A late change that no row shows cannot be told from none (docs/since-last.md).
    const mostLateMs = shows === 'nothing' ? 0 : oneOf(lots, [0, 0, 5000, 60_000]);
    const service = new ModelService({ order, shows, mostLateMs }, this.#clocks, lots);
    this.#constant = { toFile: lots(4) > 0, pageSize: 1 + lots(4) };
    this.#steps = oneOf(lots, [undefined, undefined, 'serviceAheadMs', 'machineAheadMs'] as const);
    const { tell } = this.#story;
    this.#world = { disk: this.#disk, service, clocks: this.#clocks, shows, lots, tell };
    this.#clocks.serviceAheadMs = oneOf(lots, [0, -5000, 90_000]);
    for (let row = 1 + lots(7); row > 0; row -= 1) this.#change(row);
    tell(`seed ${seed}: ${order}, shows ${shows}, late ${mostLateMs} ms, page size ${this.#constant.pageSize}`);
  }

  #change(row: number): void {
    this.#clocks.trueMs += 1 + this.#lots(2000);
    this.#world.service.change(row);
  }

  /** Time passes, rows change, clocks are set. */
  #betweenRuns(): void {
    const lots = this.#lots;
    this.#clocks.trueMs += oneOf(lots, [1000, 60_000, hourMs, 24 * hourMs]) + lots(60_000);
    for (let count = lots(4); count > 0; count -= 1) this.#change(1 + lots(this.#world.service.size + 1));
    // Clocks are compared with those of the bookmark: before there is one nothing is known of them.
    if (this.#steps === undefined || this.#isFirst || this.#isStepUnseen || lots(2) === 0) return;
    this.#isStepUnseen = true;
    // A few seconds are no more than a Date header tells.
    const byMs = oneOf(lots, [1, -1]) * oneOf(lots, [20_000, 60_000, 2 * hourMs]);
    this.#clocks[this.#steps] += byMs;
    this.#world.tell(`${this.#steps} changes by ${byMs / 1000} s`);
    for (let count = lots(3); count > 0; count -= 1) this.#change(1 + lots(this.#world.service.size));
  }

  #disturbed(): RunFacts {
    const lots = this.#lots;
    return {
      ...this.#constant,
      isFirst: this.#isFirst,
      concurrency: 1 + lots(3),
      changePercent: oneOf(lots, [0, 0, 20, 60]),
      failsAt: lots(6) === 0 ? 1 + lots(8) : undefined,
      killedAt: lots(3) === 0 ? 1 + lots(120) : undefined,
    };
  }

  #quiet(): RunFacts {
    const undisturbed = { concurrency: 3, changePercent: 0, failsAt: undefined, killedAt: undefined };
    return { ...this.#constant, isFirst: this.#isFirst, ...undisturbed };
  }

  #deliver(text: string): void {
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const { Id, _version } = JSON.parse(line) as { readonly Id: string; readonly _version: number };
      const before = this.#delivered.get(Id) ?? 0;
      if (before === _version) this.#counts.repeats += 1;
      this.#delivered.set(Id, Math.max(before, _version));
    }
  }

  /**
   * Whoever the rows are for takes what came: from stdout all of it; of files the one that is there under its name, whatever
   * became of the run, and leaves it there or not. A file that is there is complete.
   */
  #takeOutput(stdout: string): void {
    if (!this.#constant.toFile) this.#deliver(stdout);
    const text = this.#disk.files().get(target);
    if (text === undefined) return;
    if (text !== this.#taken) this.#deliver(text);
    this.#taken = text;
    if (this.#lots(2) === 0) this.#disk.take(target);
  }

  async #run(facts: RunFacts): Promise<Outcome['end']> {
    const { tell } = this.#world;
    this.#counts.runs += 1;
    tell(`run ${this.#counts.runs}${facts.killedAt === undefined ? '' : `, killed at ${facts.killedAt}`}`);
    const { end, stdout, answers } = await run(this.#world, facts);
    if (end !== 'killed' && answers > 0) this.#isStepUnseen = false;
    if (end === 'killed') this.#counts.killed += 1;
    else if (end !== 'done') this.#counts.failed += 1;
    tell(`  ${typeof end === 'string' ? end : `${end.kind}: ${end.message}`}`);
    this.#disk.restart();
    if (powerFails(this.#lots, end, { else: 8 })) {
      tell('  the power fails');
      this.#disk.losePower(this.#lots);
    }
    dropLocks(this.#disk);
    this.#takeOutput(stdout);
    tell(`  delivered: ${[...this.#delivered].map(([id, version]) => `${id.slice(-2)}v${version}`).join(' ')}`);
    // Without a bookmark the next run is a first one.
    this.#isFirst = ![...this.#disk.files().keys()].some((path) => path.endsWith('nightly.bookmark'));
    return end;
  }

  #lost(): readonly string[] {
    return [...this.#world.service.last()].flatMap(([id, version]) => {
      const got = this.#delivered.get(id);
      return got === version ? [] : [`${id} v${version}, delivered: ${got === undefined ? 'never' : `v${got}`}`];
    });
  }

  async #play(): Promise<string | undefined> {
    this.#disk.mkdirSync(`${mount}/out`);
    for (let count = 1 + this.#lots(6); count > 0; count -= 1) {
      await this.#run(this.#disturbed());
      this.#betweenRuns();
    }
    let stuck: string | undefined;
    for (let count = 0; count < 2; count += 1) {
      this.#clocks.trueMs += hourMs;
      const end = await this.#run(this.#quiet());
      if (typeof end !== 'string') stuck ??= `${end.kind}: ${end.message}`;
    }
    return stuck;
  }

  async verdict(): Promise<Verdict> {
    const now = performance.now.bind(performance);
    performance.now = () => this.#clocks.trueMs;
    try {
      const stuck = await onDisk(this.#disk, () => this.#play());
      for (const each of this.#lost()) this.#story.flaw(`lost: ${each}`);
      if (stuck !== undefined) this.#story.flaw(`stuck: ${stuck}`);
      return this.#story.verdict(this.#counts);
    } catch (thrown) {
      throw new RelctlError('bug', `seed ${this.seed}: ${String(thrown)}`, { cause: thrown });
    } finally {
      performance.now = now;
    }
  }
}

/** Plays the schedule of a seed against the real code: the same seed gives the same schedule, to the last call. */
export const since = { name: '--since-last', play: (seed: number): Promise<Verdict> => new Schedule(seed).verdict() };
