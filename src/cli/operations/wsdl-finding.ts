import { differencesFromContract } from '../../descriptions/against-contract.js';
import { keptOfService } from '../../descriptions/kept.js';
import type { Context } from '../../host/context.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import { endpointOf, textOf } from '../session/connection.js';
import type { Finding } from '../findings.js';
import { folderOfProfiles } from './readable.js';

type Difference = ReturnType<typeof differencesFromContract>[number];

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/**
 * What the WSDL that was imported means for commands, in one line; undefined without an import. Throws `profile` and `local`
 * when the kept file cannot be read.
 * @param namespace that of the calls; without one, as of the embedded service before it runs, it is not compared
 */
export function wsdlFinding(
  context: Context,
  profile: ResolvedProfile,
  namespace = textOf(profile, 'namespace'),
): Finding | undefined {
  const of = { folder: folderOfProfiles(context), profile: profile.name, service: endpointOf(profile) };
  const kept = keptOfService(of);
  if (kept === undefined) return undefined;
  const { description } = kept;
  const found = differencesFromContract(description, namespace ?? description.namespace);
  const number = (kind: Difference['kind'], how: Difference['how']): number =>
    found.filter((each) => each.kind === kind && each.how === how).length;
  const told = [
    ...counted(number('operation', 'less'), 'operation is missing', 'operations are missing'),
    ...counted(
      number('member', 'less'),
      'member that commands print is missing',
      'members that commands print are missing',
    ),
    ...counted(number('value', 'more'), 'value is unknown to the contract', 'values are unknown to the contract'),
  ];
  if (found.length === 0) return { check: 'wsdl', state: 'ok', detail: 'the imported WSDL is as the contract says' };
  const places = counted(found.length, 'place', 'places').join('');
  const what = told.length === 0 ? '' : `: ${told.join(', ')}`;
  return {
    check: 'wsdl',
    state: 'warning',
    detail: `the imported WSDL differs from the contract in ${places}${what}`,
    hint: `relctl operations diff --profile ${profile.name}`,
  };
}
