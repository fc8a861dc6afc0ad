import { RelctlError, type ErrorFacts } from './relctl-error.js';

/** An answer of the service that is not what the contract says. The code tells in which way, for scripts. */
export function badAnswer(code: string, message: string, facts: ErrorFacts = {}): RelctlError {
  return new RelctlError('bad-answer', message, { facts: { code, ...facts } });
}
