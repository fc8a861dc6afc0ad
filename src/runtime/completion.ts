import type { Config } from '@oclif/core';
import { offerOfArguments, profilesCommand, valueFlags, type Offer } from './completion-values.js';

/** Shells that scripts are made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** Words that may follow some words. */
interface Choice {
  /** The words so far, with blanks between them. */
  readonly words: string;
  readonly next: readonly string[];
}

function choices(config: Config): readonly Choice[] {
  const commands = config.commands.filter(({ hidden }) => !hidden);
  const next = new Map<string, Set<string>>();
  for (const { id } of commands) {
    const words = id.split(':');
    words.forEach((word, at) => {
      const before = words.slice(0, at).join(' ');
      next.set(before, (next.get(before) ?? new Set()).add(word));
    });
  }
  const flags = commands.map(({ id, flags: known }) => ({
    words: id.replaceAll(':', ' '),
    next: Object.values(known)
      .filter(({ hidden }) => hidden !== true)
      .map(({ name }) => `--${name}`),
  }));
  return [...[...next].map(([words, set]) => ({ words, next: [...set].sort() })), ...flags];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What makes the words of an offer in bash; nothing leaves it to the shell to offer files. */
function bashWords(offer: Offer): string {
  switch (offer.kind) {
    case 'words':
      return `options=${quoted(offer.words.join(' '))}`;
    case 'profiles':
      return `options=$(${profilesCommand})`;
    case 'files':
      return `options=''`;
  }
}

function bashValues(config: Config): string {
  const known = valueFlags(config);
  const files = known.filter(({ offer }) => offer.kind === 'files').flatMap(({ flags }) => flags);
  const others = known.filter(({ offer }) => offer.kind !== 'files');
  const cases = others.map(({ flags, offer }) => `    ${flags.join('|')}) ${bashWords(offer)} ;;`);
  return [...cases, `    ${files.join('|')}) options='' ;;`].join('\n');
}

function bashArguments(config: Config): string {
  return config.commands
    .filter(({ hidden }) => !hidden)
    .flatMap((command) => {
      const offer = offerOfArguments(command);
      return offer === undefined ? [] : [`    ${quoted(command.id.replaceAll(':', ' '))}) ${bashWords(offer)} ;;`];
    })
    .join('\n');
}

function bash(config: Config): string {
  const cases = choices(config)
    .map(({ words, next }) => `    ${words === '' ? "''" : quoted(words)}) options=${quoted(next.join(' '))} ;;`)
    .join('\n');
  return `# Completes relctl in bash. Made by: relctl autocomplete bash
_relctl() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' options='' try i
  # bash splits --output=csv into three words.
  if [[ $current == = ]]; then current=''; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $previous == -* ]] && _relctl_value "$previous"; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in -*) ;; *) words+="\${words:+ }\${COMP_WORDS[i]}" ;; esac
  done
  # Arguments stand behind the words of the command: drop them until the words are known.
  try=$words
  while :; do
    _relctl_options "$try" && break
    [[ $try == *' '* ]] || break
    try=\${try% *}
  done
  [[ $current == -* ]] || _relctl_arguments "$try"
  COMPREPLY=($(compgen -W "$options" -- "$current"))
}
_relctl_value() {
  case $1 in
${bashValues(config)}
    *) return 1 ;;
  esac
}
_relctl_arguments() {
  case $1 in
${bashArguments(config)}
  esac
}
_relctl_options() {
  case $1 in
${cases}
    *) return 1 ;;
  esac
}
complete -o default -F _relctl relctl
`;
}

function fishWords(offer: Offer): string {
  switch (offer.kind) {
    case 'words':
      return `-x -a ${quoted(offer.words.join(' '))}`;
    case 'profiles':
      return `-x -a ${quoted(`(${profilesCommand})`)}`;
    case 'files':
      return '-r';
  }
}

/** How fish is told of each flag that takes a value, by the flag as it is typed. */
function fishValues(config: Config): ReadonlyMap<string, string> {
  return new Map(
    valueFlags(config).map(({ flags: [long = '', short], offer }) => [
      long,
      `${short === undefined ? '' : ` -s ${short.slice(1)}`} ${fishWords(offer)}`,
    ]),
  );
}

function fish(config: Config): string {
  const values = fishValues(config);
  const lines = choices(config).map(({ words, next }) => {
    const count = words === '' ? 0 : words.split(' ').length;
    const test = words === '' ? '__fish_use_subcommand' : `__relctl_at ${words}`;
    const flags = next
      .filter((word) => word.startsWith('--'))
      .map((word) => `complete -c relctl -n ${quoted(test)} -l ${word.slice(2)}${values.get(word) ?? ''}`);
    const plain = next.filter((word) => !word.startsWith('--')).join(' ');
    const exact = words === '' ? test : `${test}; and test (count (__relctl_words)) -eq ${count}`;
    return [...(plain === '' ? [] : [`complete -c relctl -f -n ${quoted(exact)} -a ${quoted(plain)}`]), ...flags].join(
      '\n',
    );
  });
  return `# Completes relctl in fish. Made by: relctl autocomplete fish
function __relctl_words
  string match -v -- '-*' (commandline -opc)[2..-1]
end
function __relctl_at
  set -l words (__relctl_words)
  test (count $words) -ge (count $argv); and test "$words[1..(count $argv)]" = "$argv"
end
${lines.join('\n')}
`;
}

/** The script that completes commands and flags in a shell, made from the commands that there are. */
export function completionScript(config: Config, shell: (typeof shells)[number]): string {
  switch (shell) {
    case 'bash':
      return bash(config);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(config)}`;
    case 'fish':
      return fish(config);
  }
}
