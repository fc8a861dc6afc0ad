import type { Value } from '../../core/values/value.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';

/**
 * `request`: what a user gave, checked strictly. `response`: what our own sandbox made; a nested record or list without
 * content is nil (interface document, "What the service does", rule 4). `bare-response`: the same, but for such a record or
 * list, which is an empty element.
 */
export type Direction = 'request' | 'response' | 'bare-response';

/** A value in words, for an error message. */
export function describeValue(value: Value | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `'${forMessage(value)}'`;
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a record';
  return String(value);
}

/** The error for a value that cannot be written: `usage` for a request, `bug` for a response, with `facts.path`. */
export function invalidValue(direction: Direction, path: string | undefined, complaint: string): RelctlError {
  const place = path === undefined || path === '' ? 'the input' : path;
  return new RelctlError(direction === 'request' ? 'usage' : 'bug', `${place} ${complaint}`, {
    facts: { path: path ?? '' },
  });
}

/** Path of a member. */
export const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
