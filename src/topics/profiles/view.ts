import type { RecordValue } from '../../plain/value.js';
import {
  type Fields,
  inRole,
  opt,
  type RecordType,
  recordWithoutPresence,
  req,
  type Type,
} from '../../contract/build.js';
import { boolean, int, string } from '../../contract/scalars.js';
import type { Origin, Resolved, ResolvedProfile } from '../../profiles/resolve.js';
import { readHeaders } from '../../profiles/settings/headers.js';
import { secretPlace } from '../../profiles/secrets/secret.js';
import {
  settingEntries,
  settings,
  type Setting,
  type SettingName,
  type SettingValue,
} from '../../profiles/settings/settings.js';
import { maskText } from '../../secrets/mask.js';

const formTypes: Readonly<Partial<Record<Setting['form'], Type>>> = { whole: int, duration: int, 'yes-no': boolean };

const settingFields: Fields = Object.fromEntries(
  settingEntries.map(([name, { form, doc }]) => {
    const field = opt(formTypes[form] ?? string, doc);
    return [name, form === 'duration' ? inRole('seconds', field) : field];
  }),
);

/** A profile with its settings, as `profile show` prints it. */
export const ShownProfile: RecordType = recordWithoutPresence('Profile', 'A profile.', {
  name: req(string, 'Name of the profile.'),
  ...settingFields,
});

/** A setting and where it comes from, as `profile show --origin` prints it. */
export const ShownSetting = recordWithoutPresence('ProfileSetting', 'A setting of a profile.', {
  Setting: inRole('key', req(string, 'Name of the setting.')),
  Value: inRole('words', req(string, 'Its value; a secret is masked.')),
  Origin: inRole('words', req(string, 'Where the value comes from.')),
});

/** A line of `profile list`. */
export const ProfileLine = recordWithoutPresence('ProfileLine', 'A profile in a list of profiles.', {
  Name: inRole('key', req(string, 'Name of the profile.')),
  InUse: req(boolean, 'Used when no other is named.'),
  BaseUrl: inRole('words', opt(string, 'Base address of the service.')),
  UserName: opt(string, 'Name of the user.'),
  SoapVersion: opt(string, 'SOAP version.'),
  Protected: req(boolean, 'Asks before anything is written.'),
});

/** A value as it may be shown: a secret never, only the place where it is kept. */
function shownValue(name: SettingName, { value, origin }: Resolved): SettingValue {
  const setting: Setting = settings[name];
  if (setting.isSecret !== true) return value;
  const shown = (text: string): string =>
    origin.kind === 'environment' || secretPlace(text) === 'value' ? maskText : text;
  if (setting.form !== 'headers') return shown(String(value));
  const headers = readHeaders(String(value), name);
  return headers.map((header) => `${header.name}: ${shown(header.value)}`).join(', ');
}

/** Where a value comes from, in words. */
export function originText(origin: Origin): string {
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

/** A profile as one record. */
export const profileRecord = (profile: ResolvedProfile): RecordValue => ({
  name: profile.name,
  ...Object.fromEntries(resolvedEntries(profile).map(([name, resolved]) => [name, shownValue(name, resolved)])),
});

/** A profile as one record a setting. */
export const settingRecords = (profile: ResolvedProfile): readonly RecordValue[] =>
  resolvedEntries(profile).map(([name, resolved]) => ({
    Setting: name,
    Value: String(shownValue(name, resolved)),
    Origin: originText(resolved.origin),
  }));
