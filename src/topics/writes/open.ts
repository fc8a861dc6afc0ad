import type { ConnectionFlags } from '../../kit/flags/common.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { readLedger, type LedgerEntry, type BatchFacts } from '../../state/ledger/ledger.js';
import { ledgerFolder } from '../../lists/record/recorded.js';
import type { Sent } from '../../state/ledger/outcome.js';
import { opt, recordWithoutPresence, req, type Fields } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { findOperation } from '../../contract/service.js';
import { fieldsOf } from '../../contract/walk.js';
import { isRecord, type RecordValue, type Value, orElse } from '../../core/values/value.js';
import { differences, type Change } from '../../lists/record/differences.js';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { headIn } from '../../writes/batch/journal.js';
import { resultsOf } from '../../writes/batch-files.js';

type ProfileFlags = Partial<Pick<ConnectionFlags, 'profile'>>;

/** The writes of a profile, the oldest first. Throws `local`, `profile`. */
export const writesOf = (context: Context, flags: ProfileFlags): readonly LedgerEntry[] =>
  readLedger(ledgerFolder(context), profileOf(context, flags).name);

/** Stands for the write that was begun last. */
export const lastWord = 'last';

/** The write of an id, of which the beginning is enough, or the last one. Throws `not-found`, and `usage` when several begin so. */
export function writeNamed(context: Context, id: string, flags: ProfileFlags): LedgerEntry {
  const all = writesOf(context, flags);
  const isNamed = ({ begun }: LedgerEntry): boolean => id !== '' && begun.id.startsWith(id.toLowerCase());
  const entries = id === lastWord ? all.slice(-1) : all.filter(isNamed);
  const [entry, second] = entries;
  if (entry === undefined) {
    throw new RelctlError('not-found', `the ledger has no write '${id}'`, {
      facts: { profile: profileOf(context, flags).name },
      hint: 'relctl writes list',
    });
  }
  if (second === undefined) return entry;
  const ids = entries.map(({ begun }) => begun.id).slice(0, 5);
  throw usage('ID', `several writes begin with '${id}': ${ids.join(', ')}`);
}

/** How a write ended: without a word about it nobody knows. */
export const outcomeOf = ({ ended }: LedgerEntry): string => ended?.outcome ?? 'unknown';

/** The record within an input: of an operation that takes a whole one, that one; with its fields by the contract. */
export function recordSent({ operation, input }: Sent): { readonly record: RecordValue; readonly fields: Fields } {
  const fields = findOperation(operation)?.parameters ?? {};
  const [[name, only] = ['', undefined], second] = Object.entries(input);
  if (second !== undefined || !isRecord(only)) return { record: input, fields };
  return { record: only, fields: fieldsOf(fields[name]?.type) };
}

/** What a write changed of a record that was read before: 12.50 is no change of 12.5. All that was sent where none was read. */
export function changesOf(sent: Sent): readonly Change[] {
  const { record, fields } = recordSent(sent);
  const { before } = sent;
  if (before === undefined) return Object.entries(record).map(([name, to]) => ({ name, from: undefined, to }));
  const names = [...new Set([...Object.keys(before), ...Object.keys(record)])];
  return differences({ fields, names }, before, record);
}

/** A change as it is printed. */
export const ChangeRecord = recordWithoutPresence('LedgerChange', 'A member that was written.', {
  Name: req(string, 'Name of the member.'),
  From: opt(string, 'Its value before, where it was read.'),
  To: opt(string, 'The value that was sent.'),
});

const asText = (value: Value | undefined): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

/** The same, as a record. */
export const changeRecord = ({ name, from, to }: Change): RecordValue => ({
  Name: name,
  From: asText(from),
  To: asText(to),
});

/** A record as it is printed: what is not known is null. */
export const withNulls = (known: Readonly<Record<string, Value | undefined>>): RecordValue =>
  Object.fromEntries(Object.entries(known).map(([name, value]) => [name, value ?? null]));

/** The batch of an entry. Throws `usage` for a single write. */
export function batchOf(entry: LedgerEntry, flag: string): BatchFacts {
  const { batch } = entry.begun;
  if (batch === undefined)
    throw usage(flag, `${flag} is for the rows of a batch, and write ${entry.begun.id} is a single one`);
  return batch;
}

/** Journals beside the results of a batch: --restart puts the one that was there aside, under another name. */
function journalsNextTo(journal: string): readonly string[] {
  const folder = dirname(journal);
  const begin = `${basename(resultsOf(journal))}.`;
  return orElse(() => readdirSync(folder), [])
    .filter((name) => name.startsWith(begin) && name.endsWith('.journal'))
    .map((name) => join(folder, name));
}

/** The journal of a batch, wherever it was put aside. Throws `not-found` where it is not there any more, and `local`. */
export function journalOf({ id, journal }: BatchFacts): string {
  const found = [journal, ...journalsNextTo(journal)].find((file) => headIn(file)?.batch === id);
  if (found !== undefined) return found;
  throw new RelctlError('not-found', `the journal of the batch is not there any more: ${journal}`, {
    facts: { path: journal, code: 'journal' },
    advice: 'Without it nobody knows what was sent for its rows.',
  });
}
