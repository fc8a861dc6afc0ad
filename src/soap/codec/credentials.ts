import { maskText } from '../../secrets/mask.js';
import { defined } from '../../plain/defined.js';
import type { RecordValue } from '../../plain/value.js';
import type { Field } from '../../contract/build.js';
import { ApiCredentials } from '../../contract/records/credentials.js';

/** The credentials of a profile (interface document, Authentication). */
export interface CredentialSettings {
  readonly apiKey: string;
  readonly databaseId?: string;
  readonly userId?: string;
  readonly userName?: string;
  readonly password?: string;
  /** The program that calls; every part may be left out. */
  readonly sourceApplication?: {
    readonly name?: string;
    readonly category?: string;
    readonly subcategory?: string;
    readonly version?: string;
  };
}

/** Fields of ApiCredentials whose values are never shown. */
export const secretFields: ReadonlySet<Field> = new Set([ApiCredentials.fields.ApiKey, ApiCredentials.fields.Password]);

const secretNames = Object.entries(ApiCredentials.fields)
  .filter(([, field]) => secretFields.has(field))
  .map(([name]) => name);

/** An ApiCredentials record; DatabaseId and UserId are nil when not set (interface document, Authentication). */
export function credentialsOf(settings: CredentialSettings): RecordValue {
  const { apiKey, databaseId, userId, userName, password, sourceApplication: source } = settings;
  return defined({
    ApiKey: apiKey,
    DatabaseId: databaseId ?? null,
    UserId: userId ?? null,
    UserName: userName,
    Password: password,
    SourceApplication:
      source &&
      defined({
        Name: source.name,
        Category: source.category,
        Subcategory: source.subcategory,
        Version: source.version,
      }),
  });
}

/** The secret texts of an ApiCredentials record, for createMask. */
export function secretsOf(credentials: RecordValue): readonly string[] {
  return secretNames.flatMap((name) => {
    const value = credentials[name];
    return typeof value === 'string' ? [value] : [];
  });
}

/** The same record with every secret replaced; what is absent stays absent. */
export function maskedCredentials(credentials: RecordValue): RecordValue {
  const masked = secretNames
    .filter((name) => Object.hasOwn(credentials, name))
    .map((name): [string, string] => [name, maskText]);
  return { ...credentials, ...Object.fromEntries(masked) };
}
