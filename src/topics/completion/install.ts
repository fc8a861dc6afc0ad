import { existsSync, lstatSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { RelctlError, usage, codeOf } from '../../core/errors/relctl-error.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { writeWhole } from '../../state/part-file.js';
import type { Context } from '../../kit/host/context.js';
import { shellWord } from '../../core/text/shell/command.js';
import { homeOf } from '../../profiles/store/folders.js';
import { shells, type Shell } from './answer.js';
import { orElse } from '../../core/values/value.js';

/** The beginning of the line by which a script of ours is known. */
const markOf = (shell: Shell): string => `# Completes relctl in ${shell}.`;

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

interface ScriptTarget {
  readonly file: string;
  /** The folder that is the user's own, whatever we put into it. */
  readonly base: string;
  /** What to do where the shell does not find the script by itself. */
  readonly more: readonly string[];
}

/** The shell of a name, or the one that SHELL says. Throws `usage` when it is none of ours. */
export function shellNamed({ environment }: Context, name: string | undefined): Shell {
  const text = name ?? basename(environment.variables['SHELL'] ?? '');
  const known = shells.find((shell) => shell === text);
  if (known !== undefined) return known;
  const why = text === '' ? 'SHELL is not set' : `the variable SHELL says ${text}`;
  throw usage(
    'SHELL',
    `which shell? ${why}, and relctl completes in ${shells.join(', ')}`,
    'relctl autocomplete bash --install',
  );
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function mentionsFolder(file: string, folder: string, home: string): boolean {
  const text = orElse(() => readFileSync(file, 'utf8'), '');
  return [folder, folder.replace(home, '~'), folder.replace(home, '$HOME')].some((form) => text.includes(form));
}

const bashCompletionFiles = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
  '/usr/local/etc/profile.d/bash_completion.sh',
];

function bashTarget(variables: Variables, home: string): ScriptTarget {
  const data = absolute(variables['XDG_DATA_HOME']) ?? join(home, '.local', 'share');
  const [own] = (variables['BASH_COMPLETION_USER_DIR'] ?? '').split(delimiter);
  const base = absolute(own) ?? join(data, 'bash-completion');
  const file = join(base, 'completions', 'relctl');
  const rc = join(home, '.bashrc');
  const isLoaded = bashCompletionFiles.some((each) => existsSync(each)) || mentionsFolder(rc, file, home);
  const line = `source ${shellWord(file)}`;
  const more = isLoaded
    ? []
    : ['The package bash-completion, which would load it, was not found. Add to ~/.bashrc:', `  ${line}`];
  return { file, base: absolute(own) ?? data, more };
}

function zshTarget(variables: Variables, home: string): ScriptTarget {
  const data = absolute(variables['XDG_DATA_HOME']) ?? join(home, '.local', 'share');
  const folder = join(data, 'zsh', 'site-functions');
  const rc = join(absolute(variables['ZDOTDIR']) ?? home, '.zshrc');
  const isKnown = (variables['FPATH'] ?? '').split(':').includes(folder) || mentionsFolder(rc, folder, home);
  const lines = [`fpath=(${shellWord(folder)} $fpath)`, 'autoload -U compinit && compinit'];
  const more = isKnown
    ? []
    : [
        `zsh does not look there yet. Add to ${rc}, the first line above any other compinit:`,
        ...lines.map((line) => `  ${line}`),
      ];
  return { file: join(folder, '_relctl'), base: data, more };
}

function fishTarget(variables: Variables, home: string): ScriptTarget {
  const config = absolute(variables['XDG_CONFIG_HOME']) ?? join(home, '.config');
  return { file: join(config, 'fish', 'completions', 'relctl.fish'), base: config, more: [] };
}

type Variables = Context['environment']['variables'];

const places: Readonly<Record<Shell, (variables: Variables, home: string) => ScriptTarget>> = {
  bash: bashTarget,
  zsh: zshTarget,
  fish: fishTarget,
};

function targetFor({ environment: { variables } }: Context, shell: Shell): ScriptTarget {
  return places[shell](variables, homeOf(variables));
}

function isOwnScript(file: string, shell: Shell): boolean {
  const stats = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (stats === undefined) return false;
  const isScript = stats.isFile() && stats.size < 1024 * 1024;
  if (isScript && attempt(file, () => readFileSync(file, 'utf8')).includes(markOf(shell))) return true;
  const what = stats.isSymbolicLink() ? 'is a symbolic link' : 'was not written by relctl';
  throw new RelctlError('local', `${file} ${what}; it was left as it is`, {
    facts: { path: file },
    hint: `Move it away, or write the script yourself: relctl autocomplete ${shell} > FILE`,
  });
}

/** Puts the script where the shell looks for it, and says what is left to do. Throws `local`. */
export async function installScript(context: Context, shell: Shell): Promise<void> {
  const { file, more } = targetFor(context, shell);
  const was = isOwnScript(file, shell);
  // Folders that others may write to are not searched by zsh.
  attempt(dirname(file), () => makeFolders(dirname(file), 0o755));
  writeWhole(file, scriptFor(shell));
  const lines = [
    `The completion of relctl in ${shell} is ${was ? 'again ' : ''}in ${file}`,
    ...more,
    `Then start a new ${shell}, and try: relctl relation <Tab>`,
  ];
  await context.streams.out.write(`${lines.join('\n')}\n`);
}

function removeEmptyFolders(folder: string, base: string): void {
  if (folder === base || !folder.startsWith(base)) return;
  try {
    rmdirSync(folder);
  } catch (thrown) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(thrown) ?? '')) return;
    throw thrown;
  }
  removeEmptyFolders(dirname(folder), base);
}

/** Removes the script, if there is one of ours. Throws `local` when something else is there. */
export async function removeScript(context: Context, shell: Shell): Promise<void> {
  const { file, base } = targetFor(context, shell);
  if (!isOwnScript(file, shell)) {
    return context.streams.out.write(`There is no completion of relctl in ${shell}: ${file} does not exist\n`);
  }
  attempt(file, () => {
    rmSync(file);
    removeEmptyFolders(dirname(file), base);
  });
  await context.streams.out.write(
    `The completion of relctl in ${shell} was removed: ${file}\nLines that you added for it to files such as ~/.bashrc or ~/.zshrc can go too.\n`,
  );
}
