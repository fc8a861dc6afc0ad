import * as Flags from '@oclif/core/flags';
import type { Interfaces } from '@oclif/core';
import { enumerations } from '../../contract/enumerations.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import { secretSource } from '../../profiles/secrets/secret.js';
import {
  readAllowedValues,
  checkHeaderName,
  checkHeaderValue,
  headersText,
  readHeaders,
  withHeaders,
  type Header,
} from '../../profiles/settings/forms.js';
import {
  checkedSetting,
  editWords,
  settingEntries,
  settingNamed,
  settings,
  type Setting,
  type SettingName,
  type SettingValue,
} from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';
import { option, repeated } from '../../kit/flags/define.js';
import { settingOption, textOption } from '../../kit/flags/kinds.js';
import { readSet, setOption } from '../../kit/flags/common.js';

/** Parsed values of those flags. */
export type SettingFlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

type PathOf = (path: string) => string;

interface SettingSources {
  readonly pathOf: PathOf;
  readonly stdin: string;
  /** What the profile has already; entries are added to it. */
  readonly known: StoredProfile;
}

/** A secret that is saved in the profile itself: one that looks like a reference is marked as none. */
export const secretText = (text: string): string =>
  secretSource(text) !== 'value' || text.startsWith('plain:') ? `plain:${text}` : text;

/** A reference to a secret, with the whole path of a file. Throws `usage` for what is none, and never shows it. */
export function secretReference(text: string, flag: string, pathOf: PathOf): string {
  const source = secretSource(text);
  const [scheme = '', ...rest] = text.split(':');
  const target = rest.join(':');
  if (source === 'value' || target === '') {
    throw usage(flag, `${flag} takes env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT`);
  }
  return source === 'file' ? `${scheme}:${pathOf(target)}` : text;
}

type Flag = Interfaces.FlagInput[string];

const helpGroup = 'SETTINGS';
const secretGroup = 'SECRETS';

const placeholders: Readonly<Partial<Record<Setting['form'], string>>> = { url: 'URL', guid: 'GUID' };

function ownFlags([name, { flag, doc, form, isSecret, environment }]: readonly [SettingName, Setting]): [
  string,
  Flag,
][] {
  if (flag === undefined) return [];
  if (isSecret !== true)
    return [[flag, settingOption(name)({ summary: doc, helpValue: placeholders[form] ?? 'TEXT', helpGroup })]];
  const what = doc.slice(0, -1);
  const fromStdin = `${what}, from one line of stdin (${environment}).`;
  return [
    [`${flag}-stdin`, Flags.boolean({ summary: fromStdin, helpGroup: secretGroup })],
    [
      `${flag}-from`,
      textOption({
        offers: 'places',
        summary: `${what}, as a reference: env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT.`,
        helpValue: 'REFERENCE',
        helpGroup: secretGroup,
      }),
    ],
  ];
}

/** A secret that flags give, the header where it is one of several, where the value comes from, and the flag that says so. */
interface SecretEntry {
  readonly name: SettingName;
  readonly header?: string;
  /** `-` is a line of stdin. */
  readonly from: string;
  readonly by: string;
}

function refuseOtherFlag(name: SettingName, flag: string): void {
  const setting: Setting = settings[name];
  if (setting.isSecret !== true) throw usage(flag, `${flag} ${name}: that is not a secret`, `--set ${name}=…`);
  if (setting.flag !== undefined)
    throw usage(flag, `${flag} ${name}: --${setting.flag}-from and --${setting.flag}-stdin set it`, editWords(name));
}

/** The secret in `SETTING=REFERENCE`, or in `headers.NAME=REFERENCE`. Throws `usage`, and never shows a value. */
function readSecret(text: string, flag: string): SecretEntry {
  const [, word = '', header, from] = /^([^=.]*)(?:\.([^=]*))?=(.*)$/s.exec(text) ?? [];
  const form = `${flag} needs SETTING=REFERENCE: gatewayToken=env:NAME, file:, cmd:, keyring:, or - for a line of stdin`;
  if (from === undefined) throw usage(flag, form);
  const name = settingNamed(word, flag);
  refuseOtherFlag(name, flag);
  if (name !== 'headers') {
    if (header !== undefined) throw usage(flag, `${flag}: ${name} has no parts`, `${flag} ${name}=…`);
    return { name, from, by: `${flag} ${name}` };
  }
  if (header === undefined) throw usage(flag, `${flag} must be the name of a header`, `${flag} headers.X-Key=env:NAME`);
  checkHeaderName(header, flag);
  return { name, header, from, by: `${flag} headers.${header}` };
}

function checkedSecret(text: string, flag: string): string {
  readSecret(text, flag);
  return text;
}

const secretNames = settingEntries.flatMap(([name, { isSecret, flag }]) =>
  isSecret !== true || flag !== undefined ? [] : [name === 'headers' ? 'headers.' : `${name}=`],
);

/** Flags of `profile add` and `profile edit`: what every service needs by flags of its own, the rest by --set and --secret. */
export const settingFlags: Readonly<Record<string, Flag>> = {
  ...Object.fromEntries(settingEntries.flatMap(ownFlags)),
  set: setOption({
    ...repeated,
    summary: 'Any other setting: retries=5, caFile=FILE, protected=yes; may be repeated.',
    helpGroup,
  }),
  secret: option(checkedSecret, { helpValue: 'SETTING=REFERENCE', offers: secretNames })({
    ...repeated,
    summary: 'Any other secret, by reference: gatewayToken=env:NAME, headers.X-Key=file:PATH, proxy=- for stdin.',
    helpGroup: secretGroup,
  }),
};

/** The names of all settings. */
export const settingNames: readonly string[] = settingEntries.map(([name]) => name);

const textsOf = (flags: SettingFlagValues, name: string): readonly string[] => {
  const value = flags[name];
  return Array.isArray(value) ? value.map(String) : [];
};

/** The secrets that flags give, in the order of the settings: stdin has a line for each in this order. */
function secretsOf(flags: SettingFlagValues): readonly SecretEntry[] {
  const others = textsOf(flags, 'secret').map((text) => readSecret(text, '--secret'));
  return settingEntries.flatMap(([name, { isSecret, flag }]): readonly SecretEntry[] => {
    if (isSecret !== true) return [];
    if (flag === undefined) return others.filter((entry) => entry.name === name);
    const from = flags[`${flag}-from`];
    return [
      ...(typeof from === 'string' ? [{ name, from, by: `--${flag}-from` }] : []),
      ...(flags[`${flag}-stdin`] === true ? [{ name, from: '-', by: `--${flag}-stdin` }] : []),
    ];
  });
}

/** True when a flag asks for a secret from stdin. */
export const wantsStdin = (flags: SettingFlagValues): boolean => secretsOf(flags).some(({ from }) => from === '-');

/** What a profile keeps of a secret. The text of `plain:` in a header is looked at, a reference only when it is used. */
function secretToStore(
  { name, header, from, by }: SecretEntry,
  nextLine: (flag: string) => string,
  pathOf: PathOf,
): string {
  if (from !== '-' && !(header !== undefined && from.startsWith('plain:'))) return secretReference(from, by, pathOf);
  const text = from === '-' ? nextLine(by) : from.slice('plain:'.length);
  if (header === undefined) return secretText(String(checkedSetting(name, text, by)));
  checkHeaderValue({ name: header, value: text }, by);
  return from === '-' ? secretText(text) : from;
}

/** The headers of a profile with others, which take the place of those of the same name. */
function headersWith(added: readonly Header[], known: StoredProfile): string {
  // What is set twice is refused; what replaces a header of the profile is not.
  readHeaders(headersText(added), '--secret headers');
  const { headers: before } = known;
  const old = typeof before === 'string' && before !== '' ? readHeaders(before, 'the setting headers') : [];
  const text = headersText(withHeaders(old, added));
  readHeaders(text, '--secret headers');
  return text;
}

function checkEnumerations(text: string): void {
  const names = Object.keys(enumerations);
  for (const { enumeration } of readAllowedValues(text, '--set allowedValues')) {
    if (inAnyCase(enumeration, names) !== undefined) continue;
    throw usage('--set', `--set allowedValues: there is no enumeration '${enumeration}'`, {
      advice: '`relctl operations NAME` shows the enumerations of an operation.',
      ...perhaps(enumeration, nearest(enumeration, names), 'relctl operations'),
    });
  }
}

function plainTextsOf(flags: SettingFlagValues): readonly { name: SettingName; text: string; by: string }[] {
  const own = settingEntries.flatMap(([name, { flag = '', isSecret }]) => {
    const text = flags[flag];
    return isSecret !== true && typeof text === 'string' ? [{ name, text, by: `--${flag}` }] : [];
  });
  const set = textsOf(flags, 'set').map((text) => readSet(text, '--set'));
  return [...own, ...set.map(({ name, text }) => ({ name, text, by: `--set ${name}` }))];
}

/**
 * The settings that the flags set. Secrets from stdin take one line each, in the order of the settings. Throws `usage`
 * that names the flag and never shows a secret.
 */
export function changesOf(flags: SettingFlagValues, { pathOf, stdin, known }: SettingSources): Changes {
  const lines = stdin.split(/\r?\n/);
  const nextLine = (flag: string): string => {
    const line = lines.shift() ?? '';
    if (line !== '') return line;
    throw usage(flag, `stdin has no line for ${flag}`);
  };
  const changes: Partial<Record<SettingName, SettingValue>> = {};
  const change = (name: SettingName, by: string, valueOf: () => SettingValue): void => {
    if (name in changes) throw usage(by.split(' ', 1)[0], `${name} is set twice`);
    changes[name] = valueOf();
  };
  for (const { name, text, by } of plainTextsOf(flags)) {
    if (name === 'allowedValues') checkEnumerations(text);
    const value = checkedSetting(name, text, by);
    // A profile is used from any folder.
    change(name, by, () => (settings[name].form === 'file' ? pathOf(String(value)) : value));
  }
  const headers: Header[] = [];
  for (const entry of secretsOf(flags)) {
    const { name, header, by } = entry;
    const value = (): string => secretToStore(entry, nextLine, pathOf);
    if (header === undefined) change(name, by, value);
    else headers.push({ name: header, value: value() });
  }
  if (headers.length > 0) changes.headers = headersWith(headers, known);
  // A file of profiles has settings in one order.
  return Object.fromEntries(settingEntries.flatMap(([name]) => (name in changes ? [[name, changes[name]]] : [])));
}

/**
 * The setting `headers` without one of them; null where none is left. Throws `usage` for a header that it does not have.
 * @param text the headers of the profile
 */
export function withoutHeader(text: string, header: string): string | null {
  const headers = text === '' ? [] : readHeaders(text, 'the setting headers');
  const names = headers.map(({ name }) => name);
  const secret = inAnyCase(header, names);
  if (secret === undefined)
    throw usage('--unset', `headers has no '${header}'`, perhaps(header, nearest(header, names)));
  const others = headers.filter(({ name }) => name !== secret);
  return others.length === 0 ? null : headersText(others);
}
