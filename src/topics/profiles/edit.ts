import { inAnyCase, nearest } from '../../lexical/nearest.js';
import { settingEntries, settings, type Setting, type SettingName } from '../../profiles/settings.js';
import { checkName, type Changes } from '../../profiles/store.js';
import type { Context } from '../../host/context.js';
import { readStdin } from '../../host/environment.js';
import { changesOf, wantsStdin, type SettingFlagValues } from '../../cli/flags/values/settings.js';
import { confirm } from '../../host/prompt.js';
import { canAsk } from '../../host/may-ask.js';
import { askSettings, neededSettings } from './questions.js';
import { profileStore, refuseBuiltIn } from '../../cli/profile-store.js';
import { usage } from '../../errors/usage.js';

async function given({ environment, signal }: Context, flags: SettingFlagValues): Promise<Changes> {
  const stdin = wantsStdin(flags) ? await readStdin(environment, signal) : '';
  return changesOf(flags, { pathOf: environment.pathOf, stdin });
}

function refuseIncomplete(changes: Changes, name: string): void {
  const missing = neededSettings.filter((setting) => changes[setting] === undefined);
  if (missing.length === 0) return;
  const flags = missing.map((setting) => `--${settings[setting].flag}`);
  throw usage(
    flags[0] ?? '',
    `a profile needs ${flags.join(' and ')}`,
    `relctl profile add ${name} ${flags.map((flag) => `${flag} …`).join(' ')}`,
  );
}

const isAsking = (flags: SettingFlagValues): { 'no-input': boolean } => ({ 'no-input': flags['no-input'] === true });

/** Adds a profile from flags, and in a terminal from questions. Throws `usage` and `local`. */
export async function addProfile(context: Context, name: string, flags: SettingFlagValues): Promise<void> {
  checkName(name);
  const store = profileStore(context);
  if (store.names().includes(name)) {
    throw usage(undefined, `there is a profile '${name}' already`, `relctl profile edit ${name}`);
  }
  const changes = await given(context, flags);
  const isWhole = neededSettings.every((setting) => changes[setting] !== undefined);
  const settled = !isWhole && canAsk(context, isAsking(flags)) ? await askSettings(context, changes) : changes;
  refuseIncomplete(settled, name);
  await store.add(name, settled);
  if (flags['use'] === true) await store.use(name);
  if (context.streams.err.isTerminal && flags['quiet'] !== true) {
    await context.streams.err.write(`Profile '${name}' is kept in ${store.file}. Try: relctl profile test ${name}\n`);
  }
}

function settingNamed(text: string): SettingName {
  const flags = settingEntries.map(([, { flag }]: readonly [string, Setting]) => flag);
  const typed = inAnyCase(text, Object.keys(settings)) ?? inAnyCase(text.replace(/^--/, ''), flags);
  const found = settingEntries.find(([name, { flag }]: readonly [string, Setting]) =>
    [name, flag].includes(typed ?? ''),
  );
  if (found !== undefined) return found[0];
  const near = nearest(text, [...Object.keys(settings), ...flags]);
  throw usage(
    '--unset',
    `there is no setting '${text}'`,
    near === undefined ? 'relctl profile show NAME' : `--unset ${near}`,
  );
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
  const changes = { ...(await given(context, flags)), ...unsets(flags) };
  if (Object.keys(changes).length > 0) return store.update(name, changes);
  if (!canAsk(context, isAsking(flags))) {
    throw usage(undefined, 'nothing to change was named', 'relctl profile edit --help');
  }
  return store.update(name, await askSettings(context, {}, known));
}

/** Removes a profile, in a terminal after a question. Throws `usage`, `profile` and `local`. */
export async function removeProfile(
  context: Context,
  name: string,
  flags: { readonly yes?: boolean; readonly 'no-input'?: boolean },
): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  store.get(name);
  if (flags.yes !== true) {
    if (!canAsk(context, flags)) {
      throw usage('--yes', `profile '${name}' is not removed without a yes`, `relctl profile remove ${name} --yes`);
    }
    const isSure = await confirm(context, `Remove profile '${name}' and its secrets?`);
    if (!isSure) throw usage(undefined, 'not confirmed; nothing was removed');
  }
  await store.remove(name);
}
