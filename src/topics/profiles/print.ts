import {
  opt,
  recordWithoutPresence,
  req,
  type Fields,
  inRole,
  type RecordType,
  type Type,
} from '../../contract/build.js';
import { string, boolean, int } from '../../contract/scalars.js';
import { endpointOf, lacks, settingText } from '../../kit/session/connection.js';
import { addressForMessage } from '../../core/text/text.js';
import { sandboxName, type StoredProfile } from '../../profiles/store/store.js';
import { isSandbox, profileChoice, type Origin, type Resolved, type ResolvedProfile } from '../../profiles/resolve.js';
import type { Context } from '../../kit/host/context.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import type { OutputFlags } from '../../kit/flags/common.js';
import { noteOverrides, profileStore, profileOf } from '../../kit/session/profile-store.js';
import { printRecords } from '../../kit/output/open-output.js';
import type { RecordValue } from '../../core/values/value.js';
import { readHeaders } from '../../profiles/settings/forms.js';
import { secretSource } from '../../profiles/secrets/secret.js';
import {
  settingEntries,
  settings,
  type Setting,
  type SettingName,
  type SettingValue,
} from '../../profiles/settings/settings.js';
import { maskText } from '../../core/secrets/mask.js';

const formTypes: Readonly<Partial<Record<Setting['form'], Type>>> = { whole: int, duration: int, 'yes-no': boolean };

const settingFields: Fields = Object.fromEntries(
  settingEntries.map(([name, { form, doc }]) => {
    const field = opt(formTypes[form] ?? string, doc);
    return [name, form === 'duration' ? inRole('seconds', field) : field];
  }),
);

const PrintedProfile: RecordType = recordWithoutPresence('Profile', 'A profile.', {
  name: req(string, 'Name of the profile.'),
  ...settingFields,
});

/** A setting and where it comes from, as `profile show --origin` prints it. */
export const PrintedSetting = recordWithoutPresence('ProfileSetting', 'A setting of a profile.', {
  Setting: inRole('key', req(string, 'Name of the setting.')),
  Value: inRole('words', req(string, 'Its value; a secret is masked.')),
  Origin: inRole('words', req(string, 'Where the value comes from.')),
});

/** A line of `profile list`. */
export const ProfileLine = recordWithoutPresence('ProfileLine', 'A profile in a list of profiles.', {
  Name: inRole('key', req(string, 'Name of the profile.')),
  InUse: req(boolean, 'The default profile.'),
  BaseUrl: inRole('words', opt(string, 'Base address of the service.')),
  UserName: opt(string, 'Name of the user.'),
  SoapVersion: opt(string, 'SOAP version.'),
  Protected: req(boolean, 'Asks before each write.'),
});

/** A value as it may be shown: a secret never, only the place where it is stored. */
function settingValue(name: SettingName, { value, origin }: Resolved): SettingValue {
  const setting: Setting = settings[name];
  if (setting.isSecret !== true) return value;
  const printable = (text: string): string =>
    origin.kind === 'environment' || secretSource(text) === 'value' ? maskText : text;
  if (setting.form !== 'headers') return printable(String(value));
  const headers = readHeaders(String(value), name);
  return headers.map((header) => `${header.name}: ${printable(header.value)}`).join(', ');
}

function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
      return `flag ${origin.name}`;
    case 'environment':
      return `environment variable ${origin.name}`;
    case 'profile':
      return `profile '${origin.name}'`;
    case 'default':
      return 'default';
  }
}

function resolvedEntries(profile: ResolvedProfile): [SettingName, Resolved][] {
  return settingEntries.flatMap(([name]): [SettingName, Resolved][] => {
    const resolved = profile.values[name];
    return resolved === undefined ? [] : [[name, resolved]];
  });
}

const profileRecord = (profile: ResolvedProfile): RecordValue => ({
  name: profile.name,
  ...Object.fromEntries(resolvedEntries(profile).map(([name, resolved]) => [name, settingValue(name, resolved)])),
});

const settingRecords = (profile: ResolvedProfile): readonly RecordValue[] =>
  resolvedEntries(profile).map(([name, resolved]) => ({
    Setting: name,
    Value: String(settingValue(name, resolved)),
    Origin: originText(resolved.origin),
  }));

/** Prints a line for each profile, the built-in one last. */
export async function listProfiles(context: Context, flags: OutputFlags): Promise<void> {
  const store = profileStore(context);
  const inUse = profileChoice({ store, profile: undefined, variables: context.environment.variables })?.name;
  const lines = [...store.names(), sandboxName].map((name) => {
    const storedProfile: StoredProfile = name === sandboxName ? { baseUrl: 'built in' } : store.get(name);
    const { baseUrl, userName, soapVersion, protected: isProtected } = storedProfile;
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return {
      Name: name,
      InUse: name === inUse,
      BaseUrl: typeof baseUrl === 'string' ? addressForMessage(baseUrl) : null,
      UserName: text(userName),
      SoapVersion: text(soapVersion),
      Protected: isProtected === true,
    };
  });
  await printRecords(context, { flags, record: ProfileLine, shape: 'list' }, () => lines);
}

/** Prints a profile with everything that overrides it, secrets masked. Throws `profile`. */
export async function showProfile(
  context: Context,
  name: string | undefined,
  flags: OutputFlags & { readonly origin?: boolean | undefined },
): Promise<void> {
  const profile = profileOf(context, { profile: name });
  return flags.origin === true
    ? printRecords(context, { flags, record: PrintedSetting, shape: 'list' }, () => settingRecords(profile))
    : printRecords(context, { flags, record: PrintedProfile, shape: 'single' }, () => [profileRecord(profile)]);
}

/** What `whoami` prints. */
export const WhoAmI = recordWithoutPresence('WhoAmI', 'What the next command would use.', {
  Profile: req(string, 'Name of the profile.'),
  ChosenBy: req(string, 'Source of the choice of the profile.'),
  Url: opt(string, 'Address of the service.'),
  Namespace: opt(string, 'Namespace of the service.'),
  SoapVersion: req(string, 'SOAP version.'),
  DatabaseId: opt(string, 'Database to work on.'),
  UserId: opt(string, 'User to work as.'),
  UserName: opt(string, 'Name of the user.'),
  ApiKeyFrom: req(string, 'Where the ApiKey comes from.'),
});

/** Prints what the next command would use, without calling anything. Throws `profile` when credentials are missing. */
export async function whoAmI(
  context: Context,
  flags: OutputFlags & { readonly profile?: string | undefined; readonly set?: string[] | undefined },
): Promise<void> {
  const profile = profileOf(context, { profile: flags.profile, set: flags.set });
  await noteOverrides(context, flags, profile);
  const { apiKey } = profile.values;
  if (apiKey === undefined) throw lacks(profile, 'apiKey');
  if (profile.values.baseUrl === undefined && isSandbox(profile))
    await noteInTerminal(
      context,
      flags,
      'the service of this profile is built in: each command starts it, unless it already runs',
    );
  await printRecords(context, { flags, record: WhoAmI, shape: 'single' }, () => [
    {
      Profile: profile.name,
      ChosenBy: profile.chosenBy,
      Url: endpointOf(profile) ?? null,
      Namespace: settingText(profile, 'namespace') ?? null,
      SoapVersion: settingText(profile, 'soapVersion') ?? '',
      DatabaseId: settingText(profile, 'databaseId') ?? null,
      UserId: settingText(profile, 'userId') ?? null,
      UserName: settingText(profile, 'userName') ?? null,
      ApiKeyFrom: originText(apiKey.origin),
    },
  ]);
}
