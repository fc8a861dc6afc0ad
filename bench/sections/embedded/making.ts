import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl, sizeOf } from '../../child.js';
import { combine, seconds, show, type Found } from '../../figures.js';
import { cleanEnv } from '../../place.js';
import type { Scale } from '../../scale.js';
import { databaseIn } from '../../service.js';
import { Turns, type Candidate } from '../../turns.js';
import { relationsOf, type Part } from './part.js';

/** Makes data of some sizes; those of the largest stay in its folder `data`. */
export async function making(folder: string, { longRounds, growth }: Scale): Promise<Part> {
  const turns = new Turns();
  const sizes = new Map<string, number>();
  const make = (count: number): readonly [string, Candidate] => [
    relationsOf(count),
    async () => {
      const place = join(folder, 'data');
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      const args = ['sandbox', 'reset', '--yes', '--db', databaseIn(place), '--relations', String(count), '--quiet'];
      const cost = await costOf({ command: [...relctl, ...args], env: cleanEnv(folder), folder: place });
      sizes.set(relationsOf(count), sizeOf(place));
      return cost;
    },
  ];
  const [few, many, most] = growth;
  await turns.run(new Map([make(few), make(many)]), longRounds);
  await turns.run(new Map([make(most)]), 1);
  const size = (count: number): Found =>
    combine([turns.median(relationsOf(count), 'ms')], () => sizes.get(relationsOf(count)) ?? NaN);
  return {
    table: {
      head: ['making', 's', 'CPU s', 'peak MiB', 'on disk, MB', 'most on disk, MB'],
      rows: growth.map((count) => [
        relationsOf(count),
        show(seconds(turns.median(relationsOf(count), 'ms')), 1),
        show(seconds(turns.median(relationsOf(count), 'cpuMs')), 1),
        show(turns.median(relationsOf(count), 'peakMebibytes')),
        show(size(count)),
        show(turns.median(relationsOf(count), 'diskMegabytes')),
      ]),
    },
    figures: {
      'make-many': seconds(turns.median(relationsOf(many), 'cpuMs')),
      'make-many-disk': size(many),
      'make-most': seconds(turns.median(relationsOf(most), 'cpuMs')),
      'make-most-disk': size(most),
    },
    notes: turns.notes,
  };
}
