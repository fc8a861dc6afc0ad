import type { Config } from '@oclif/core';
import { choices, quoted } from './choices.js';
import { fishCompletion } from './fish.js';
import { argumentOffers, profilesCommand, valueFlags, type Offer } from './values.js';
import { zshCompletion } from './zsh.js';

/** Shells that scripts are made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

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

const bashArguments = (config: Config): string =>
  argumentOffers(config)
    .map(({ words, offer }) => `    ${quoted(words)}) ${bashWords(offer)} ;;`)
    .join('\n');

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

/** The script that completes commands and flags in a shell, made from the commands that there are. */
export function completionScript(config: Config, shell: (typeof shells)[number]): string {
  switch (shell) {
    case 'bash':
      return bash(config);
    case 'zsh':
      return zshCompletion(config);
    case 'fish':
      return fishCompletion(config);
  }
}
