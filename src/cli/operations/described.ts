import type { Operation } from '../../contract/build.js';
import { operationWith } from '../../contract/widen.js';
import { findOperation, operations } from '../../contract/service.js';
import { operationsOf, readKept } from '../../descriptions/kept.js';
import { ReadableOperations } from '../../descriptions/readable.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import { allowedIn } from './allowed.js';
import { endpointOf } from '../session/connection.js';
import { folderOfProfiles } from './readable.js';
import { profileOf } from '../session/session.js';

/** The operations that a profile knows: those of the contract, and those of the WSDL of its service. */
export interface KnownOperations {
  /** Names in the order of the contract, then of the WSDL. */
  readonly names: readonly string[];
  /** The operation with this exact name; one of the contract, with what its answer may hold beyond the contract. */
  readonly find: (name: string) => Operation | undefined;
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

/** The operations that a profile, or the one in use, knows. Throws `profile` and `local`. */
export function knownOperations(context: Context, profile: string | undefined): KnownOperations {
  const chosen = profileIn(context, profile);
  const kept = chosen === undefined ? undefined : readKept(folderOfProfiles(context), chosen.name);
  const isOfOther = chosen !== undefined && kept !== undefined && kept.service !== endpointOf(chosen);
  const ours = isOfOther ? undefined : kept;
  const imported = ours && operationsOf(ours);
  const readable = ours && new ReadableOperations(ours.description);
  const ofContract = Object.keys(operations);
  const others = imported?.names.filter((name) => findOperation(name) === undefined) ?? [];
  const allowed = chosen === undefined ? undefined : allowedIn(chosen);
  const find = (name: string): Operation | undefined => {
    const own = findOperation(name);
    const found = own === undefined ? imported?.find(name) : (readable?.of(own) ?? own);
    return found === undefined ? undefined : operationWith(found, allowed);
  };
  return { names: [...ofContract, ...others], find, isOfOther };
}
