import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { concurrencyOf } from '../src/lists/list-flags.js';
import { costOf, relctl } from './child.js';
import type { Place, PreparedList } from './place.js';
import type { Candidate } from './turns.js';

/** Pages under way at once when relctl is not told otherwise. */
export const usualConcurrency = concurrencyOf({});

/** Formats of lists that the goals name. */
export const formats = ['csv', 'tsv', 'ndjson'] as const;

/** A format that a list is written in. */
export type Format = (typeof formats)[number] | 'parquet';

/** A list by relctl to a new file in a folder of its own, which is watched. */
export function exportTo(format: Format, place: Place, list: PreparedList, ...flags: readonly string[]): Candidate {
  const folder = join(place.folder, 'out');
  const file = join(folder, `list.${format}`);
  const command = [...relctl, 'relation', 'list', '-o', format, '--output-file', file, '--quiet', ...flags];
  return () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    return costOf({ command, env: place.env(list), folder });
  };
}
