import { note } from '../../host/notes.js';
import { folderOfProfiles } from '../../cli/operations/readable.js';
import { forgetKept } from '../../descriptions/kept.js';
import { settingNamed, type SettingName, type SettingValue } from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';
import type { Context } from '../../host/context.js';
import { withoutHeader } from '../../cli/flags/values/settings.js';
import type { SettingFlagValues } from '../../cli/flags/values/secret-texts.js';
import { confirm } from '../../host/prompt.js';
import { canAsk } from '../../host/may-ask.js';
import { givenSettings, isAsking, keptOrUndone } from './add.js';
import { offerClearing, tellLeft, tellMirror } from './clearing.js';
import { refuseTwoPages } from './one-page.js';
import { askSettings } from './questions.js';
import { profileStore, refuseBuiltIn } from '../../cli/session/profile-store.js';
import { declined, usage } from '../../errors/usage.js';

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
export async function editProfile(context: Context, name: string, flags: SettingFlagValues): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  const known = store.get(name);
  const given = await givenSettings(context, flags);
  const changes = (kept: StoredProfile): Changes => {
    const all = { ...given(kept), ...unsets(flags, { ...kept, ...given(kept) }) };
    refuseTwoPages(kept, all);
    return all;
  };
  // Once more when it is written, of what the profile has then.
  if (Object.keys(changes(known)).length > 0) return store.update(name, changes);
  if (!canAsk(context, isAsking(flags))) {
    throw usage(undefined, 'nothing to change was named', 'relctl profile edit --help');
  }
  const settled = await askSettings(context, { name, given: {}, known, file: store.file });
  await keptOrUndone(settled, () => store.update(name, () => settled.changes));
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
      throw usage('--yes', `profile '${name}' is not removed without a yes`, `relctl profile remove ${name} --yes`);
    }
    const isSure = await confirm(context, `Remove profile '${name}' and its secrets?`);
    if (!isSure) throw declined('nothing was removed');
  }
  await store.remove(name);
  forgetKept(folderOfProfiles(context), name);
  await tellMirror(context, flags, name);
  await (flags.yes === true ? tellLeft : offerClearing)(context, store, profile);
}

/** Uses a profile when no other is named, and says so to a terminal. Throws `profile` for an unknown one, and `local`. */
export async function useProfile(context: Context, flags: { readonly quiet?: boolean }, name: string): Promise<void> {
  await profileStore(context).use(name);
  if (context.streams.err.isTerminal) await note(context, flags, `profile '${name}' is now used without --profile`);
}
