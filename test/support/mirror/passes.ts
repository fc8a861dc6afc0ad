import assert from 'node:assert/strict';
import { readPages, type Claim } from '../../../src/client/pages.js';
import type { FetchPage } from '../../../src/client/paging.js';
import type { Pass } from '../../../src/mirror/pass.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { readUntilSure } from '../../../src/topics/mirror/sync/sync.js';
import type { MirrorFiles } from './files.js';

const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);

/** A relation by the number in its Id. */
export const one = (number: number, name: string): RecordValue => ({
  Id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  DisplayName: name,
});

/** A relation without an Id. */
export const nobody = (name: string): RecordValue => ({ DisplayName: name });

let clock = Date.UTC(2026, 0, 1);

/** Another time at each call. */
export const nextTime = (): string => new Date((clock += 1000)).toISOString();

/** How a run of the program reads its list. */
export interface Run {
  /** Called for each reading: gives what fetches its pages, of three rows. */
  readonly reading: () => FetchPage;
  readonly firstPage?: number;
}

async function readInto(pass: Pass, { reading, firstPage = 1 }: Run): Promise<Claim> {
  const { resume } = pass;
  const plan = { firstPage, pageSize: 3, prefetch: 0, signal: new AbortController().signal, idOf };
  const pages = readPages(reading(), { ...plan, ...(resume === undefined ? {} : { resume }) });
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done === true) return step.value;
    pass.take(step.value);
  }
}

/** Does what a run of the program does on a mirror of relations; `end` stands for what is behind the last reading. */
export async function runOn<T>(
  mirrors: MirrorFiles,
  place: string,
  { end, ...run }: Run & { readonly end: (pass: Pass) => Promise<T> },
): Promise<T> {
  const mirror = mirrors.open(place);
  try {
    if (mirror.sources().length === 0) mirror.add({ name: 'relations', table: 'relations', input: {} });
    const [source] = mirror.sources();
    assert.ok(source !== undefined);
    const pass = await mirror.openPass(source, { startedAt: nextTime(), calls: `${run.firstPage ?? 1}` });
    await readUntilSure(
      pass,
      () => readInto(pass, run),
      () => Promise.resolve(),
    );
    return await end(pass);
  } finally {
    await mirror.close();
  }
}

/** What `mirror list` prints of the relations, which are those of their table. */
export function listedOn(mirrors: MirrorFiles, place: string): readonly RecordValue[] {
  const rows = mirrors.listed(place).map((text) => JSON.parse(text) as RecordValue);
  assert.deepEqual(mirrors.ask(place, 'SELECT count(*) FROM "relations"'), [[`${rows.length}`]]);
  return rows;
}
