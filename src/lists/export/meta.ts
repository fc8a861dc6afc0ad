import { readFileSync, statSync } from 'node:fs';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { checkReplaceable } from '../../state/output-registry.js';
import { openPartFile, writeWhole } from '../../state/part-file.js';
import { attempt, removeOwn } from '../../state/own-file.js';
import { jsonOf, isObject } from '../../core/values/value.js';
import { filesOf, type Exported, type MetaFacts } from './export-plan.js';

const modeOf = ({ passes }: Exported): string =>
  passes > 1 ? `consistent: two of ${passes} passes agreed` : 'one pass';

/**
 * Checks before an export that FILE.meta.json can be written: nothing has that name that relctl did not write, unless --force
 * was given, and the folder takes a file of such a name. Throws `local`.
 */
export function checkMeta(file: string, force: boolean): void {
  const { meta } = filesOf(file);
  checkReplaceable(meta, { folder: '', force: force || isMeta(meta) });
  openPartFile(meta).discard();
}

/** Throws that a report cannot be written, in words that say what became of its file. */
function refuseToReport(file: string, thrown: unknown, unregistered: RelctlError | undefined): never {
  const error = RelctlError.from(thrown);
  if (error.kind !== 'local') throw error;
  throw error.but({
    message: `${error.message}; ${file} itself is complete`,
    ...(unregistered === undefined ? {} : { hint: '--force' }),
  });
}

/** Writes FILE.meta.json, when the file is in its place. Throws `local`, which says that the file is complete. */
export function writeMeta(file: string, exported: Exported, facts: MetaFacts): void {
  const { claim, startedAt, bytes, sha256, isResumed, unregistered } = exported;
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
    changed: claim.changed,
    retries: claim.retries,
    firstId: claim.firstId ?? null,
    lastId: claim.lastId ?? null,
    ended: claim.ended,
    mode: modeOf(exported),
    resumed: isResumed,
    shifted: claim.shifted,
    bytes,
    sha256,
    relctl: version,
  };
  try {
    writeWhole(filesOf(file).meta, `${JSON.stringify(meta, null, 2)}\n`);
  } catch (thrown) {
    refuseToReport(file, thrown, unregistered);
  }
}

function isMeta(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const meta = jsonOf(attempt(file, () => readFileSync(file, 'utf8')));
  return isObject(meta) && typeof meta['relctl'] === 'string' && typeof meta['sha256'] === 'string';
}

/** Removes FILE.meta.json of an earlier export before its file is replaced, if relctl wrote it. Throws `local`. */
export function withdrawMeta(file: string): void {
  const { meta } = filesOf(file);
  if (isMeta(meta)) removeOwn(meta);
}
