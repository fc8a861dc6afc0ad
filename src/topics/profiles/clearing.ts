import { existsSync } from 'node:fs';
import { fileOfMirror } from '../../cli/mirror/place.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { confirm } from '../../host/prompt.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { findKeyring, keyringAccount } from '../../profiles/secrets/keyring.js';
import { referencesIn } from '../../profiles/secrets/secret.js';
import { settingEntries, type Setting, type SettingName } from '../../profiles/settings/settings.js';
import type { ProfileStore, StoredProfile } from '../../profiles/store/store.js';

/** The references of a profile to the keyring. */
const keptIn = (profile: StoredProfile): readonly string[] =>
  settingEntries
    .flatMap(([name, { isSecret }]: readonly [SettingName, Setting]) => {
      const value = profile[name];
      return isSecret === true && typeof value === 'string' ? referencesIn(name, value) : [];
    })
    .filter((reference) => keyringAccount(reference) !== undefined);

/** References to the keyring that a profile had, and that no profile has any more. */
function leftOf(store: ProfileStore, before: StoredProfile): readonly string[] {
  const used = new Set(store.names().flatMap((name) => keptIn(store.get(name))));
  return [...new Set(keptIn(before))].filter((reference) => !used.has(reference));
}

const listed = (references: readonly string[]): string =>
  references.map((reference) => keyringAccount(reference) ?? '').join(', ');

/** Says to a terminal which secrets of a profile stay in the keyring. */
export async function tellLeft(context: Context, store: ProfileStore, before: StoredProfile): Promise<void> {
  const left = leftOf(store, before);
  const { err } = context.streams;
  if (left.length > 0 && err.isTerminal) await err.write(`These stay in the keyring: ${listed(left)}\n`);
}

/** Says that the mirror of a profile that was removed stays, and what removes it: nothing else names it now. */
export async function tellMirror(
  context: Context,
  flags: { readonly quiet?: boolean | undefined },
  name: string,
): Promise<void> {
  const file = fileOfMirror(context, name);
  if (!existsSync(file)) return;
  const forget = shellCommand(['mirror', 'remove', '--all', '--profile', name]);
  await note(context, flags, `its mirror stays, in ${file}; to remove it: ${forget}`);
}

/** Offers to clear the secrets that a profile had in the keyring, and that nothing refers to now. Throws `local`. */
export async function offerClearing(context: Context, store: ProfileStore, before: StoredProfile): Promise<void> {
  const left = leftOf(store, before);
  if (left.length === 0) return;
  const { platform, variables } = context.environment;
  const keyring = await findKeyring({ platform, variables });
  if (keyring === undefined) return tellLeft(context, store, before);
  if (!(await confirm(context, `Clear from the keyring what no profile uses now: ${listed(left)}?`))) return;
  for (const reference of left) await keyring.clear(reference);
}
