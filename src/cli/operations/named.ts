import { operation as makeOperation, type Operation } from '../../contract/build.js';
import { knownOperations, type KnownOperations } from './described.js';
import { refuseWith } from './legacy.js';
import { perhaps, usage } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { nearest } from '../../lexical/nearest.js';

interface MeantFlags {
  readonly profile?: string | undefined;
  readonly read: boolean;
  readonly write: boolean;
}

/** An operation that was found by its name. */
export interface NamedOperation {
  readonly operation: Operation;
  /** The profile knows its types. */
  readonly isKnown: boolean;
  /** A known name near to that of one that is not known. */
  readonly near?: string | undefined;
}

const operationName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** Letters by which a mistyped name may differ from the one that is meant; with more it is another name. */
const mostSlips = 2;

/** Throws `usage` for a name that is not one of the contract, unless --read or --write says that it is meant. */
function refuseUnknown(
  name: string,
  { names, isOfOther }: Omit<KnownOperations, 'find'>,
  { read, write }: MeantFlags,
): void {
  const meant = nearest(name, names, mostSlips);
  const isOtherCase = meant?.toLowerCase() === name.toLowerCase();
  if (!isOtherCase && (read || write)) return;
  const insist = isOtherCase ? '' : `. If the service has an operation ${name}, add --read or --write`;
  const place = isOfOther ? 'in the contract, and what was imported is of another service' : 'in the contract';
  throw usage('OPERATION', `there is no operation '${name}' ${place}; nothing was sent${insist}`, {
    hint: isOfOther ? 'relctl operations import' : 'relctl operations',
    ...perhaps(name, meant),
  });
}

/** An imported operation with the access that --read or --write says; one of the contract as it is. Throws `usage` for both. */
function asMeant(operation: Operation, { read, write }: MeantFlags): Operation {
  if (operation.source !== 'imported' || !(read || write)) return operation;
  refuseWith('--read', { '--write': read && write });
  return { ...operation, access: read ? 'read' : 'add' };
}

/** The operation that the profile knows, or one without parameters for a name that --read or --write is given for. Throws `usage`. */
export function operationNamed(context: Context, name: string, flags: MeantFlags): NamedOperation {
  const { names, find, isOfOther } = knownOperations(context, flags.profile);
  const known = find(name);
  if (known !== undefined) return { operation: asMeant(known, flags), isKnown: true };
  const near = nearest(name, names);
  if (!operationName.test(name)) {
    throw usage('OPERATION', `'${name}' cannot be the name of an operation`, 'relctl operations');
  }
  refuseUnknown(name, { names, isOfOther }, flags);
  refuseWith('--read', { '--write': flags.read && flags.write });
  const access = flags.read ? 'read' : 'add';
  return {
    operation: makeOperation({ name, doc: 'Not in the contract.', access, parameters: {}, result: {} }),
    isKnown: false,
    near,
  };
}
