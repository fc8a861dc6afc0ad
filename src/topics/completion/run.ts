import type { Config } from '@oclif/core';
import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { installScript, removeScript, shellNamed, scriptFor } from './install.js';
import { type Shell, answerFor, nothing, readLine } from './answer.js';
import { helpPages } from '../../app/help/page-names.js';
import { complete, type Catalogue } from './complete.js';
import { valuesOf } from './values.js';

function catalogueOf(context: Context, config: Config): Catalogue {
  return {
    ids: config.commands.filter(({ hidden }) => !hidden).map(({ id }) => id),
    about: (id) => config.findCommand(id)?.summary ?? config.findTopic(id)?.description,
    load: async (id) => {
      const loaded = await context.loadCommand(id);
      return { flags: loaded.flags, args: loaded.args, loaded };
    },
    valuesOf: (request) => valuesOf(context, request),
    // A page that has the name of a command or a topic is offered as that.
    helpTopics: Object.entries(helpPages)
      .filter(([word]) => config.findCommand(word) === undefined && config.findTopic(word) === undefined)
      .map(([word, about]) => ({ word, about })),
  };
}

/** Answers the script of a shell. It calls no service and tells no error: a shell that waits for Tab shows none. */
async function answerShell(
  context: Context,
  config: Config,
  { shell, line, word = '' }: { shell: Shell; line: string; word: string | undefined },
): Promise<void> {
  const typed = readLine(shell, line);
  const answer = await complete(catalogueOf(context, config), {
    words: typed.words,
    current: typed.current.text,
  }).catch(() => nothing);
  await context.streams.out.write(answerFor(shell, answer, { current: typed.current, replaced: word }));
}

interface CompletionFlags {
  readonly shell: Shell | undefined;
  readonly install: boolean;
  readonly remove: boolean;
  readonly line?: string | undefined;
  readonly word?: string | undefined;
}

/** Prints, installs or removes the script of a shell, or answers it. Throws `usage` and `local`. */
export async function runAutocomplete(
  context: Context,
  config: Config,
  completionFlags: CompletionFlags,
): Promise<void> {
  const { install, remove, line, word } = completionFlags;
  if (install && remove) throw usage('--install', '--install and --remove exclude each other');
  if (completionFlags.shell === undefined && !install && !remove) {
    throw usage('SHELL', 'which shell? bash, zsh or fish; or let relctl find out', 'relctl autocomplete --install');
  }
  const shell = shellNamed(context, completionFlags.shell);
  if (line !== undefined) return answerShell(context, config, { shell, line, word });
  if (install) return installScript(context, shell);
  return remove ? removeScript(context, shell) : context.streams.out.write(scriptFor(shell));
}
