import { maskText } from '../../core/secrets/mask.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Field } from '../../contract/build.js';
import { ApiCredentials } from '../../contract/records/shared.js';

/** Fields of ApiCredentials whose values are never shown. */
export const secretFields: ReadonlySet<Field> = new Set([ApiCredentials.fields.ApiKey, ApiCredentials.fields.Password]);

const secretNames = Object.entries(ApiCredentials.fields)
  .filter(([, field]) => secretFields.has(field))
  .map(([name]) => name);

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
