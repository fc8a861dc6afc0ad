import { RelctlError } from '../errors/relctl-error.js';
import { mirrorTables } from './tables.js';

/** The error for what no sync writes: somebody else made or changed the mirror. */
export const damaged = (what: string): RelctlError =>
  new RelctlError('local', `the mirror has ${what}: somebody else made or changed it`, {
    facts: { code: 'damaged' },
    advice: 'Remove it, and fill a new one.',
  });

/** What a text of a mirror says in JSON. Throws `local` where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged('a text that is no JSON where relctl writes JSON');
  }
}

/**
 * The name of a table that a source says it fills. Throws `local` where there is no such table.
 * @param own tables that this mirror has besides those of each
 */
export function tableIn(name: string, own: ReadonlyMap<string, unknown> = new Map()): string {
  if (!mirrorTables.has(name) && !own.has(name))
    throw damaged(`a source for the table '${name.slice(0, 100)}', which no mirror has`);
  return name;
}
