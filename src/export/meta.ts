import { writeWhole } from '../files/durable.js';
import type { Exported } from './run.js';
import { sha256Of } from './part.js';

/** What is said of an export beside what it came to. */
export interface MetaFacts {
  readonly operation: string;
  readonly parameters: unknown;
  readonly profile: string;
  readonly url: string;
  readonly format: string;
  readonly columns: readonly string[];
  readonly finishedAt: string;
  readonly serverTimes: readonly (string | undefined)[];
  readonly version: string;
}

/** Writes FILE.meta.json: what the file holds, and why it is whole. Throws `local`. */
export async function writeMeta(file: string, exported: Exported, facts: MetaFacts): Promise<void> {
  const { claim, startedAt, bytes, isResumed, passes } = exported;
  const { serverTimes, version, finishedAt, ...what } = facts;
  const [first, last] = serverTimes;
  const meta = {
    file,
    ...what,
    startedAt,
    finishedAt,
    serverTimes: { first: first ?? null, last: last ?? null },
    pages: claim.pages,
    rows: claim.rows,
    duplicates: claim.duplicates,
    retries: claim.retries,
    firstId: claim.firstId ?? null,
    lastId: claim.lastId ?? null,
    ended: claim.ended,
    mode: passes > 1 ? `consistent: two of ${passes} passes agreed` : 'one pass',
    resumed: isResumed,
    shifted: claim.shifted,
    bytes,
    sha256: await sha256Of(file),
    relctl: version,
  };
  writeWhole(`${file}.meta.json`, `${JSON.stringify(meta, null, 2)}\n`);
}
