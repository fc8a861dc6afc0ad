import type { Config } from '@oclif/core';

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

function bash(config: Config): string {
  const cases = choices(config)
    .map(({ words, next }) => `    ${words === '' ? "''" : quoted(words)}) options=${quoted(next.join(' '))} ;;`)
    .join('\n');
  return `# Completes relctl in bash. Made by: relctl autocomplete bash
_relctl() {
  local current=\${COMP_WORDS[COMP_CWORD]} words='' options='' try i
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
  COMPREPLY=($(compgen -W "$options" -- "$current"))
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

function fish(config: Config): string {
  const lines = choices(config).map(({ words, next }) => {
    const count = words === '' ? 0 : words.split(' ').length;
    const test = words === '' ? '__fish_use_subcommand' : `__relctl_at ${words}`;
    const flags = next
      .filter((word) => word.startsWith('--'))
      .map((word) => `complete -c relctl -n ${quoted(test)} -l ${word.slice(2)}`);
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
