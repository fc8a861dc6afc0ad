import type { Environment } from '../../host/environment.js';
import type { CommandAliases } from '../../profiles/kept/command-aliases.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { openStore } from '../../profiles/store/store.js';

/** The aliases of the person who runs the program. Throws `profile`. */
export const aliasesOfUser = ({ platform, variables }: Pick<Environment, 'platform' | 'variables'>): CommandAliases =>
  openStore(foldersOf(platform, variables).config).commandAliases();

/** True for the first word of a command that is an alias of the user too, which it hides; false where none can be read. */
export function hidesAlias(environment: Environment, word: string): boolean {
  try {
    return Object.hasOwn(aliasesOfUser(environment), word);
  } catch {
    return false;
  }
}
