import type { Interfaces } from '@oclif/core';
import { enumerations } from '../../../contract/enumerations.js';
import { usage, perhaps } from '../../../errors/usage.js';
import { inAnyCase, nearest } from '../../../lexical/nearest.js';
import {
  allowedValuesText,
  readAllowedValue,
  readAllowedValues,
  type AllowedValue,
} from '../../../profiles/settings/allowed-values.js';
import {
  checkHeaderName,
  checkHeaderValue,
  headersText,
  readHeaders,
  withHeaders,
  type Header,
} from '../../../profiles/settings/headers.js';
import { secretPlace } from '../../../profiles/secrets/secret.js';
import type { SettingName } from '../../../profiles/settings/settings.js';
import type { StoredProfile } from '../../../profiles/store/store.js';
import { option } from '../define.js';
import {
  keptSecret,
  secretReference,
  type SettingFlagValues,
  type SettingSources,
  type StdinLines,
} from './secret-texts.js';

/** Settings of several entries, of which each flag gives one. */
export type EntrySetting = Extract<SettingName, 'headers' | 'allowedValues'>;

/** True for a setting of several entries. */
export const isEntrySetting = (name: SettingName): name is EntrySetting =>
  name === 'headers' || name === 'allowedValues';

/** A header and where its value is kept: `X-Key=env:GATEWAY_KEY`. Throws `usage`, and never shows a value. */
function pairOf(text: string, flag: string): Header {
  const at = text.indexOf('=');
  if (at < 0) throw usage(flag, `${flag} takes NAME=PLACE, such as X-Key=env:GATEWAY_KEY`);
  const name = text.slice(0, at);
  checkHeaderName(name, flag);
  return { name, value: text.slice(at + 1) };
}

/** A header as a profile keeps it; the text of `plain:` is looked at, a reference only when it is used. */
function keptHeader({ name, value }: Header, flag: string, pathOf: SettingSources['pathOf']): Header {
  const plain = /^plain:(.*)$/s.exec(value)?.[1];
  if (plain === undefined) {
    if (secretPlace(value) !== 'value') return { name, value: secretReference(value, flag, pathOf) };
    throw usage(
      flag,
      `${flag} takes a name and where its value is kept: ${name}=env:NAME, file:, cmd:, keyring: or plain:TEXT`,
    );
  }
  checkHeaderValue({ name, value: plain }, flag);
  return { name, value };
}

/** An enumeration of the contract, and a value of it. Throws `usage`. */
function checkedAllowedValue(text: string, path: string): AllowedValue {
  const { enumeration, value } = readAllowedValue(text, path);
  const names = Object.keys(enumerations);
  const name = inAnyCase(enumeration, names);
  if (name !== undefined) return { enumeration: name, value };
  throw usage(path, `${path}: there is no enumeration '${enumeration}'`, {
    advice: 'The description of an operation shows the enumerations that it uses.',
    hint: 'relctl operations',
    ...perhaps(enumeration, nearest(enumeration, names)),
  });
}

const settingGroup = 'SETTINGS';
const secretGroup = 'SECRETS';

const asChecked =
  (check: (text: string, flag: string) => unknown) =>
  (text: string, flag: string): string => {
    check(text, flag);
    return text;
  };

const severalTimes = { multiple: true, multipleNonGreedy: true } as const;

/** The flags of those settings. */
export const entryFlags: Readonly<Record<EntrySetting, Interfaces.FlagInput>> = {
  headers: {
    header: option(asChecked(pairOf), { helpValue: 'NAME=PLACE' })({
      ...severalTimes,
      summary: 'Header for the gateway, and where its value is kept (or plain:TEXT); may be repeated.',
      helpGroup: secretGroup,
    }),
    'header-stdin': option(asChecked(checkHeaderName), { helpValue: 'NAME' })({
      ...severalTimes,
      summary: 'Such a header: read its value from stdin, one line (RELCTL_HEADERS); may be repeated.',
      helpGroup: secretGroup,
    }),
  },
  allowedValues: {
    'allow-value': option(asChecked(checkedAllowedValue), {
      helpValue: 'NAME=VALUE',
      offers: Object.keys(enumerations).map((name) => `${name}=`),
    })({
      ...severalTimes,
      summary: 'Value of an enumeration that this service has besides the usual ones; may be repeated.',
      helpGroup: settingGroup,
    }),
  },
};

const textsOf = (flags: SettingFlagValues, name: string): readonly string[] => {
  const given = flags[name];
  return Array.isArray(given) ? given.map(String) : [];
};

/** True when a header is to be read from stdin. */
export const wantsStdinFor = (flags: SettingFlagValues): boolean => textsOf(flags, 'header-stdin').length > 0;

const keptText = (known: StoredProfile, name: EntrySetting): string | undefined => {
  const text = known[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
};

function headersChange(
  flags: SettingFlagValues,
  { known, pathOf, lines }: SettingSources & { readonly lines: StdinLines },
): string | undefined {
  const named = textsOf(flags, 'header').map((text) => keptHeader(pairOf(text, '--header'), '--header', pathOf));
  const fromStdin = textsOf(flags, 'header-stdin').map((name): Header => {
    const value = lines.next('--header-stdin');
    checkHeaderValue({ name, value }, '--header-stdin');
    return { name, value: keptSecret(value) };
  });
  const added = [...named, ...fromStdin];
  if (added.length === 0) return undefined;
  // What is given twice is refused; what replaces a kept header is not.
  readHeaders(headersText(added), '--header');
  const before = keptText(known, 'headers');
  const text = headersText(withHeaders(before === undefined ? [] : readHeaders(before, 'the setting headers'), added));
  readHeaders(text, '--header');
  return text;
}

function allowedChange(flags: SettingFlagValues, { known }: SettingSources): string | undefined {
  const added = textsOf(flags, 'allow-value').map((text) => checkedAllowedValue(text, '--allow-value'));
  if (added.length === 0) return undefined;
  const before = keptText(known, 'allowedValues');
  const text = allowedValuesText([
    ...(before === undefined ? [] : readAllowedValues(before, 'the setting allowedValues')),
    ...added,
  ]);
  readAllowedValues(text, '--allow-value');
  return text;
}

/** What the flags make of a setting of several entries: what the profile has, and what is added. Throws `usage`. */
export const entryChange = (
  name: EntrySetting,
  flags: SettingFlagValues,
  sources: SettingSources & { readonly lines: StdinLines },
): string | undefined => (name === 'headers' ? headersChange(flags, sources) : allowedChange(flags, sources));

/**
 * What a setting of several entries is without one of them; null for none left. Throws `usage` for an entry that it does
 * not have.
 */
export function withoutEntry(name: EntrySetting, known: StoredProfile, entry: string): string | null {
  const text = keptText(known, name) ?? '';
  const [between, end] = name === 'headers' ? ['\n', /:.*$/s] : [',', /(?!)/];
  const entries = text === '' ? [] : text.split(between).map((each) => each.trim());
  const nameOf = (each: string): string => each.replace(end, '');
  const found = inAnyCase(entry, entries.map(nameOf));
  if (found === undefined)
    throw usage('--unset', `${name} has no '${entry}'`, perhaps(entry, nearest(entry, entries.map(nameOf))));
  const left = entries.filter((each) => nameOf(each) !== found);
  return left.length === 0 ? null : left.join(between);
}
