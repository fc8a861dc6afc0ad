import { MirrorFolder, atStatements, byRelation, Judge, shownIn, type Change, type Told } from './mirror-judge.js';
import { listed, calm, MirroredService, type Weather } from './mirror-service.js';
import { lots as lotsOf } from '../cases.js';
import { mount, type Lots } from './disk.js';
import {
  type Verdict,
  fateAmong,
  interruptedAtStep,
  killedAtStep,
  oneOf,
  sound,
  Story,
  type DrawnFate,
} from './schedule.js';
import { World, type Fate, type Ran } from './program.js';
import { leaks } from './network.js';

/** Files that may be beside a mirror when nobody is at it. */
const beside: ReadonlySet<string> = new Set(['mirror.db-wal', 'mirror.db-shm']);

/** The sources that each mirror has. */
const usual: readonly string[] = [
  ...['relations', 'relationships', 'telephone_book', 'products', 'marks', 'campaign_marks', 'sbi_codes'],
  ...['LegalEntity', 'ClassPersonnel', 'PaymentMethod', 'Prolongation', 'InvoiceMoment', 'AuthorizationType'].map(
    (type) => `system_datastores ${type}`,
  ),
  ...['system_datastores ReversalReason', 'system_datastores BikeDepotBrand'],
];

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Where a run is killed: at a step of an exchange, or before a statement of the database. */
type MirrorFate = Fate & { readonly killedAtStatement?: number };

/** What is made of a seed: a mirror, runs that sync it, and what befalls them. */
class MirrorSchedule {
  readonly #lots: Lots;
  readonly #world: World;
  readonly #service: MirroredService;
  readonly #judge: Judge;
  readonly #folder = new MirrorFolder();
  readonly #isLate: boolean;
  readonly #story: Story;
  #pageSize: number;
  /** The source that is asked for relation by relation was added. */
  #isAdded = false;
  readonly #counts = {
    runs: 0,
    complete: 0,
    killed: 0,
    interrupted: 0,
    powerFailures: 0,
    statements: 0,
    swaps: 0,
    changes: 0,
  };

  constructor(seed: number) {
    const lots = (this.#lots = lotsOf(seed));
    const { tell } = (this.#story = new Story(seed));
    this.#service = new MirroredService(lots, tell);
    this.#world = new World(lots, this.#service);
    this.#service.nowMs = () => this.#world.time.nowMs;
    this.#world.onKill = () => this.#folder.keep();
    this.#judge = new Judge(this.#service, this.#story.flaw);
    this.#isLate = lots(4) === 0;
    this.#pageSize = 2 + lots(6);
    this.#world.disk.mkdirSync(`${mount}/config`);
    this.#story.tell(`seed ${seed}: pages of ${this.#pageSize}`);
  }

  #weather(): Weather {
    const lots = this.#lots;
    return {
      faults: oneOf(lots, [0, 0, 10, 30]),
      busy: oneOf(lots, [0, 0, 15]),
      refusals: oneOf(lots, [0, 0, 0, 5]),
      changes: oneOf(lots, [0, 0, 10, 40]),
      odd: oneOf(lots, [0, 0, 0, 10]),
      isLate: this.#isLate,
    };
  }

  #fate(): MirrorFate {
    const atStep: DrawnFate<MirrorFate> = (lots) => killedAtStep(oneOf(lots, [20, 80, 200]))(lots);
    const atStatement: DrawnFate<MirrorFate> = (lots) => ({
      killedAtStatement: 1 + lots(oneOf(lots, [60, 200, 600])),
    });
    return fateAmong(this.#lots, 7, [atStep, atStep, atStatement, atStatement, interruptedAtStep(80)]);
  }

  /** Makes a run, and puts the mirror back to what it was when that was killed. */
  async #run(words: readonly string[], fate: MirrorFate = {}): Promise<Ran> {
    this.#counts.runs += 1;
    this.#story.begin(this.#counts.runs, words, fate);
    let statements = 0;
    this.#folder.begin();
    const ran = await atStatements(
      () => {
        statements += 1;
        if (statements === fate.killedAtStatement) this.#world.kill();
      },
      () => this.#world.run(['mirror', ...words, '--mirror', this.#folder.file, '--quiet'], fate),
    );
    await this.#folder.end();
    this.#counts.statements += statements;
    this.#story.end(ran);
    if (ran.end === 'killed') {
      this.#counts.killed += 1;
      const isPowerOut = this.#lots(3) === 0;
      if (isPowerOut) this.#powerFails();
      this.#folder.putBack(isPowerOut ? this.#lots : undefined);
    } else {
      this.#litter();
      if (this.#lots(10) === 0) {
        this.#powerFails();
        this.#folder.keep();
        this.#folder.putBack(this.#lots);
      }
    }
    return ran;
  }

  #powerFails(): void {
    this.#counts.powerFailures += 1;
    this.#story.tell('  the power fails');
  }

  #litter(): void {
    const litter = this.#folder.names().filter((name) => !beside.has(name));
    if (litter.length > 0) this.#story.flaw(`a run leaves ${litter.join(', ')}`);
    if (process.platform !== 'win32' && this.#folder.modes().some((mode) => (mode & 0o077) !== 0))
      this.#story.flaw('others may read the mirror');
  }

  async #add(fate: MirrorFate = {}): Promise<void> {
    const { end, stderr } = await this.#run(['add', 'marks', '--by-relation'], fate);
    if (end === 0) this.#isAdded = true;
    else if (end !== 'killed') this.#story.flaw(`a source is not added: ${end}: ${stderr}`);
    this.#judge.end(shownIn(this.#folder), []);
  }

  /** Names of tables of a sync; none means all. */
  #tables(): readonly string[] {
    const own = [...listed, ...(this.#isAdded ? [byRelation.table] : [])];
    if (this.#lots(12) === 0) return [];
    const some = own.filter(() => this.#lots(3) > 0);
    return some.length === 0 ? own : some;
  }

  async #sync(tables: readonly string[], fate: MirrorFate = {}): Promise<Ran> {
    const all = [...usual, ...(this.#isAdded ? [byRelation.table] : [])];
    this.#judge.begin(tables.length === 0 ? all : tables);
    const since = new Date(this.#world.time.nowMs).toISOString();
    const flags = ['--page-size', String(this.#pageSize), '--concurrency', String(1 + this.#lots(3)), '-o', 'ndjson'];
    const ran = await this.#run(['sync', ...tables, ...flags], fate);
    const told = ran.end === 'killed' ? [] : linesOf(ran.stdout).map((line) => JSON.parse(line) as Told);
    if (ran.end === 130) this.#counts.interrupted += 1;
    this.#checkEnd(ran);
    const changes = this.#judge.end(shownIn(this.#folder), told);
    this.#counts.swaps += told.length;
    if (ran.end === 0) this.#checkComplete(tables.length === 0 ? all : tables, told);
    await this.#checkChanges(since, changes);
    return ran;
  }

  #checkEnd({ end, stderr }: Ran): void {
    const isWithoutRelations = end === 2 && stderr.includes('reads each relation of the mirror');
    if (end !== 'killed' && !isWithoutRelations && !sound.has(end))
      this.#story.flaw(`the run ends with ${end}: ${stderr}`);
  }

  #checkComplete(tables: readonly string[], told: readonly Told[]): void {
    this.#counts.complete += 1;
    const done = new Set(told.map(({ Source }) => (Source === byRelation.source ? byRelation.table : Source)));
    const left = tables.filter((name) => !done.has(name));
    if (left.length > 0) this.#story.flaw(`the sync ends with 0, and did not read ${left.join(', ')}`);
  }

  /** What was changed since the run before is told, once. */
  async #checkChanges(since: string, changes: readonly Change[]): Promise<void> {
    if (this.#judge.shown.syncedAt.size === 0 || (changes.length === 0 && this.#lots(3) > 0)) return;
    const { end, stdout, stderr } = await this.#run(['changes', '--from', since, '-o', 'ndjson']);
    if (end !== 0) this.#story.flaw(`changes are not told: ${end}: ${stderr}`);
    const wordsOf = ({ Table, Change, Id }: Change): string => `${Table} ${Change} ${Id ?? 'null'}`;
    const [expected, told] = [changes, linesOf(stdout).map((line) => JSON.parse(line) as Change)].map((all) =>
      all.map(wordsOf).sort(),
    );
    this.#counts.changes += changes.length;
    if (String(expected) !== String(told))
      this.#story.flaw(`changes are told as ${String(told)}, and they are ${String(expected)}`);
  }

  #between(): void {
    const lots = this.#lots;
    this.#world.disk.restart();
    this.#world.time.pass(oneOf(lots, [2000, 60_000, 3_600_000]) + lots(60_000));
    for (let count = lots(4); count > 0; count -= 1) this.#service.change();
    if (lots(6) === 0) this.#pageSize = 2 + lots(6);
  }

  async #disturbed(): Promise<void> {
    for (let count = 1 + this.#lots(5); count > 0; count -= 1) {
      this.#service.weather = this.#weather();
      if (!this.#isAdded && this.#lots(3) === 0) await this.#add(this.#fate());
      await this.#sync(this.#tables(), this.#fate());
      this.#between();
    }
  }

  /** Goes on with nothing in the way: the second sync shows what the service has, in its order and to the letter. */
  async #quiet(): Promise<void> {
    this.#service.weather = calm;
    await this.#add();
    for (const reading of ['first', 'second']) {
      const all = this.#lots(6) === 0 && reading === 'first';
      const { end, stderr } = await this.#sync(all ? [] : [...listed, byRelation.table]);
      // The end of one that was interrupted may find that the service showed a record with two contents.
      const isOfEarlier = reading === 'first' && stderr.includes('had two different contents');
      if (end !== 0 && !isOfEarlier) this.#story.flaw(`the ${reading} quiet sync ends with ${end}: ${stderr}`);
      this.#world.time.pass(60_000);
    }
    for (const table of listed) {
      const { stdout } = await this.#run(['list', table, '-o', 'ndjson']);
      const expected = this.#service.lists[table].records.map(({ json }) => json);
      if (stdout !== expected.map((line) => `${line}\n`).join(''))
        this.#story.flaw(`${table} is listed as\n${stdout}and is\n${expected.join('\n')}`);
    }
  }

  async verdict(): Promise<Verdict> {
    try {
      await this.#world.within(async () => {
        await this.#disturbed();
        await this.#quiet();
      });
      const said = [this.#world.said, ...this.#folder.texts().map(([, text]) => text)].join('\n');
      for (const leak of leaks(said, this.#world.disk)) this.#story.flaw(leak);
    } finally {
      this.#folder.remove();
    }
    return this.#story.verdict(this.#counts);
  }
}

/** Plays the schedule of a seed against the built program: the same seed gives the same schedule, to the last call. */
export const mirror = {
  name: 'a mirror',
  play: (seed: number): Promise<Verdict> => new MirrorSchedule(seed).verdict(),
};
