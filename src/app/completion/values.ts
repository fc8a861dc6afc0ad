import type { Config } from '@oclif/core';
import { SystemDatastoreType } from '../../contract/enumerations.js';
import { operations } from '../../contract/service.js';
import { formatNames, textFormatNames } from '../../output/formats/index.js';

/** What a shell may offer for a value: these words, the profiles that there are, or files. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'profiles' }
  | { readonly kind: 'files' };

/** Flags that take a value, as they are typed: `--output`, `-o`. */
export interface ValueFlags {
  readonly flags: readonly string[];
  readonly offer: Offer;
}

/** The command that lists the profiles, one a line. */
export const profilesCommand = 'relctl profile list -o tsv --columns Name --no-header 2>/dev/null';

const words = (...list: readonly string[]): Offer => ({ kind: 'words', words: list });

const byFlag: Readonly<Record<string, Offer>> = {
  output: words(...formatNames),
  'default-output': words(...textFormatNames),
  profile: { kind: 'profiles' },
  confirm: { kind: 'profiles' },
  soap: words('1.1', '1.2'),
  'line-ending': words('lf', 'crlf'),
  delimiter: words('comma', 'semicolon', 'pipe'),
  'input-format': words('csv', 'tsv', 'json', 'ndjson'),
  mode: words('strict', 'asmx'),
};

const profileCommands = ['use', 'show', 'edit', 'remove', 'test'].map(
  (word) => [`profile ${word}`, { kind: 'profiles' }] as const satisfies readonly [string, Offer],
);

const byCommand: Readonly<Record<string, Offer>> = {
  ...Object.fromEntries(profileCommands),
  autocomplete: words('bash', 'zsh', 'fish'),
  call: words(...Object.keys(operations)),
  operations: words(...Object.keys(operations)),
  'datastore system': words(...SystemDatastoreType.values),
};

/** What the arguments of each command may be that is shown and takes any, by its words. */
export const argumentOffers = ({ commands }: Config): readonly { readonly words: string; readonly offer: Offer }[] =>
  commands
    .filter(({ hidden, args }) => !hidden && Object.keys(args).length > 0)
    .map(({ id }) => id.replaceAll(':', ' '))
    .map((words) => ({ words, offer: byCommand[words] ?? { kind: 'files' } }));

/** Every flag that takes a value wherever it is one, with what may be offered for it. `--trace` may stand alone. */
export function valueFlags(config: Config): readonly ValueFlags[] {
  const all = config.commands.flatMap(({ flags }) => Object.values(flags));
  const switches = new Set(all.filter(({ type }) => type === 'boolean').map(({ name }) => name));
  const found = new Map<string, readonly string[]>();
  for (const { name, char, type } of all) {
    if (type !== 'option' || switches.has(name) || name === 'trace') continue;
    found.set(name, [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]);
  }
  return [...found].map(([name, flags]) => ({ flags, offer: byFlag[name] ?? { kind: 'files' } }));
}
