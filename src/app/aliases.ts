import type { Expanded, TypedAlias } from '../cli/aliases/expand.js';
import { aliasPlace } from '../cli/aliases/place.js';
import type { RelctlError } from '../errors/relctl-error.js';
import type { Context } from '../host/context.js';
import type { Environment } from '../host/environment.js';
import { note } from '../host/notes.js';
import { helpPages } from './help/page-names.js';
import type { CommandModules } from './program-config.js';
import type { Asked } from './resolve-command.js';

/** The line of an alias in the place of its name; the file that holds them is only read for a word that is no command. */
export async function expanded(environment: Environment, modules: CommandModules): Promise<Expanded> {
  const ids = Object.keys(modules);
  const at = aliasPlace(environment.argv, { ids, pages: Object.keys(helpPages) });
  if (at === undefined) return { environment };
  const { expand } = await import('../cli/aliases/expand.js');
  return expand(environment, at, { ids, flagsOf: async (id) => (await modules[id]?.())?.default.flags ?? {} });
}

/** The failure of a line that an alias stands for, with the alias's name: the mistake may be in its line. */
export function namingAlias(failure: RelctlError | undefined, alias: TypedAlias | undefined): RelctlError | undefined {
  if (failure === undefined || alias === undefined || (failure.kind !== 'usage' && failure.kind !== 'profile'))
    return failure;
  return failure.but({ message: `alias '${alias.name}' (${alias.line}): ${failure.message}` });
}

/** A later version may have a command of the name that somebody gave to a line: the command runs, and a note says so. */
export async function sayHidden(context: Context, { id }: Extract<Asked, { kind: 'command' }>): Promise<void> {
  const [word = ''] = id.split(':', 1);
  const { hidesAlias } = await import('../cli/aliases/kept.js');
  if (!hidesAlias(context.environment, word)) return;
  const quiet = context.environment.argv.some((each) => each === '-q' || each === '--quiet');
  const text = `this is the command '${word}' of relctl, not your alias of that name: see \`relctl alias list\``;
  await note(context, { quiet }, text);
}
