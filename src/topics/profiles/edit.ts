import { inAnyCase, nearest } from '../../lexical/nearest.js';
import { settingEntries, settings, type Setting, type SettingName } from '../../profiles/settings.js';
import type { Changes } from '../../profiles/store.js';
import type { Context } from '../../host/context.js';
import type { SettingFlagValues } from '../../cli/flags/values/settings.js';
import { confirm } from '../../host/prompt.js';
import { canAsk } from '../../host/may-ask.js';
import { givenSettings, isAsking, keptOrUndone } from './add.js';
import { offerClearing, tellLeft } from './clearing.js';
import { askSettings } from './questions.js';
import { profileStore, refuseBuiltIn } from '../../cli/profile-store.js';
import { perhaps, usage } from '../../errors/usage.js';

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

function unsets(flags: SettingFlagValues): Changes {
  const names = Array.isArray(flags['unset']) ? flags['unset'].map(String) : [];
  return Object.fromEntries(names.map((text) => [settingNamed(text), null]));
}

/** Changes settings of a profile. Throws `usage`, `profile` and `local`. */
export async function editProfile(context: Context, name: string, flags: SettingFlagValues): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  const known = store.get(name);
  const changes = { ...(await givenSettings(context, flags)), ...unsets(flags) };
  if (Object.keys(changes).length > 0) return store.update(name, changes);
  if (!canAsk(context, isAsking(flags))) {
    throw usage(undefined, 'nothing to change was named', 'relctl profile edit --help');
  }
  const settled = await askSettings(context, { name, given: {}, known, file: store.file });
  await keptOrUndone(settled, () => store.update(name, settled.changes));
  await offerClearing(context, store, known);
}

/** Removes a profile, in a terminal after a question. Throws `usage`, `profile` and `local`. */
export async function removeProfile(
  context: Context,
  name: string,
  flags: { readonly yes?: boolean; readonly 'no-input'?: boolean },
): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  const profile = store.get(name);
  if (flags.yes !== true) {
    if (!canAsk(context, flags)) {
      throw usage('--yes', `profile '${name}' is not removed without a yes`, `relctl profile remove ${name} --yes`);
    }
    const isSure = await confirm(context, `Remove profile '${name}' and its secrets?`);
    if (!isSure) throw usage(undefined, 'not confirmed; nothing was removed');
  }
  await store.remove(name);
  await (flags.yes === true ? tellLeft : offerClearing)(context, store, profile);
}
