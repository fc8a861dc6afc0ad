import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { checkedSetting, settingEntries, type Setting, type SettingName } from '../../../profiles/settings.js';
import { secretPlace } from '../../../profiles/secret.js';
import type { Changes } from '../../../profiles/store.js';
import { settingOption, textOption } from '../kinds.js';
import { usage } from '../../../errors/usage.js';

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
  settingEntries.flatMap(([name, setting]): [string, Flag][] =>
    setting.isSecret === true ? secretFlags(setting) : [[setting.flag, plainFlag(name, setting)]],
  ),
);

/** The names of all settings. */
export const settingNames: readonly string[] = settingEntries.map(([name]) => name);

/** Parsed values of those flags. */
export type SettingFlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What is needed to read them. */
export interface SettingSources {
  /** The whole path of one that was named in the working folder. */
  readonly pathOf: (path: string) => string;
  /** All of stdin, where a flag asks for it. */
  readonly stdin: string;
}

/** True when a flag asks for a secret from stdin. */
export const wantsStdin = (flags: SettingFlagValues): boolean =>
  settingEntries.some(([, { flag, isSecret }]) => isSecret === true && flags[`${flag}-stdin`] === true);

/** A secret that is kept in the profile itself: one that looks like a reference is marked as none. */
export const keptSecret = (text: string): string =>
  secretPlace(text) !== 'value' || text.startsWith('plain:') ? `plain:${text}` : text;

/** A reference to a secret, with the whole path of a file. Throws `usage` for what is none, and never shows it. */
export function secretReference(text: string, flag: string, pathOf: SettingSources['pathOf']): string {
  const place = secretPlace(text);
  const [scheme = '', ...rest] = text.split(':');
  const target = rest.join(':');
  if (place === 'value' || target === '') {
    throw usage(flag, `${flag} takes env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT`);
  }
  return place === 'file' ? `${scheme}:${pathOf(target)}` : text;
}

class StdinLines {
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
  }

  next(flag: string): string {
    const line = this.#lines.shift();
    if (line !== undefined && line !== '') return line;
    throw usage(flag, `stdin has no line for ${flag}`);
  }
}

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

/**
 * The settings that the flags set. Secrets from stdin take one line each, in the order of the settings. Throws `usage`
 * that names the flag and never shows a secret.
 */
export function changesOf(flags: SettingFlagValues, sources: SettingSources): Changes {
  const lines = new StdinLines(sources.stdin);
  const { pathOf } = sources;
  return Object.fromEntries(
    settingEntries.flatMap((entry) => {
      const value =
        entry[1].isSecret === true ? secretChange(entry, flags, { lines, pathOf }) : plainChange(entry, flags, pathOf);
      return value === undefined ? [] : [[entry[0], value]];
    }),
  );
}
