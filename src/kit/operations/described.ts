import { type Operation, operation as makeOperation } from '../../contract/build.js';
import { wsdlUrl } from '../../client/explain.js';
import { operationWith } from '../../contract/widen.js';
import { findOperation, operations } from '../../contract/service.js';
import {
  storedOfService,
  operationsOf,
  readStored,
  type StoredDescription,
} from '../../profiles/descriptions/stored.js';
import { ReadableOperations } from '../../profiles/descriptions/readable.js';
import { RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { nearest, shellCommand } from '../../core/text/text.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import { allowedIn, endpointOf } from '../session/connection.js';
import { folderOfProfiles, profileOf } from '../session/profile-store.js';
import { refuseWith } from '../flags/define.js';

/** The operations that a profile knows: those of the contract, and those of the WSDL of its service. */
export interface KnownOperations {
  /** Names in the order of the contract, then of the WSDL. */
  readonly names: readonly string[];
  /** The operation with this exact name; one of the contract, with what its answer may hold beyond the contract. */
  readonly find: (name: string) => Operation | undefined;
  /** What the WSDL has and relctl does not call by its types. */
  readonly leftOut: (name: string) => Operation | undefined;
  /** The WSDL was imported, and nothing in it takes credentials. */
  readonly takesNone: boolean;
  /** An import that is of another service than the profile is now, and of which no operation is known. */
  readonly isOfOther: boolean;
}

/** The profile in use; undefined where none was chosen. Throws `profile` for one that was named and is not there. */
function profileIn(context: Context, profile: string | undefined): ResolvedProfile | undefined {
  try {
    return profileOf(context, { profile });
  } catch (thrown) {
    if (profile !== undefined) throw RelctlError.from(thrown);
    return undefined;
  }
}

const takesNone = (description: StoredDescription | undefined): boolean =>
  description !== undefined && description.description.operations.every(({ takesCredentials }) => !takesCredentials);

const unreadableImported = (
  imported: ReturnType<typeof operationsOf> | undefined,
  name: string,
): Operation | undefined => (findOperation(name) === undefined ? imported?.untypedOperation(name) : undefined);

/** The operations that a profile, or the one in use, knows. Throws `profile` and `local`. */
export function knownOperations(context: Context, profile: string | undefined): KnownOperations {
  const chosen = profileIn(context, profile);
  const storedDescription = chosen === undefined ? undefined : readStored(folderOfProfiles(context), chosen.name);
  const isOfOther =
    chosen !== undefined && storedDescription !== undefined && storedDescription.service !== endpointOf(chosen);
  const ours = isOfOther ? undefined : storedDescription;
  const imported = ours && operationsOf(ours);
  const readable = ours && new ReadableOperations(ours.description);
  const ofContract = Object.keys(operations);
  const others = imported?.names.filter((name) => findOperation(name) === undefined) ?? [];
  const allowed = chosen === undefined ? undefined : allowedIn(chosen);
  const find = (name: string): Operation | undefined => {
    const own = findOperation(name);
    const operation = own === undefined ? imported?.find(name) : (readable?.of(own) ?? own);
    return operation === undefined ? undefined : operationWith(operation, allowed);
  };
  return {
    names: [...ofContract, ...others],
    find,
    leftOut: (name) => unreadableImported(imported, name),
    takesNone: takesNone(ours),
    isOfOther,
  };
}

function sourceOf({ source, service }: StoredDescription): readonly string[] {
  const isOwn = service === undefined ? URL.canParse(source) : source === wsdlUrl(service);
  return isOwn ? [] : [source];
}

/**
 * The command line that imports the WSDL once more and says of an operation that it only reads. It says of what was said to
 * read before that it does, because the patterns of an import take the place of the former ones. Throws `profile` and `local`.
 */
export function readingImport(context: Context, profile: string | undefined, name: string): string {
  const chosen = profileIn(context, profile);
  const stored =
    chosen && storedOfService({ folder: folderOfProfiles(context), profile: chosen.name, service: endpointOf(chosen) });
  const patterns = [...(stored?.reads ?? []), name];
  const source = stored === undefined ? [] : sourceOf(stored);
  return shellCommand(['operations', 'import', ...source, ...patterns.flatMap((each) => ['--reads', each])]);
}

interface AccessFlags {
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
    advice: 'To send an envelope of your own unchanged, use --input FILE with --read or --write.',
    hint: 'relctl operations import --dry-run',
  });

const notInWsdl = (name: string): RelctlError =>
  usage('OPERATION', `the WSDL of the service has no operation '${name}'; nothing was sent`, {
    advice: 'relctl sends the credentials of the profile only to operations that take them.',
    hint: 'relctl operations',
  });

function refuseUnknown(
  name: string,
  { names, isOfOther }: Pick<KnownOperations, 'names' | 'isOfOther'>,
  { read, write }: AccessFlags,
): void {
  const similar = nearest(name, names, mostSlips);
  const isOtherCase = similar?.toLowerCase() === name.toLowerCase();
  if (!isOtherCase && (read || write)) return;
  const insist = isOtherCase ? '' : `. If the service has an operation ${name}, add --read or --write`;
  const where = isOfOther ? 'in the contract, and the imported operations are of another service' : 'in the contract';
  throw usage('OPERATION', `there is no operation '${name}' ${where}; nothing was sent${insist}`, {
    ...perhaps(name, similar, isOfOther ? 'relctl operations import' : 'relctl operations'),
  });
}

function withAccess(operation: Operation, { read, write }: AccessFlags): Operation {
  if (operation.source !== 'imported' || !(read || write)) return operation;
  refuseWith('--read', { '--write': read && write });
  return { ...operation, access: read ? 'read' : 'add' };
}

function asWholeEnvelope(operation: Operation, flags: AccessFlags): Operation {
  if (flags.isWhole !== true || !(flags.read || flags.write)) throw notCalled(operation);
  return withAccess(operation, flags);
}

/** The operation that the profile knows, or one without parameters for a name that --read or --write is given for. Throws `usage`. */
export function operationNamed(context: Context, name: string, flags: AccessFlags): NamedOperation {
  const { names, find, leftOut: unusable, takesNone, isOfOther } = knownOperations(context, flags.profile);
  const known = find(name);
  if (known !== undefined) return { operation: withAccess(known, flags), isKnown: true };
  const out = unusable(name);
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
