import { exportTo, formats, usualConcurrency } from '../export.js';
import { combine, seconds, show, type Found } from '../figures.js';
import { addCurl, addPeers, cached, peers } from '../peers.js';
import { within } from '../place.js';
import type { Section, Table } from '../section.js';
import { inTurns, Turns, type Candidate } from '../turns.js';

const relctlTo = (format: string): string => `relctl to ${format.toUpperCase()}`;

const typed = 'typed by the contract, strict XML';
const besides: Table = {
  head: ['client', 'pages under way', 'values', 'rows that come twice', 'hash', 'fsync', 'file', 'WSDL'],
  rows: [
    [
      'relctl',
      usualConcurrency,
      typed,
      'found, by Id',
      'SHA-256',
      'file, journal and folder',
      'appears when complete, `--resume`',
      'none',
    ],
    ...peers.map(({ name, cache }) => [
      name,
      1,
      'typed by the WSDL',
      '–',
      '–',
      '–',
      'written in place',
      `asked for, or ${cache}`,
    ]),
    ['curl', 1, 'dropped', '–', '–', '–', 'none', 'none'],
  ],
};

function clients(turns: Turns, rows: number): Table {
  return {
    head: [
      'client',
      's',
      'least to most',
      'CPU s',
      'rows/s',
      'time, x relctl to CSV',
      'CPU, x relctl to CSV',
      'peak MiB',
    ],
    rows: turns.names.map((name) => [
      name,
      show(seconds(turns.median(name, 'ms')), 2),
      turns.spread(name, 2),
      show(seconds(turns.median(name, 'cpuMs')), 2),
      show(combine([turns.median(name, 'ms')], (ms) => (rows * 1000) / ms)),
      show(turns.ratio(name, relctlTo('csv'), 'ms'), 2),
      show(turns.ratio(name, relctlTo('csv'), 'cpuMs'), 2),
      show(turns.median(name, 'peakMebibytes')),
    ]),
  };
}

/** A peer with the WSDL cached, which is its quicker way, against relctl. */
function figures(turns: Turns): Record<string, Found> {
  const found: Record<string, Found> = {};
  for (const format of formats) {
    for (const peer of peers) {
      const part = peer.id === 'php' ? 'ms' : 'cpuMs';
      found[`${format}-x-${peer.id}`] = turns.ratio(cached(peer), relctlTo(format), part);
    }
  }
  return found;
}

/** Lists to their end in a file, by relctl and other clients, from one service of prepared answers. */
export const lists: Section = {
  title: 'Lists to CSV, TSV and NDJSON',
  async measure({ rounds, pages }) {
    const turns = new Turns();
    await within(async (place) => {
      const found = new Map<string, Candidate>(
        formats.map((format) => [relctlTo(format), exportTo(format, place, { pages })]),
      );
      await addPeers(turns, found, place, { list: { pages }, ways: ['asked for', 'cached'] });
      addCurl(turns, found, place, { list: { pages }, atOnce: 1 });
      await inTurns(turns, found, rounds);
    });
    return {
      words: `${pages} pages of 1,000 relations, whole processes. The other clients write CSV. The goals compare with those that have the WSDL cached.`,
      tables: [clients(turns, pages * 1000), besides],
      figures: figures(turns),
      notes: turns.notes,
    };
  },
};
