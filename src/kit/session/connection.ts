import { endpointUrl, type Connection } from '../../client/connection.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { unreadableBecause, unreadableInput } from '../../state/own-file.js';
import { openStream, readBounded } from '../../state/given-file.js';
import type { Context } from '../host/context.js';
import { mostTextBytes } from '../host/environment.js';
import { defined } from '../../core/values/value.js';
import { isSandbox, isStored, type ResolvedProfile, type Secrets } from '../../profiles/resolve.js';
import { editWords, settings, type SettingName } from '../../profiles/settings/settings.js';
import type { TransportSettings } from '../../soap/transport/agents.js';
import type { HttpHandler } from '../../soap/transport/http.js';
import type { SoapActionForm, SoapVersion } from '../../soap/wire/version.js';
import type { Gateway } from './gateway.js';
import { connectSandbox } from '../sandbox/running.js';
import { enumerations } from '../../contract/enumerations.js';
import type { AllowedValues } from '../../contract/widen.js';
import { inAnyCase } from '../../core/text/nearest.js';
import { readAllowedValues } from '../../profiles/settings/forms.js';
import { isThisMachine, looksLikeThisMachine } from '../../soap/transport/this-machine.js';
import { existsSync } from 'node:fs';
import type { Operation } from '../../contract/build.js';
import { fileOfDescription } from '../../profiles/descriptions/place.js';
import { folderOfProfiles } from './profile-store.js';

const readTexts = new Map<string, AllowedValues>();

/** The values that a profile adds to enumerations, by the name in the contract; the same object for the same values. */
export function allowedIn({ values }: ResolvedProfile): AllowedValues | undefined {
  const text = values.allowedValues?.value;
  if (text === undefined) return undefined;
  const known = readTexts.get(String(text));
  if (known !== undefined) return known;
  const found: Record<string, string[]> = {};
  for (const { enumeration, value } of readAllowedValues(String(text), 'allowedValues')) {
    const name = inAnyCase(enumeration, Object.keys(enumerations)) ?? enumeration;
    (found[name] ??= []).push(value);
  }
  readTexts.set(String(text), found);
  return found;
}

/** The text of a setting; undefined where the profile has none. */
export function textOf(profile: ResolvedProfile, name: SettingName): string | undefined {
  const value = profile.values[name]?.value;
  return value === undefined ? undefined : String(value);
}

const numberOf = (profile: ResolvedProfile, name: SettingName): number => Number(profile.values[name]?.value ?? 0);

/** The error for a profile without a setting that calls need. */
export const lacks = (profile: ResolvedProfile, name: SettingName): RelctlError =>
  new RelctlError('profile', `profile '${profile.name}' has no ${name}`, {
    facts: { profile: profile.name, path: name },
    hint: isStored(profile)
      ? `relctl profile edit NAME${name === 'apiKey' ? ' --api-key-stdin' : ''}`
      : `export ${settings[name].environment}=…`,
  });

function required(profile: ResolvedProfile, name: SettingName, value: string | undefined): string {
  if (value === undefined) throw lacks(profile, name);
  return value;
}

type FileSetting = 'caFile' | 'clientCertFile' | 'clientKeyFile';

/** A file of the profile that cannot be read is the profile's fault; one that a flag or a variable names is as any other. */
async function bytesOf({ signal }: Context, profile: ResolvedProfile, name: FileSetting): Promise<Buffer | undefined> {
  const path = textOf(profile, name);
  if (path === undefined) return undefined;
  const isOfProfile = profile.values[name]?.origin.kind === 'profile';
  try {
    const bytes = await readBounded(openStream(path, signal), mostTextBytes);
    if (bytes !== undefined) return bytes;
  } catch (thrown) {
    signal.throwIfAborted();
    if (!isOfProfile) throw unreadableInput(path, thrown);
    const { code, words } = unreadableBecause(thrown);
    throw new RelctlError('profile', `${name} of profile '${profile.name}': ${path} ${words}`, {
      facts: { profile: profile.name, code, path },
      advice: `Put the file there, or name another one with ${editWords(name, 'FILE')}.`,
      hint: 'relctl profile show NAME',
    });
  }
  throw new RelctlError(isOfProfile ? 'profile' : 'usage', `${name}: ${path} has more than ${mostTextBytes} bytes`, {
    facts: { profile: profile.name, path },
    advice: `Name a file of certificates or of a key with ${editWords(name, 'FILE')}.`,
    hint: 'relctl profile show NAME',
  });
}

const pem = async (context: Context, profile: ResolvedProfile, name: FileSetting): Promise<string | undefined> =>
  (await bytesOf(context, profile, name))?.toString('utf8');

/** PEM of the authorities that the profile names. Throws `profile`, or `usage` where a flag or a variable names the file. */
async function authoritiesOf(context: Context, profile: ResolvedProfile): Promise<string | undefined> {
  const [path, bytes] = [textOf(profile, 'caFile'), await bytesOf(context, profile, 'caFile')];
  if (path === undefined || bytes === undefined) return undefined;
  const { readAuthorities } = await import('../../soap/transport/authorities.js');
  const read = readAuthorities(bytes);
  if ('pem' in read) return read.pem;
  const { why, converts } = read;
  const named = editWords('caFile', 'FILE');
  const error = {
    facts: { profile: profile.name, code: 'ca-file', path },
    advice:
      converts === undefined
        ? `Name a PEM file with ${named}.`
        : `Convert it, and name what comes of it with ${named}.`,
    hint: converts?.(path) ?? 'relctl profile show NAME',
  };
  throw profile.values.caFile?.origin.kind === 'profile'
    ? new RelctlError('profile', `caFile of profile '${profile.name}': ${path} ${why}`, error)
    : new RelctlError('usage', `${path} ${why}`, error);
}

async function certificateOf(
  context: Context,
  profile: ResolvedProfile,
  secrets: Secrets,
): Promise<TransportSettings['clientCertificate']> {
  const cert = await pem(context, profile, 'clientCertFile');
  if (cert === undefined) return undefined;
  const key = (await pem(context, profile, 'clientKeyFile')) ?? cert;
  return { cert, key, ...defined({ passphrase: secrets.clientKeyPassphrase }) };
}

/** What is wrong with the address of a proxy, without a word of it; undefined where nothing is. */
function wrongProxy(text: string): string | undefined {
  // A URL takes it for a slash: what stands before it would be the host.
  if (text.includes('\\')) return 'holds a backslash';
  if (!URL.canParse(text)) return 'is no URL';
  const { pathname, search, hash } = new URL(text);
  return pathname.length > 1 || search !== '' || hash !== ''
    ? 'holds more than user, password, host and port'
    : undefined;
}

function proxyOf(
  context: Context,
  profile: ResolvedProfile,
  place: { url: string; secret: string | undefined },
): TransportSettings['proxy'] {
  const { variables } = context.environment;
  const either = (name: string): string | undefined => variables[name] ?? variables[name.toUpperCase()];
  const fromEnvironment = place.url.startsWith('https:') ? either('https_proxy') : variables['http_proxy'];
  const text = place.secret ?? fromEnvironment ?? either('all_proxy');
  if (text === undefined) return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  const wrong = wrongProxy(url);
  if (wrong !== undefined)
    throw new RelctlError('profile', `the address of the proxy ${wrong}`, {
      facts: { path: 'proxy', profile: profile.name },
      advice:
        'It is http://USER:PASSWORD@HOST:PORT; within user and password %5C stands for a backslash, as in DOMAIN%5CUSER, %2F for a slash, %23 for # and %3F for ?.',
      hint: 'relctl profile show NAME --origin',
    });
  const noProxy = textOf(profile, 'noProxy') ?? either('no_proxy');
  return { url, ...defined({ noProxy }) };
}

function gatewayHeadersOf(url: string, { headers }: Gateway): TransportSettings['gateway'] {
  if (headers.length === 0) return undefined;
  return { origin: new URL(url).origin, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) };
}

/** How a service is reached. Throws `profile`, `usage` for a file that a flag or a variable names, and the signal's reason. */
export async function transportSettings(
  context: Context,
  profile: ResolvedProfile,
  place: { url: string; secrets: Secrets; gateway: Gateway },
): Promise<TransportSettings> {
  const ca = await authoritiesOf(context, profile);
  const proxy = proxyOf(context, profile, { url: place.url, secret: place.secrets.proxy });
  const clientCertificate = await certificateOf(context, profile, place.secrets);
  return {
    userAgent: `relctl/${context.version}`,
    ...defined({
      ca: ca === undefined ? undefined : [ca],
      proxy,
      clientCertificate,
      gateway: gatewayHeadersOf(place.url, place.gateway),
      verification: profile.values.insecureTls?.value === true ? ('none' as const) : undefined,
      withoutCookies: profile.values.cookies?.value === false ? true : undefined,
      isLenient: profile.values.insecureHTTPParser?.value === true ? true : undefined,
    }),
  };
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
    Name: textOf(profile, 'sourceApplication') ?? 'relctl',
    Category: textOf(profile, 'sourceCategory'),
    Subcategory: textOf(profile, 'sourceSubcategory'),
    Version: textOf(profile, 'sourceVersion') ?? context.version,
  });
  return defined({
    ApiKey: required(profile, 'apiKey', secrets.apiKey),
    DatabaseId: textOf(profile, 'databaseId') ?? null,
    UserId: textOf(profile, 'userId') ?? null,
    UserName: textOf(profile, 'userName'),
    Password: secrets.password,
    SourceApplication: profile.values.sendSourceApplication?.value === false ? undefined : sourceApplication,
  });
}

function limitsOf(profile: ResolvedProfile): Connection['limits'] {
  const ms = (name: SettingName): number => numberOf(profile, name) * 1000;
  return {
    connectMs: ms('connectTimeout'),
    tlsMs: ms('tlsTimeout'),
    firstByteMs: ms('firstByteTimeout'),
    idleMs: ms('idleTimeout'),
    wholeMs: ms('timeout'),
  };
}

/** The address of the service of a profile; undefined for the embedded one, and without a base URL. Throws `profile`. */
export function endpointOf(profile: ResolvedProfile): string | undefined {
  const baseUrl = textOf(profile, 'baseUrl');
  if (isSandbox(profile) || baseUrl === undefined) return undefined;
  try {
    return endpointUrl(baseUrl, textOf(profile, 'path'));
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
    namespace: required(profile, 'namespace', textOf(profile, 'namespace')),
  };
}

/** Everything that is needed to call a service but who calls: enough for what is got without credentials. */
export type Uncredited = Omit<Connection, 'credentials'>;

/** What a call to the service of a profile needs but credentials. Throws `profile`. */
export function connectionOf(profile: ResolvedProfile, { url, namespace }: Endpoint): Uncredited {
  return {
    profile: profile.name,
    url,
    namespace,
    // The settings table allows these two, and those forms, only.
    version: (textOf(profile, 'soapVersion') ?? '1.2') as SoapVersion,
    isVersionChosen: profile.values.soapVersion?.origin.kind !== 'default',
    soapAction: (textOf(profile, 'soapAction') ?? 'slash') as SoapActionForm,
    allowedValues: allowedIn(profile),
    credentialCodes: listed(textOf(profile, 'credentialsCode')),
    firstPage: numberOf(profile, 'firstPage'),
    pageSize: numberOf(profile, 'pageSize'),
    listEnd: textOf(profile, 'listEnd') === 'absent' ? 'absent' : 'empty',
    limits: limitsOf(profile),
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
      'looks like this machine, but its name may lead anywhere: the credentials go there',
      tls,
    ],
    [
      protocol === 'http:' && !isThisMachine(hostname),
      'is called without TLS: the credentials can be read on the way',
      tls,
    ],
    [
      takesAny && protocol === 'https:',
      'may show any certificate: who answers in its place gets the credentials',
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
  const { readableBy } = await import('../../profiles/descriptions/kept.js');
  return readableBy({ folder, profile: profile.name, service: endpointOf(profile) });
}
