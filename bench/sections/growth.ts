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

/** Lists that grow: how, and in which formats. */
type Growing = Pick<Scale, 'growth'> & { readonly formats: readonly Format[] };

/** Runs lists of each size; the largest take long, and are run as often as such runs are. */
async function run(turns: Turns, place: Place, scale: Scale & Growing): Promise<Map<string, number>> {
  const { rounds, longRounds, growth, formats } = scale;
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

function table(turns: Turns, sizes: ReadonlyMap<string, number>, { growth, formats }: Growing): Table {
  return {
    head: ['list', 's', 'CPU s', 'rows/s', 'peak MiB', 'file, MB', 'most on disk, MB'],
    rows: formats.flatMap((format) =>
      growth.map((count) => {
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

function figures(turns: Turns, { growth: [, many, most], formats }: Growing): Record<string, Found> {
  const found: Record<string, Found> = {};
  for (const format of formats) {
    const peak = (rows: number): Found => turns.median(nameOf(format, rows), 'peakMebibytes');
    found[`${format}-many`] = peak(many);
    found[`${format}-most`] = peak(most);
    found[`${format}-growth`] = quotient(peak(most), peak(many));
  }
  return found;
}

/** Time, memory and disk of lists of three sizes in some formats. */
async function measure(scale: Scale, formats: readonly Format[]) {
  const turns = new Turns();
  const growing = { ...scale, formats };
  const sizes = await within((place) => run(turns, place, growing));
  return {
    turns,
    tables: [table(turns, sizes, growing)],
    figures: figures(turns, growing),
    notes: turns.notes,
  };
}

/** Lists to formats of text. */
export const growth: Section = {
  title: 'Growth of a list',
  async measure(scale) {
    const { tables, figures, notes } = await measure(scale, formats);
    return {
      words:
        'Lists of three sizes to a file. The most on disk is the size of the partial file and its journal, read every 50 ms.',
      tables,
      figures,
      notes,
    };
  },
};

/** Lists to Parquet files, beside CSV. */
export const parquet: Section = {
  title: 'Lists to Parquet',
  async measure(scale) {
    const { turns, tables, figures, notes } = await measure(scale, ['csv', 'parquet']);
    const [, many, most] = scale.growth;
    const timesCsv = (rows: number): Found => turns.ratio(nameOf('parquet', rows), nameOf('csv', rows), 'ms');
    return {
      words:
        'The lists of the growth, to a Parquet file in turn with CSV. The records are the same 1,000 again and again, so that the file is smaller than that of a true list.',
      tables,
      figures: { ...figures, 'many-x-csv': timesCsv(many), 'most-x-csv': timesCsv(most) },
      notes,
    };
  },
};
