import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { checkedSetting, settingEntries, type Setting, type SettingName } from '../../../profiles/settings/settings.js';
import type { Changes } from '../../../profiles/store/store.js';
import { settingOption, textOption } from '../kinds.js';
import { usage } from '../../../errors/usage.js';
import { entryChange, entryFlags, isEntrySetting, wantsStdinFor } from './entry-settings.js';
import {
  keptSecret,
  secretReference,
  StdinLines,
  type SettingFlagValues,
  type SettingSources,
} from './secret-texts.js';

type Flag = Interfaces.FlagInput[string];

const helpGroup = 'SETTINGS';
const secretGroup = 'SECRETS';

const placeholders: Readonly<Record<Setting['form'], string>> = {
  text: 'TEXT',
  url: 'URL',
  guid: 'GUID',
  whole: 'N',
  duration: 'DURATION',
  choice: 'FORMAT',
  'yes-no': '',
  file: 'FILE',
  zone: 'ZONE',
  country: 'COUNTRY',
  postgres: 'ADDRESS',
  'settle-by': 'WRITE=READ(PARAMETER).LIST',
  schema: 'NAME',
  path: 'PATH',
  login: 'NAME',
  token: 'TOKEN',
  headers: 'NAME=PLACE',
  'allowed-values': 'NAME=VALUE',
};

/** A few choices are named; of formats there are many. */
const placeholderOf = ({ form, choices }: Setting): string =>
  choices !== undefined && choices.length < 4 ? choices.join('|') : placeholders[form];

function plainFlag(name: SettingName, setting: Setting): Flag {
  const { doc, form, choices, environment: env } = setting;
  const summary = `${doc.slice(0, -1)}${choices === undefined ? '' : `: ${choices.join(', ')}`}.`;
  if (form === 'yes-no')
    return Flags.boolean({ summary, env, allowNo: true, hidden: setting.flag === 'insecure', helpGroup });
  return settingOption(name)({ summary, helpValue: placeholderOf(setting), helpGroup });
}

function secretFlags({ flag, doc, environment }: Setting): [name: string, flag: Flag][] {
  const what = doc.slice(0, -1);
  return [
    [
      `${flag}-stdin`,
      Flags.boolean({ summary: `${what}: read it from stdin, one line (${environment}).`, helpGroup: secretGroup }),
    ],
    [
      `${flag}-from`,
      textOption({
        offers: 'places',
        summary: `${what}: where it is kept: env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT.`,
        helpValue: 'PLACE',
        helpGroup: secretGroup,
      }),
    ],
  ];
}

/** A flag for every setting of a profile; two for a secret, so that it never stands in a command. */
export const settingFlags: Readonly<Record<string, Flag>> = Object.fromEntries(
  settingEntries.flatMap(([name, setting]): [string, Flag][] => {
    if (isEntrySetting(name)) return Object.entries(entryFlags[name]);
    return setting.isSecret === true ? secretFlags(setting) : [[setting.flag, plainFlag(name, setting)]];
  }),
);

/** The names of all settings. */
export const settingNames: readonly string[] = settingEntries.map(([name]) => name);

/** True when a flag asks for a secret from stdin. */
export const wantsStdin = (flags: SettingFlagValues): boolean =>
  wantsStdinFor(flags) ||
  settingEntries.some(([, { flag, isSecret }]) => isSecret === true && flags[`${flag}-stdin`] === true);

function secretChange(
  [name, setting]: readonly [SettingName, Setting],
  flags: SettingFlagValues,
  { lines, pathOf }: { lines: StdinLines; pathOf: SettingSources['pathOf'] },
): string | undefined {
  const from = flags[`${setting.flag}-from`];
  const isFromStdin = flags[`${setting.flag}-stdin`] === true;
  if (isFromStdin && from !== undefined) {
    throw usage(`--${setting.flag}-from`, `--${setting.flag}-stdin and --${setting.flag}-from exclude each other`);
  }
  if (typeof from === 'string') return secretReference(from, `--${setting.flag}-from`, pathOf);
  if (!isFromStdin) return undefined;
  const text = lines.next(`--${setting.flag}-stdin`);
  return keptSecret(String(checkedSetting(name, text, `--${setting.flag}-stdin`)));
}

function plainChange(
  [name, setting]: readonly [SettingName, Setting],
  flags: SettingFlagValues,
  pathOf: SettingSources['pathOf'],
): Changes[SettingName] {
  const given = flags[setting.flag];
  if (typeof given !== 'string' && typeof given !== 'boolean') return undefined;
  const value = checkedSetting(name, String(given), `--${setting.flag}`);
  // A profile is used from any folder.
  return setting.form === 'file' ? pathOf(String(value)) : value;
}

function changeOf(
  entry: readonly [SettingName, Setting],
  flags: SettingFlagValues,
  sources: SettingSources & { readonly lines: StdinLines },
): Changes[SettingName] {
  const [name, { isSecret }] = entry;
  if (isEntrySetting(name)) return entryChange(name, flags, sources);
  return isSecret === true ? secretChange(entry, flags, sources) : plainChange(entry, flags, sources.pathOf);
}

/**
 * The settings that the flags set. Secrets from stdin take one line each, in the order of the settings. Throws `usage`
 * that names the flag and never shows a secret.
 */
export function changesOf(flags: SettingFlagValues, sources: SettingSources): Changes {
  const lines = new StdinLines(sources.stdin);
  return Object.fromEntries(
    settingEntries.flatMap((entry) => {
      const value = changeOf(entry, flags, { ...sources, lines });
      return value === undefined ? [] : [[entry[0], value]];
    }),
  );
}
