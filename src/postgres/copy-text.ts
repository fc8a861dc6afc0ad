import { RelctlError } from '../errors/relctl-error.js';

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A value in the text format of COPY; nil is `\N`. Throws RelctlError `local` for a text with NUL, which PostgreSQL cannot
 * keep: left out, the text would be another one.
 * @param column where the value goes, for the error
 */
export function copyValue(value: string | number | boolean | null, column: string): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  if (value.includes('\u0000')) {
    throw new RelctlError('local', `a value of ${column} holds the character NUL, which PostgreSQL cannot keep`, {
      facts: { path: column, code: 'nul' },
      advice: 'Keep the mirror of this service in a file: without --to, or with --to FILE.',
    });
  }
  return special.test(value) ? value.replace(/[\\\n\r\t]/g, (found) => escapes[found] ?? found) : value;
}
