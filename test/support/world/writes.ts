import { lots as lotsOf } from '../cases.js';
import { mount, type Lots } from './disk.js';
import {
  type Verdict,
  dropLocks,
  fateAmong,
  interruptedAtStep,
  killedAtCall,
  killedAtStep,
  oneOf,
  powerFails,
  sound,
  Story,
  syncFolder,
} from './schedule.js';
import { World, type Fate, type Ran } from './program.js';
import { leaks } from './network.js';
import { calm, WritesService, type Does, type Weather } from './write-service.js';

/** The rows of a CSV file with quotes, by the names of their columns; undefined for one that ends amid a row. */
function csvRows(text: string): readonly Readonly<Record<string, string>>[] | undefined {
  const lines = [...text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)].map(([, line = '']) => cellsOf(line));
  if (lines.length === 0 || !text.endsWith('\r\n')) return undefined;
  const [titles = [], ...rows] = lines;
  if (rows.some(({ length }) => length !== titles.length)) return undefined;
  return rows.map((cells) => Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ''])));
}

const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );

const file = `${mount}/data/rows.csv`;
const results = `${file}.results.csv`;
const journal = `${results}.journal`;

/** Outcomes of rows that --resume sends. */
const open: ReadonlySet<string> = new Set(['failed', 'not sent']);

/** How a row stood when it was looked at last. */
interface RowState {
  outcome: string;
  effects: number;
  doubtful: number;
}

/** What is made of a seed: a file of rows, runs that write it, and what befalls them. */
class WritesSchedule {
  readonly #lots: Lots;
  readonly #does: Does;
  readonly #world: World;
  readonly #service: WritesService;
  readonly #keys: readonly string[];
  readonly #states: RowState[];
  readonly #concurrency: number;
  /** Rows that are unknown are sent again without a look at them. */
  readonly #isBold: boolean;
  /** Requests may come after their client has gone: then it is waited for them before anything goes on. */
  readonly #isLate: boolean;
  readonly #isTraced: boolean;
  readonly #story: Story;
  /** The results that were looked at last. */
  #judged: string | undefined;
  /** A run was killed, so that rows may be unknown although nothing was sent for them. */
  #isKilled = false;
  /** The last run said that there is nothing to go on with. */
  #isNothing = false;
  readonly #counts = { runs: 0, killed: 0, powerFailures: 0, rows: 0, unknown: 0, settled: 0 };

  constructor(seed: number) {
    const lots = (this.#lots = lotsOf(seed));
    const { tell } = (this.#story = new Story(seed));
    this.#does = oneOf<Does>(lots, ['update', 'update', 'add']);
    const count = 1 + lots(8);
    this.#concurrency = oneOf(lots, [1, 1, 2, 4]);
    this.#isBold = this.#does === 'add' ? lots(2) === 0 : lots(4) === 0;
    this.#isLate = lots(3) === 0;
    this.#isTraced = lots(3) === 0;
    this.#service = new WritesService(this.#does, count, { lots, tell });
    this.#world = new World(lots, this.#service);
    const { text, keys } = this.#service.rows();
    this.#keys = keys;
    this.#states = keys.map(() => ({ outcome: 'not sent', effects: 0, doubtful: 0 }));
    this.#counts.rows = count;
    this.#world.disk.mkdirSync(`${mount}/data`);
    this.#world.disk.mkdirSync(`${mount}/config`);
    this.#world.disk.writeFileSync(file, text, { flush: true });
    syncFolder(this.#world.disk, `${mount}/data`);
    tell(`seed ${seed}: ${this.#does} ${count} rows, ${this.#concurrency} at once${this.#isBold ? ', bold' : ''}`);
  }

  #weather(): Weather {
    const lots = this.#lots;
    return {
      faults: oneOf(lots, [0, 0, 15, 40]),
      refusals: oneOf(lots, [0, 0, 20]),
      busy: oneOf(lots, [0, 0, 15]),
      others: oneOf(lots, [0, 0, 0, 10]),
      isLate: this.#isLate,
    };
  }

  #fate(): Fate {
    return fateAmong(this.#lots, 6, [killedAtCall(300), killedAtCall(300), killedAtStep(40), interruptedAtStep(40)]);
  }

  #words(how: readonly string[]): readonly string[] {
    const command = this.#does === 'update' ? ['product', 'update', '--no-base'] : ['activity', 'add-line'];
    const traced = this.#isTraced ? [`--trace=${mount}/data/trace`] : [];
    return [...command, '--file', file, '--yes', '--concurrency', String(this.#concurrency), ...traced, ...how];
  }

  /** The flags by which the next run goes on. */
  #how(): readonly string[] {
    if (!this.#isBegun()) return [];
    // Who begins anew by mistake must be refused.
    if (this.#lots(8) === 0) return [];
    if (this.#does === 'update' && this.#lots(3) === 0) return ['--settle'];
    return ['--resume', ...(this.#isBold && this.#lots(2) === 0 ? ['--retry-unknown'] : [])];
  }

  /** True where a run may go on: a journal that was torn at its beginning says nothing, and nothing was sent for it. */
  #isBegun(): boolean {
    return !this.#isNothing && this.#world.disk.files().has(journal);
  }

  #checkEnd({ end, stderr }: Ran): void {
    const isRefused = end === 2 && /was already written on|there is no earlier batch/.test(stderr);
    if (end !== 'killed' && !isRefused && !sound.has(end)) this.#story.flaw(`the run ends with ${end}: ${stderr}`);
  }

  async #run(how: readonly string[], fate: Fate = {}): Promise<Ran> {
    this.#counts.runs += 1;
    this.#story.begin(this.#counts.runs, how, fate);
    const ran = await this.#world.run(this.#words(how), fate);
    this.#story.end(ran);
    if (ran.end === 'killed') [this.#isKilled, this.#counts.killed] = [true, this.#counts.killed + 1];
    this.#isNothing = ran.end === 2 && ran.stderr.includes('there is no earlier batch');
    this.#checkEnd(ran);
    return ran;
  }

  /** What the world does between runs. */
  #between({ end }: Ran): void {
    const { disk, time } = this.#world;
    disk.restart();
    if (powerFails(this.#lots, end, { else: 10 })) {
      this.#story.tell('the power fails');
      this.#counts.powerFailures += 1;
      this.#isKilled = true;
      disk.losePower(this.#lots);
    }
    dropLocks(disk);
    time.pass(this.#isLate ? 600_000 : 2000 + this.#lots(60_000));
  }

  /** The rows as the results tell them; undefined where there are none. */
  #told(): readonly string[] | undefined {
    const text = this.#world.disk.files().get(results);
    if (text === undefined) return undefined;
    const rows = csvRows(text);
    if (rows?.length !== this.#keys.length) {
      this.#story.flaw(`the results are not whole: ${JSON.stringify(text)}`);
      return undefined;
    }
    return rows.map((row) => row['_outcome'] ?? '');
  }

  /** Compares what is told of each row with what the service knows. */
  #judge(how: readonly string[]): void {
    const text = this.#world.disk.files().get(results);
    const outcomes = this.#told();
    // A run that came to nothing leaves the results of the one before.
    if (outcomes === undefined || text === this.#judged) return;
    this.#judged = text;
    this.#story.tell(`  told: ${outcomes.join(', ')}`);
    for (const [row, outcome] of outcomes.entries()) this.#judgeRow(row, outcome, how);
    this.#isKilled = false;
  }

  #judgeRow(row: number, outcome: string, how: readonly string[]): void {
    const key = this.#keys[row] ?? '';
    const { effects, doubtful, told } = this.#service.log(key);
    const state = this.#states[row];
    if (state === undefined) return;
    const say = (words: string): void => this.#story.flaw(`row ${row} (${key}) is ${outcome}, and ${words}`);
    if (state.outcome === 'done' && outcome !== 'done') say('was told as done before');
    if (outcome === 'done' && effects === 0) say('was never carried out');
    if (['refused', 'failed', 'not sent'].includes(outcome) && effects > state.effects && told === 0)
      say('was carried out');
    if (['failed', 'not sent'].includes(outcome) && effects > 0 && !this.#service.isTouched(row))
      say('was carried out');
    if (outcome === 'conflict' && !this.#service.isTouched(row)) say('nobody else has changed it');
    if (outcome === 'unknown' && !this.#isKilled && state.outcome !== 'unknown' && doubtful === state.doubtful)
      say('nothing was sent for it');
    if (outcome === 'unknown') this.#counts.unknown += 1;
    if (how.includes('--settle') && state.outcome === 'unknown' && outcome !== 'unknown') this.#counts.settled += 1;
    this.#states[row] = { outcome, effects, doubtful };
  }

  /** Who repeats rows of which nobody knows what became knows what that may do. */
  #judgeTwice(): void {
    if (this.#isBold) return;
    for (const key of this.#keys) {
      const { effects } = this.#service.log(key);
      if (effects > 1) this.#story.flaw(`${key} was carried out ${effects} times`);
    }
  }

  async #disturbed(): Promise<void> {
    for (let count = 1 + this.#lots(4); count > 0; count -= 1) {
      this.#service.weather = this.#weather();
      const how = this.#how();
      const ran = await this.#run(how, this.#fate());
      if (ran.end !== 'killed' && ran.end !== 2) this.#judge(how);
      this.#between(ran);
    }
  }

  /** Rows that going on would send again. */
  #isOpen(): boolean {
    const told = this.#told();
    const isAdd = this.#does === 'add';
    return told === undefined || told.some((outcome) => open.has(outcome) || (outcome === 'unknown' && !isAdd));
  }

  /** Goes on until all is over, with nothing in the way. */
  async #quiet(): Promise<void> {
    this.#service.weather = calm;
    const runs = [['--settle'], ['--resume'], ['--settle'], ['--resume']];
    for (const how of runs) {
      const isBegun = this.#isBegun();
      if (how.includes('--settle') && (!isBegun || this.#does === 'add')) continue;
      await this.#run(isBegun ? how : []);
      this.#world.time.pass(600_000);
      this.#judge(how);
      if (!this.#isOpen()) return;
    }
  }

  #judgeLast(): void {
    const last = this.#told();
    if (last === undefined) {
      this.#story.flaw('there are no results');
      return;
    }
    for (const [row, outcome] of last.entries()) {
      const price = this.#service.priceOf(row);
      const key = this.#keys[row] ?? '';
      if (open.has(outcome) || (outcome === 'unknown' && this.#does === 'update'))
        this.#story.flaw(`row ${row} is ${outcome} at the end`);
      if (this.#does === 'update' && outcome === 'done' && price !== key)
        this.#story.flaw(`row ${row} is done, and its price is ${price ?? ''}`);
    }
  }

  async verdict(): Promise<Verdict> {
    await this.#world.within(async () => {
      await this.#disturbed();
      await this.#quiet();
    });
    this.#judgeTwice();
    this.#judgeLast();
    for (const leak of leaks(this.#world.said, this.#world.disk)) this.#story.flaw(leak);
    return this.#story.verdict(this.#counts);
  }
}

/** Plays the schedule of a seed against the built program: the same seed gives the same schedule, to the last call. */
export const writes = {
  name: 'writes of many rows',
  play: (seed: number): Promise<Verdict> => new WritesSchedule(seed).verdict(),
};
