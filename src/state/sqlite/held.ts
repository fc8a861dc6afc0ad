import { RelctlError } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';

/** True for the code of a failure because another connection holds the database. */
export const isHeld = (code: string | undefined): boolean => code !== undefined && /^SQLITE_(?:BUSY|LOCKED)/.test(code);

/** The error for a database that another program holds. */
export const heldByAnother = (what: string, path?: string): RelctlError =>
  new RelctlError('locked', `${what} is held by another program, which has not ended what it writes to it`, {
    facts: { code: 'held', ...defined({ path }) },
    advice: 'Save or discard there what was changed, or close the file.',
  });
