import { RelctlError } from '../core/errors/relctl-error.js';
import { defined, isObject } from '../core/values/value.js';
import { checkHeaderValue, headersText, readHeaders, type Header } from './settings/forms.js';
import { resolveSecret } from './secrets/secret.js';
import {
  checkedSetting,
  editWords,
  settingEntries,
  settings,
  type Setting,
  type SettingName,
  type SettingValue,
} from './settings/settings.js';
import { environmentName, sandboxName, sandboxSettings, type ProfileStore, type StoredProfile } from './store/store.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a value comes from. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'profile'; readonly name: string }
  | { readonly kind: 'default' };

/** A setting with its value and where that comes from. */
export interface Resolved {
  readonly value: SettingValue;
  readonly origin: Origin;
}

/** A profile with everything that overrides it. Secrets are still references. */
export interface ResolvedProfile {
  readonly name: string;
  readonly chosenBy: Choice['by'];
  readonly values: Readonly<Partial<Record<SettingName, Resolved>>>;
  /** Settings of the profile that the environment overrides, by variable. */
  readonly overridden: readonly string[];
  /** Rows on a page of a whole list that calibration found. */
  readonly calibratedPageSize?: number;
  /** Members that its service did give in lists, though the interface document has them nil there. */
  readonly filled: readonly string[];
}

/** Texts in place of the values of settings, and what gives each. */
export type Overrides = Readonly<Partial<Record<SettingName, { readonly text: string; readonly by: string }>>>;

/** What a profile is resolved from. */
export interface Sources {
  readonly store: ProfileStore;
  readonly profile: string | undefined;
  readonly overrides: Overrides;
  readonly variables: Variables;
}

function noProfile(hasSome: boolean): RelctlError {
  return new RelctlError('profile', 'no profile is selected', {
    advice: hasSome
      ? 'Use --profile, or choose a profile with `relctl profile use`.'
      : 'To try relctl, add `--profile sandbox` to the command: that service is built in.',
    hint: hasSome ? 'relctl profile list' : 'relctl profile add crm',
  });
}

/** Together they make a profile. */
const baseVariables = 'RELCTL_BASE_URL and RELCTL_API_KEY';

interface Choice {
  readonly name: string;
  readonly by: '--profile' | 'RELCTL_PROFILE' | typeof baseVariables | 'relctl profile use' | 'the only choice';
}

type ChoiceSources = Pick<Sources, 'store' | 'profile' | 'variables'>;

/** Which profile: the flag, RELCTL_PROFILE, the environment's own settings, the one in use, the only one; undefined for none. */
export function profileChoice({ store, profile, variables }: ChoiceSources): Choice | undefined {
  if (profile !== undefined) return { name: profile, by: '--profile' };
  const named = variables['RELCTL_PROFILE'];
  if (named !== undefined) return { name: named, by: 'RELCTL_PROFILE' };
  if (variables['RELCTL_BASE_URL'] !== undefined && variables['RELCTL_API_KEY'] !== undefined)
    return { name: environmentName, by: baseVariables };
  const current = store.current();
  if (current !== undefined) return { name: current, by: 'relctl profile use' };
  const [only, ...others] = store.names();
  return only === undefined || others.length > 0 ? undefined : { name: only, by: 'the only choice' };
}

function requiredChoice(sources: ChoiceSources): Choice {
  const choice = profileChoice(sources);
  if (choice === undefined) throw noProfile(sources.store.names().length > 0);
  return choice;
}

/** Name of the profile that is used. Throws `profile` when none is chosen. */
export const chosenProfile = (sources: ChoiceSources): string => requiredChoice(sources).name;

/** A setting of a profile whose text is checked. */
interface StoredText {
  readonly profile: string;
  readonly name: SettingName;
  /** What errors call it: its variable, or the setting with the profile. */
  readonly path: string;
}

function faultOfProfile<T>({ profile, name, path }: StoredText, check: () => T): T {
  const { isSecret }: Setting = settings[name];
  try {
    return check();
  } catch (thrown) {
    throw RelctlError.from(thrown)
      .with({ profile })
      .but({
        kind: 'profile',
        // What is wrong is said of the path; where that is a variable, it does not say the profile.
        namesProfile: path !== settings[name].environment,
        // A secret would be lost; the profile is shown with one that does not hold, and not with another setting.
        hint: `relctl profile ${isSecret === true ? 'show NAME --origin' : `edit NAME --unset ${name}`}`,
      });
  }
}

const checkStored = (storedText: StoredText, text: string): SettingValue =>
  faultOfProfile(storedText, () => checkedSetting(storedText.name, text, storedText.path));

/** A secret may be a reference, whose value is checked once it is looked up; names of headers are none. */
const isUnchecked = ({ isSecret, form }: Setting): boolean => isSecret === true && form !== 'headers';

function storedValue(name: SettingName, value: unknown, profile: string): SettingValue {
  const setting: Setting = settings[name];
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new RelctlError('profile', `the setting ${name} of profile '${profile}' has an invalid value`, {
      facts: { path: name },
    });
  }
  return isUnchecked(setting)
    ? String(value)
    : checkStored({ name, path: `the setting ${name} of profile '${profile}'`, profile }, String(value));
}

/** A setting with what overrides it; undefined for one without a value. Throws `profile` and `usage`. */
function resolvedSetting(
  name: SettingName,
  sources: Pick<Sources, 'overrides' | 'variables'>,
  stored: { profile: StoredProfile; name: string },
): Resolved | undefined {
  const setting: Setting = settings[name];
  const override = sources.overrides[name];
  if (override !== undefined) {
    return { value: checkedSetting(name, override.text, override.by), origin: { kind: 'flag', name: override.by } };
  }
  const variable = sources.variables[setting.environment];
  if (variable !== undefined) {
    const value = isUnchecked(setting) ? variable : checkedSetting(name, variable, setting.environment);
    return { value, origin: { kind: 'environment', name: setting.environment } };
  }
  const own = stored.profile[name] ?? undefined;
  if (own !== undefined)
    return { value: storedValue(name, own, stored.name), origin: { kind: 'profile', name: stored.name } };
  return setting.fallback === undefined ? undefined : { value: setting.fallback, origin: { kind: 'default' } };
}

const addressOf = ({ baseUrl, path }: ResolvedProfile['values']): string =>
  `${String(baseUrl?.value ?? '')}${String(path?.value ?? '')}`;

/** That address where the profile itself says it; undefined where a flag or a variable says another one for a run. */
export function ownAddress({ values }: ResolvedProfile): string | undefined {
  const { baseUrl, path } = values;
  const isOwn = [baseUrl, path].every((each) => each === undefined || each.origin.kind === 'profile');
  return isOwn ? addressOf(values) : undefined;
}

/** Puts a profile together: flags over environment over profile over defaults. Throws `profile` and `usage`. */
export function resolveProfile(sources: Sources): ResolvedProfile {
  const choice = requiredChoice(sources);
  const { name, by } = choice;
  const ofStore = (): StoredProfile => (name === sandboxName ? sandboxSettings : sources.store.get(name));
  const profile = by === baseVariables ? {} : ofStore();
  const values: Partial<Record<SettingName, Resolved>> = {};
  const overridden: string[] = [];
  for (const [setting] of settingEntries) {
    const resolved = resolvedSetting(setting, sources, { profile, name });
    if (resolved === undefined) continue;
    values[setting] = resolved;
    const value = profile[setting] ?? resolved.value;
    const isChange = JSON.stringify(value) !== JSON.stringify(resolved.value);
    if (resolved.origin.kind === 'environment' && isChange) overridden.push(resolved.origin.name);
  }
  return {
    name,
    chosenBy: by,
    values,
    overridden,
    filled: filledIn(profile, addressOf(values)),
    ...defined({ calibratedPageSize: calibrationOf(profile).pageSize }),
  };
}

interface SecretSeeker {
  readonly profile: string;
  readonly variables: Variables;
  readonly signal?: AbortSignal | undefined;
}

async function secretOf(
  name: SettingName,
  text: string,
  { profile, variables, signal, of = name }: SecretSeeker & { readonly of?: string },
): Promise<string> {
  try {
    return await resolveSecret(of, text, { variables, signal });
  } catch (thrown) {
    const error = RelctlError.from(thrown).with({ profile });
    if (error.kind !== 'profile') throw error;
    throw error.but({
      message: `profile '${profile}': ${error.message}`,
      namesProfile: true,
      hint:
        error.hint ??
        `relctl profile edit NAME ${name === 'headers' ? `--secret headers.${of.slice('header '.length)}=-` : editWords(name)}`,
    });
  }
}

async function headersOf(
  text: string,
  { path, isPlain, ...seeker }: SecretSeeker & { path: string; isPlain: boolean },
): Promise<string> {
  const headers: Header[] = [];
  const stored = { profile: seeker.profile, name: 'headers', path } as const;
  for (const { name, value } of faultOfProfile(stored, () => readHeaders(text, path))) {
    const secret = isPlain ? value : await secretOf('headers', value, { ...seeker, of: `header ${name}` });
    faultOfProfile(stored, () => checkHeaderValue({ name, value: secret }, path));
    headers.push({ name, value: secret });
  }
  return headersText(headers);
}

/**
 * The secret that a setting has. A value from the environment is the secret itself: nobody could tell a reference from a
 * password that looks like one. Throws `profile`, and the reason of the signal.
 */
async function secretFor(name: SettingName, { value, origin }: Resolved, seeker: SecretSeeker): Promise<string> {
  const isPlain = origin.kind === 'environment';
  const path = isPlain ? origin.name : `the secret ${name} of profile '${seeker.profile}'`;
  const checked = (text: string): string => String(checkStored({ name, path, profile: seeker.profile }, text));
  const text = String(value);
  if (settings[name].form === 'headers') return headersOf(text, { ...seeker, path, isPlain });
  const secret = isPlain ? text : await secretOf(name, text, seeker);
  return settings[name].form === 'text' ? secret : checked(secret);
}

/** Secrets that are looked up, by their settings. */
export type Secrets = Readonly<Partial<Record<SettingName, string>>>;

/** Secrets that stand in a call. The others are for the way to the service. */
const ofCalls: ReadonlySet<SettingName> = new Set(['apiKey', 'password']);

/**
 * The secrets of a resolved profile that calls need, looked up only when one is about to be made. Throws `profile`, and the
 * reason of the signal, which ends a look-up.
 * @param isWay only those that are for the way to the service, of what is sent without credentials
 */
export async function resolveSecrets(
  profile: ResolvedProfile,
  variables: Variables,
  { signal, isWay: isRoute = false }: { readonly signal?: AbortSignal; readonly isWay?: boolean } = {},
): Promise<Secrets> {
  const secrets: Partial<Record<SettingName, string>> = {};
  for (const [name, setting] of settingEntries) {
    const resolved = profile.values[name];
    if (setting.isSecret !== true || resolved === undefined || (isRoute && ofCalls.has(name))) continue;
    secrets[name] = await secretFor(name, resolved, { profile: profile.name, variables, signal });
  }
  return secrets;
}

/** True for the profile that is built in. */
export const isSandbox = (profile: ResolvedProfile): boolean => profile.name === sandboxName;

/** False for the profile that is built in and the one made of variables: nothing can be kept in them. */
export const isStored = ({ name }: Pick<ResolvedProfile, 'name'>): boolean =>
  name !== sandboxName && name !== environmentName;

/** The value of --profile that names a profile; undefined for the one that variables make, which has no name to be chosen by. */
export const flagOf = (name: string): string | undefined => (name === environmentName ? undefined : name);

/** Key under which a profile keeps what calibration found, beside its settings. */
export const calibrationKey = 'calibration';

/** What calibration found about a service. */
export interface StoredCalibration {
  readonly day: string | undefined;
  /** Rows to ask for on a page of a whole list; undefined when nothing is known. */
  readonly pageSize: number | undefined;
}

/** What a profile keeps of its calibration; nothing where it has none, or none that can be read. */
export function calibrationOf(profile: StoredProfile): StoredCalibration {
  const headers = profile[calibrationKey];
  const { date, pageSize } = isObject(headers) ? headers : {};
  const isSize = typeof pageSize === 'number' && Number.isInteger(pageSize) && pageSize > 0;
  return {
    day: typeof date === 'string' ? date.slice(0, 10) : undefined,
    pageSize: isSize ? pageSize : undefined,
  };
}

/** Key under which a profile keeps what lists did give that the interface document has nil in them. */
export const filledKey = 'filled';

/** Members that records of lists did have, though the interface document says that lists leave them nil. */
export interface Filled {
  /** The address of the service that gave them: another one may not. */
  readonly service: string;
  readonly members: readonly string[];
}

/** The members that lists of a service did give, as a profile keeps them; none where it keeps those of another service. */
export function filledIn(profile: StoredProfile, service: string): readonly string[] {
  const headers = profile[filledKey];
  const { service: of, members } = isObject(headers) ? headers : {};
  return of === service && Array.isArray(members) ? members.filter((name) => typeof name === 'string') : [];
}
