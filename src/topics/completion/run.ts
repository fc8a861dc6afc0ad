import type { Config } from '@oclif/core';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { answerShell } from './ask.js';
import { installScript, removeScript, shellNamed } from './install.js';
import type { Shell } from '../../lexical/shell/words.js';
import { scriptFor } from './scripts.js';

/** What was asked of `autocomplete`. */
interface Asked {
  readonly shell: Shell | undefined;
  readonly install: boolean;
  readonly remove: boolean;
  readonly line?: string | undefined;
  readonly word?: string | undefined;
}

/** Prints, installs or removes the script of a shell, or answers it. Throws `usage` and `local`. */
export async function runAutocomplete(context: Context, config: Config, asked: Asked): Promise<void> {
  const { install, remove, line, word } = asked;
  if (install && remove) throw usage('--install', '--install and --remove exclude each other');
  if (asked.shell === undefined && !install && !remove) {
    throw usage('SHELL', 'which shell? bash, zsh or fish; or let relctl find out', 'relctl autocomplete --install');
  }
  const shell = shellNamed(context, asked.shell);
  if (line !== undefined) return answerShell(context, config, { shell, line, word });
  if (install) return installScript(context, shell);
  return remove ? removeScript(context, shell) : context.streams.out.write(scriptFor(shell));
}
