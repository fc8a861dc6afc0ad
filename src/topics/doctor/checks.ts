import { accessSync, constants, statSync } from 'node:fs';
import { profileStore } from '../../cli/session/profile-store.js';
import { databaseFile, runningSandbox, sandboxFolder } from '../../cli/sandbox/running.js';
import { endpointOf } from '../../cli/session/connection.js';
import { gatewayOf } from '../../cli/session/gateway.js';
import { risksOf } from '../../cli/session/risks.js';
import { profileOf } from '../../cli/session/session.js';
import { wsdlFinding } from '../../cli/operations/wsdl-finding.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { calibrationOf } from '../../profiles/kept/calibration.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { isStored, resolveSecrets, type ResolvedProfile } from '../../profiles/resolve.js';
import { hasPlain } from '../../profiles/secrets/references.js';
import type { SettingName } from '../../profiles/settings/settings.js';
import { attempt } from '../../files/failure.js';
import { makeFolders } from '../../files/own-file.js';

/** What was found, when nothing is wrong with it; with `hint` it is a warning. */
interface Seen {
  readonly detail: string;
  readonly hint?: string | undefined;
}

type Found = string | Seen | Promise<string | Seen>;

/** What a check looks at. */
export interface Place {
  readonly context: Context;
  readonly flags: { readonly profile?: string | undefined };
}

const profileIn = ({ context, flags }: Place): ResolvedProfile => profileOf(context, { profile: flags.profile });

function profileFile({ context }: Place): string {
  const store = profileStore(context);
  const mode = statSync(store.file, { throwIfNoEntry: false })?.mode;
  const count = store.names().length;
  return mode === undefined
    ? `${store.file} is not there yet`
    : `${store.file}: ${count} ${count === 1 ? 'profile' : 'profiles'}, mode ${(mode & 0o777).toString(8)}`;
}

function stateFolder({ context }: Place): string {
  const { platform, variables } = context.environment;
  const { state } = foldersOf(platform, variables);
  attempt(state, () => {
    makeFolders(state);
    accessSync(state, constants.W_OK);
  });
  return `${state} can be written`;
}

function chosen(place: Place): string {
  const { name, overridden } = profileIn(place);
  return `'${name}'${overridden.length === 0 ? '' : `; overridden by ${overridden.join(', ')}`}`;
}

/** The address that is called, with the worst of its risks. */
function address(place: Place): string | Seen {
  const profile = profileIn(place);
  const { name, values } = profile;
  const text = endpointOf(profile);
  if (text === undefined) return 'built in';
  const [risk] = risksOf(new URL(text), values.insecureTls?.value === true);
  if (risk === undefined) return text;
  return { detail: `${text} ${risk.words}`, hint: `relctl profile edit ${name} ${risk.mend}` };
}

function paging(place: Place): string | Seen {
  const profile = profileIn(place);
  const { name, values } = profile;
  const of = (setting: SettingName): string => `${setting} ${String(values[setting]?.value ?? '')}`;
  const found = `${of('firstPage')}, ${of('pageSize')}, ${of('listEnd')}`;
  const store = profileStore(place.context);
  const { day, pageSize } = calibrationOf(isStored(profile) ? store.get(name) : {});
  if (day !== undefined)
    return `${found}; calibrated ${day}${pageSize === undefined ? '' : `, whole lists by ${pageSize}`}`;
  const detail = `${found}; never calibrated`;
  return isStored(profile) ? { detail, hint: `relctl profile test ${name} --calibrate` } : detail;
}

const secretsIn = ({ context }: Place, profile: ResolvedProfile): ReturnType<typeof resolveSecrets> =>
  resolveSecrets(profile, context.environment.variables, context.signal);

async function secrets(place: Place): Promise<string> {
  const profile = profileIn(place);
  const names = Object.keys(await secretsIn(place, profile)) as SettingName[];
  if (!names.includes('apiKey')) {
    throw new RelctlError('profile', `profile '${profile.name}' has no apiKey`, {
      facts: { profile: profile.name },
      hint: 'relctl profile edit NAME --api-key-stdin',
    });
  }
  const isPlain = (name: SettingName): boolean => {
    const { value, origin } = profile.values[name] ?? {};
    return origin?.kind === 'profile' && hasPlain(name, String(value));
  };
  const plain = isStored(profile) ? names.filter(isPlain) : [];
  const found = `${names.join(', ')} can be read`;
  return plain.length === 0 ? found : `${found}; as plain text in the profile file: ${plain.join(', ')}`;
}

/** What a gateway in front of the service gets, and which address it is for. */
async function gateway(place: Place): Promise<string> {
  const profile = profileIn(place);
  const url = endpointOf(profile);
  if (url === undefined) return 'none: built in';
  const { headers } = gatewayOf(profile, await secretsIn(place, profile));
  if (headers.length === 0) return 'none: no header, no login and no token is sent to one';
  return `${headers.map(({ name }) => name).join(', ')} to ${new URL(url).origin} alone`;
}

/** What `profile test` says of the WSDL that was imported; the service is not asked. */
function wsdl(place: Place): string | Seen {
  return wsdlFinding(place.context, profileIn(place)) ?? 'none imported: commands go by the contract alone';
}

const proxyVariables = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
  'RELCTL_PROXY',
];

function proxy({ context }: Place): string {
  const set = proxyVariables.filter((name) => context.environment.variables[name] !== undefined);
  return set.length === 0 ? 'none in the environment' : `set by ${set.join(', ')}`;
}

async function sandbox({ context }: Place): Promise<string> {
  const file = databaseFile(sandboxFolder(context));
  const running = await runningSandbox(file);
  return running === undefined ? `not running; data in ${file}` : `runs at ${running.baseUrl}`;
}

function terminal({ context: { streams } }: Place): string {
  const { isTerminal, width, hasColor } = streams.out;
  return isTerminal ? `${width ?? 'unknown'} columns, ${hasColor ? 'colour' : 'no colour'}` : 'stdout is no terminal';
}

/** A look at one thing. */
export interface Check {
  readonly name: string;
  /** What is skipped when no profile can be read. */
  readonly needsProfile?: true;
  readonly look: (place: Place) => Found;
}

/** The check that others need. */
export const profileCheck = 'profile';

/** Every check, in the order in which they are made and printed. A look throws what is wrong. */
export const checks: readonly Check[] = [
  { name: 'node', look: () => `${process.version} on ${process.platform} ${process.arch}` },
  { name: 'profile store', look: profileFile },
  { name: 'state folder', look: stateFolder },
  { name: profileCheck, look: chosen },
  { name: 'address', needsProfile: true, look: address },
  { name: 'paging', needsProfile: true, look: paging },
  { name: 'secrets', needsProfile: true, look: secrets },
  { name: 'gateway', needsProfile: true, look: gateway },
  { name: 'wsdl', needsProfile: true, look: wsdl },
  { name: 'proxy', look: proxy },
  { name: 'sandbox', look: sandbox },
  { name: 'terminal', look: terminal },
];
