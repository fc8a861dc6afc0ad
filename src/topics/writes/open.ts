import type { CommonFlags, ConnectionFlags, writeCallFlags } from '../../kit/flags/common.js';
import type { Values } from '../../kit/flags/define.js';
import { serviceOf, type Session } from '../../kit/session/session.js';
import type { UndoFlags } from '../../writes/flags.js';
import type { RowsText } from '../../writes/rows/rows-text.js';
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
import { recordIdIn, writeFactsOf } from '../../contract/writes.js';
import { hasValue, isRecord, type RecordValue, type Value, orElse } from '../../core/values/value.js';
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
  const isNamed = ({ begun: start }: LedgerEntry): boolean => id !== '' && start.id.startsWith(id.toLowerCase());
  const entries = id === lastWord ? all.slice(-1) : all.filter(isNamed);
  const [entry, second] = entries;
  if (entry === undefined) {
    throw new RelctlError('not-found', `the ledger has no write '${id}'`, {
      facts: { profile: profileOf(context, flags).name },
      hint: 'relctl writes list',
    });
  }
  if (second === undefined) return entry;
  const ids = entries.map(({ begun: start }) => start.id).slice(0, 5);
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
export const ChangeRecord = recordWithoutPresence('LedgerChange', 'A written member.', {
  Name: req(string, 'Name of the member.'),
  From: opt(string, 'Former value, if relctl read it.'),
  To: opt(string, 'The sent value.'),
});

const asText = (value: Value | undefined): string | null =>
  !hasValue(value) ? null : typeof value === 'string' ? value : JSON.stringify(value);

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
    throw usage(flag, `${flag} is for the rows of a batch, but ${entry.begun.id} is a single write`);
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
  const file = [journal, ...journalsNextTo(journal)].find((each) => headIn(each)?.batch === id);
  if (file !== undefined) return file;
  throw new RelctlError('not-found', `the journal of the batch no longer exists: ${journal}`, {
    facts: { path: journal, code: 'journal' },
    advice: 'Without it relctl does not know what it sent for the rows.',
  });
}

/** Flags of `writes undo`. */
export type UndoWriteFlags = Values<typeof writeCallFlags> &
  UndoFlags &
  CommonFlags & { readonly workflow: string | undefined };

/** How rows are written that have a way back. */
export type UndoRows<S> = RowsText<S> & Required<Pick<RowsText<S>, 'back'>>;

/** The error for a write that cannot be undone. */
export function cannot({ begun: start }: LedgerEntry, why: string): RelctlError {
  return new RelctlError('usage', `write ${start.id} (${start.what}) cannot be undone: ${why}`, {
    facts: { operation: start.operation, code: 'no-undo' },
  });
}

/** The error for a write whose operation has no way back; it names the record to look at, or how the rows of a batch are listed. */
export function notUndoable(entry: LedgerEntry): RelctlError {
  const { id, operation, batch, sends } = entry.begun;
  const facts = writeFactsOf(operation);
  const { why, instead } = facts?.noUndo ?? {
    why: `relctl does not know the former values of ${operation}`,
    instead: 'look at',
  };
  const record = facts?.record ?? 'what it wrote to';
  const recordId = facts && sends && recordIdIn(sends.input, facts);
  const named = recordId === undefined ? record : `${record} ${recordId}`;
  const error = cannot(entry, `${why}; ${instead} ${batch === undefined ? named : `each ${record}`}`);
  return batch === undefined ? error : error.withHint(`relctl writes show ${id} --rows`);
}

/** Throws `usage` for a write to another service than that of the session. */
export function checkService({ begun: start }: LedgerEntry, session: Session): void {
  const now = serviceOf(session);
  const other = (['url', 'namespace', 'database'] as const).find((name) => start.service[name] !== now[name]);
  if (other === undefined) return;
  const was = other === 'database' ? `database ${start.service.database || '(none)'}` : start.service[other];
  throw usage(
    '--profile',
    `write ${start.id} went to another service: ${was}; profile '${session.profile.name}' has ${now[other] || '(none)'}`,
    { advice: 'Nothing was sent.' },
  );
}
