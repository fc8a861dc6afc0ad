import type { RelctlError } from '../errors/relctl-error.js';
import type { FaultSubcode } from '../soap/wire/fault.js';
import type { FaultSide } from '../soap/wire/version.js';

const sides: readonly FaultSide[] = ['Client', 'Server', 'MustUnderstand', 'VersionMismatch'];

/** What the code of a failure says: who is blamed, and by which code of the service's own. */
export interface FaultCodes {
  /** Undefined when the failure blames nobody. */
  readonly side: FaultSide | undefined;
  /** To be spread into a fault. */
  readonly finer: { readonly subcode?: FaultSubcode };
}

/** Reads the code of a failure, `Client` or `Client.NotFound`; the finer code is in the namespace of the service. */
export function faultCodes({ facts }: RelctlError, namespace: string): FaultCodes {
  const [first, ...rest] = (facts.code ?? '').split('.');
  const side = sides.find((known) => known === first);
  const name = rest.join('.');
  return { side, finer: side === undefined || name === '' ? {} : { subcode: { name, namespace } } };
}
