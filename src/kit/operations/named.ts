import { operation as makeOperation, type Operation } from '../../contract/build.js';
import { knownOperations, type KnownOperations } from './described.js';
import { refuseWith } from './legacy.js';
import { type RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { nearest } from '../../core/text/nearest.js';

interface MeantFlags {
  readonly profile?: string | undefined;
  readonly read: boolean;
  readonly write: boolean;
  /** A whole envelope is sent, so that nothing is made of types, and no credentials are added. */
  readonly isWhole?: boolean;
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

/** The error for an operation of the WSDL that was left out, whose words say why. */
export const notCalled = ({ name, doc }: Operation): RelctlError =>
  usage('OPERATION', `the WSDL of the service has ${name}, which relctl does not call: ${doc}; nothing was sent`, {
    advice: 'A whole envelope that you wrote is sent to it as it is: --input FILE, with --read or --write.',
    hint: 'relctl operations import --dry-run',
  });

const notInWsdl = (name: string): RelctlError =>
  usage('OPERATION', `the WSDL of the service has no operation '${name}'; nothing was sent`, {
    advice: 'The credentials of the profile go to operations that take them alone.',
    hint: 'relctl operations',
  });

function refuseUnknown(
  name: string,
  { names, isOfOther }: Pick<KnownOperations, 'names' | 'isOfOther'>,
  { read, write }: MeantFlags,
): void {
  const meant = nearest(name, names, mostSlips);
  const isOtherCase = meant?.toLowerCase() === name.toLowerCase();
  if (!isOtherCase && (read || write)) return;
  const insist = isOtherCase ? '' : `. If the service has an operation ${name}, add --read or --write`;
  const place = isOfOther ? 'in the contract, and what was imported is of another service' : 'in the contract';
  throw usage('OPERATION', `there is no operation '${name}' ${place}; nothing was sent${insist}`, {
    ...perhaps(name, meant, isOfOther ? 'relctl operations import' : 'relctl operations'),
  });
}

function withAccess(operation: Operation, { read, write }: MeantFlags): Operation {
  if (operation.source !== 'imported' || !(read || write)) return operation;
  refuseWith('--read', { '--write': read && write });
  return { ...operation, access: read ? 'read' : 'add' };
}

function asWholeEnvelope(operation: Operation, flags: MeantFlags): Operation {
  if (flags.isWhole !== true || !(flags.read || flags.write)) throw notCalled(operation);
  return withAccess(operation, flags);
}

/** The operation that the profile knows, or one without parameters for a name that --read or --write is given for. Throws `usage`. */
export function operationNamed(context: Context, name: string, flags: MeantFlags): NamedOperation {
  const { names, find, leftOut, takesNone, isOfOther } = knownOperations(context, flags.profile);
  const known = find(name);
  if (known !== undefined) return { operation: withAccess(known, flags), isKnown: true };
  const out = leftOut(name);
  if (out !== undefined) return { operation: asWholeEnvelope(out, flags), isKnown: false };
  const near = nearest(name, names);
  if (!operationName.test(name)) {
    throw usage('OPERATION', `'${name}' cannot be the name of an operation`, 'relctl operations');
  }
  refuseUnknown(name, { names, isOfOther }, flags);
  if (takesNone && flags.isWhole !== true) throw notInWsdl(name);
  refuseWith('--read', { '--write': flags.read && flags.write });
  const access = flags.read ? 'read' : 'add';
  return {
    operation: makeOperation({ name, doc: 'Not in the contract.', access, parameters: {}, result: {} }),
    isKnown: false,
    near,
  };
}
