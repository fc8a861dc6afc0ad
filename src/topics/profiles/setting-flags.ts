import * as Flags from '@oclif/core/flags';
import type { Interfaces } from '@oclif/core';
import { enumerations } from '../../contract/enumerations.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { inAnyCase, nearest } from '../../core/text/nearest.js';
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
} from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';
import { option, repeated } from '../../kit/flags/define.js';
import { settingOption, textOption } from '../../kit/flags/kinds.js';
import { readSet, setOption } from '../../kit/flags/set.js';

/** Parsed values of those flags. */
export type SettingFlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

interface SettingSources {
  /** The whole path of one that was named in the working folder. */
  readonly pathOf: (path: string) => string;
  /** All of stdin, where a flag asks for it. */
  readonly stdin: string;
  /** What the profile has already; entries are added to it. */
  readonly known: StoredProfile;
}

/** A secret that is kept in the profile itself: one that looks like a reference is marked as none. */
export const secretText = (text: string): string =>
  secretSource(text) !== 'value' || text.startsWith('plain:') ? `plain:${text}` : text;

/** A reference to a secret, with the whole path of a file. Throws `usage` for what is none, and never shows it. */
export function secretReference(text: string, flag: string, pathOf: SettingSources['pathOf']): string {
  const source = secretSource(text);
  const [scheme = '', ...rest] = text.split(':');
  const target = rest.join(':');
  if (source === 'value' || target === '') {
    throw usage(flag, `${flag} takes env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT`);
  }
  return source === 'file' ? `${scheme}:${pathOf(target)}` : text;
}

class StdinLines {
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
  }

  /** The next line. Throws `usage` that names the flag when there is none. */
  next(flag: string): string {
    const line = this.#lines.shift();
    if (line !== undefined && line !== '') return line;
    throw usage(flag, `stdin has no line for ${flag}`);
  }
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
  const fromStdin = `${what}: read it from stdin, one line (${environment}).`;
  return [
    [`${flag}-stdin`, Flags.boolean({ summary: fromStdin, helpGroup: secretGroup })],
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

/** A secret that `--secret` gives, the header where it is one of several, and where the value comes from. */
interface SecretEntry {
  readonly name: SettingName;
  readonly header?: string;
  readonly from: string;
}

function refuseOtherFlag(name: SettingName, flag: string): void {
  const setting: Setting = settings[name];
  if (setting.isSecret !== true) throw usage(flag, `${flag} ${name}: that is no secret`, `--set ${name}=…`);
  if (setting.flag !== undefined)
    throw usage(flag, `${flag} ${name}: --${setting.flag}-from and --${setting.flag}-stdin give it`, editWords(name));
}

/** The secret in `SETTING=PLACE`, or in `headers.NAME=PLACE`. Throws `usage`, and never shows a value. */
function readSecret(text: string, flag: string): SecretEntry {
  const [, word = '', header, from] = /^([^=.]*)(?:\.([^=]*))?=(.*)$/s.exec(text) ?? [];
  const form = `${flag} takes SETTING=PLACE: gatewayToken=env:NAME, file:, cmd:, keyring:, or - for a line of stdin`;
  if (from === undefined) throw usage(flag, form);
  const name = settingNamed(word, flag);
  refuseOtherFlag(name, flag);
  if (name !== 'headers') {
    if (header !== undefined) throw usage(flag, `${flag}: ${name} has no parts`, `${flag} ${name}=…`);
    return { name, from };
  }
  if (header === undefined) throw usage(flag, `${flag} takes the name of a header`, `${flag} headers.X-Key=env:NAME`);
  checkHeaderName(header, flag);
  return { name, header, from };
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
  secret: option(checkedSecret, { helpValue: 'SETTING=PLACE', offers: secretNames })({
    ...repeated,
    summary:
      'Any other secret, by where it is kept: gatewayToken=env:NAME, headers.X-Key=file:PATH, proxy=- for stdin.',
    helpGroup: secretGroup,
  }),
};

/** The names of all settings. */
export const settingNames: readonly string[] = settingEntries.map(([name]) => name);

const textsOf = (flags: SettingFlagValues, name: string): readonly string[] => {
  const given = flags[name];
  return Array.isArray(given) ? given.map(String) : [];
};

const secretsOf = (flags: SettingFlagValues): readonly SecretEntry[] =>
  textsOf(flags, 'secret').map((text) => readSecret(text, '--secret'));

/** True when a flag asks for a secret from stdin. */
export const wantsStdin = (flags: SettingFlagValues): boolean =>
  secretsOf(flags).some(({ from }) => from === '-') ||
  settingEntries.some(([, { flag, isSecret }]) => isSecret === true && flags[`${flag ?? ''}-stdin`] === true);

type Sources = SettingSources & { readonly flags: SettingFlagValues; readonly lines: StdinLines };

function secretOfFlags(name: SettingName, flag: string, { flags, ...sources }: Sources): string | undefined {
  const from = flags[`${flag}-from`];
  const isFromStdin = flags[`${flag}-stdin`] === true;
  if (isFromStdin && from !== undefined)
    throw usage(`--${flag}-from`, `--${flag}-stdin and --${flag}-from exclude each other`);
  if (typeof from === 'string') return secretReference(from, `--${flag}-from`, sources.pathOf);
  if (!isFromStdin) return undefined;
  return secretText(String(checkedSetting(name, sources.lines.next(`--${flag}-stdin`), `--${flag}-stdin`)));
}

/** The value of a header as a profile keeps it; the text of `plain:` is looked at, a reference only when it is used. */
function headerValue(header: string, from: string, sources: Sources): string {
  const path = `--secret headers.${header}`;
  if (from !== '-' && !from.startsWith('plain:')) {
    if (secretSource(from) !== 'value') return secretReference(from, path, sources.pathOf);
    throw usage(path, `${path} takes env:NAME, file:PATH, cmd:COMMAND, keyring:ACCOUNT, plain:TEXT, or - for stdin`);
  }
  const value = from === '-' ? sources.lines.next(path) : from.slice('plain:'.length);
  checkHeaderValue({ name: header, value }, path);
  return from === '-' ? secretText(value) : from;
}

function headersChange(entries: readonly SecretEntry[], sources: Sources): string {
  const added = entries.map(({ header = '', from }): Header => ({
    name: header,
    value: headerValue(header, from, sources),
  }));
  // What is given twice is refused; what replaces a header of the profile is not.
  readHeaders(headersText(added), '--secret headers');
  const { headers: before } = sources.known;
  const known = typeof before === 'string' && before !== '' ? readHeaders(before, 'the setting headers') : [];
  const text = headersText(withHeaders(known, added));
  readHeaders(text, '--secret headers');
  return text;
}

/** The secret of `--secret`, which several entries make where it is that of headers. */
function secretOfEntries(name: SettingName, entries: readonly SecretEntry[], sources: Sources): string | undefined {
  const [entry, second] = entries;
  if (entry === undefined) return undefined;
  if (name === 'headers') return headersChange(entries, sources);
  const path = `--secret ${name}`;
  if (second !== undefined) throw usage('--secret', `${name} is given twice`);
  if (entry.from !== '-') return secretReference(entry.from, path, sources.pathOf);
  return secretText(String(checkedSetting(name, sources.lines.next(path), path)));
}

/** Throws `usage` for a value of an enumeration that the contract does not know. */
function checkEnumerations(text: string): void {
  const names = Object.keys(enumerations);
  for (const { enumeration } of readAllowedValues(text, '--set allowedValues')) {
    if (inAnyCase(enumeration, names) !== undefined) continue;
    throw usage('--set', `--set allowedValues: there is no enumeration '${enumeration}'`, {
      advice: 'The description of an operation shows the enumerations that it uses.',
      ...perhaps(enumeration, nearest(enumeration, names), 'relctl operations'),
    });
  }
}

/** The text that a flag or --set gives a setting, and the words that did; undefined where none does. Throws `usage` for both. */
function textFor(name: SettingName, { flags }: Sources): { readonly text: string; readonly by: string } | undefined {
  const { flag }: Setting = settings[name];
  const own = flag === undefined ? undefined : flags[flag];
  const texts = textsOf(flags, 'set')
    .map((text) => readSet(text, '--set'))
    .filter((entry) => entry.name === name)
    .map(({ text }) => ({ text, by: `--set ${name}` }));
  const all = typeof own === 'string' ? [{ text: own, by: `--${flag ?? ''}` }, ...texts] : texts;
  if (all.length > 1) throw usage('--set', `${name} is given twice`);
  return all[0];
}

function plainChange(name: SettingName, sources: Sources): Changes[SettingName] {
  const found = textFor(name, sources);
  if (found === undefined) return undefined;
  const { text, by } = found;
  if (name === 'allowedValues') checkEnumerations(text);
  const value = checkedSetting(name, text, by);
  // A profile is used from any folder.
  return settings[name].form === 'file' ? sources.pathOf(String(value)) : value;
}

function changeOf([name, { isSecret, flag }]: readonly [SettingName, Setting], sources: Sources): Changes[SettingName] {
  if (isSecret !== true) return plainChange(name, sources);
  if (flag !== undefined) return secretOfFlags(name, flag, sources);
  const entries = secretsOf(sources.flags).filter((each) => each.name === name);
  return secretOfEntries(name, entries, sources);
}

/**
 * The settings that the flags set. Secrets from stdin take one line each, in the order of the settings. Throws `usage`
 * that names the flag and never shows a secret.
 */
export function changesOf(flags: SettingFlagValues, sources: SettingSources): Changes {
  const lines = new StdinLines(sources.stdin);
  return Object.fromEntries(
    settingEntries.flatMap((entry) => {
      const value = changeOf(entry, { ...sources, flags, lines });
      return value === undefined ? [] : [[entry[0], value]];
    }),
  );
}

/**
 * The setting `headers` without one of them; null where none is left. Throws `usage` for a header that it does not have.
 * @param text the headers of the profile
 */
export function withoutHeader(text: string, header: string): string | null {
  const headers = text === '' ? [] : readHeaders(text, 'the setting headers');
  const names = headers.map(({ name }) => name);
  const found = inAnyCase(header, names);
  if (found === undefined)
    throw usage('--unset', `headers has no '${header}'`, perhaps(header, nearest(header, names)));
  const left = headers.filter(({ name }) => name !== found);
  return left.length === 0 ? null : headersText(left);
}
