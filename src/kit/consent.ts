import { isWatched } from '../formats/streams.js';
import { RelctlError, declined, usage } from '../core/errors/relctl-error.js';
import { addressForMessage } from '../core/text/text.js';
import { escapeForTerminal } from '../formats/escape.js';
import { wrapWords } from '../formats/layout/width.js';
import type { ResolvedProfile } from '../profiles/resolve.js';
import { type Context, canAsk } from './host/context.js';
import type { CommonFlags, WriteFlags } from './flags/common.js';
import { confirm, confirmTyped } from './host/prompt.js';
import type { ProfileFlags } from './session/profile-store.js';
import type { Session } from './session/session.js';

/** What is about to be written, in words. */
export interface Intent {
  /** What will be done: "change product 00001". */
  readonly what: string;
  /** Why it needs a yes also where nobody can be asked. */
  readonly needsYes?: string;
  /** True where `writes undo` can put back what was there. */
  readonly isUndoable: boolean;
  /** How many records are written, where they are many: a protected profile has the count typed, with its name. */
  readonly count?: number;
  /** What is written, in lines that are shown before the question. */
  readonly shows?: readonly string[];
}

type Flags = Partial<WriteFlags & CommonFlags>;

/** Flags that say whether a write asks, and those of its profile. */
export interface AskingFlags extends ProfileFlags {
  readonly 'no-input'?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly confirm?: string | undefined;
}

const isProtected = ({ values }: ResolvedProfile): boolean => values.protected?.value === true;

/** True where a write through a profile asks: in a terminal, unless --yes or the profile says no; a protected one always. */
export function confirmsWrites(
  context: Context,
  profile: ResolvedProfile,
  flags: Omit<AskingFlags, keyof ProfileFlags>,
): boolean {
  if (!canAsk(context, flags)) return false;
  if (isProtected(profile)) return flags.confirm === undefined;
  return flags.yes !== true && profile.values.askBeforeWrites?.value !== false;
}

const targetOf = ({ profile, connection }: Session): string =>
  `profile '${profile.name}' (${addressForMessage(connection.url)})`;

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

const warningsBefore = (session: Session, { needsYes, isUndoable, count }: Intent): readonly string[] => [
  ...(isProtected(session.profile) ? [sentence(`${targetOf(session)} is protected`)] : []),
  // A number that has to be typed says it.
  ...(needsYes === undefined || (isProtected(session.profile) && count !== undefined) ? [] : [sentence(needsYes)]),
  ...(isUndoable ? [] : ['This cannot be undone.']),
];

async function askForYes(context: Context, session: Session, intent: Intent): Promise<void> {
  const { what, count, shows = [] } = intent;
  const { profile } = session;
  const { err } = context.streams;
  const lines = shows.flatMap((line) => wrapWords(escapeForTerminal(line), err.width ?? Infinity, '    '));
  await err.write(lines.map((line) => `${line}\n`).join(''));
  const about = warningsBefore(session, intent);
  if (isProtected(profile) && count !== undefined) {
    const typed = `${count} ${profile.name}`;
    return confirmTyped(context, { message: [...about, `To ${what}, type ${typed}:`].join(' '), typed });
  }
  const question = isProtected(profile) ? `Really ${what}?` : `Really ${what}, with ${targetOf(session)}?`;
  if (!(await confirm(context, [...about, question].join(' ')))) throw declined('nothing was sent');
}

/**
 * Confirms a write before anything is sent. In a terminal every write asks, unless --yes or the setting `askBeforeWrites` says
 * no. A protected profile asks all the same, or needs --confirm with its name; for many records the yes is their count and the
 * name, typed. Where nobody can be asked, `needsYes` needs --yes. True when the user was asked, so that time has passed. Throws
 * `usage` when the write is not confirmed; --confirm with another name was refused when the session was opened.
 */
export async function consent(
  context: Context,
  session: Session,
  { flags, ...intent }: Intent & { readonly flags: Flags },
): Promise<boolean> {
  const { what, needsYes } = intent;
  const { name } = session.profile;
  if (confirmsWrites(context, session.profile, flags)) {
    await askForYes(context, session, intent);
    return true;
  }
  if (isProtected(session.profile)) {
    if (flags.confirm === name) return false;
    throw new RelctlError('usage', `profile '${name}' is protected: relctl will not ${what} without --confirm`, {
      facts: { profile: name, path: '--confirm' },
      namesProfile: true,
      hint: `--confirm ${name}`,
    });
  }
  if (needsYes === undefined || flags.yes === true || canAsk(context, flags)) return false;
  throw usage('--yes', `${needsYes}; relctl will not ${what} without confirmation`, '--yes');
}

/** Says in a terminal what a write did, and where; not with --quiet, nor where stderr is one JSON object. */
export async function reportDone(
  context: Context,
  session: Session,
  { flags, what }: { readonly flags: Flags; readonly what: string },
): Promise<void> {
  const { err } = context.streams;
  if (!isWatched(err) || flags.quiet === true || context.errorShape === 'json') return;
  const message = escapeForTerminal(`Done: ${what}, with ${targetOf(session)}`);
  await err.write(`${wrapWords(message, err.width ?? Infinity, '  ').join('\n')}\n`);
}
