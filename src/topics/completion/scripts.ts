import type { Shell } from '../../lexical/shell/words.js';

/** The beginning of the line by which a script of ours is known. */
export const markOf = (shell: Shell): string => `# Completes relctl in ${shell}.`;

const head = (shell: Shell): string => `${markOf(shell)} Made by: relctl autocomplete ${shell}
# It asks the installed relctl, so that it need not be made again after an upgrade.`;

const bash = `${head('bash')}
_relctl() {
  local kind='' word
  COMPREPLY=()
  while IFS= read -r word; do
    if [[ -z $kind ]]; then kind=$word; elif [[ -n $word ]]; then COMPREPLY+=("$word"); fi
  done <<<"$(relctl autocomplete bash --line="\${COMP_LINE:0:COMP_POINT}" --word="$2" 2>/dev/null </dev/null)"
  # bash 3 has no compopt.
  case $kind in
    words) ;;
    open) compopt -o nospace 2>/dev/null ;;
    folders) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$2")) ;;
    *) compopt -o default 2>/dev/null || { local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$2")); } ;;
  esac
}
complete -F _relctl relctl
`;

const zsh = `#compdef relctl
${head('zsh')}
_relctl() {
  local line="\${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX"
  local -a answer offers
  answer=("\${(@f)$(relctl autocomplete zsh --line="$line" 2>/dev/null </dev/null)}")
  offers=("\${(@)answer[2,-1]}")
  local kind=\${answer[1]%% *} staying=\${answer[1]##* }
  [[ $staying == <1-> ]] && compset -p $staying
  case $kind in
    words) (( $#offers )) && _describe -V relctl offers ;;
    open) (( $#offers )) && _describe -V relctl offers -S '' ;;
    folders) _files -/ ;;
    *) _files ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _relctl "$@"
else
  (( $+functions[compdef] )) || { autoload -U compinit && compinit -i }
  compdef _relctl relctl
fi
`;

const fish = `${head('fish')}
# Asks relctl; false where fish is to offer files by itself.
function __relctl_asks
  set -g __relctl_offers
  set -l answer (relctl autocomplete fish --line=(commandline -cp | string collect) 2>/dev/null </dev/null)
  set -l kept "$answer[2]"
  set -l typed (commandline -ct | string sub -s (math 1 + (string length -- "$kept")))
  switch "$answer[1]"
    case words
      set __relctl_offers $answer[2..-1]
    case folders
      set __relctl_offers "$kept"(__fish_complete_directories "$typed" '')
    case files
      string match -qr '[^=]$' -- "$kept"; or return 1
      set __relctl_offers "$kept"(complete -C "'' $typed")
    case '*'
      return 1
  end
end
complete -c relctl -n __relctl_asks -f -k -a '(printf "%s\\n" $__relctl_offers)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

/** The script that completes relctl in a shell. It holds no commands: it asks the program at each Tab. */
export const scriptFor = (shell: Shell): string => scripts[shell];
