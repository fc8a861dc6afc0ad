import { RelctlError } from './relctl-error.js';

/**
 * The error of a write that was done, of which it could not be told: nothing else is to be tried. A signal that came meanwhile
 * is told as `local`, because by its own exit code the write would not have been done.
 * @param done what was done, in words
 */
export function untold(thrown: unknown, done: string): RelctlError {
  const { kind, message, facts, data, cause } = RelctlError.from(thrown);
  const words = `${done}; but ${message}`;
  const isSignal = kind === 'interrupted' && facts.code !== 'stdout-closed';
  if (!isSignal) return new RelctlError(kind, words, { facts, data, cause });
  return new RelctlError('local', words, { facts: { code: facts.code }, data, cause, hint: '' });
}
