import { isWatched } from '../../formats/streams.js';
import {
  connectionFlags,
  type ConnectionFlags,
  commonFlags,
  outputFlags,
  type CommonFlags,
  type OutputFlags,
} from '../../kit/flags/common.js';
import { type SettingFlagValues, changesOf, wantsStdin, withoutHeader } from './setting-flags.js';
import { profileStore, folderOfProfiles, refuseBuiltIn } from '../../kit/session/profile-store.js';
import { RelctlError, usage, declined } from '../../core/errors/relctl-error.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { readStdin } from '../../kit/host/environment.js';
import { confirm } from '../../kit/host/prompt.js';
import { shellCommand } from '../../core/text/text.js';
import { profileChoice } from '../../profiles/resolve.js';
import { hasPlain, referencesIn } from '../../profiles/secrets/secret.js';
import {
  settingEntries,
  settings,
  settingNamed,
  type SettingName,
  type SettingValue,
  type Setting,
} from '../../profiles/settings/settings.js';
import { checkName, type Changes, type StoredProfile, type ProfileStore } from '../../profiles/store/store.js';
import { calibrateProfile, testProfile } from './test.js';
import { plainTextWarning, askSettings, neededSettings, type Settled, refuseTwoPages } from './questions.js';
import { note, type QuietFlag, noteInTerminal } from '../../kit/host/notes.js';
import { removeStored } from '../../profiles/descriptions/stored.js';
import { existsSync } from 'node:fs';
import { fileOfMirror } from '../../names/mirror/location.js';
import { findKeyring, keyringAccount } from '../../profiles/secrets/keyring.js';

async function settingsOfFlags(
  { environment, signal }: Context,
  flags: SettingFlagValues,
): Promise<(known: StoredProfile) => Changes> {
  const stdin = wantsStdin(flags) ? await readStdin(environment, signal) : '';
  return (known) => changesOf(flags, { pathOf: environment.pathOf, stdin, known });
}

function refuseIncomplete(changes: Changes, name: string): void {
  const missing = neededSettings.filter((setting) => changes[setting] === undefined);
  if (missing.length === 0) return;
  const flags = missing.map((setting) => `--${settings[setting].flag ?? ''}`);
  throw usage(flags[0] ?? '', `a profile needs ${flags.join(' and ')}`, {
    advice: `Use ${flags.join(' and ')}, or answer the questions in a terminal.`,
    hint: `relctl profile add ${name}`,
  });
}

/** Writes a profile whose secrets may be stored elsewhere already: they are taken back when it cannot be written. */
async function writeOrUndo({ undo }: Settled, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (thrown) {
    await undo();
    throw thrown;
  }
}

const plainIn = (changes: Changes): readonly string[] =>
  settingEntries.flatMap(([name, { isSecret }]) => {
    const value = changes[name];
    return isSecret === true && typeof value === 'string' && hasPlain(name, value) ? [name] : [];
  });

function testFlags(profile: string, { quiet }: SettingFlagValues): ConnectionFlags & OutputFlags {
  const all = Object.entries({ ...connectionFlags, ...outputFlags, ...commonFlags });
  const defaults = Object.fromEntries(all.map(([name, flag]) => [name, flag.default]));
  // The same names, with the values that the parser would give them.
  return { ...defaults, profile, quiet: quiet === true } as unknown as ConnectionFlags & OutputFlags;
}

/** Does what was offered after a profile was added. Its errors say that the profile is kept. */
async function afterwards(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const { kind, message, facts, hint, data, cause } = RelctlError.from(thrown);
    const isEnded = kind === 'interrupted';
    throw new RelctlError(kind, `profile '${name}' is saved; ${isEnded ? 'the rest was interrupted' : message}`, {
      ...{ facts, data, cause, namesProfile: true },
      hint: hint ?? `relctl profile edit ${name}`,
    });
  }
}

const usedNow = (context: Context): string | undefined =>
  profileChoice({ store: profileStore(context), profile: undefined, variables: context.environment.variables })?.name;

async function offerUse(context: Context, name: string): Promise<void> {
  const isCalibrating =
    usedNow(context) === undefined && (await confirm(context, 'Make it the default profile?', { initial: true }));
  if (isCalibrating) await profileStore(context).use(name);
  const profile = usedNow(context) === name ? [] : ['--profile', name];
  await context.streams.err.write(`Next: ${shellCommand(['relation', 'list', '--limit', '10', ...profile])}\n`);
}

async function offerTest(context: Context, name: string, flags: SettingFlagValues): Promise<void> {
  const confirms = (question: string): Promise<boolean> => confirm(context, question, { initial: true });
  if (!(await confirms('Test it now, with one call that reads one row?'))) return;
  await testProfile(context, testFlags(name, flags));
  if (!(await confirms('Calibrate its pages now, with a few dozen small reads?'))) return;
  await calibrateProfile(context, testFlags(name, flags));
}

async function reportStored(
  context: Context,
  { name, file, plain, hint }: { name: string; file: string; plain: readonly string[]; hint: string },
): Promise<void> {
  const { err } = context.streams;
  if (plain.length > 0) await err.write(`${plainTextWarning(plain.join(' and '), file)}\n`);
  await err.write(`Saved profile '${name}' in ${file}.${hint}\n`);
}

/**
 * Adds a profile from flags, and in a terminal from questions, at whose end it can be tested. Throws `usage`, `local`, and
 * what the test throws.
 */
export async function addProfile(
  context: Context,
  name: string,
  flags: SettingFlagValues & CommonFlags,
): Promise<void> {
  checkName(name);
  const store = profileStore(context);
  const { file } = store;
  if (store.names().includes(name)) {
    throw usage(undefined, `profile '${name}' already exists`, `relctl profile edit ${name}`);
  }
  const settings = (await settingsOfFlags(context, flags))({});
  refuseTwoPages({}, settings);
  const asks = neededSettings.some((setting) => settings[setting] === undefined) && canAsk(context, flags);
  const settled = asks
    ? await askSettings(context, { name, given: settings, file })
    : { changes: settings, undo: () => Promise.resolve() };
  refuseIncomplete(settled.changes, name);
  await writeOrUndo(settled, () => store.add(name, settled.changes));
  if (flags['use'] === true) await store.use(name);
  if (isWatched(context.streams.err) && !flags.quiet) {
    // Who was asked has been warned.
    const plain = plainIn(asks ? settings : settled.changes);
    await reportStored(context, { name, file, plain, hint: asks ? '' : ` Try: relctl profile test ${name}` });
  }
  if (!asks) return;
  await afterwards(name, () => offerTest(context, name, flags));
  await offerUse(context, name);
}

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
  flags: CommonFlags & { readonly yes: boolean },
): Promise<void> {
  refuseBuiltIn(name);
  const store = profileStore(context);
  const profile = store.get(name);
  if (!flags.yes) {
    if (!canAsk(context, flags)) {
      throw usage('--yes', `removing profile '${name}' needs confirmation`, `relctl profile remove ${name} --yes`);
    }
    const isSure = await confirm(context, `Remove profile '${name}' and its secrets?`);
    if (!isSure) throw declined('nothing was removed');
  }
  await store.remove(name);
  removeStored(folderOfProfiles(context), name);
  await reportMirror(context, flags, name);
  await (flags.yes ? reportRemaining : offerClearing)(context, store, profile);
}

/** Uses a profile when no other is named, and says so to a terminal. Throws `profile` for an unknown one, and `local`. */
export async function useProfile(context: Context, flags: QuietFlag, name: string): Promise<void> {
  await profileStore(context).use(name);
  await noteInTerminal(context, flags, `profile '${name}' is now the default`);
}
