import { RelctlError } from '../errors/relctl-error.js';
import type { Context } from '../host/context.js';
import type { CommonFlags } from './flags/output.js';
import type { WriteFlags } from './flags/write.js';
import { canAsk } from '../host/may-ask.js';
import { confirm } from '../host/prompt.js';
import type { Session } from './session.js';
import { usage } from '../errors/usage.js';

/** What is about to be written, in words. */
export interface Intent {
  /** What will be done: "change product 00001". */
  readonly what: string;
  /** Ask although the profile is not protected. */
  readonly needsYes?: string;
}

type Flags = Partial<WriteFlags & CommonFlags>;

const declined = (): RelctlError => usage(undefined, 'not confirmed; nothing was sent');

async function ofProtected(
  context: Context,
  session: Session,
  { flags, what }: { flags: Flags; what: string },
): Promise<boolean> {
  const { name } = session.profile;
  if (flags.confirm === name) return false;
  if (flags.confirm !== undefined || !canAsk(context, flags)) {
    throw new RelctlError('usage', `profile '${name}' is protected: will not ${what} without its name`, {
      facts: { profile: name, path: '--confirm' },
      hint: `--confirm ${name}`,
    });
  }
  if (!(await confirm(context, `Profile '${name}' (${session.connection.url}) is protected. Really ${what}?`)))
    throw declined();
  return true;
}

/**
 * Confirms a write before anything is sent. A protected profile needs --confirm with its name, or a yes; a request with
 * `needsYes` needs --yes, or a yes. True when the user was asked, so that time has passed. Throws `usage` when the write
 * is not confirmed.
 */
export async function consent(
  context: Context,
  session: Session,
  request: Intent & { readonly flags: Flags },
): Promise<boolean> {
  const { flags, what, needsYes } = request;
  if (session.profile.values.protected?.value === true) return ofProtected(context, session, { flags, what });
  if (needsYes === undefined || flags.yes === true) return false;
  if (!canAsk(context, flags)) {
    throw usage('--yes', `${needsYes}; will not ${what} without a yes`, 'Add --yes to the command.');
  }
  if (!(await confirm(context, `${needsYes}. Go on?`))) throw declined();
  return true;
}
