import { RelctlError, type ErrorOptions } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';
import { isSandbox, type ResolvedProfile, type Secrets } from '../../profiles/resolve.js';
import { readHeaders, type Header } from '../../profiles/settings/forms.js';
import { editWords, type SettingName } from '../../profiles/settings/settings.js';
import type { TransportSettings } from '../../soap/transport/agents.js';
import type { Transport } from '../../soap/transport/axios-client.js';
import { secretsOfProxy, type HttpClient } from '../../soap/transport/http.js';
import { openStream, readBounded } from '../../state/input-file.js';
import { unreadableBecause, unreadableInput } from '../../state/own-file.js';
import type { Context } from '../host/context.js';
import { mostTextBytes } from '../host/environment.js';
import { settingText } from './connection.js';

type FileSetting = 'caFile' | 'clientCertFile' | 'clientKeyFile';

/** A file of the profile that cannot be read is the profile's fault; one that a flag or a variable names is as any other. */
async function bytesOf({ signal }: Context, profile: ResolvedProfile, name: FileSetting): Promise<Buffer | undefined> {
  const path = settingText(profile, name);
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
      facts: { profile: profile.name, foreignCode: code, path },
      namesProfile: true,
      advice: `Create the file, or set another one with ${editWords(name, 'FILE')}.`,
      hint: 'relctl profile show NAME',
    });
  }
  throw new RelctlError(isOfProfile ? 'profile' : 'usage', `${name}: ${path} has more than ${mostTextBytes} bytes`, {
    facts: { profile: profile.name, path },
    advice: `Set a file of certificates or of a key with ${editWords(name, 'FILE')}.`,
    hint: 'relctl profile show NAME',
  });
}

const pem = async (context: Context, profile: ResolvedProfile, name: FileSetting): Promise<string | undefined> =>
  (await bytesOf(context, profile, name))?.toString('utf8');

/** PEM of the authorities that the profile names. Throws `profile`, or `usage` where a flag or a variable names the file. */
async function authoritiesOf(context: Context, profile: ResolvedProfile): Promise<string | undefined> {
  const [path, bytes] = [settingText(profile, 'caFile'), await bytesOf(context, profile, 'caFile')];
  if (path === undefined || bytes === undefined) return undefined;
  const { readAuthorities } = await import('../../soap/transport/authorities.js');
  const read = readAuthorities(bytes);
  if ('pem' in read) return read.pem;
  const { why, converts } = read;
  const named = editWords('caFile', 'FILE');
  const error: ErrorOptions = {
    facts: { profile: profile.name, code: 'ca-file', path },
    advice:
      converts === undefined
        ? `Set a PEM file with ${named}.`
        : `Convert it, and set the converted file with ${named}.`,
    hint: converts?.(path) ?? 'relctl profile show NAME',
  };
  throw profile.values.caFile?.origin.kind === 'profile'
    ? new RelctlError('profile', `caFile of profile '${profile.name}': ${path} ${why}`, {
        ...error,
        namesProfile: true,
      })
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
  if (!URL.canParse(text)) return 'is not a URL';
  const { pathname, search, hash } = new URL(text);
  return pathname.length > 1 || search !== '' || hash !== ''
    ? 'has more than user, password, host and port'
    : undefined;
}

function proxyOf(
  context: Context,
  profile: ResolvedProfile,
  gateway: { url: string; secret: string | undefined },
): TransportSettings['proxy'] {
  const { variables } = context.environment;
  const either = (name: string): string | undefined => variables[name] ?? variables[name.toUpperCase()];
  const fromEnvironment = gateway.url.startsWith('https:') ? either('https_proxy') : variables['http_proxy'];
  const text = gateway.secret ?? fromEnvironment ?? either('all_proxy');
  if (text === undefined) return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  const wrong = wrongProxy(url);
  if (wrong !== undefined)
    throw new RelctlError('profile', `the address of the proxy ${wrong}`, {
      facts: { path: 'proxy', profile: profile.name },
      advice:
        'Use http://USER:PASSWORD@HOST:PORT. In user and password, write %5C for a backslash, as in DOMAIN%5CUSER, %2F for a slash, %23 for # and %3F for ?.',
      hint: 'relctl profile show NAME --origin',
    });
  const noProxy = settingText(profile, 'noProxy') ?? either('no_proxy');
  return { url, ...defined({ noProxy }) };
}

interface Gateway {
  readonly headers: readonly Header[];
  /** Texts that no error may show. */
  readonly secrets: readonly string[];
}

function unusable(profile: string, message: string, unset: SettingName): RelctlError {
  return new RelctlError('profile', `profile '${profile}': ${message}`, {
    facts: { profile, path: unset },
    namesProfile: true,
    advice: `Remove one of them, such as with --unset ${unset}.`,
    hint: 'relctl profile show NAME --origin',
  });
}

const halfLogin = (profile: string, missing: SettingName, flag: string): RelctlError =>
  new RelctlError('profile', `profile '${profile}' has no ${missing}: a gateway login needs a user and a password`, {
    facts: { profile, path: missing },
    namesProfile: true,
    hint: `relctl profile edit NAME ${flag}`,
  });

/** The value of the header Authorization; undefined when no setting makes one. Throws `profile`. */
function authorizationOf({ name, values }: ResolvedProfile, secrets: Secrets): string | undefined {
  const user = values.gatewayUser?.value;
  const { gatewayPassword: password, gatewayToken: token } = secrets;
  if (token !== undefined) {
    if (user === undefined && password === undefined) return `Bearer ${token}`;
    throw unusable(name, 'a gateway takes a login or a token, not both', 'gatewayToken');
  }
  if (user === undefined && password === undefined) return undefined;
  if (user === undefined) throw halfLogin(name, 'gatewayUser', editWords('gatewayUser'));
  if (password === undefined) throw halfLogin(name, 'gatewayPassword', editWords('gatewayPassword'));
  // The bytes are those of UTF-8, as gateways of today expect them (RFC 7617, section 2.1).
  return `Basic ${Buffer.from(`${String(user)}:${password}`, 'utf8').toString('base64')}`;
}

/** The words of a value: a gateway may repeat the token without the word before it. */
const partsOf = (value: string): readonly string[] => [value, ...value.split(/[\s,;]+/)];

/** The headers for the gateway of a profile. Throws `profile` for settings that cannot be used together, and half a login. */
function gatewayOf(profile: ResolvedProfile, secrets: Secrets): Gateway {
  const { headers: text, gatewayPassword, gatewayToken } = secrets;
  const lines = text === undefined ? [] : readHeaders(text, 'headers');
  const authorization = authorizationOf(profile, secrets);
  if (authorization !== undefined && lines.some(({ name }) => name.toLowerCase() === 'authorization'))
    throw unusable(profile.name, 'the header Authorization is set, and a login or a token sets it too', 'headers');
  const headers = authorization === undefined ? lines : [...lines, { name: 'Authorization', value: authorization }];
  const known = [gatewayPassword, gatewayToken, ...headers.flatMap(({ value }) => partsOf(value))];
  return { headers, secrets: [...new Set(known.filter((each) => each !== undefined && !isScheme(each)))] as string[] };
}

const isScheme = (text: string): boolean => /^(?:basic|bearer|apikey|token|negotiate)$/i.test(text);

/** What sends to a service, the names of the headers that a gateway gets, and texts that no error may show. */
export interface Route {
  readonly send: HttpClient;
  readonly gatewayHeaders: readonly string[];
  readonly secrets: readonly string[];
}

/** HTTP by settings, loaded with the first request: a run that only shows one does without it. */
function sendBy(context: Context, transportSettings: TransportSettings): HttpClient {
  let transport: Promise<Transport> | undefined;
  context.onClose(async () => (await transport)?.close());
  return async (request, options) => {
    transport ??= import('../../soap/transport/axios-client.js').then((http) =>
      http.createTransport(transportSettings),
    );
    return (await transport).send(request, options);
  };
}

/** What sends to an address. Throws `profile`, `usage` for a file that a flag or a variable names, and the signal's reason. */
export async function openTransport(
  context: Context,
  profile: ResolvedProfile,
  { url, secrets }: { readonly url: string; readonly secrets: Secrets },
): Promise<Route> {
  // The embedded service has none in front of it.
  const gateway = isSandbox(profile) ? { headers: [], secrets: [] } : gatewayOf(profile, secrets);
  const ca = await authoritiesOf(context, profile);
  const { insecureTls, cookies, insecureHTTPParser } = profile.values;
  const headers = Object.fromEntries(gateway.headers.map(({ name, value }) => [name, value]));
  const proxy = proxyOf(context, profile, { url, secret: secrets.proxy });
  const send = sendBy(context, {
    userAgent: `relctl/${context.version}`,
    ...defined({
      ca: ca === undefined ? undefined : [ca],
      proxy,
      clientCertificate: await certificateOf(context, profile, secrets),
      gateway: gateway.headers.length === 0 ? undefined : { origin: new URL(url).origin, headers },
      verification: insecureTls?.value === true ? ('none' as const) : undefined,
      withoutCookies: cookies?.value === false ? true : undefined,
      isLenient: insecureHTTPParser?.value === true ? true : undefined,
    }),
  });
  return { send, gatewayHeaders: Object.keys(headers), secrets: [...secretsOfProxy(proxy), ...gateway.secrets] };
}
