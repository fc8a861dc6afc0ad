import { join } from 'node:path';
import { costOf, costsOf, relctl } from './child.js';
import { openPlace } from './place.js';
import { figure, median, section, type Measure } from './timing.js';

/** Most memory of a short and a long export. */
export const memory: Measure = async ({ rounds, pages, manyPages }) => {
  const place = await openPlace();
  const file = join(place.folder, 'out.csv');
  const list = (count: number) =>
    [
      `${(count * 1000).toLocaleString('en')} relations`,
      () =>
        costOf(
          [...relctl, 'relation', 'list', '-o', 'csv', '--output-file', file, '--force', '--quiet'],
          place.env(count, 0),
        ),
    ] as const;
  try {
    const costs = await costsOf(new Map([list(pages), list(manyPages)]), Math.min(rounds, 3));
    const peaks = [...costs].map(
      ([name, all]) =>
        [name, median(all.map(({ peakMebibytes }) => peakMebibytes)), median(all.map(({ ms }) => ms))] as const,
    );
    const first = peaks[0]?.[1] ?? Number.NaN;
    return section(
      'Memory of an export',
      'To CSV in a file; the peak by the system’s own count. Goals: at most 130 MiB both, the larger within 10 % of the smaller.',
      {
        head: ['export', 'peak MiB', 'x the smaller', 's'],
        rows: peaks.map(([name, peak, ms]) => [name, figure(peak), figure(peak / first, 2), figure(ms / 1000, 1)]),
      },
    );
  } finally {
    await place.close();
  }
};
