import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { costsOf } from '../costs.js';
import { exportTo } from '../export.js';
import { quotient, type Found } from '../figures.js';
import { within, type Place } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Section } from '../section.js';
import { Turns, type Candidate } from '../turns.js';

const kinds = ['list to CSV', 'first sync', 'second sync'] as const;
type Kind = (typeof kinds)[number];

const nameOf = (kind: Kind, rows: number): string => `${rows.toLocaleString('en')} relations, ${kind}`;

/** The list, a sync into no mirror, and one into the mirror that this made: nothing has changed since. */
function candidates(place: Place, rows: number): ReadonlyMap<string, Candidate> {
  const list = { pages: rows / pageSize };
  const state = join(place.folder, 'mirror');
  const command = [...relctl, 'mirror', 'sync', 'relations', '--quiet'];
  const sync = (): ReturnType<Candidate> =>
    costOf({ command, env: { ...place.env(list), XDG_STATE_HOME: state }, folder: state });
  const byKind: Readonly<Record<Kind, Candidate>> = {
    'list to CSV': exportTo('csv', place, list),
    'first sync': () => {
      rmSync(state, { recursive: true, force: true });
      mkdirSync(state);
      return sync();
    },
    'second sync': sync,
  };
  return new Map(kinds.map((kind) => [nameOf(kind, rows), byKind[kind]]));
}

async function run(turns: Turns, place: Place, { rounds, longRounds, growth }: Scale): Promise<void> {
  const [few, many, most] = growth;
  await new Turns().run(candidates(place, few), 1);
  // One size after the other: the second sync needs the mirror of the first.
  for (const rows of [few, many]) await turns.run(candidates(place, rows), rounds);
  await turns.run(candidates(place, most), longRounds);
}

function figures(turns: Turns, { growth }: Scale): Record<string, Found> {
  const [, many, most] = growth;
  const xList = (kind: Kind, rows: number): Found => turns.ratio(nameOf(kind, rows), nameOf('list to CSV', rows), 'ms');
  const peak = (kind: Kind, rows: number): Found => turns.median(nameOf(kind, rows), 'peakMebibytes');
  return {
    first: xList('first sync', most),
    second: xList('second sync', most),
    'first-memory-many': peak('first sync', many),
    'first-memory-most': peak('first sync', most),
    'second-memory-most': peak('second sync', most),
    'first-memory-growth': quotient(peak('first sync', most), peak('first sync', many)),
  };
}

/** Syncs of a mirror against the list that they read. */
export const mirror: Section = {
  title: 'Syncs of a mirror',
  async measure(scale) {
    const turns = new Turns();
    await within((place) => run(turns, place, scale));
    return {
      words:
        'The first sync makes the mirror with its indexes; before the second one nothing has changed. The list is the same as CSV to a file. The records are the same 1,000 again and again, with Ids of their own.',
      tables: [costsOf(turns, 'what')],
      figures: figures(turns, scale),
      notes: turns.notes,
    };
  },
};
