import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@oclif/core';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { briefHelp, fullHelp, type CommandText } from './command.js';
import { joined, type Page } from './layout.js';
import { markdownText } from './markdown.js';
import { helpPages } from './page-names.js';
import { allCommands, alsoIn, briefRoot, fullRoot, topicHelp, type HelpOf } from './root.js';

/** What help is asked for. */
export type HelpRequest =
  /** A page of the docs by its name, behind the help of the command or topic that has this name. */
  | { readonly page: string; readonly id?: string }
  /** Everything that help can print. */
  | { readonly page?: undefined; readonly isEverything: true }
  /** A command or topic with `:` between its words; none for the program. */
  | { readonly page?: undefined; readonly isEverything?: undefined; readonly id?: string; readonly isBrief: boolean };

type Lines = readonly string[];

function pageText(page: Page, config: Config, name: string): Lines {
  const file = join(config.root, 'docs', `${name}.md`);
  try {
    return markdownText(page, readFileSync(file, 'utf8'));
  } catch (thrown) {
    throw new RelctlError('local', `the page '${name}' is not installed: ${file} cannot be read`, {
      facts: { code: 'no-page', path: file },
      hint: 'install relctl again',
      cause: thrown,
    });
  }
}

function everything(page: Page, config: Config): Lines {
  const pages = Object.keys(helpPages).map((name) => pageText(page, config, name));
  return [fullRoot(page, config), ...allCommands(page, config), ...pages].flatMap((lines) => [...lines, '', '']);
}

function commandHelp(
  page: Page,
  config: Config,
  { command, id, isBrief }: HelpOf & { readonly command: CommandText },
): Lines {
  const also = alsoIn(page, config, { id, isBrief });
  const own = (isBrief ? briefHelp : fullHelp)(page, command);
  return also.length === 0 ? own : joined([own, also]);
}

function helpOfCommandOrTopic(page: Page, config: Config, { id, isBrief }: HelpOf): Lines {
  const command = config.findCommand(id);
  return command === undefined ? topicHelp(page, config, id) : commandHelp(page, config, { command, id, isBrief });
}

function textOf(page: Page, config: Config, request: HelpRequest): Lines {
  if (request.page !== undefined) {
    const own =
      request.id === undefined ? [] : [helpOfCommandOrTopic(page, config, { id: request.id, isBrief: false })];
    return joined([...own, pageText(page, config, request.page)]);
  }
  if (request.isEverything === true) return everything(page, config);
  const { id, isBrief } = request;
  if (id === undefined) return isBrief ? briefRoot(page, config) : fullRoot(page, config);
  return helpOfCommandOrTopic(page, config, { id, isBrief });
}

/** Below this width lines would hold a word each. */
const leastWidth = 40;

/**
 * Help as text that fits the stream: COLUMNS, else the width of the terminal, else 80 columns. Throws `local` for a page
 * that is not installed.
 */
export function helpText(config: Config, { streams }: Context, helpRequest: HelpRequest): string {
  const { out } = streams;
  const page = { width: Math.max(leastWidth, out.width ?? 80), hasColor: out.hasColor };
  return `${textOf(page, config, helpRequest).join('\n')}\n`;
}
