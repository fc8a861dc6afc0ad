import type { Operation } from '../../contract/build.js';
import { wsdlUrl } from '../../client/explain.js';
import { operationWith } from '../../contract/widen.js';
import { findOperation, operations } from '../../contract/service.js';
import { storedOfService, operationsOf, readStored, type StoredDescription } from '../../profiles/descriptions/kept.js';
import { ReadableOperations } from '../../profiles/descriptions/readable.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { shellCommand } from '../../core/text/shell/command.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import { allowedIn, endpointOf } from '../session/connection.js';
import { folderOfProfiles, profileOf } from '../session/profile-store.js';

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
  const kept =
    chosen && storedOfService({ folder: folderOfProfiles(context), profile: chosen.name, service: endpointOf(chosen) });
  const patterns = [...(kept?.reads ?? []), name];
  const source = kept === undefined ? [] : sourceOf(kept);
  return shellCommand(['operations', 'import', ...source, ...patterns.flatMap((each) => ['--reads', each])]);
}
