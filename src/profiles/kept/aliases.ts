import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import { isObject } from '../../plain/object.js';

/** Setting of a profile that holds names of field ids. */
export const aliasSetting = 'fieldAliases';

/** Names of field ids. */
export type Aliases = Readonly<Record<string, string>>;

/** The aliases of a stored profile. Throws `profile` when they are not readable. */
export function aliasesOf(profile: Readonly<Record<string, unknown>>): Aliases {
  const found = profile[aliasSetting];
  if (found === undefined) return {};
  if (!isObject(found) || !Object.values(found).every((id) => typeof id === 'string')) {
    throw new RelctlError('profile', `the setting ${aliasSetting} has no usable value`, {
      facts: { path: aliasSetting },
    });
  }
  return Object.fromEntries(Object.entries(found).map(([name, id]) => [name, String(id)]));
}

const form = /^[^\s=]{1,64}$/u;

/** Throws `usage` for a text that cannot be an alias. */
export function checkAlias(name: string): void {
  if (form.test(name)) return;
  throw usage('ALIAS', 'an alias is a word of at most 64 characters without = in it');
}
