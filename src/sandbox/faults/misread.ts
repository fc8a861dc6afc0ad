import { RelctlError } from '../../errors/relctl-error.js';

/** Why a line of a fault plan cannot be read; the code of the error. */
export type SpecFailure =
  | 'fault-empty'
  | 'fault-quote'
  | 'fault-unknown'
  | 'fault-twice'
  | 'fault-conflict'
  | 'fault-value'
  | 'fault-argument'
  | 'fault-schedule';

/** The error for a line that cannot be read. */
export function misread(code: SpecFailure, message: string, hint = 'relctl sandbox start --help'): RelctlError {
  return new RelctlError('usage', `fault plan: ${message}`, { facts: { code, path: '--fault' }, hint });
}
