import { chmodSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/text.js';
import { sweepFiles } from '../../state/locks/holder.js';
import { withLock } from '../../state/locks/lock.js';
import { readProfileFile, type ProfileFile } from './profile-file.js';
import type { SettingName, SettingValue } from '../settings/settings.js';
import { refusedBecause, makeFolders, runnerHere } from '../../state/own-file.js';
import { defined, orElse, isObject } from '../../core/values/value.js';

/** A profile as it is stored: settings by name; unknown ones stay. */
export type StoredProfile = Readonly<Record<string, unknown>>;

/** Values to write; null takes a setting away. */
export type Changes = Readonly<Partial<Record<SettingName, SettingValue | null>>>;

/** Named profiles in a file that only its owner can read. Every method reads the file anew; look-ups never write. */
export interface ProfileStore {
  readonly file: string;
  names(): readonly string[];
  current(): string | undefined;
  /** Throws `profile` for an unknown name, with the nearest known one. */
  get(name: string): StoredProfile;
  /** Throws `usage` when the name is taken or no name. */
  add(name: string, values: Changes): Promise<void>;
  /** Changes settings of a profile, by what it has at that time. Throws what that throws. */
  update(name: string, changes: (known: StoredProfile) => Changes): Promise<void>;
  /** What is kept of a profile; of those that are not in the store, what is kept beside it. Throws `profile` for an unknown name. */
  kept(name: string): StoredProfile;
  /** Changes what is kept of a profile, also of one that is not in the store. Throws what the change throws. */
  change(profile: string, change: (storedProfile: StoredProfile) => StoredProfile): Promise<void>;
  remove(name: string): Promise<void>;
  use(name: string): Promise<void>;
}

/** The profile that is built in. */
export const sandboxName = 'sandbox';

/** Settings of the built-in profile. Its credentials open nothing but the embedded service. */
export const sandboxSettings: StoredProfile = {
  apiKey: 'plain:00000000-0000-4000-8000-000000000001',
  databaseId: '00000000-0000-4000-8000-000000000002',
  userId: '00000000-0000-4000-8000-000000000011',
  userName: 'sandbox',
  password: 'plain:zandbak',
};

/** The profile made of the environment alone. */
export const environmentName = 'environment';

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const reservedNames: ReadonlySet<string> = new Set([sandboxName, environmentName, 'constructor', 'prototype']);

/** Throws `usage` for a text that cannot name a profile. */
export function checkName(name: string): void {
  if (!nameForm.test(name)) {
    throw usage(
      'NAME',
      'a profile name must have 1 to 64 letters, digits and . _ - @, and begin with a letter or digit',
    );
  }
  if (reservedNames.has(name)) throw usage('NAME', `the name '${name}' is reserved`);
}

function known(content: ProfileFile, name: string): StoredProfile {
  const profile = Object.hasOwn(content.profiles, name) ? content.profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const suggestion = nearest(name, [...Object.keys(content.profiles), sandboxName]);
  throw new RelctlError('profile', `there is no profile '${name}'`, {
    facts: { profile: name },
    namesProfile: true,
    ...perhaps(name, suggestion, 'relctl profile list'),
  });
}

const unstoredNames: ReadonlySet<string> = new Set([sandboxName, environmentName]);

/** Member of the file with what is kept of them. */
const besideKey = 'notStored';

function otherFiles(content: ProfileFile): Readonly<Record<string, StoredProfile>> {
  const profiles = content[besideKey] ?? {};
  // Each profile was checked to be an object, as those in the store are.
  if (isObject(profiles) && Object.values(profiles).every(isObject))
    return profiles as Readonly<Record<string, StoredProfile>>;
  throw new RelctlError('profile', `the member ${besideKey} of the profile file has an invalid value`, {
    facts: { path: besideKey },
  });
}

const storedOf = (content: ProfileFile, name: string): StoredProfile =>
  unstoredNames.has(name) ? (otherFiles(content)[name] ?? {}) : known(content, name);

const put = (content: ProfileFile, name: string, profile: StoredProfile): ProfileFile => ({
  ...content,
  profiles: { ...content.profiles, [name]: profile },
});

const withStored = (content: ProfileFile, name: string, stored: StoredProfile): ProfileFile =>
  unstoredNames.has(name)
    ? { ...content, [besideKey]: { ...otherFiles(content), [name]: stored } }
    : put(content, name, stored);

function changed(profile: StoredProfile, changes: Changes): StoredProfile {
  const result: Record<string, unknown> = { ...profile };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) Reflect.deleteProperty(result, name);
    else result[name] = value;
  }
  return result;
}

function local(folder: string, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const { code, words } = refusedBecause(thrown);
  return new RelctlError('local', `the profiles in ${folder} cannot be written: ${words}`, {
    facts: { foreignCode: code, path: folder },
  });
}

/** Makes the folder, or closes it to others if it is ours. */
function prepareFolder(folder: string): void {
  makeFolders(folder);
  const { uid, mode } = statSync(folder);
  const isOwn = uid === runnerHere()?.uid;
  // A sticky one, such as /tmp, is for everybody.
  if (isOwn && (mode & 0o077) !== 0 && (mode & 0o1000) === 0) chmodSync(folder, 0o700);
}

/** What conf adds to its own name for the file that it writes beside it. */
const unfinished = /^\.tmp-\d{10}[0-9a-f]{6}$/;

/**
 * Writes through conf, for who holds the lock: beside the file, synced, then renamed over it, with mode 0600 from its first
 * byte. A run that was killed within left a second copy, which is removed. A link stays: the file at its end is written.
 */
async function write(link: string, content: ProfileFile): Promise<void> {
  const { default: Conf } = await import('conf');
  const file = orElse(() => realpathSync(link), link);
  const [folder, name] = [dirname(file), basename(file)];
  sweepFiles(folder, (each) => each.startsWith(name) && unfinished.test(each.slice(name.length)));
  const conf = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: name,
    fileExtension: '',
    projectName: 'relctl',
    projectSuffix: '',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
  });
  conf.store = content;
}

/** The store in a folder, which need not be there yet. */
export function openStore(folder: string): ProfileStore {
  const file = join(folder, 'config.json');
  const read = (): ProfileFile => readProfileFile(file);
  const edit = async (change: (content: ProfileFile) => ProfileFile): Promise<void> => {
    try {
      prepareFolder(folder);
      // Loaded before the lock is taken: others wait for it.
      await import('conf');
      await withLock(join(folder, 'config.lock'), () => write(file, change(read())));
    } catch (thrown) {
      throw local(folder, thrown);
    }
  };
  return {
    file,
    names: () => Object.keys(read().profiles),
    current: () => read().current,
    get: (name) => known(read(), name),
    add: (name, values) =>
      edit((content) => {
        checkName(name);
        if (Object.hasOwn(content.profiles, name)) {
          throw usage(undefined, `profile '${name}' already exists`, `relctl profile edit ${name}`);
        }
        return put(content, name, changed({}, values));
      }),
    update: (name, changes) =>
      edit((content) => {
        const profile = known(content, name);
        return put(content, name, changed(profile, changes(profile)));
      }),
    kept: (name) => storedOf(read(), name),
    change: (profile, change) => edit((content) => withStored(content, profile, change(storedOf(content, profile)))),
    remove: (name) =>
      edit((content) => {
        known(content, name);
        const { [name]: removed, ...profiles } = content.profiles;
        const { current, ...rest } = content;
        const isUnused = current !== name && removed !== undefined;
        return { ...rest, version: 1, profiles, ...defined({ current: isUnused ? current : undefined }) };
      }),
    use: (name) =>
      edit((content) => {
        if (name !== sandboxName) known(content, name);
        return { ...content, current: name };
      }),
  };
}
