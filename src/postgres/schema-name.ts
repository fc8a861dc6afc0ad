import { usage } from '../errors/usage.js';

/** The schema of a mirror when no other is named. */
export const usualSchema = 'relctl';

/**
 * The name of a schema as it was given. Throws `usage` for one that would have to be quoted wherever it is used, and for those
 * of PostgreSQL and of everybody.
 */
export function readSchema(text: string, path: string): string {
  const isOwn = !/^pg_/.test(text) && !['public', 'information_schema'].includes(text);
  if (isOwn && /^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text;
  const what = isOwn ? 'lower-case letters, digits and _' : 'a name of its own, such as relctl';
  throw usage(path, `${path} takes the name of a schema of ${what}, not '${text}'`);
}
