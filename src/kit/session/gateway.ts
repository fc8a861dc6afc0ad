import { RelctlError } from '../../core/errors/relctl-error.js';
import { readHeaders, type Header } from '../../profiles/settings/forms.js';
import type { ResolvedProfile, Secrets } from '../../profiles/resolve.js';
import { editWords, type SettingName } from '../../profiles/settings/settings.js';

/** What a gateway in front of a service gets with each request. */
export interface Gateway {
  readonly headers: readonly Header[];
  /** Texts that no error may show. */
  readonly secrets: readonly string[];
}

function unusable(profile: string, message: string, unset: SettingName): RelctlError {
  return new RelctlError('profile', `profile '${profile}': ${message}`, {
    facts: { profile, path: unset },
    advice: `Remove one of them, such as with --unset ${unset}.`,
    hint: 'relctl profile show NAME --origin',
  });
}

const halfLogin = (profile: string, missing: SettingName, flag: string): RelctlError =>
  new RelctlError('profile', `profile '${profile}' has no ${missing}: a login at a gateway is a user and a password`, {
    facts: { profile, path: missing },
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

/** The headers for the gateway of a profile. Throws `profile` for settings that exclude each other, and half a login. */
export function gatewayOf(profile: ResolvedProfile, secrets: Secrets): Gateway {
  const { headers: text, gatewayPassword, gatewayToken } = secrets;
  const given = text === undefined ? [] : readHeaders(text, 'headers');
  const authorization = authorizationOf(profile, secrets);
  if (authorization !== undefined && given.some(({ name }) => name.toLowerCase() === 'authorization'))
    throw unusable(profile.name, 'the header Authorization is set, and a login or a token makes one too', 'headers');
  const headers = authorization === undefined ? given : [...given, { name: 'Authorization', value: authorization }];
  const known = [gatewayPassword, gatewayToken, ...headers.flatMap(({ value }) => partsOf(value))];
  return { headers, secrets: [...new Set(known.filter((each) => each !== undefined && !isScheme(each)))] as string[] };
}

const isScheme = (text: string): boolean => /^(?:basic|bearer|apikey|token|negotiate)$/i.test(text);
