import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '../client/client.js';
import { endpointUrl, type Connection } from '../client/connection.js';
import { RelctlError } from '../errors/relctl-error.js';
import { unreadableBecause, unreadableInput } from '../files/failure.js';
import { foldersOf } from '../profiles/folders.js';
import { isSandbox, isStored, resolveProfile, resolveSecrets, type ResolvedProfile } from '../profiles/resolve.js';
import { settings, type SettingName, type SettingValue } from '../profiles/settings.js';
import { openStore, sandboxName } from '../profiles/store.js';
import { createTransport } from '../soap/transport/axios-client.js';
import { isLoopback, secretsOfProxy, type TransportSettings } from '../soap/transport/agents.js';
import { credentialsOf, type CredentialSettings } from '../soap/codec/credentials.js';
import type { SoapVersion } from '../soap/wire/version.js';
import type { Context } from '../host/context.js';
import type { ConnectionFlags } from './flags/connection.js';
import type { CommonFlags } from './flags/output.js';
import type { PagingFlags } from './flags/lists/paging.js';
import { note } from '../host/notes.js';
import { connectSandbox, sandboxSettings } from './sandbox-profile.js';
import { defined } from '../plain/defined.js';
import { usage } from '../errors/usage.js';

/** A service that a command talks to, with the profile that it came from. */
export interface Session {
  readonly profile: ResolvedProfile;
  readonly connection: Connection;
  readonly client: Client;
  /** Format when none is asked for. */
  readonly output: string | undefined;
  /** CSV is written for Excel unless a flag says otherwise. */
  readonly excel: boolean;
  /** ISO 3166 code of the country where telephone numbers without a country are dialled. */
  readonly country: string | undefined;
}

/** Flags of a command that talks to a service; some commands have a part of them. */
type Flags = Partial<ConnectionFlags & PagingFlags & CommonFlags> & {
  readonly progress?: boolean | undefined;
  readonly country?: string | undefined;
};

/** Flags by the names that settings know them by; a flag that was not given is undefined. */
function settingFlags(flags: Flags): Record<string, SettingValue | undefined> {
  const { soap, timeout, retries, insecure, country } = flags;
  return {
    soap,
    timeout,
    retries,
    'page-size': flags['page-size'],
    'ca-file': flags['ca-file'],
    'client-cert': flags['client-cert'],
    'client-key': flags['client-key'],
    insecure: insecure === true || undefined,
    country,
  };
}

/** Resolves the profile of a command without looking secrets up or calling anything. Throws `profile` and `usage`. */
export function profileOf(context: Context, flags: Flags): ResolvedProfile {
  const { variables, platform } = context.environment;
  return resolveProfile({
    store: openStore(foldersOf(platform, variables).config),
    profile: flags.profile,
    flags: settingFlags(flags),
    variables,
    builtIn: (name) => (name === sandboxName ? sandboxSettings : undefined),
  });
}

function textOf(profile: ResolvedProfile, name: SettingName): string | undefined {
  const value = profile.values[name]?.value;
  return value === undefined ? undefined : String(value);
}

function numberOf(profile: ResolvedProfile, name: SettingName): number {
  return Number(profile.values[name]?.value ?? 0);
}

function required(profile: ResolvedProfile, name: SettingName, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new RelctlError('profile', `profile '${profile.name}' has no ${name}`, {
    facts: { profile: profile.name, path: name },
    hint: isStored(profile)
      ? `relctl profile edit NAME${name === 'apiKey' ? ' --api-key-stdin' : ''}`
      : `export ${settings[name].environment}=…`,
  });
}

/** A file of the profile that cannot be read is the profile's fault; one that a flag or a variable names is as any other. */
function pem(profile: ResolvedProfile, name: SettingName, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (profile.values[name]?.origin.kind !== 'profile') throw unreadableInput(path, thrown);
    const { code, words } = unreadableBecause(thrown);
    throw new RelctlError('profile', `${name} of profile '${profile.name}': ${path} ${words}`, {
      facts: { profile: profile.name, code, path },
      advice: `Put the file there, or name another one with --${settings[name].flag}.`,
      hint: 'relctl profile show NAME',
    });
  }
}

type Secrets = Partial<Record<SettingName, string>>;

function certificateOf(profile: ResolvedProfile, secrets: Secrets): TransportSettings['clientCertificate'] {
  const certFile = textOf(profile, 'clientCertFile');
  if (certFile === undefined) return undefined;
  const keyFile = textOf(profile, 'clientKeyFile');
  const passphrase = secrets.clientKeyPassphrase;
  return {
    cert: pem(profile, 'clientCertFile', certFile),
    key: keyFile === undefined ? pem(profile, 'clientCertFile', certFile) : pem(profile, 'clientKeyFile', keyFile),
    ...defined({ passphrase }),
  };
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
  if (!URL.canParse(url))
    throw new RelctlError('profile', 'the address of the proxy is no URL', {
      facts: { path: 'proxy', profile: profile.name },
      hint: 'relctl profile show NAME --origin',
    });
  const noProxy = textOf(profile, 'noProxy') ?? either('no_proxy');
  return { url, ...defined({ noProxy }) };
}

function transportSettings(
  context: Context,
  profile: ResolvedProfile,
  place: { url: string; secrets: Secrets },
): TransportSettings {
  const caFile = textOf(profile, 'caFile');
  const proxy = proxyOf(context, profile, { url: place.url, secret: place.secrets.proxy });
  const clientCertificate = certificateOf(profile, place.secrets);
  return defined({
    ca: caFile === undefined ? undefined : [pem(profile, 'caFile', caFile)],
    proxy,
    clientCertificate,
    verification: profile.values.insecureTls?.value === true ? ('none' as const) : undefined,
  });
}

function sourceApplication(
  context: Context,
  profile: ResolvedProfile,
): NonNullable<CredentialSettings['sourceApplication']> {
  const category = textOf(profile, 'sourceCategory');
  const subcategory = textOf(profile, 'sourceSubcategory');
  return {
    name: textOf(profile, 'sourceApplication') ?? 'relctl',
    ...defined({ category, subcategory }),
    version: textOf(profile, 'sourceVersion') ?? context.version,
  };
}

/** Texts of a list that is written with commas. */
const listed = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));

function credentials(context: Context, profile: ResolvedProfile, secrets: Secrets): Connection['credentials'] {
  const databaseId = textOf(profile, 'databaseId');
  const userId = textOf(profile, 'userId');
  const userName = textOf(profile, 'userName');
  const { password } = secrets;
  return credentialsOf({
    apiKey: required(profile, 'apiKey', secrets.apiKey),
    ...defined({ databaseId, userId, userName, password }),
    ...(profile.values.sendSourceApplication?.value === false
      ? {}
      : { sourceApplication: sourceApplication(context, profile) }),
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

async function connectionOf(context: Context, profile: ResolvedProfile, secrets: Secrets): Promise<Connection> {
  const place = isSandbox(profile)
    ? await connectSandbox(context)
    : {
        baseUrl: required(profile, 'baseUrl', textOf(profile, 'baseUrl')),
        namespace: required(profile, 'namespace', textOf(profile, 'namespace')),
      };
  return {
    profile: profile.name,
    url: endpointUrl(place.baseUrl),
    namespace: place.namespace,
    // The settings table allows these two only.
    version: (textOf(profile, 'soapVersion') ?? '1.2') as SoapVersion,
    credentials: credentials(context, profile, secrets),
    credentialCodes: listed(textOf(profile, 'credentialsCode')),
    firstPage: numberOf(profile, 'firstPage'),
    pageSize: numberOf(profile, 'pageSize'),
    listEnd: textOf(profile, 'listEnd') === 'absent' ? 'absent' : 'empty',
    limits: limitsOf(profile),
    retries: numberOf(profile, 'retries'),
  };
}

/** Tells which variables of the environment come before the profile. */
export async function noteOverrides(context: Context, flags: Flags, profile: ResolvedProfile): Promise<void> {
  for (const variable of profile.overridden)
    await note(context, flags, `${variable} overrides profile '${profile.name}'`);
}

async function saySurprises(
  context: Context,
  flags: Flags,
  { profile, url }: { profile: ResolvedProfile; url: string },
): Promise<void> {
  await noteOverrides(context, flags, profile);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    await note(context, flags, `${hostname} is called without TLS: the credentials can be read on the way`);
  }
}

/**
 * Opens what a command talks to: resolves profile and secrets, starts the embedded service for the profile `sandbox`,
 * and makes a client. Nothing is called yet. Throws `profile` and `usage`.
 */
export async function openSession(context: Context, flags: Flags): Promise<Session> {
  const profile = profileOf(context, flags);
  const secrets = await resolveSecrets(profile, context.environment.variables);
  const found = await connectionOf(context, profile, secrets);
  const settings = transportSettings(context, profile, { url: found.url, secrets });
  const connection = { ...found, secrets: secretsOfProxy(settings) };
  await saySurprises(context, flags, { profile, url: connection.url });
  const transport = createTransport(settings);
  context.onClose(() => transport.close());
  const trace =
    flags.trace === undefined
      ? undefined
      : (await import('./trace.js')).openTrace(context, connection, {
          target: flags.trace,
          secrets: isSandbox(profile) ? [] : [...Object.values(secrets), ...connection.secrets],
        });
  const client = createClient(connection, {
    send: transport.send,
    signal: context.signal,
    nowMs: context.clock.nowMs,
    random: context.clock.random,
    pause: async (ms, signal, after) => {
      const { reasonToWait, showWait } = await import('../host/waiting.js');
      const over = showWait(context, flags, { reason: reasonToWait(after), ms });
      await wait(ms, undefined, { signal })
        .catch(() => Promise.reject(RelctlError.from(signal.reason)))
        .finally(over);
    },
    ...defined({ onAttempt: trace }),
  });
  return {
    profile,
    connection,
    client,
    output: textOf(profile, 'output'),
    excel: profile.values.excel?.value === true,
    country: textOf(profile, 'country'),
  };
}

/** The user that a command asks about: the flag's, or the profile's. Throws `usage` when there is neither. */
export function userOf(flag: string | undefined, session: Session): string {
  const user = flag ?? textOf(session.profile, 'userId');
  if (user !== undefined) return user;
  throw usage('--user', `which user? Profile '${session.profile.name}' has no userId`, {
    advice: 'Give --user with the Id of the user, or keep it in the profile with --user-id.',
  });
}
