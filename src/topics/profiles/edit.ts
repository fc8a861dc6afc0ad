import { isWatched } from '../../formats/streams.js';
import { note, type QuietFlag, noteInTerminal } from '../../kit/host/notes.js';
import { removeStored } from '../../profiles/descriptions/kept.js';
import {
  settingNamed,
  type SettingName,
  type SettingValue,
  settingEntries,
  type Setting,
} from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile, ProfileStore } from '../../profiles/store/store.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { withoutHeader, type SettingFlagValues } from './setting-flags.js';
import { confirm } from '../../kit/host/prompt.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { settingsOfFlags, writeOrUndo } from './add.js';
import { refuseTwoPages, askSettings } from './questions.js';
import { folderOfProfiles, profileStore, refuseBuiltIn } from '../../kit/session/profile-store.js';
import { declined, usage } from '../../core/errors/relctl-error.js';
import { existsSync } from 'node:fs';
import { fileOfMirror } from '../../names/mirror/location.js';
import { shellCommand } from '../../core/text/text.js';
import { findKeyring, keyringAccount } from '../../profiles/secrets/keyring.js';
import { referencesIn } from '../../profiles/secrets/secret.js';

const keyringReferences = (profile: StoredProfile): readonly string[] =>
  settingEntries
    .flatMap(([name, { isSecret }]: readonly [SettingName, Setting]) => {
      const value = profile[name];
      return isSecret === true && typeof value === 'string' ? referencesIn(name, value) : [];
    })
    .filter((reference) => keyringAccount(reference) !== undefined);

function abandonedReferences(store: ProfileStore, before: StoredProfile): readonly string[] {
  const used = new Set(store.names().flatMap((name) => keyringReferences(store.get(name))));
  return [...new Set(keyringReferences(before))].filter((reference) => !used.has(reference));
}

const listed = (references: readonly string[]): string =>
  references.map((reference) => keyringAccount(reference) ?? '').join(', ');

async function reportRemaining(context: Context, store: ProfileStore, before: StoredProfile): Promise<void> {
  const unused = abandonedReferences(store, before);
  const { err } = context.streams;
  if (unused.length > 0 && isWatched(err)) await err.write(`These stay in the keyring: ${listed(unused)}\n`);
}

/** Says that the mirror of a profile that was removed stays, and what removes it: nothing else names it now. */
async function reportMirror(context: Context, flags: QuietFlag, name: string): Promise<void> {
  const file = fileOfMirror(context, name);
  if (!existsSync(file)) return;
  const forget = shellCommand(['mirror', 'remove', '--all', '--profile', name]);
  await note(context, flags, `its mirror remains in ${file}; to remove it: ${forget}`);
}

async function offerClearing(context: Context, store: ProfileStore, before: StoredProfile): Promise<void> {
  const unused = abandonedReferences(store, before);
  if (unused.length === 0) return;
  const keyring = await findKeyring(context.environment);
  if (keyring === undefined) return reportRemaining(context, store, before);
  if (!(await confirm(context, `Delete these unused entries from the keyring: ${listed(unused)}?`))) return;
  for (const reference of unused) await keyring.clear(reference);
}

/** What --unset takes away: whole settings, and one of the headers, such as `headers.X-Key`. */
function unsets(flags: SettingFlagValues, known: StoredProfile): Changes {
  const names = Array.isArray(flags['unset']) ? flags['unset'].map(String) : [];
  const changes: Partial<Record<SettingName, SettingValue | null>> = {};
  for (const text of names) {
    const [, setting = text, header] = /^([^.]+)\.(.+)$/s.exec(text) ?? [];
    const name = settingNamed(setting, '--unset');
    if (header !== undefined && name !== 'headers')
      throw usage('--unset', `the setting ${name} has no parts`, `--unset ${name}`);
    changes[name] = header === undefined ? null : withoutHeader(String({ ...known, ...changes }.headers ?? ''), header);
  }
  return changes;
}

/** Changes settings of a profile. Throws `usage`, `profile` and `local`. */
export async function editProfile(
  context: Context,
  name: string,
  flags: SettingFlagValues & CommonFlags,
): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  const known = store.get(name);
  const settings = await settingsOfFlags(context, flags);
  const changes = (storedProfile: StoredProfile): Changes => {
    const all = { ...settings(storedProfile), ...unsets(flags, { ...storedProfile, ...settings(storedProfile) }) };
    refuseTwoPages(storedProfile, all);
    return all;
  };
  // Once more when it is written, of what the profile has then.
  if (Object.keys(changes(known)).length > 0) return store.update(name, changes);
  if (!canAsk(context, flags)) {
    throw usage(undefined, 'there is nothing to change', 'relctl profile edit --help');
  }
  const settled = await askSettings(context, { name, given: {}, known, file: store.file });
  await writeOrUndo(settled, () => store.update(name, () => settled.changes));
  await offerClearing(context, store, known);
}

/** Removes a profile, in a terminal after a question. Throws `usage`, `profile` and `local`. */
export async function removeProfile(
  context: Context,
  name: string,
  flags: { readonly yes?: boolean; readonly 'no-input'?: boolean; readonly quiet?: boolean | undefined },
): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  const profile = store.get(name);
  if (flags.yes !== true) {
    if (!canAsk(context, flags)) {
      throw usage('--yes', `removing profile '${name}' needs confirmation`, `relctl profile remove ${name} --yes`);
    }
    const isSure = await confirm(context, `Remove profile '${name}' and its secrets?`);
    if (!isSure) throw declined('nothing was removed');
  }
  await store.remove(name);
  removeStored(folderOfProfiles(context), name);
  await reportMirror(context, flags, name);
  await (flags.yes === true ? reportRemaining : offerClearing)(context, store, profile);
}

/** Uses a profile when no other is named, and says so to a terminal. Throws `profile` for an unknown one, and `local`. */
export async function useProfile(context: Context, flags: { readonly quiet?: boolean }, name: string): Promise<void> {
  await profileStore(context).use(name);
  await noteInTerminal(context, flags, `profile '${name}' is now the default`);
}
