import type { RecordType } from '../contract/build.js';
import type { RelctlError } from '../core/errors/relctl-error.js';
import type { Column } from './columns.js';

/** The commands of operations that know of a record what its list leaves nil. */
const commands: Readonly<Record<string, string>> = { NotificationsGet: 'relctl notification list' };

const flagOf = (parameter: string): string =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The member of the records of a list that a column is of, where the service leaves it nil; undefined for another one. */
export const nilMemberOf = ({ fields }: RecordType, { path: [name = ''] }: Pick<Column, 'path'>): string | undefined =>
  Object.hasOwn(fields, name) && fields[name]?.leftNil !== undefined ? name : undefined;

/** Why nothing is asked of such a member, in words. */
export const nilMemberRequested = (member: string): string =>
  `the service leaves ${member} nil in this list, whatever its records are like: nothing can be asked of it`;

/** An error about such a member, with what does know it. */
export function withElsewhere(error: RelctlError, { fields }: RecordType, member: string): RelctlError {
  const { parameter, elsewhere, operation = '' } = fields[member]?.leftNil ?? {};
  if (parameter !== undefined) return error.but({ hint: flagOf(parameter) });
  return error.but({ advice: elsewhere, hint: commands[operation] });
}

/** The members of some columns that the service leaves nil. */
export const nilMembersOf = (record: RecordType, columns: readonly Column[]): readonly string[] => [
  ...new Set(columns.flatMap((column) => nilMemberOf(record, column) ?? [])),
];

/** The note about columns of such members. */
export const nilMembersNote = (members: readonly string[]): string =>
  `the service leaves ${members.join(', ')} nil in this list, whatever its records are like: such a column says nothing`;
