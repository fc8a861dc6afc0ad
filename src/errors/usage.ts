import { RelctlError, type Remedy } from './relctl-error.js';

/** The remedy for a word that is not known: the one that was probably meant, when there is one. */
export const perhaps = (given: string, meant: string | undefined): Remedy =>
  meant === undefined ? {} : { instead: { given, meant } };

/**
 * A mistake in what the user gave. The path names the flag (`--limit`) or the argument (`ID`); undefined where none is to
 * blame. The remedy is one thing to do instead; a text alone is a hint.
 */
export function usage(path: string | undefined, message: string, remedy: string | Remedy = {}): RelctlError {
  const options = typeof remedy === 'string' ? { hint: remedy } : remedy;
  return new RelctlError('usage', message, { facts: { path }, ...options });
}

/** A question that was answered with no: there is nothing to try. */
export const declined = (message: string): RelctlError => usage(undefined, `not confirmed; ${message}`, '');
