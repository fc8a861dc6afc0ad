import { RelctlError } from '../core/errors/relctl-error.js';
import { jsonOf } from '../core/values/json.js';

/** The error for what no sync writes: somebody else made or changed the mirror. */
export const damaged = (what: string): RelctlError =>
  new RelctlError('local', `the mirror has ${what}: somebody else made or changed it`, {
    facts: { code: 'damaged' },
    advice: 'Remove it, and fill a new one.',
  });

/** What a text of a mirror says in JSON. Throws `local` where it is none. */
export function jsonIn(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damaged('a text that is no JSON where relctl writes JSON');
  return value;
}
