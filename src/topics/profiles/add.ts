import { isWatched } from '../../formats/streams.js';
import {
  connectionFlags,
  type ConnectionFlags,
  commonFlags,
  outputFlags,
  type CommonFlags,
  type OutputFlags,
} from '../../kit/flags/common.js';
import { type SettingFlagValues, changesOf, wantsStdin } from './setting-flags.js';
import { profileStore } from '../../kit/session/profile-store.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { readStdin } from '../../kit/host/environment.js';
import { confirm } from '../../kit/host/prompt.js';
import { shellCommand } from '../../core/text/text.js';
import { profileChoice } from '../../profiles/resolve.js';
import { hasPlain } from '../../profiles/secrets/secret.js';
import { settingEntries, settings } from '../../profiles/settings/settings.js';
import { checkName, type Changes, type StoredProfile } from '../../profiles/store/store.js';
import { calibrateProfile, testProfile } from './test.js';
import { plainTextWarning, askSettings, neededSettings, type Settled, refuseTwoPages } from './questions.js';

/** The settings that flags and stdin give to a profile with what it has. Both throw `usage`. */
export async function settingsOfFlags(
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

/** Writes a profile whose secrets may be kept elsewhere already: they are taken back when it cannot be written. */
export async function writeOrUndo({ undo }: Settled, write: () => Promise<void>): Promise<void> {
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
