import { aliasesOfUser } from '../../cli/aliases/kept.js';
import { isTaken } from '../../cli/aliases/place.js';
import type { Environment } from '../../host/environment.js';
import { escapeForTerminal } from '../../output/escape.js';
import { section, twoColumns, type Page } from './layout.js';

type Lines = readonly string[];

/**
 * The aliases of the user, each with its line; nothing without any. Those that a command hides are left out. Where they cannot
 * be read, a line says what tells why.
 * @param ids those of all commands
 */
export function userAliases(page: Page, environment: Environment, ids: readonly string[]): Lines {
  const title = 'YOUR ALIASES (relctl alias list)';
  try {
    const entries = Object.entries(aliasesOfUser(environment)).filter(([name]) => !isTaken(name, ids));
    const shown = entries.map(([name, line]) => [escapeForTerminal(name), escapeForTerminal(line)] as const);
    return shown.length === 0 ? [] : section(page, title, twoColumns(page, shown));
  } catch {
    return section(page, title, ['  cannot be read; relctl alias list says why']);
  }
}
