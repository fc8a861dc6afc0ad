import { dirname } from 'node:path';
import type { Kind } from '../../errors/kinds.js';
import type { RelctlError } from '../../errors/relctl-error.js';
import { shellCommand, shellWord } from '../../lexical/shell/command.js';
import { withFlags, withoutFlags, wordsOf, type Failed } from './command-line.js';

/** Whether the command has a flag that was not given. */
const couldTake = ({ command, argv }: Failed, flag: string): boolean =>
  command !== undefined && flag in command.flags && !argv.some((word) => word.split('=', 1)[0] === `--${flag}`);

const again = ({ argv }: Failed): string => shellCommand(argv);

const help = ({ command }: Failed): string =>
  command === undefined ? 'relctl --help' : `relctl ${wordsOf(command)} --help`;

/** The command once more, with what shows the call: a write shows it without being sent. */
function looking(failed: Failed): string {
  const { command, argv } = failed;
  const isWrite = command !== undefined && 'confirm' in command.flags;
  const flag = isWrite ? 'envelope' : 'trace';
  return command !== undefined && couldTake(failed, flag) ? withFlags(argv, `--${flag}`, command) : 'relctl doctor';
}

const testing = ({ command }: Failed): string =>
  command?.id === 'profile:test' ? 'relctl doctor --profile NAME' : 'relctl profile test NAME';

/** A file that the system refused, or that is none of ours. */
function fileOf({
  facts: { code = '', path },
}: RelctlError): { readonly code: string; readonly path: string } | undefined {
  return path === undefined || !/^(?:E[A-Z]+|foreign)$/.test(code) || process.platform === 'win32'
    ? undefined
    : { code, path };
}

/** A command that shows why a file cannot be used; undefined when no file is to blame. */
function looksAtFile(error: RelctlError): string | undefined {
  const file = fileOf(error);
  if (file === undefined) return undefined;
  const folder = shellWord(dirname(file.path));
  if (file.code === 'ENOSPC' || file.code === 'EDQUOT') return `df -h ${folder}`;
  return file.code === 'ENOENT' ? `ls ${folder}` : `ls -ld ${shellWord(file.path)}`;
}

/** The command that leaves the writing of a device or a pipe to the shell. */
function redirects({ command, argv }: Failed, { facts: { code, path } }: RelctlError): string | undefined {
  if (code !== 'no-file' || path === undefined || command === undefined) return undefined;
  return `${shellCommand(withoutFlags(argv, ['output-file'], command))} > ${shellWord(path)}`;
}

function makesFolder({ argv }: Failed, error: RelctlError): string | undefined {
  const file = fileOf(error);
  return file?.code === 'ENOENT' ? `mkdir -p ${shellWord(dirname(file.path))} && ${shellCommand(argv)}` : undefined;
}

/** What to try where an error does not say it, by its kind. */
const usual: Readonly<Record<Kind, (failed: Failed, error: RelctlError) => string>> = {
  bug: (failed) => `RELCTL_DEBUG=1 ${again(failed)}`,
  usage: (failed, error) => looksAtFile(error) ?? help(failed),
  profile: () => 'relctl profile show NAME',
  refused: looking,
  'not-found': () => 'relctl whoami',
  'no-answer': testing,
  'bad-answer': looking,
  partial: again,
  'outcome-unknown': looking,
  local: (failed, error) =>
    redirects(failed, error) ??
    makesFolder(failed, error) ??
    looksAtFile(error) ??
    (error.facts.code === 'ENOSPC' ? 'df -h' : 'relctl doctor'),
  locked: (failed) =>
    failed.command !== undefined && 'lock-wait' in failed.command.flags
      ? withFlags(failed.argv, '--lock-wait 10m', failed.command)
      : again(failed),
  different: ({ command, argv }) => shellCommand(command ? withoutFlags(argv, ['exit-code'], command) : argv),
  conflict: again,
  interrupted: again,
};

/** What to try where an error does not say it. */
export const usualTry = (error: RelctlError, failed: Failed): string => usual[error.kind](failed, error);
