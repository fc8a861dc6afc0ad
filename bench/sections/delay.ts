import { exportTo, usualConcurrency } from '../export.js';
import { seconds, show, type Found } from '../figures.js';
import { addCurl, addPeers, cached, curlAt, peers } from '../peers.js';
import { within } from '../place.js';
import type { Section } from '../section.js';
import { inTurns, Turns, type Candidate } from '../turns.js';

const many = 8;
const delayMs = 50;
const byDefault = 'relctl, default';
const withMany = `relctl --concurrency ${many}`;

function figures(turns: Turns): Record<string, Found> {
  const found: Record<string, Found> = {
    'default-x-curl': turns.ratio(byDefault, curlAt(usualConcurrency), 'ms'),
    'eight-x-curl': turns.ratio(withMany, curlAt(many), 'ms'),
  };
  for (const peer of peers) {
    found[`default-x-${peer.id}`] = turns.ratio(cached(peer), byDefault, 'ms');
    found[`eight-x-${peer.id}`] = turns.ratio(cached(peer), withMany, 'ms');
  }
  return found;
}

/** A list from a service that takes its time for each page. */
export const delay: Section = {
  title: 'A list with 50 ms before each page',
  async measure({ rounds, pages }) {
    const turns = new Turns();
    const list = { pages, delayMs };
    await within(async (place) => {
      const found = new Map<string, Candidate>([
        [byDefault, exportTo('csv', place, list)],
        [withMany, exportTo('csv', place, list, '--concurrency', String(many))],
      ]);
      await addPeers(turns, found, place, { list, ways: ['cached'] });
      for (const atOnce of [1, usualConcurrency, many]) addCurl(turns, found, place, { list, atOnce });
      await inTurns(turns, found, rounds);
    });
    return {
      words: `${pages} pages of 1,000 relations to CSV. By default relctl asks for ${usualConcurrency} pages at once; the other clients can only ask for one after another.`,
      tables: [
        {
          head: ['client', 's', 'least to most', 'time, x relctl default', 'peak MiB'],
          rows: turns.names.map((name) => [
            name,
            show(seconds(turns.median(name, 'ms')), 2),
            turns.spread(name, 2),
            show(turns.ratio(name, byDefault, 'ms'), 2),
            show(turns.median(name, 'peakMebibytes')),
          ]),
        },
      ],
      figures: figures(turns),
      notes: turns.notes,
    };
  },
};
