import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { writeExports } from '../diff-files.js';
import { exportTo } from '../export.js';
import { combine, quotient, seconds, show, type Found } from '../figures.js';
import { within, type Place } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Section } from '../section.js';
import { Turns, type Candidate } from '../turns.js';

const many = (count: number): string => count.toLocaleString('en');
const nameOf = {
  ids: (count: number) => `\`relation get --ids\` of ${many(count)}`,
  diff: (count: number) => `\`export diff\` of ${many(count)} rows`,
  reordered: (count: number) => `\`export diff\` of ${many(count)} rows in another order`,
  changes: (count: number) => `\`--changes-since\` of ${many(count)} rows`,
  fields: (count: number) => `\`--include-fields\` of ${many(count)} rows to CSV`,
} as const;

/** Asks for many relations one by one, each under way with others. */
function byIds(place: Place, count: number): Candidate {
  const file = join(place.folder, `ids-${count}.txt`);
  const tail = (index: number): string => index.toString(16).padStart(12, '0');
  writeFileSync(file, Array.from({ length: count }, (_, index) => `00000000-0001-4000-8000-${tail(index)}\n`).join(''));
  const out = join(place.folder, 'ids.ndjson');
  const args = ['relation', 'get', '--ids', file, '-o', 'ndjson', '--output-file', out, '--force', '--quiet'];
  return () => costOf({ command: [...relctl, ...args], env: place.env({ pages: 1 }) });
}

function diffs(place: Place, count: number): ReadonlyMap<string, Candidate> {
  const folder = join(place.folder, 'diff');
  mkdirSync(folder);
  const { before, after, reordered } = writeExports(folder, count);
  const out = join(folder, 'out.csv');
  const diff =
    (other: string): Candidate =>
    () =>
      costOf({
        command: [...relctl, 'export', 'diff', before, other, '-o', 'csv', '--output-file', out, '--force', '--quiet'],
        env: place.env({ pages: 1 }),
      });
  return new Map([
    [nameOf.diff(count), diff(after)],
    [nameOf.reordered(count), diff(reordered)],
  ]);
}

/** Runs of --changes-since after the first one, which only keeps what later ones compare with. */
async function changes(turns: Turns, place: Place, count: number, rounds: number): Promise<void> {
  const list = { pages: Math.ceil(count / pageSize) };
  const candidate = exportTo('csv', place, list, '--changes-since', `bench-${count}`);
  await turns.run(new Map([[`${nameOf.changes(count)}, first run`, candidate]]), 1);
  await turns.run(new Map([[nameOf.changes(count), candidate]]), rounds);
}

async function run(turns: Turns, place: Place, { rounds, longRounds, growth, ids }: Scale): Promise<void> {
  const [, hundredThousand, million] = growth;
  const listed = (count: number): readonly [string, Candidate] => [nameOf.ids(count), byIds(place, count)];
  await turns.run(new Map([listed(ids[0]), listed(ids[1])]), longRounds);
  await turns.run(diffs(place, million), longRounds);
  rmSync(join(place.folder, 'diff'), { recursive: true });
  for (const count of [hundredThousand, million]) await changes(turns, place, count, longRounds);
  // The page size is that of lists with fields when nothing else is said.
  const list = { pages: Math.ceil(hundredThousand / 100), cap: 100 };
  const fields = exportTo('csv', place, list, '--include-fields');
  await turns.run(new Map([[nameOf.fields(hundredThousand), fields]]), rounds);
}

function figures(turns: Turns, { growth, ids }: Scale): Record<string, Found> {
  const [, hundredThousand, million] = growth;
  const peak = (name: string): Found => turns.median(name, 'peakMebibytes');
  const both = [nameOf.diff(million), nameOf.reordered(million)];
  return {
    'ids-growth': quotient(peak(nameOf.ids(ids[1])), peak(nameOf.ids(ids[0]))),
    diff: combine(both.map(peak), (...all) => Math.max(...all) * 1.048576),
    'diff-cpu': seconds(
      combine(
        both.map((name) => turns.median(name, 'cpuMs')),
        Math.max,
      ),
    ),
    'changes-since': peak(nameOf.changes(million)),
    'include-fields': peak(nameOf.fields(hundredThousand)),
  };
}

/** Memory and processor time of what reads much and should hold little. */
export const memory: Section = {
  title: 'Memory of ids, comparisons and fields',
  async measure(scale) {
    const turns = new Turns();
    await within((place) => run(turns, place, scale));
    return {
      words:
        'Between the exports that are compared, one record in a thousand is gone, one in a thousand new, and one in a hundred changed; the goals are about the worse of the two orders. With `--changes-since` no record has changed since the first run. Each record with fields has five, and a page has 100.',
      tables: [
        {
          head: ['what', 's', 'CPU s', 'peak MiB'],
          rows: turns.names.map((name) => [
            name,
            show(seconds(turns.median(name, 'ms')), 1),
            show(seconds(turns.median(name, 'cpuMs')), 1),
            show(turns.median(name, 'peakMebibytes')),
          ]),
        },
      ],
      figures: figures(turns, scale),
      notes: turns.notes,
    };
  },
};
