import { statSync } from 'node:fs';
import { join } from 'node:path';
import { exportTo, formats, type Format } from '../export.js';
import { combine, quotient, seconds, show, type Found } from '../figures.js';
import { within, type Place } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Section, Table } from '../section.js';
import { Turns, type Candidate } from '../turns.js';

const nameOf = (format: Format, rows: number): string => `${rows.toLocaleString('en')} rows to ${format.toUpperCase()}`;

/** Runs lists of each size; the largest take long, and are run as often as such runs are. */
async function run(place: Place, { rounds, longRounds, growth }: Scale, turns: Turns): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const candidates = (rows: number): ReadonlyMap<string, Candidate> =>
    new Map(
      formats.map((format) => {
        const name = nameOf(format, rows);
        const list = exportTo(format, place, { pages: rows / pageSize });
        const sized: Candidate = async () => {
          const cost = await list();
          sizes.set(name, statSync(join(place.folder, 'out', `list.${format}`)).size / 1e6);
          return cost;
        };
        return [name, sized];
      }),
    );
  const [few, many, most] = growth;
  await new Turns().run(candidates(few), 1);
  await turns.run(new Map([...candidates(few), ...candidates(many)]), rounds);
  await turns.run(candidates(most), longRounds);
  return sizes;
}

function table(turns: Turns, sizes: ReadonlyMap<string, number>, rows: readonly number[]): Table {
  return {
    head: ['list', 's', 'CPU s', 'rows/s', 'peak MiB', 'file, MB', 'most on disk, MB'],
    rows: formats.flatMap((format) =>
      rows.map((count) => {
        const name = nameOf(format, count);
        return [
          name,
          show(seconds(turns.median(name, 'ms')), 2),
          show(seconds(turns.median(name, 'cpuMs')), 2),
          show(combine([turns.median(name, 'ms')], (ms) => (count * 1000) / ms)),
          show(turns.median(name, 'peakMebibytes')),
          sizes.get(name)?.toFixed(1) ?? '–',
          show(turns.median(name, 'diskMegabytes'), 1),
        ];
      }),
    ),
  };
}

function figures(turns: Turns, [, many, most]: Scale['growth']): Record<string, Found> {
  const found: Record<string, Found> = {};
  for (const format of formats) {
    const peak = (rows: number): Found => turns.median(nameOf(format, rows), 'peakMebibytes');
    found[`${format}-many`] = peak(many);
    found[`${format}-most`] = peak(most);
    found[`${format}-growth`] = quotient(peak(most), peak(many));
  }
  return found;
}

/** Time, memory and disk of lists of three sizes. */
export const growth: Section = {
  title: 'Growth of a list',
  async measure(scale) {
    const turns = new Turns();
    const sizes = await within((place) => run(place, scale, turns));
    return {
      words:
        'Lists of three sizes to a file. The most on disk is what the folder of the file held while it was written: the file in the making and its journal; it is looked at every 50 ms.',
      tables: [table(turns, sizes, scale.growth)],
      figures: figures(turns, scale.growth),
      notes: turns.notes,
    };
  },
};
