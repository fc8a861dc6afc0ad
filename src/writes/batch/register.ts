import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, RelctlError } from '../../core/errors/relctl-error.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { writeWhole } from '../../state/part-file.js';
import { isObject } from '../../core/values/value.js';
import { asideOf, headIn, readJournal, type BatchHead, type KeptJournal } from './journal.js';

/** What two batches have in common that write the same rows to the same service. */
export const identity = ['operation', 'sha256', 'reading', 'url', 'namespace', 'database'] as const;

/** What a batch is called in the register. */
function nameOf(head: BatchHead): string {
  const text = JSON.stringify(identity.map((name) => head[name]));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The file that stands for a batch; its lock has the same name with `.lock` behind it. Throws `local`. */
export function registeredFile(folder: string, head: BatchHead): string {
  attempt(folder, () => makeFolders(folder));
  return join(folder, `${nameOf(head)}.json`);
}

/** The paths that a file of the register holds; none where there is no such file. Throws `local` for one that cannot be read. */
function journalsIn(file: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const journals = isObject(found) ? [found['journal'], found['before']] : [];
    const paths = journals.filter((path) => typeof path === 'string');
    if (paths.length > 0) return paths;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return [];
  }
  // Not known is not never: the rows may have been written.
  throw new RelctlError('local', `${file} cannot be read: whether these rows were written before is not known`, {
    facts: { path: file, code: 'register' },
    advice: 'Make it readable, or remove it if you are sure that they were not.',
  });
}

/** The journal of an earlier batch that wrote the same; undefined when there was none, or its journal is not there any more. Throws `local`. */
export function earlierBatch(file: string, head: BatchHead): KeptJournal | undefined {
  for (const journal of journalsIn(file)) {
    const kept = readJournal(journal);
    if (kept !== undefined && identity.every((name) => kept.head[name] === head[name])) return kept;
  }
  return undefined;
}

/**
 * Keeps where the journal of a batch is, before its first row is sent. Throws `local`.
 * @param journal its path, which does not depend on the working folder
 */
export function registerBatch(file: string, journal: string): void {
  writeWhole(file, JSON.stringify({ journal }));
}

/**
 * Puts the journal of an earlier batch aside, if there is one: it says what was written, and is kept, and the register says
 * where. Throws `local`.
 * @param journal its path, which does not depend on the working folder
 * @param now the time as ISO text
 */
export function putAside(folder: string, journal: string, now: string): void {
  if (!existsSync(journal)) return;
  const aside = asideOf(journal, now);
  const head = headIn(journal);
  const registered = head === undefined ? undefined : registeredFile(folder, head);
  // A batch that was written again since stands by its later journal. Both paths: a kill may come before the file has moved.
  if (registered !== undefined && journalsIn(registered).includes(journal))
    writeWhole(registered, JSON.stringify({ journal: aside, before: journal }));
  attempt(aside, () => renameSync(journal, aside));
}

/** The results that a journal stands beside. */
export const resultsOf = (journal: string): string => journal.replace(/\.journal$/, '');

/** The file that tells each row's end: the results, or the journal where there are none beside it. */
export function tellsRows(journal: string): string {
  const results = resultsOf(journal);
  return existsSync(results) ? results : journal;
}
