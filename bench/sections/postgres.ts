import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { costsInMemory } from '../costs.js';
import { within, type Place } from '../place.js';
import { postgresPrograms, withPostgres } from '../postgres.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Measured, Section } from '../section.js';
import { Turns, type Candidate } from '../turns.js';

const inFile = 'first sync into a file';
const inPostgres = 'first sync into PostgreSQL';
const again = 'second sync into PostgreSQL';

/** Syncs into no mirror, and one into the mirror that this made: nothing has changed since. */
function candidates(place: Place, rows: number, address: string): ReadonlyMap<string, Candidate> {
  const state = join(place.folder, 'mirror');
  const env = { ...place.env({ pages: rows / pageSize }), XDG_STATE_HOME: state };
  const run = (words: readonly string[]): ReturnType<Candidate> =>
    costOf({ command: [...relctl, 'mirror', ...words], env, folder: state });
  const sync = ['sync', 'relations', '--quiet'];
  const to = ['--to', address];
  return new Map<string, Candidate>([
    [
      inFile,
      () => {
        rmSync(state, { recursive: true, force: true });
        mkdirSync(state);
        return run(sync);
      },
    ],
    [
      inPostgres,
      async () => {
        // There is none before the first round: then this ends with an error.
        await run(['forget', '--yes', ...to]).catch(() => undefined);
        return run([...sync, ...to]);
      },
    ],
    [again, () => run([...sync, ...to])],
  ]);
}

function measured(turns: Turns, rows: number): Measured {
  return {
    words: `${rows.toLocaleString('en')} relations into a mirror in a file, and into one in a PostgreSQL server on the same machine, as it is set up by default; CPU and memory are those of relctl, not of the server.`,
    tables: [costsInMemory(turns, 'what')],
    figures: {
      'x-file': turns.ratio(inPostgres, inFile, 'ms'),
      memory: turns.median(inPostgres, 'peakMebibytes'),
    },
    notes: turns.notes,
  };
}

async function measure({ longRounds, growth }: Scale): Promise<Measured> {
  const [, , rows] = growth;
  const bin = postgresPrograms();
  if (bin === undefined) {
    const none = { why: 'PostgreSQL is not on this machine' };
    return { words: '', tables: [], figures: { 'x-file': none, memory: none }, notes: [`${inPostgres}: ${none.why}`] };
  }
  const turns = new Turns();
  await within((place) => withPostgres(bin, (address) => turns.run(candidates(place, rows, address), longRounds)));
  return measured(turns, rows);
}

/** Syncs of a mirror in PostgreSQL against those of one in a file. */
export const postgres: Section = { title: 'Syncs of a mirror in PostgreSQL', measure };
