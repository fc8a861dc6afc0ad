import type { RecordType } from '../contract/build.js';
import type { RelctlError } from '../errors/relctl-error.js';
import type { Column } from './columns.js';

/** Flags that ask for what is nil otherwise, by the parameter. */
const flags: Readonly<Record<string, string>> = {
  includeFields: '--include-fields',
  includeCounters: '--include-counters',
};

/** What knows of an activity what lists leave out. */
const elsewhere =
  'Whether an activity of a user waits in a queue, is to do or is closed, `relctl notification list` says as ActivityLocation. ' +
  'An operation of the WSDL such as ActivityGet, once imported, gives an activity whole.';

/** The member of the records of a list that a column is of, where the service leaves it nil; undefined for another one. */
export const memberLeftNil = (
  { fields }: RecordType,
  { path: [name = ''] }: Pick<Column, 'path'>,
): string | undefined => (Object.hasOwn(fields, name) && fields[name]?.leftNil !== undefined ? name : undefined);

/** Why nothing is asked of such a member, in words. */
export const askedLeftNil = (member: string): string =>
  `the service leaves ${member} nil in this list, whatever its records are like: nothing can be asked of it`;

/** An error about such a member, with what does know it. */
export function withElsewhere(error: RelctlError, { fields }: RecordType, member: string): RelctlError {
  const hint = flags[fields[member]?.leftNil ?? ''];
  if (hint !== undefined) return error.but({ hint });
  return error.but({
    advice: elsewhere,
    hint: member === 'ActivityAuditData' ? 'relctl notification list' : undefined,
  });
}

/** The members of some columns that the service leaves nil. */
export const membersLeftNil = (record: RecordType, columns: readonly Column[]): readonly string[] => [
  ...new Set(columns.flatMap((column) => memberLeftNil(record, column) ?? [])),
];

/** The note about columns of such members. */
export const leftNilNote = (members: readonly string[]): string =>
  `the service leaves ${members.join(', ')} nil in this list, whatever its records are like: such a column says nothing`;
