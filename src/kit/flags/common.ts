import { nearest, shellWord } from '../../core/text/text.js';
import { formatNames, formatOfName, textFormatNames, type FormatName } from '../../formats/writers/index.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import type { CsvFlags } from './csv.js';
import {
  namesOption,
  outputFileOption,
  textOption,
  folderOption,
  profileOption,
  settingOption,
  durationOption,
  ownFileOption,
} from './kinds.js';
import { neutralGroup, option, switchFlag, type Values, inGroup, repeated, type OfferedWords } from './define.js';
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
const setWords = (texts: readonly string[] | undefined): readonly string[] =>
  (texts ?? []).map((text) => `--set=${text}`);

const queryFlag = inGroup('OUTPUT', {
  query: textOption({
    summary: 'Print the result of this JMESPath over all records: "[].{Nr: Number, Name: Info}".',
    helpValue: 'EXPR',
  }),
});

const queryFlags = inGroup('OUTPUT', {
  where: textOption({
    summary: `Only records for which this SQL is true: "Name like '%veen%' and not IsInactive".`,
    helpValue: 'CONDITION',
  }),
  sort: namesOption({ offers: 'columns', summary: 'Sort by these columns: SalesPrice:desc,Name.' }),
  ...queryFlag,
  count: switchFlag({ summary: 'Print how many records there are, not the records.' }),
});

/** The format of this name. Throws `usage`; a value that looks like a path points to --output-file. */
export function formatNamed(text: string): FormatName {
  const format = formatOfName(text);
  if (format !== undefined) return format;
  const looksLikePath = /[./\\]/.test(text);
  throw usage(
    '--output',
    `unknown output format '${text}'; the formats are ${formatNames.join(', ')}`,
    looksLikePath
      ? { advice: `To write a file, use --output-file ${shellWord(text)}.` }
      : perhaps(text, nearest(text, formatNames)),
  );
}

const notUsual = formatNames.filter((name) => !textFormatNames.includes(name));

const formatFlags = neutralGroup('OUTPUT', {
  output: option(formatNamed, { offers: formatNames })({
    char: 'o',
    summary: `Format: ${formatNames.slice(0, -1).join(', ')} or ${formatNames.at(-1) ?? ''} (RELCTL_OUTPUT, but for ${notUsual.join(', ')}).`,
    env: 'RELCTL_OUTPUT',
    helpValue: 'FORMAT',
  }),
  json: switchFlag({ summary: 'The same as -o json.' }),
  'output-file': outputFileOption({
    summary: 'Write to this file when complete, not to stdout; the ending can choose the format: x.csv.',
  }),
  force: switchFlag({ summary: 'Replace the output file if it exists.' }),
  columns: namesOption({
    offers: 'column-words',
    summary: 'Columns to show: Id,AuditData.CreatedAt; Nr=Id for another title; * for all; help lists them.',
  }),
  'no-header': switchFlag({ summary: 'Omit the header of tables, CSV, TSV and workbooks.' }),
});

/** Flags of every command that prints records. */
export const outputFlags = { ...formatFlags, ...queryFlags };

const writeOutputFlags = { ...formatFlags, ...queryFlag };

/** Flags of every command whatsoever. */
export const commonFlags = neutralGroup('GLOBAL', {
  quiet: switchFlag({
    char: 'q',
    summary: 'Print errors only, no warnings or notes.',
    env: 'RELCTL_QUIET',
  }),
  'no-input': switchFlag({ summary: 'Never prompt, even in a terminal.', env: 'RELCTL_NO_INPUT' }),
});

/** Values of those flags. */
export type CommonFlags = Values<typeof commonFlags>;

/** Values of the flags of a command that prints records; some have no flags of CSV. */
export type OutputFlags = Values<typeof writeOutputFlags> &
  Partial<Values<typeof queryFlags>> &
  CommonFlags &
  Partial<CsvFlags>;

/** The file that flags name for the output; undefined for stdout. */
export const fileOf = ({ 'output-file': file }: Partial<Pick<OutputFlags, 'output-file'>>): string | undefined =>
  file === '-' ? undefined : file;

/** Flags of every command that calls a service. The profile's settings are the owners of their rules. */
export const connectionFlags = neutralGroup('CONNECTION', {
  profile: profileOption({
    char: 'p',
    summary: 'Profile to use.',
    env: 'RELCTL_PROFILE',
    description: '`sandbox` is built in: it runs the embedded service inside the command.',
    helpValue: 'NAME',
  }),
  timeout: settingOption('timeout')({
    summary: 'Time limit for one call: 30s, 5m.',
    helpValue: 'DURATION',
  }),
  set: setOption({
    ...repeated,
    summary: 'Change a setting of the profile for this run: soapVersion=1.1, retries=0; may be repeated.',
  }),
  envelope: switchFlag({ summary: 'Print the SOAP request, secrets masked, and write nothing.' }),
  trace: outputFileOption({
    summary: 'Log each attempt to a file, or without =FILE to stderr; secrets are masked.',
    env: 'RELCTL_TRACE',
  }),
  record: folderOption({ summary: 'Record each call in this folder; secrets are masked, personal data is not.' }),
});

/** Values of those flags. */
export type ConnectionFlags = Values<typeof connectionFlags>;

const writeFlags = inGroup('WRITING', {
  'dry-run': switchFlag({ char: 'n', summary: 'Show what would change, and write nothing.' }),
  yes: switchFlag({ char: 'y', summary: 'Do not ask for confirmation; in a terminal relctl asks before every write.' }),
  confirm: profileOption({
    summary: 'Name of a protected profile, to write through it without a question.',
    helpValue: 'PROFILE',
  }),
});

/** Values of those flags. */
export type WriteFlags = Values<typeof writeFlags>;

/** Flags of a command that writes. */
export const writeCallFlags = { ...connectionFlags, ...writeOutputFlags, ...writeFlags };

/** The flags of a command that goes on with the same service in the same way. */
export const connectionWords = (flags: Partial<ConnectionFlags>): readonly string[] => [
  ...(flags.profile === undefined ? [] : [`--profile=${flags.profile}`]),
  ...(flags.timeout === undefined ? [] : [`--timeout=${flags.timeout}`]),
  ...setWords(flags.set),
];

/** The flag that says which mirror a command works on. */
export const mirrorFlags = neutralGroup('MIRROR', {
  mirror: ownFileOption({ summary: 'File of the mirror; the default is one for each profile.' }),
});

/** Values of those flags. */
export type MirrorFlags = Values<typeof mirrorFlags>;

/** What can be added to a mirror beside lists of operations. */
export const addedKinds = ['activities', 'datastore', 'marks', 'relations', 'relationships', 'workflow'] as const;

/** The flag of a command that reads the mirror. */
export const maxAgeFlag = neutralGroup('MIRROR', {
  'max-age': durationOption({ summary: 'Sync the mirror first when it is older than this: 1h.' }),
});

/** Flags of a command that waits for another one on the same mirror. */
export const mirrorLockFlags = neutralGroup('MIRROR', {
  'lock-wait': durationOption({ summary: 'Wait this long for another sync of the same mirror: 30s, 10m.' }),
});

/** Flags of each read whose records hold Ids of others. */
export const withNamesFlags = inGroup('MIRROR', {
  'with-names': switchFlag({
    summary: 'Add columns with the names of Ids, from the mirror and the profile: ParentRelationId.Name.',
  }),
  ...maxAgeFlag,
});

/** Values of those flags. */
export type WithNamesFlags = Partial<Values<typeof withNamesFlags>>;
