import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { headIn } from '../../writes/batch/journal.js';
import { resultsOf } from '../../writes/batch/register.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { BatchFacts, LedgerEntry } from '../../state/ledger/entry.js';
import { orElse } from '../../core/values/value.js';

/** The batch of an entry. Throws `usage` for a single write. */
export function batchOf(entry: LedgerEntry, flag: string): BatchFacts {
  const { batch } = entry.begun;
  if (batch === undefined)
    throw usage(flag, `${flag} is for the rows of a batch, and write ${entry.begun.id} is a single one`);
  return batch;
}

/** Journals beside the results of a batch: --restart puts the one that was there aside, under another name. */
function journalsBeside(journal: string): readonly string[] {
  const folder = dirname(journal);
  const begin = `${basename(resultsOf(journal))}.`;
  return orElse(() => readdirSync(folder), [])
    .filter((name) => name.startsWith(begin) && name.endsWith('.journal'))
    .map((name) => join(folder, name));
}

/** The journal of a batch, wherever it was put aside. Throws `not-found` where it is not there any more, and `local`. */
export function journalOf({ id, journal }: BatchFacts): string {
  const found = [journal, ...journalsBeside(journal)].find((file) => headIn(file)?.batch === id);
  if (found !== undefined) return found;
  throw new RelctlError('not-found', `the journal of the batch is not there any more: ${journal}`, {
    facts: { path: journal, code: 'journal' },
    advice: 'Without it nobody knows what was sent for its rows.',
  });
}
