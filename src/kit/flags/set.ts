import { usage } from '../../core/errors/relctl-error.js';
import {
  checkedSetting,
  editWords,
  settingEntries,
  settingNamed,
  settings,
  type Setting,
  type SettingName,
} from '../../profiles/settings/settings.js';
import type { Overrides } from '../../profiles/resolve.js';
import { option, type OfferedWords } from './define.js';

function refuseSecret(name: SettingName, flag: string): void {
  const { isSecret, environment }: Setting = settings[name];
  if (isSecret !== true) return;
  throw usage(flag, `${flag} ${name}: a command line must not contain a secret`, {
    advice: `Put it into the variable ${environment}, or save it in the profile with ${editWords(name)}.`,
    hint: `relctl profile edit NAME ${editWords(name)}`,
  });
}

/** The setting and the value in `SETTING=VALUE`. Throws `usage` for a secret, an unknown setting and a wrong value. */
export function readSet(text: string, flag: string): { readonly name: SettingName; readonly text: string } {
  const [, word = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const name = settingNamed(word, flag);
  refuseSecret(name, flag);
  if (value === undefined || value === '')
    throw usage(flag, `${flag} needs SETTING=VALUE, and ${name} has no value`, `${flag} ${name}=…`);
  checkedSetting(name, value, `${flag} ${name}`);
  return { name, text: value };
}

function checkedSet(text: string, flag: string): string {
  readSet(text, flag);
  return text;
}

const valuesOf = ({ form, choices }: Setting): readonly string[] => {
  if (form === 'yes-no') return ['yes', 'no'];
  if (form === 'zone') return Intl.supportedValuesOf('timeZone');
  return choices ?? [];
};

function offerSettings(typed: string): OfferedWords {
  const [matched, word = ''] = /^([^=]*)=/.exec(typed) ?? [];
  const open = settingEntries.filter(([, { isSecret }]) => isSecret !== true);
  if (matched === undefined) return { kept: '', words: open.map(([name]) => `${name}=`) };
  const setting = open.find(([name]) => name.toLowerCase() === word.toLowerCase())?.[1];
  return { kept: matched, words: setting === undefined ? [] : valuesOf(setting) };
}

/** The option that changes settings; its value is the text `SETTING=VALUE`, which `readSet` reads. */
export const setOption = option(checkedSet, { helpValue: 'SETTING=VALUE', form: 'settings', offers: offerSettings });

/** Flags that give settings values. */
export interface OverridingFlags {
  readonly timeout?: string | undefined;
  readonly 'page-size'?: string | undefined;
  readonly set?: readonly string[] | undefined;
}

const ownFlags = { timeout: 'timeout', pageSize: 'page-size' } as const;

/**
 * The settings that the flags of a command override for one run. Throws `usage` for a setting that is set twice, and for
 * allowed values: command lines are read by those of the profile.
 */
export function overridesOf(flags: OverridingFlags): Overrides {
  const entries = Object.entries(ownFlags).flatMap(([name, flag]) => {
    const text = flags[flag];
    return text === undefined ? [] : [{ name, text, by: `--${flag}` }];
  });
  for (const assignment of flags.set ?? []) {
    const { name, text } = readSet(assignment, '--set');
    if (name === 'allowedValues') {
      const hint = `relctl profile edit NAME --set ${assignment}`;
      throw usage('--set', 'allowedValues cannot be changed for one run, only in the profile', hint);
    }
    const other = entries.find((entry) => entry.name === name);
    if (other !== undefined) throw usage('--set', `${name} is set twice: by ${other.by} and by --set ${name}`);
    entries.push({ name, text, by: `--set ${name}` });
  }
  return Object.fromEntries(entries.map(({ name, text, by }) => [name, { text, by }]));
}

/** `SETTING=VALUE` with the whole path of a file; any other text stays as it is. */
export function settingWithPath(text: string, pathOf: (path: string) => string): string {
  const [, word = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const setting = settingEntries.find(([name]) => name.toLowerCase() === word.toLowerCase())?.[1];
  return setting?.form === 'file' ? `${word}=${pathOf(value)}` : text;
}

/** The setting without a secret whose name a flag has: `retries` of --retries, `caFile` of --ca-file. */
export function settingOfFlag(flag: string): SettingName | undefined {
  const letters = flag.replaceAll('-', '').toLowerCase();
  return settingEntries.find(([name, { isSecret }]) => isSecret !== true && name.toLowerCase() === letters)?.[0];
}

/** The same --set for another command. */
export const setWords = (texts: readonly string[] | undefined): readonly string[] =>
  (texts ?? []).map((text) => `--set=${text}`);
