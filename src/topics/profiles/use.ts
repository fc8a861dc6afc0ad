import { profileStore } from '../../cli/session/profile-store.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';

/** Uses a profile when no other is named, and says so to a terminal. Throws `profile` for an unknown one, and `local`. */
export async function useProfile(context: Context, flags: { readonly quiet?: boolean }, name: string): Promise<void> {
  await profileStore(context).use(name);
  if (context.streams.err.isTerminal) await note(context, flags, `profile '${name}' is now used without --profile`);
}
