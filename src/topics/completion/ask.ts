import type { Config } from '@oclif/core';
import { helpPages } from '../../app/help/page-names.js';
import type { Context } from '../../host/context.js';
import { answerFor, nothing } from './answer.js';
import { complete, type Catalogue } from './complete.js';
import { readLine } from './line.js';
import type { Shell } from '../../lexical/shell/words.js';
import { valuesOf } from './values.js';

/** Commands as they are loaded; those that are not shown are left out. */
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

/** What a script of ours asks. */
export interface Question {
  /** The command line up to the cursor. */
  readonly line: string;
  /** What bash is going to replace. */
  readonly word?: string | undefined;
}

/**
 * Answers the script of a shell: what may stand where the cursor is. It calls no service, and tells of nothing that goes
 * wrong: a shell that waits for Tab is no place for errors.
 */
export async function answerShell(
  context: Context,
  config: Config,
  { shell, line, word = '' }: Question & { readonly shell: Shell },
): Promise<void> {
  const typed = readLine(shell, line);
  const answer = await complete(catalogueOf(context, config), {
    words: typed.words,
    current: typed.current.text,
  }).catch(() => nothing);
  await context.streams.out.write(answerFor(shell, answer, { current: typed.current, replaced: word }));
}
