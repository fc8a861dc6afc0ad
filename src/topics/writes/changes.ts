import type { Sent } from '../../state/ledger/outcome.js';
import { opt, recordWithoutPresence, req, type Fields } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { findOperation } from '../../contract/service.js';
import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { differences, type Change } from '../../lists/record/differences.js';

/** The record within an input: of an operation that takes a whole one, that one; with its fields by the contract. */
export function recordSent({ operation, input }: Sent): { readonly record: RecordValue; readonly fields: Fields } {
  const fields = findOperation(operation)?.parameters ?? {};
  const [[name, only] = ['', undefined], second] = Object.entries(input);
  if (second !== undefined || !isRecord(only)) return { record: input, fields };
  const type = fields[name]?.type;
  return { record: only, fields: type?.kind === 'record' ? type.fields : {} };
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

/** A value as a text: a list or a record as JSON. */
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
