import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { costsInMemory } from '../costs.js';
import { within, type Place } from '../place.js';
import { postgresPrograms, withPostgres } from '../postgres.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Measured, Section } from '../section.js';
import { Turns, type Candidate } from '../turns.js';

const csv = 'a folder, CSV';
const parquet = 'a folder, Parquet';
const postgres = 'PostgreSQL';
const again = 'PostgreSQL, where nothing has changed';

/** Publishes one mirror: to folders that are not there, to a schema that is not there, and there once more. */
async function run(turns: Turns, place: Place, { rows, rounds }: { readonly rows: number; readonly rounds: number }) {
  const env = place.env({ pages: rows / pageSize });
  const mirror = ['--mirror', join(place.folder, 'mirror.db')];
  const words = (...more: readonly string[]): readonly string[] => [...relctl, 'mirror', ...more, ...mirror, '--quiet'];
  await costOf({ command: words('sync', 'relations'), env });
  const toFolder = (format: string): Candidate => {
    const folder = join(place.folder, format);
    return () => {
      rmSync(folder, { recursive: true, force: true });
      return costOf({ command: words('publish', folder, '--format', format), env });
    };
  };
  const candidates = new Map<string, Candidate>([
    [csv, toFolder('csv')],
    [parquet, toFolder('parquet')],
  ]);
  const bin = postgresPrograms();
  if (bin === undefined) {
    turns.without(postgres, 'PostgreSQL is not on this machine').without(again, 'PostgreSQL is not on this machine');
    await turns.run(candidates, rounds);
    return;
  }
  await withPostgres(bin, async ({ address, psql }) => {
    const toPostgres: Candidate = () => costOf({ command: words('publish', address), env });
    candidates.set(postgres, () => {
      psql('DROP SCHEMA IF EXISTS relctl CASCADE');
      return toPostgres();
    });
    await turns.run(candidates.set(again, toPostgres), rounds);
  });
}

function measured(turns: Turns, rows: number): Measured {
  return {
    words: `A mirror of ${rows.toLocaleString('en')} relations, published to folders on the same disk, and to a PostgreSQL server on the same machine, as it is set up by default; CPU and memory are those of relctl, not of the server.`,
    tables: [costsInMemory(turns, 'to')],
    figures: {
      'x-csv': turns.ratio(postgres, csv, 'ms'),
      memory: turns.median(postgres, 'peakMebibytes'),
      'parquet-x-csv': turns.ratio(parquet, csv, 'ms'),
      'again-x-csv': turns.ratio(again, csv, 'ms'),
    },
    notes: turns.notes,
  };
}

/** What a mirror costs to be published. */
export const publish: Section = {
  title: 'Publishing a mirror',
  async measure({ longRounds, growth }: Scale): Promise<Measured> {
    const [, , rows] = growth;
    const turns = new Turns();
    await within((place) => run(turns, place, { rows, rounds: longRounds }));
    return measured(turns, rows);
  },
};
