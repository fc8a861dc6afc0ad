import { endpointUrl, type Connection } from '../../client/connection.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { defined } from '../../core/values/value.js';
import { isSandbox, isStored, type ResolvedProfile, type Secrets } from '../../profiles/resolve.js';
import { settings, type SettingName } from '../../profiles/settings/settings.js';
import type { HttpHandler } from '../../soap/transport/http.js';
import type { SoapActionForm, SoapVersion } from '../../soap/wire/version.js';
import { connectSandbox } from '../sandbox/running.js';
import { enumerations } from '../../contract/enumerations.js';
import type { AllowedValues } from '../../contract/widen.js';
import { inAnyCase } from '../../core/text/text.js';
import { readAllowedValues } from '../../profiles/settings/forms.js';
import { isThisMachine, looksLikeThisMachine } from '../../soap/transport/this-machine.js';
import { existsSync } from 'node:fs';
import type { Operation } from '../../contract/build.js';
import { fileOfDescription } from '../../profiles/store/folders.js';
import { folderOfProfiles } from './profile-store.js';

const readTexts = new Map<string, AllowedValues>();

/** The values that a profile adds to enumerations, by the name in the contract; the same object for the same values. */
export function allowedIn({ values }: ResolvedProfile): AllowedValues | undefined {
  const text = values.allowedValues?.value;
  if (text === undefined) return undefined;
  const known = readTexts.get(String(text));
  if (known !== undefined) return known;
  const byEnumeration: Record<string, string[]> = {};
  for (const { enumeration, value } of readAllowedValues(String(text), 'allowedValues')) {
    const name = inAnyCase(enumeration, Object.keys(enumerations)) ?? enumeration;
    (byEnumeration[name] ??= []).push(value);
  }
  readTexts.set(String(text), byEnumeration);
  return byEnumeration;
}

/** The text of a setting; undefined where the profile has none. */
export function settingText(profile: ResolvedProfile, name: SettingName): string | undefined {
  const value = profile.values[name]?.value;
  return value === undefined ? undefined : String(value);
}

const numberOf = (profile: ResolvedProfile, name: SettingName): number => Number(profile.values[name]?.value ?? 0);

/** The error for a profile without a setting that calls need. */
export const lacks = (profile: ResolvedProfile, name: SettingName): RelctlError =>
  new RelctlError('profile', `profile '${profile.name}' has no ${name}`, {
    facts: { profile: profile.name, path: name },
    namesProfile: true,
    hint: isStored(profile)
      ? `relctl profile edit NAME${name === 'apiKey' ? ' --api-key-stdin' : ''}`
      : `export ${settings[name].environment}=…`,
  });

function required(profile: ResolvedProfile, name: SettingName, value: string | undefined): string {
  if (value === undefined) throw lacks(profile, name);
  return value;
}

const listed = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));

/**
 * What each call to the service of a profile has to say of who calls (interface document, Authentication). Throws `profile` for
 * a key that is missing.
 */
export function credentialsFor(
  context: Context,
  profile: ResolvedProfile,
  secrets: Secrets,
): Connection['credentials'] {
  const sourceApplication = defined({
    Name: settingText(profile, 'sourceApplication') ?? 'relctl',
    Category: settingText(profile, 'sourceCategory'),
    Subcategory: settingText(profile, 'sourceSubcategory'),
    Version: settingText(profile, 'sourceVersion') ?? context.version,
  });
  return defined({
    ApiKey: required(profile, 'apiKey', secrets.apiKey),
    DatabaseId: settingText(profile, 'databaseId') ?? null,
    UserId: settingText(profile, 'userId') ?? null,
    UserName: settingText(profile, 'userName'),
    Password: secrets.password,
    SourceApplication: profile.values.sendSourceApplication?.value === false ? undefined : sourceApplication,
  });
}

/** The address of the service of a profile; undefined for the embedded one, and without a base URL. Throws `profile`. */
export function endpointOf(profile: ResolvedProfile): string | undefined {
  const baseUrl = settingText(profile, 'baseUrl');
  if (isSandbox(profile) || baseUrl === undefined) return undefined;
  try {
    return endpointUrl(baseUrl, settingText(profile, 'path'));
  } catch (thrown) {
    const variable = (['path', 'baseUrl'] as const).find((name) => profile.values[name]?.origin.kind === 'environment');
    // The profile is not to blame for what a variable adds to it.
    throw variable === undefined
      ? thrown
      : RelctlError.from(thrown).but({ hint: `unset ${settings[variable].environment}` });
  }
}

/** Where the service of a profile is. */
export interface Endpoint extends Pick<Connection, 'url' | 'namespace'> {
  /** Answers in this process, in the place of a server. */
  readonly answer?: HttpHandler;
}

/** Finds the service of a profile; opens the embedded one. Throws `profile` and `local`. */
export async function findService(context: Context, profile: ResolvedProfile): Promise<Endpoint> {
  if (isSandbox(profile)) {
    const { baseUrl, ...service } = await connectSandbox(context);
    return { url: endpointUrl(baseUrl), ...service };
  }
  return {
    url: required(profile, 'baseUrl', endpointOf(profile)),
    namespace: required(profile, 'namespace', settingText(profile, 'namespace')),
  };
}

/** Everything that is needed to call a service but who calls: enough for what is got without credentials. */
export type Uncredited = Omit<Connection, 'credentials'>;

/** What a call to the service of a profile needs but credentials. Throws `profile`. */
export function connectionOf(profile: ResolvedProfile, { url, namespace }: Endpoint): Uncredited {
  const ms = (name: SettingName): number => numberOf(profile, name) * 1000;
  return {
    profile: profile.name,
    url,
    namespace,
    // The settings table allows these two, and those forms, only.
    version: (settingText(profile, 'soapVersion') ?? '1.2') as SoapVersion,
    isVersionChosen: profile.values.soapVersion?.origin.kind !== 'default',
    soapAction: (settingText(profile, 'soapAction') ?? 'slash') as SoapActionForm,
    allowedValues: allowedIn(profile),
    credentialCodes: listed(settingText(profile, 'credentialsCode')),
    firstPage: numberOf(profile, 'firstPage'),
    pageSize: numberOf(profile, 'pageSize'),
    listEnd: settingText(profile, 'listEnd') === 'absent' ? 'absent' : 'empty',
    limits: {
      connectMs: ms('connectTimeout'),
      tlsMs: ms('tlsTimeout'),
      firstByteMs: ms('firstByteTimeout'),
      idleMs: ms('idleTimeout'),
      wholeMs: ms('timeout'),
    },
    retries: numberOf(profile, 'retries'),
  };
}

/**
 * The risks of calling an address, the worst first: a clause that follows the host or the address, and flags of `profile edit`
 * that end it.
 * @param takesAny any certificate is taken
 */
export function risksOf({ protocol, hostname }: URL, takesAny: boolean): readonly Record<'words' | 'mend', string>[] {
  const tls = '--base-url https://…';
  const risks = [
    [
      looksLikeThisMachine(hostname),
      'looks like this machine, but its name can resolve to any machine, which gets the credentials',
      tls,
    ],
    [
      protocol === 'http:' && !isThisMachine(hostname),
      'is called without TLS: others on the network can read the credentials',
      tls,
    ],
    [
      takesAny && protocol === 'https:',
      'may present any certificate: an impostor gets the credentials',
      '--unset insecureTls',
    ],
  ] as const;
  return risks.flatMap(([isThere, words, mend]) => (isThere ? [{ words, mend }] : []));
}

/** Gives operations as the service of a profile answers them; undefined, and nothing loaded, without an import. */
export async function readableFor(
  context: Context,
  profile: ResolvedProfile,
): Promise<((operation: Operation) => Operation) | undefined> {
  const folder = folderOfProfiles(context);
  if (!existsSync(fileOfDescription(folder, profile.name))) return undefined;
  const { readableBy } = await import('../../profiles/descriptions/stored.js');
  return readableBy({ folder, profile: profile.name, service: endpointOf(profile) });
}
