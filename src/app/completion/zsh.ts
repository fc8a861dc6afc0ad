import type { Config } from '@oclif/core';
import { choices, quoted } from './choices.js';
import { argumentOffers, profilesCommand, valueFlags, type Offer } from './values.js';

/** What makes the words of an offer in zsh. */
function zshWords(offer: Offer): string {
  switch (offer.kind) {
    case 'words':
      return `options=(${offer.words.map(quoted).join(' ')})`;
    case 'profiles':
      return `options=(\${(f)"$(${profilesCommand})"})`;
    case 'files':
      return 'options=() files=yes';
  }
}

/** What needs no knowledge of the commands: which words stand before the cursor, and what is offered. */
const head = `#compdef relctl
# Completes relctl in zsh. Made by: relctl autocomplete zsh
_relctl() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]} files='' try='' word
  local -a options
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    compset -P '*='
  fi
  if [[ $previous == -* ]] && _relctl_value "$previous"; then
    _relctl_offer
    return
  fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || try+="\${try:+ }$word"
  done
  # Arguments stand behind the words of the command: drop them until the words are known.
  until _relctl_options "$try"; do
    [[ $try == *' '* ]] || break
    try=\${try% *}
  done
  [[ $current == -* ]] || _relctl_arguments "$try"
  _relctl_offer
}
_relctl_offer() {
  if [[ -n $files ]]; then _files; else compadd -a options; fi
}
`;

/** The script for zsh, to be sourced, or put as \`_relctl\` into a folder of $fpath. */
export function zshCompletion(config: Config): string {
  const values = valueFlags(config).map(({ flags, offer }) => `    ${flags.join('|')}) ${zshWords(offer)} ;;`);
  const given = argumentOffers(config).map(({ words, offer }) => `    ${quoted(words)}) ${zshWords(offer)} ;;`);
  const cases = choices(config).map(
    ({ words, next }) => `    ${quoted(words)}) ${zshWords({ kind: 'words', words: next })} ;;`,
  );
  return `${head}_relctl_value() {
  case $1 in
${values.join('\n')}
    *) return 1 ;;
  esac
}
_relctl_arguments() {
  case $1 in
${given.join('\n')}
  esac
}
_relctl_options() {
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _relctl "$@"
else
  (( $+functions[compdef] )) || { autoload -U compinit && compinit -i }
  compdef _relctl relctl
fi
`;
}
