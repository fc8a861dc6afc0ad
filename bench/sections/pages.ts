import { exportTo } from '../export.js';
import { seconds, show } from '../figures.js';
import { addPeers } from '../peers.js';
import { within } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Section } from '../section.js';
import { inTurns, Turns, type Candidate } from '../turns.js';

const cap = 100;
const [small, large] = ['relctl, pages of 100', 'relctl, pages of 1,000'];

/** The same rows in small and in large pages. */
export const pages: Section = {
  title: 'Pages of 100 and of 1,000',
  async measure({ rounds, pages: count }) {
    const turns = new Turns();
    const list = { pages: (count * pageSize) / cap, cap };
    await within(async (place) => {
      const found = new Map<string, Candidate>([
        [small, exportTo('csv', place, list)],
        [large, exportTo('csv', place, { pages: count })],
      ]);
      await addPeers(turns, found, place, { list, ways: ['cached'] });
      await inTurns(turns, found, rounds);
    });
    return {
      words: `${(count * pageSize).toLocaleString('en')} relations to CSV. The service gives at most 100 in a page, or 1,000, and each client asks for as many. The other clients get pages of 100; for pages of 1,000 see the lists above.`,
      tables: [
        {
          head: ['client', 's', 'CPU s', 'time, x relctl with 1,000', 'CPU, x relctl with 1,000', 'peak MiB'],
          rows: turns.names.map((name) => [
            name,
            show(seconds(turns.median(name, 'ms')), 2),
            show(seconds(turns.median(name, 'cpuMs')), 2),
            show(turns.ratio(name, large, 'ms'), 2),
            show(turns.ratio(name, large, 'cpuMs'), 2),
            show(turns.median(name, 'peakMebibytes')),
          ]),
        },
      ],
      figures: { 'cap-100': turns.ratio(small, large, 'cpuMs') },
      notes: turns.notes,
    };
  },
};
