import { RelctlError } from './relctl-error.js';

/**
 * A mistake in what the user gave. The path names the flag (`--limit`) or the argument (`ID`); undefined where none is to
 * blame. The hint is one thing to do instead.
 */
export function usage(path: string | undefined, message: string, hint?: string): RelctlError {
  return new RelctlError('usage', message, { facts: { path }, hint });
}
