import { seconds, show } from './figures.js';
import type { Table } from './section.js';
import type { Turns } from './turns.js';

/** What each candidate took: time, processor time, memory, disk. */
export const costsOf = (turns: Turns, what: string): Table => ({
  head: [what, 's', 'CPU s', 'peak MiB', 'most on disk, MB'],
  rows: turns.names.map((name) => [
    name,
    show(seconds(turns.median(name, 'ms')), 2),
    show(seconds(turns.median(name, 'cpuMs')), 2),
    show(turns.median(name, 'peakMebibytes')),
    show(turns.median(name, 'diskMegabytes'), 1),
  ]),
});
