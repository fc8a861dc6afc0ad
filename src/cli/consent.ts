import { RelctlError, declined, usage } from '../errors/relctl-error.js';
import { shownAddress } from '../lexical/address.js';
import { escapeForTerminal } from '../output/escape.js';
import { wrapWords } from '../output/layout/paragraph.js';
import type { Context } from '../host/context.js';
import type { CommonFlags } from './flags/common.js';
import type { WriteFlags } from './flags/shared.js';
import { canAsk } from '../host/may-ask.js';
import { confirm, confirmTyped } from '../host/prompt.js';
import type { Session } from './session/session.js';

/** What is about to be written, in words. */
export interface Intent {
  /** What will be done: "change product 00001". */
  readonly what: string;
  /** Ask although the profile is not protected. */
  readonly needsYes?: string;
  /** How many records are written, where they are many: a protected profile has the count typed, with its name. */
  readonly count?: number;
}

type Flags = Partial<WriteFlags & CommonFlags>;

const placeOf = ({ profile, connection }: Session): string =>
  `profile '${profile.name}' (${shownAddress(connection.url)})`;

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

async function ofProtected(
  context: Context,
  session: Session,
  { flags, what, needsYes, count }: Intent & { readonly flags: Flags },
): Promise<boolean> {
  const { name } = session.profile;
  if (flags.confirm === name) return false;
  if (!canAsk(context, flags)) {
    throw new RelctlError('usage', `profile '${name}' is protected: will not ${what} without its name`, {
      facts: { profile: name, path: '--confirm' },
      hint: `--confirm ${name}`,
    });
  }
  const about = sentence(`${placeOf(session)} is protected`);
  if (count !== undefined) {
    const typed = `${count} ${name}`;
    await confirmTyped(context, { message: `${about} To ${what}, type ${typed}:`, typed });
    return true;
  }
  const reason = needsYes === undefined ? '' : ` ${sentence(needsYes)}`;
  if (!(await confirm(context, `${about}${reason} Really ${what}?`))) throw declined('nothing was sent');
  return true;
}

/**
 * Confirms a write before anything is sent. A protected profile needs --confirm with its name, or a yes; for many records the
 * yes is their count and the name, typed. A request with `needsYes` needs --yes, or a yes. True when the user was asked, so
 * that time has passed. Throws `usage` when the write is not confirmed; --confirm with
 * another name was refused when the session was opened.
 */
export async function consent(
  context: Context,
  session: Session,
  request: Intent & { readonly flags: Flags },
): Promise<boolean> {
  const { flags, what, needsYes } = request;
  if (session.profile.values.protected?.value === true) return ofProtected(context, session, request);
  if (needsYes === undefined || flags.yes === true) return false;
  if (!canAsk(context, flags)) {
    throw usage('--yes', `${needsYes}; will not ${what} without a yes`, '--yes');
  }
  if (!(await confirm(context, `${sentence(needsYes)} Really ${what}, with ${placeOf(session)}?`)))
    throw declined('nothing was sent');
  return true;
}

/** Says in a terminal what a write did, and where; not with --quiet, nor where stderr is one JSON object. */
export async function tellDone(
  context: Context,
  session: Session,
  { flags, what }: { readonly flags: Flags; readonly what: string },
): Promise<void> {
  const { err } = context.streams;
  if (!err.isTerminal || flags.quiet === true || context.errorShape === 'json') return;
  const told = escapeForTerminal(`Done: ${what}, with ${placeOf(session)}`);
  await err.write(`${wrapWords(told, err.width ?? Infinity, '  ').join('\n')}\n`);
}
