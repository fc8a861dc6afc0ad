import { RelctlError } from '../errors/relctl-error.js';

/** Why a document is refused. */
export type RefusalCode = 'xml-doctype' | 'xml-malformed' | 'xml-truncated' | 'xml-encoding' | 'xml-limit';

/** The error for a refused document. The reader adds line and column. */
export function refusal(code: RefusalCode, message: string): RelctlError {
  return new RelctlError('bad-answer', message, { facts: { code } });
}
