import { contentFaults } from './content.js';
import { families, type FaultKind } from './fault-kind.js';
import { pagingFaults } from './paging.js';
import { soapFaults, transportFaults } from './transport.js';

/** Every kind of fault, in the order in which their effects are applied. The only list of them. */
export const faultKinds: readonly FaultKind[] = [...transportFaults, ...soapFaults, ...pagingFaults, ...contentFaults];

const byName: ReadonlyMap<string, FaultKind> = new Map(faultKinds.map((kind) => [kind.name, kind]));

/** The kind of fault with this exact name. */
export const findFault = (name: string): FaultKind | undefined => byName.get(name);

/** The names of all faults by family, a line each, for help. */
export function faultNames(): string {
  return Object.entries(families)
    .map(([family, words]) => {
      const names = faultKinds.filter((kind) => kind.family === family).map(({ name }) => name);
      return `${words}: ${names.join(', ')}.`;
    })
    .join('\n');
}
