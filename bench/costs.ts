import { seconds, show } from './figures.js';
import type { Table } from './section.js';
import type { Turns } from './turns.js';

/** What each candidate took: time, processor time, memory. */
export const costsInMemory = (turns: Turns, what: string): Table => ({
  head: [what, 's', 'CPU s', 'peak MiB'],
  rows: turns.names.map((name) => [
    name,
    show(seconds(turns.median(name, 'ms')), 2),
    show(seconds(turns.median(name, 'cpuMs')), 2),
    show(turns.median(name, 'peakMebibytes')),
  ]),
});

/** The same, and disk. */
export function costsOf(turns: Turns, what: string): Table {
  const { head, rows } = costsInMemory(turns, what);
  const disk = turns.names.map((name) => show(turns.median(name, 'diskMegabytes'), 1));
  return { head: [...head, 'most on disk, MB'], rows: rows.map((row, index) => [...row, disk[index] ?? '']) };
}
