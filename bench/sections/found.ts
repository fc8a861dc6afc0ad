import { costOf, relctl } from '../child.js';
import { combine, medianOf, quotient, show, type Found } from '../figures.js';
import { mirrorOf, type BenchMirror } from '../mirrors.js';
import { within } from '../place.js';
import type { Measured, Section } from '../section.js';
import { inTurns, Turns, type Candidate } from '../turns.js';
import { findRows } from '../../src/mirror/search/find.js';
import { questionOf } from '../../src/mirror/search/match.js';
import { openDatabase } from '../../src/state/sqlite/open.js';
import type { Scale } from '../scale.js';

/** The relation that all data of the embedded service have. */
const id = '00000000-0000-4000-8000-000000000102';
const byCall = 'relation get ID';
const byEnvelope = 'relation get ID --envelope';
const looks: ReadonlySet<string> = new Set([byCall, byEnvelope]);

/** A command line, and what the table calls it. */
interface Line {
  readonly name: string;
  readonly args: readonly string[];
}

const many = (count: number): string => count.toLocaleString('en');
const nameOf = ({ name }: Line, count: number): string => `${name} among ${many(count)}`;

const run =
  (args: readonly string[], { env }: Pick<BenchMirror, 'env'>): Candidate =>
  () =>
    costOf({ command: [...relctl, ...args], env });

/**
 * Runs each line on mirrors of each size, in turn with the look-up of an Id that needs none: by a call of a service that
 * answers at once, and without any call.
 */
async function runAll(lines: readonly Line[], { rounds, growth }: Scale): Promise<Turns> {
  const mirrors = new Map<number, BenchMirror>();
  for (const count of growth) mirrors.set(count, await mirrorOf(count));
  return within(async (place) => {
    const env = place.env({ pages: 1 });
    const candidates = new Map<string, Candidate>([
      [byCall, run(['relation', 'get', id], { env })],
      [byEnvelope, run(['relation', 'get', id, '--envelope'], { env })],
    ]);
    for (const [count, mirror] of mirrors)
      for (const line of lines) candidates.set(nameOf(line, count), run(line.args, mirror));
    return inTurns(new Turns(), candidates, rounds);
  });
}

/** The worst of some figures. */
const worst = (all: readonly Found[]): Found => combine(all, Math.max);

/** How the lines do among the most, against a look-up by Id, and how much more they take there than among the fewest. */
function figuresOf(
  turns: Turns,
  lines: readonly Line[],
  { growth, base }: Scale & { base: string },
): Record<string, Found> {
  const [few, , most] = growth;
  return {
    'x-get': worst(lines.map((line) => turns.ratio(nameOf(line, most), base, 'ms'))),
    growth: worst(lines.map((line) => turns.ratio(nameOf(line, most), nameOf(line, few), 'ms'))),
  };
}

const measured = (turns: Turns, words: string, figures: Record<string, Found>): Measured => ({
  words,
  tables: [
    {
      head: ['what', 'ms', `x \`${byCall}\``, `x \`${byEnvelope}\``, 'CPU ms', 'peak MiB'],
      rows: turns.names.map((name) => [
        looks.has(name) ? `\`${name}\`` : name,
        show(turns.median(name, 'ms')),
        show(turns.ratio(name, byCall, 'ms'), 2),
        show(turns.ratio(name, byEnvelope, 'ms'), 2),
        show(turns.median(name, 'cpuMs')),
        show(turns.median(name, 'peakMebibytes')),
      ]),
    },
  ],
  figures,
  notes: turns.notes,
});

const data = 'Mirrors of the embedded service, with its relations and telephone numbers; whole processes.';

/** What somebody looks for: two words, a part of one, two letters, one letter and a word, a number, an import key. */
const questions = ['joelle veen', 'wijng', 'ij', 'j veen', '06 5550', '100001'];

const found: readonly Line[] = questions.map((question) => ({
  name: `\`find ${question}\``,
  args: ['find', ...question.split(' '), '-o', 'ndjson'],
}));

/** Milliseconds of a question within a program that runs; the first time does not count. */
async function insideOf(question: string, { file }: BenchMirror, rounds: number): Promise<Found> {
  const database = openDatabase({ file, what: 'The mirror' });
  const all: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    const wanted = { question: questionOf(question), types: undefined, limit: 20, gone: false };
    findRows(database, wanted);
    all.push(performance.now() - started);
  }
  database.close();
  return medianOf(all.slice(1));
}

/** Finding records by what somebody holds. */
export const find: Section = {
  title: 'Finding in a mirror',
  async measure(scale) {
    const turns = await runAll(found, scale);
    const { growth, rounds } = scale;
    const inside = new Map<string, readonly Found[]>();
    for (const question of questions) {
      const times: Found[] = [];
      for (const count of growth) times.push(await insideOf(question, await mirrorOf(count), rounds));
      inside.set(question, times);
    }
    const all = measured(turns, data, {
      ...figuresOf(turns, found, { ...scale, base: byCall }),
      inside: worst([...inside.values()].flatMap((times) => times.slice(-1))),
    });
    const rows = [...inside].map(([question, times]) => [`\`${question}\``, ...times.map((time) => show(time, 1))]);
    const table = { head: ['ms inside the program', ...growth.map((count) => `among ${many(count)}`)], rows };
    return { ...all, tables: [...all.tables, table] };
  },
};

const named: readonly Line[] = [
  { name: '`relation get` by an import key', args: ['relation', 'get', '100001', '--envelope'] },
  { name: '`relation get` by a name', args: ['relation', 'get', 'Sandbox & Zonen B.V.', '--envelope'] },
];

/** Names in the place of Ids. */
export const names: Section = {
  title: 'Names for Ids',
  async measure(scale) {
    const turns = await runAll(named, scale);
    const figures = figuresOf(turns, named, { ...scale, base: byEnvelope });
    return measured(turns, `${data} The mirror tells the Id, and nothing is called.`, figures);
  },
};

const scan: Line = {
  name: '`sql`, a part of all names',
  args: ['sql', "SELECT count(*) AS n FROM relations WHERE DisplayName LIKE '%veen%'", '-o', 'ndjson'],
};
const groups: Line = {
  name: '`sql`, all names counted',
  args: [
    'sql',
    'SELECT DisplayName, count(*) AS n FROM relations GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10',
    '-o',
    'ndjson',
  ],
};
const looked: Line = {
  name: '`sql`, one Id',
  args: ['sql', 'SELECT * FROM relations WHERE Id = :id', '--param', `id=${id}`, '-o', 'ndjson'],
};

/** SQL on a mirror. */
export const sql: Section = {
  title: 'SQL on a mirror',
  async measure(scale) {
    const turns = await runAll([looked, scan, groups], scale);
    const [, , most] = scale.growth;
    const seconds = (line: Line): Found => quotient(turns.median(nameOf(line, most), 'ms'), { value: 1000, runs: 99 });
    return measured(turns, `${data} A query has a process of its own.`, {
      ...figuresOf(turns, [looked], { ...scale, base: byEnvelope }),
      scan: seconds(scan),
      groups: seconds(groups),
    });
  },
};
