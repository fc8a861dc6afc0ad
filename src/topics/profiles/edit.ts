import { folderOfProfiles } from '../../cli/operations/readable.js';
import { forgetKept } from '../../descriptions/kept.js';
import { inAnyCase, nearest } from '../../lexical/nearest.js';
import {
  settingEntries,
  settings,
  type Setting,
  type SettingName,
  type SettingValue,
} from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';
import type { Context } from '../../host/context.js';
import { isEntrySetting, withoutEntry } from '../../cli/flags/values/entry-settings.js';
import type { SettingFlagValues } from '../../cli/flags/values/secret-texts.js';
import { confirm } from '../../host/prompt.js';
import { canAsk } from '../../host/may-ask.js';
import { givenSettings, isAsking, keptOrUndone } from './add.js';
import { offerClearing, tellLeft, tellMirror } from './clearing.js';
import { refuseTwoPages } from './one-page.js';
import { askSettings } from './questions.js';
import { profileStore, refuseBuiltIn } from '../../cli/session/profile-store.js';
import { declined, perhaps, usage } from '../../errors/usage.js';

function settingNamed(text: string): SettingName {
  const flags = settingEntries.map(([, { flag }]: readonly [string, Setting]) => flag);
  const typed = inAnyCase(text, Object.keys(settings)) ?? inAnyCase(text.replace(/^--/, ''), flags);
  const found = settingEntries.find(([name, { flag }]: readonly [string, Setting]) =>
    [name, flag].includes(typed ?? ''),
  );
  if (found !== undefined) return found[0];
  const near = nearest(text, [...Object.keys(settings), ...flags]);
  throw usage('--unset', `there is no setting '${text}'`, perhaps(text, near));
}

/** What --unset takes away: whole settings, and entries of those that have several, such as `headers.X-Key`. */
function unsets(flags: SettingFlagValues, known: StoredProfile): Changes {
  const names = Array.isArray(flags['unset']) ? flags['unset'].map(String) : [];
  const changes: Partial<Record<SettingName, SettingValue | null>> = {};
  for (const text of names) {
    const [, setting = text, entry] = /^([^.]+)\.(.+)$/s.exec(text) ?? [];
    const name = settingNamed(setting);
    const before = { ...known, ...changes };
    changes[name] =
      entry !== undefined && isEntrySetting(name) ? withoutEntry(name, before, entry) : wholly(name, entry);
  }
  return changes;
}

/** Nothing, for a setting of which no part is named. */
function wholly(name: SettingName, entry: string | undefined): null {
  if (entry === undefined) return null;
  throw usage('--unset', `the setting ${name} has no entries`, `--unset ${name}`);
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
