import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type Row, calm, ExportsService, type Moves, type Weather } from './export-service.js';
import { lots as lotsOf } from '../cases.js';
import { mount, type Lots } from './disk.js';
import {
  type Verdict,
  dropLocks,
  fateAmong,
  fullDisk,
  interruptedAtStep,
  killedAtCall,
  killedAtStep,
  oneOf,
  powerFails,
  Story,
  syncFolder,
} from './schedule.js';
import { World, type Fate, type Ran } from './program.js';
import { leaks } from './network.js';
import { argv } from '../argv.js';

/** Formats that are written by rows, and so can be gone on with. */
type Format = 'csv' | 'tsv' | 'ndjson' | 'json';

/** The columns that are asked for. */
export const columns = ['Id', 'DisplayName', 'ImportKey', 'IsInactive'] as const;

const cellsOf = ({ id, name, key, isInactive }: Row): readonly string[] => [id, name, key, String(isInactive)];

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const escaped = (cell: string): string =>
  cell.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

const objectOf = ({ id, name, key, isInactive }: Row): object => ({
  ...{ Id: id, DisplayName: name, ImportKey: key, IsInactive: isInactive },
});

const indented = (row: Row): string => JSON.stringify(objectOf(row), undefined, 2).replaceAll(/^/gm, '  ');

/** A row as a file of this format has it, with what ends it; a document of JSON has commas between. */
const pieceOf: Readonly<Record<Format, (row: Row) => string>> = {
  csv: (row) => `${cellsOf(row).map(quoted).join(',')}\n`,
  tsv: (row) => `${cellsOf(row).map(escaped).join('\t')}\n`,
  ndjson: (row) => `${JSON.stringify(objectOf(row))}\n`,
  json: indented,
};

const headers: Readonly<Record<Format, string>> = {
  csv: `${columns.join(',')}\n`,
  tsv: `${columns.join('\t')}\n`,
  ndjson: '',
  json: '',
};

/** The file of these rows, written by the words of docs/exports.md and docs/formats.md and not by the program. */
export function fileOf(format: Format, rows: readonly Row[]): string {
  const pieces = rows.map(pieceOf[format]);
  if (format === 'json') return rows.length === 0 ? '[]\n' : `[\n${pieces.join(',\n')}\n]\n`;
  return headers[format] + pieces.join('');
}

/**
 * The rows that a file has, each one of those that were ever shown; undefined for a file that is anything else. A row that came
 * in two states is there in both.
 */
function rowsIn(format: Format, text: string, shown: readonly Row[]): readonly Row[] | undefined {
  const rows: Row[] = [];
  for (let rest = bodyOf(format, text); rest !== '';) {
    const row = shown.find((each) => rest?.startsWith(pieceOf[format](each)));
    if (row === undefined || rest === undefined) return undefined;
    rows.push(row);
    rest = rest.slice(pieceOf[format](row).length).replace(/^,\n/, '');
  }
  return fileOf(format, rows) === text ? rows : undefined;
}

function bodyOf(format: Format, text: string): string | undefined {
  if (format === 'json') return text === '[]\n' ? '' : /^\[\n([\s\S]*)\n\]\n$/.exec(text)?.[1];
  return text.startsWith(headers[format]) ? text.slice(headers[format].length) : undefined;
}

/**
 * The number of the last page that the journal of an export keeps, which a run that goes on asks for first; undefined where
 * none is kept, or the file was finished.
 */
function lastKept(files: ReadonlyMap<string, string>, file: string): number | undefined {
  const [text = ''] = [`${file}.journal`, `${file}.staging.journal`].flatMap((path) => files.get(path) ?? []);
  if (text.includes('{"done":')) return undefined;
  // A line that was not written to its end is none.
  const last = [...text.matchAll(/^.*\{"page":(\d+),.*\n/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last);
}

const folder = `${mount}/data`;

/** Exit codes of an export that did not come to its end, or was not to begin. */
const short: ReadonlySet<unknown> = new Set([4, 6, 7, 8, 130]);

/** Which rows are asked for, in which order. */
interface Choice {
  readonly flags: readonly string[];
  readonly of: (rows: readonly Row[]) => readonly Row[];
  readonly hasLimit?: boolean;
}

const whole: Choice = { flags: [], of: (rows) => rows };

const byKey = (left: Row, right: Row): number => (left.key < right.key ? 1 : -1);

const choices = (lots: Lots): readonly [Choice, ...Choice[]] => {
  const most = 1 + lots(20);
  return [
    whole,
    whole,
    whole,
    whole,
    // Read to a staging file first.
    { flags: ['--include-fields'], of: (rows) => rows },
    { flags: ['--limit', String(most)], of: (rows) => rows.slice(0, most), hasLimit: true },
    { flags: ['--where', 'IsInactive'], of: (rows) => rows.filter(({ isInactive }) => isInactive) },
    { flags: ['--sort', 'ImportKey:desc'], of: (rows) => rows.toSorted(byKey) },
  ];
};

/** What a schedule is made of: an export, runs that write it, and what befalls them. */
class ExportsSchedule {
  readonly #lots: Lots;
  readonly #world: World;
  readonly #service: ExportsService;
  readonly #moves: Moves;
  readonly #format: Format;
  readonly #file: string;
  readonly #isPacked: boolean;
  readonly #choice: Choice;
  readonly #flags: readonly string[];
  readonly #hasReport: boolean;
  /** What another program wrote under the name, which only --force replaces. */
  readonly #foreign: string | undefined;
  readonly #story: Story;
  /** The file as it was looked at last. */
  #former: string | undefined;
  /** Pages that the journal has may be lost, by the power or a run that began to throw them away, until one reads on. */
  #hasLost = false;
  /** The disk was full in a run that may have written the file: the list of files that relctl wrote may lack it. */
  #isUnnoted = false;
  /** A run has told that the file is complete, and no later one was killed. */
  #isTold = false;
  readonly #counts = { runs: 0, killed: 0, powerFailures: 0, complete: 0, resumed: 0, rows: 0 };

  constructor(seed: number) {
    const lots = (this.#lots = lotsOf(seed));
    const { tell } = (this.#story = new Story(seed));
    this.#moves = oneOf<Moves>(lots, ['none', 'none', 'in place', 'between pages']);
    const facts = {
      moves: this.#moves,
      count: lots(30),
      mostOnPage: oneOf(lots, [1000, 1000, 3]),
      countsAsked: lots(2) === 0,
      isFast: lots(2) === 0,
    };
    this.#service = new ExportsService(facts, { lots, tell });
    this.#world = new World(lots, this.#service);
    this.#format = oneOf<Format>(lots, ['csv', 'csv', 'tsv', 'ndjson', 'json']);
    this.#isPacked = lots(4) === 0;
    this.#file = `${folder}/relations.${this.#format}${this.#isPacked ? '.gz' : ''}`;
    this.#choice = oneOf(lots, choices(lots));
    this.#hasReport = lots(3) === 0;
    this.#flags = argv`
      --columns ${columns.join(',')} --page-size ${String(1 + lots(6))} --concurrency ${String(1 + lots(4))}
      ${this.#choice.flags} ${this.#hasReport ? ['--meta'] : []}
      ${this.#isConsistent(lots) ? ['--consistent'] : []}
    `;
    const { disk } = this.#world;
    for (const path of [folder, `${mount}/config`]) disk.mkdirSync(path);
    this.#foreign = lots(12) === 0 ? 'nobody else may lose this' : undefined;
    if (this.#foreign !== undefined) disk.writeFileSync(this.#file, this.#foreign, { flush: true });
    this.#former = this.#foreign;
    syncFolder(disk, folder);
    tell(`seed ${seed}: ${this.#moves}, ${facts.count} rows, ${this.#file} ${this.#flags.join(' ')}`);
  }

  readonly #isConsistent = (lots: Lots): boolean => this.#choice === whole && lots(5) === 0;

  #weather(): Weather {
    const lots = this.#lots;
    return {
      faults: oneOf(lots, [0, 0, 15, 40]),
      busy: oneOf(lots, [0, 0, 15]),
      odd: oneOf(lots, [0, 0, 10, 30]),
      moves: this.#moves === 'none' ? 0 : oneOf(lots, [0, 20, 50]),
    };
  }

  #fate(): Fate {
    const fates = [killedAtCall(150), killedAtCall(150), killedAtStep(40), interruptedAtStep(60), fullDisk(6000)];
    return fateAmong(this.#lots, 7, fates);
  }

  #bytes(path: string): Buffer | undefined {
    const { disk } = this.#world;
    if (!disk.files().has(path)) return undefined;
    const bytes = disk.readFileSync(path);
    return Buffer.isBuffer(bytes) ? bytes : undefined;
  }

  /** The content of the file; undefined where there is none. */
  #content(): string | undefined {
    const bytes = this.#bytes(this.#file);
    if (bytes === undefined || !this.#isPacked || bytes.toString() === this.#foreign) return bytes?.toString();
    try {
      return gunzipSync(bytes).toString();
    } catch {
      return `not unpacked: ${bytes.length} bytes`;
    }
  }

  /** True where something stands beside the file that a run goes on with, or takes away. */
  #isBegun(): boolean {
    const isOther = (path: string): boolean => path.startsWith(`${this.#file}.`) && !path.endsWith('.meta.json');
    return [...this.#world.disk.files().keys()].some(isOther);
  }

  async #run(how: readonly string[], fate: Fate = {}): Promise<Ran> {
    this.#counts.runs += 1;
    this.#story.begin(this.#counts.runs, how, fate);
    this.#service.asked.length = 0;
    this.#service.given.length = 0;
    const goesOn = how.includes('--resume') && !this.#hasLost && !this.#flags.includes('--consistent');
    const seam = goesOn ? lastKept(this.#world.disk.files(), this.#file) : undefined;
    const words = ['relation', 'list', '--output-file', this.#file, ...this.#flags, ...how];
    if (how.includes('--resume') && this.#isBegun()) this.#counts.resumed += 1;
    const ran = await this.#world.run(words, fate);
    this.#world.disk.restart();
    const { end, stdout } = ran;
    this.#story.end(ran);
    if (end === 'killed' && how.includes('--restart')) this.#hasLost = true;
    if (end !== 'killed' && this.#service.asked.length > 0) this.#hasLost = false;
    if (end === 'killed') [this.#isTold, this.#counts.killed] = [false, this.#counts.killed + 1];
    if (stdout !== '') this.#story.flaw(`something stands on stdout: ${stdout}`);
    this.#judge(ran, how, fate);
    this.#judgeSum();
    this.#judgeProgress(ran, seam);
    return ran;
  }

  /** What was read is kept, and is not read again but for its last page. */
  #judgeProgress({ end, stderr }: Ran, seam: number | undefined): void {
    const [first] = this.#service.asked;
    // The last page that was kept is looked at again, because rows may have moved to it.
    if (seam !== undefined && first !== undefined && first !== seam)
      this.#story.flaw(`page ${seam} was kept last, and the run begins with page ${first}`);
    const isStopped = end === 8 && /stopped short at page \d+ after [1-9]/.test(stderr);
    if (isStopped && !this.#flags.includes('--consistent') && !this.#isBegun()) this.#story.flaw('nothing is kept');
  }

  #judge({ end, stderr }: Ran, how: readonly string[], { room }: Fate): void {
    const content = this.#content();
    if (room !== undefined) this.#isUnnoted = true;
    const isForeign = this.#foreign !== undefined && this.#former === this.#foreign && !how.includes('--force');
    if (end === 0) {
      this.#counts.complete += 1;
      if (isForeign) this.#story.flaw('a file of another program was replaced');
      this.#judgeComplete(content, how);
      this.#isTold = true;
    } else if (end === 'killed') {
      if (content !== this.#former && (isForeign || content === undefined || !this.#isSound(content)))
        this.#story.flaw(`after a kill the file is ${JSON.stringify(content)}`);
    } else {
      // The report is written last: a disk that is full then has the whole file.
      const isWhole = end === 10 && this.#hasReport && content !== undefined && this.#isSound(content);
      if (content !== this.#former && !isWhole) this.#story.flaw(`the file changed, and the run ended with ${end}`);
      const isRefused = ((isForeign || room !== undefined) && end === 10) || (end === 8 && !how.includes('--resume'));
      if (!short.has(end) && !isRefused) this.#story.flaw(`the run ends with ${end}: ${stderr}`);
    }
    this.#former = content;
  }

  /** True for a file of rows that were all shown by the service, none twice in the same state. */
  #isSound(content: string): boolean {
    const rows = rowsIn(this.#format, content, this.#service.shown);
    if (rows === undefined || new Set(rows).size !== rows.length) return false;
    if (this.#service.isMoved) return true;
    return content === fileOf(this.#format, this.#choice.of(this.#service.rows));
  }

  #judgeComplete(content: string | undefined, how: readonly string[]): void {
    const { rows, isMoved, passing, shown } = this.#service;
    if (content === undefined || !this.#isSound(content)) {
      this.#story.flaw(`${how.join(' ')} is done, and the file is ${JSON.stringify(content)}`);
      return;
    }
    const found = rowsIn(this.#format, content, shown) ?? [];
    this.#counts.rows += found.length;
    const ids = new Set(found.map(({ id }) => id));
    // Rows that change places meanwhile may be missing, as the docs say; others never are.
    const isSure = this.#moves === 'in place' || this.#flags.includes('--consistent');
    if (isMoved && isSure && this.#choice === whole)
      for (const { id } of rows) if (!passing.has(id) && !ids.has(id)) this.#story.flaw(`${id} is missing`);
    this.#judgeGiven(found);
    if (this.#hasReport) this.#judgeReport(found.length);
  }

  /** Each row that has come to a run that was complete is in the file as it came, also where rows moved before the run. */
  #judgeGiven(found: readonly Row[]): void {
    // A limit leaves rows out; passes that are compared may be more than one.
    if (this.#choice.hasLimit === true || this.#flags.includes('--consistent')) return;
    const there = new Set(found.map((row) => JSON.stringify(row)));
    for (const row of this.#choice.of(this.#service.given))
      if (!there.has(JSON.stringify(row))) this.#story.flaw(`${JSON.stringify(row)} has come, and is missing`);
  }

  #judgeReport(rows: number): void {
    const { disk } = this.#world;
    const text = disk.files().get(`${this.#file}.meta.json`) ?? '{}';
    const told = JSON.parse(text) as { readonly rows?: number };
    if (told.rows !== rows) this.#story.flaw(`the report tells of ${told.rows} rows, and there are ${rows}: ${text}`);
  }

  /** Whatever became of a run, a report that is there is that of the file. */
  #judgeSum(): void {
    const text = this.#world.disk.files().get(`${this.#file}.meta.json`);
    const sum = createHash('sha256')
      .update(this.#bytes(this.#file) ?? '')
      .digest('hex');
    if (text?.includes(sum) === false) this.#story.flaw(`the report has another sum than the file: ${text}`);
  }

  /** What the world does between runs. */
  #between({ end }: Ran): void {
    const { disk, time } = this.#world;
    if (powerFails(this.#lots, end, { else: 6 })) {
      this.#story.tell('the power fails');
      this.#counts.powerFailures += 1;
      disk.losePower(this.#lots);
      this.#hasLost = true;
      const content = this.#content();
      const isSame = content === this.#former;
      if (!isSame && (this.#isTold || (content !== undefined && content !== this.#foreign && !this.#isSound(content))))
        this.#story.flaw(`the power failed, and the file is ${JSON.stringify(content)}`);
      this.#former = content;
      this.#judgeSum();
    }
    dropLocks(disk, /\.(?:lock|run)(?:\.|$)/);
    time.pass(2000 + this.#lots(60_000));
    // An export that is under way would show rows of both states.
    if (!this.#isBegun()) this.#changeAtRest();
  }

  /** Changes rows while no export is under way: the next one shows them as they are then. */
  #changeAtRest(): void {
    if (this.#former !== undefined && !this.#service.isMoved) return;
    if (this.#lots(3) === 0) this.#service.change('between pages');
  }

  #forced(): readonly string[] {
    return this.#isUnnoted ? ['--force'] : [];
  }

  #how(): readonly string[] {
    const lots = this.#lots;
    const going = oneOf(lots, [['--resume'], ['--resume'], ['--resume'], ['--restart'], []] as const);
    return [...going, ...(this.#foreign !== undefined && lots(4) === 0 ? ['--force'] : this.#forced())];
  }

  async #disturbed(): Promise<void> {
    for (let count = 1 + this.#lots(4); count > 0; count -= 1) {
      this.#service.weather = this.#weather();
      this.#between(await this.#run(this.#how(), this.#fate()));
    }
  }

  /** With nothing in the way, an export goes on to its end, and the next one shows what is there now. */
  async #quiet(): Promise<void> {
    this.#service.weather = calm;
    const force = this.#foreign === undefined ? this.#forced() : ['--force'];
    const { end, stderr } = await this.#run(['--resume', ...force]);
    if (end !== 0) this.#story.flaw(`nothing is in the way, and the run ends with ${end}: ${stderr}`);
    this.#world.time.pass(2000);
    const last = await this.#run(['--restart', '--max-shrink', '100', ...force]);
    if (last.end !== 0) this.#story.flaw(`an export anew ends with ${last.end}: ${last.stderr}`);
    const expected = fileOf(this.#format, this.#choice.of(this.#service.rows));
    if (this.#content() !== expected)
      this.#story.flaw(`at last the file is ${JSON.stringify(this.#content())}, not ${JSON.stringify(expected)}`);
  }

  #judgeLitter(): void {
    const own = new Set([this.#file, `${this.#file}.meta.json`]);
    for (const path of this.#world.disk.files().keys())
      if (path.startsWith(`${folder}/`) && !own.has(path)) this.#story.flaw(`${path} is left`);
  }

  async verdict(): Promise<Verdict> {
    await this.#world.within(async () => {
      await this.#disturbed();
      await this.#quiet();
    });
    this.#judgeLitter();
    for (const leak of leaks(this.#world.said, this.#world.disk)) this.#story.flaw(leak);
    return this.#story.verdict(this.#counts);
  }
}

/** Plays the schedule of a seed against the built program: the same seed gives the same schedule, to the last call. */
export const exports = {
  name: 'exports to a file',
  play: (seed: number): Promise<Verdict> => new ExportsSchedule(seed).verdict(),
};
