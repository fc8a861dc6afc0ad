/** A code in lower case, without spaces, `_` and `-`, in which services differ. */
const plain = (code: string): string => code.toLowerCase().replace(/[\s_-]/g, '');

/** Codes that say that the credentials are refused, as docs/exit-codes.md lists them. */
export const credentialCodes: readonly string[] = [
  '401',
  'AccessDenied',
  'ApiKeyInvalid',
  'ApiKeyNotFound',
  'ApiKeyUnknown',
  'Authentication',
  'AuthenticationError',
  'AuthenticationFailed',
  'AuthenticationRequired',
  'BadCredentials',
  'CredentialsInvalid',
  'CredentialsRefused',
  'CredentialsRequired',
  'FailedAuthentication',
  'InvalidApiKey',
  'InvalidCredentials',
  'InvalidLogin',
  'InvalidPassword',
  'InvalidSecurityToken',
  'InvalidUserNameOrPassword',
  'LoginFailed',
  'NotAuthenticated',
  'NotAuthorized',
  'PasswordExpired',
  'PasswordInvalid',
  'Unauthenticated',
  'Unauthorized',
  'UnknownApiKey',
  'WrongCredentials',
  'WrongPassword',
];

/** The Result.Number for refused credentials. */
const credentialNumber = 401;

const usual: ReadonlySet<string> = new Set(credentialCodes.map(plain));

/** Codes of a record that does not exist. */
const notFound: ReadonlySet<string> = new Set(['notfound', 'unknownuser']);

/** Code and number of a refusal. */
export interface RefusalCode {
  /** A fault code with its subcodes behind dots, or Result.Code. */
  readonly code?: string;
  /** Result.Number. */
  readonly number?: number;
}

/**
 * The kind of the error for a refusal, by its code alone, never by its message: `profile` when any part of a dotted code is
 * about credentials, `not-found` when the last part is about a record that does not exist, else `refused`.
 * @param ownCodes further codes of this service that are about credentials
 */
export function kindOfRefusal(
  { code = '', number }: RefusalCode,
  ownCodes: readonly string[],
): 'profile' | 'not-found' | 'refused' {
  const parts = [code, ...code.split('.')].map(plain);
  const own = new Set(ownCodes.map(plain));
  if (number === credentialNumber || parts.some((part) => usual.has(part) || own.has(part))) return 'profile';
  return notFound.has(parts.at(-1) ?? '') ? 'not-found' : 'refused';
}
