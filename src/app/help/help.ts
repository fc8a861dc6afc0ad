import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@oclif/core';
import { exitCodes } from '../../core/errors/kinds.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { briefHelp, fullHelp, type CommandText, typed, withProgramName } from './command.js';
import { joined, type Page, commandLine, hanging, paragraph, section, twoColumns, type Entry } from './layout.js';
import { markdownText } from './markdown.js';
import { helpPages } from './page-names.js';

/** What help is asked for. */
export type HelpRequest =
  /** A page of the docs by its name, behind the help of the command or topic that has this name. */
  | { readonly page: string; readonly id?: string }
  | { readonly page?: undefined; readonly isEverything: true; readonly id?: undefined }
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

function helpOf(page: Page, config: Config, { id, isBrief }: HelpOf): Lines {
  const command = config.findCommand(id);
  if (command === undefined) return topicHelp(page, config, id);
  const own = isBrief ? briefHelp(page, command) : fullHelp(page, command);
  return joined([own, alsoIn(page, config, { id, isBrief })]);
}

function textOf(page: Page, config: Config, request: HelpRequest): Lines {
  const { id } = request;
  if (request.page !== undefined)
    return joined([id ? helpOf(page, config, { id, isBrief: false }) : [], pageText(page, config, request.page)]);
  if (request.isEverything === true) return everything(page, config);
  if (id === undefined) return request.isBrief ? briefRoot(page, config) : fullRoot(page, config);
  return helpOf(page, config, { id, isBrief: request.isBrief });
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

/** Works without any set-up. */
const firstCommand = 'relctl relation list --limit 5 --profile sandbox';

const mostUsedCommands: readonly (readonly [id: string, rest: string])[] = [
  ['relation:list', ''],
  ['relation:get', ' ID'],
  ['relation:phone-book', ''],
  ['activity:search', ''],
  ['export:run', ' FILE'],
];

const summaryOf = (config: Config, id: string): string => withProgramName(config.findCommand(id)?.summary ?? '');

/** What to type first, and what most people type: for `relctl` alone. */
function briefRoot(page: Page, config: Config): Lines {
  const used = mostUsedCommands.map(([id, rest]): Entry => [`relctl ${typed(id)}${rest}`, summaryOf(config, id)]);
  const more: readonly Entry[] = [
    ['relctl --help', 'all commands'],
    ['relctl COMMAND -h', 'usage, examples and flags of a command; --help shows all'],
    ['relctl help TOPIC', Object.keys(helpPages).slice(0, 7).join(', ')],
  ];
  return joined([
    hanging(page, '', `relctl ${config.version}: ${config.pjson.description ?? ''}`),
    section(page, 'TRY IT (no setup: the service runs inside the command)', commandLine(page, firstCommand)),
    section(page, 'MOST USED', twoColumns(page, used)),
    section(page, 'YOUR OWN SERVICE', commandLine(page, 'relctl profile add NAME')),
    section(page, 'MORE', twoColumns(page, more)),
  ]);
}

function fullRoot(page: Page, config: Config): Lines {
  const topics = config.topics
    .filter(({ name }) => !name.includes(':') && config.findCommand(name) === undefined)
    .map(({ name, description = '' }): Entry => [name, description]);
  const commands = config.commands
    .filter(({ id }) => !id.includes(':'))
    .map(({ id, summary = '' }): Entry => [id, withProgramName(summary)]);
  const codes = exitCodes().map(({ exitCode, brief }) => `${exitCode} ${brief}`);
  return joined([
    hanging(page, '', `relctl ${config.version}: ${config.pjson.description ?? ''}`),
    ['Usage: relctl COMMAND [ARGUMENTS] [FLAGS]'],
    section(page, 'TRY IT', commandLine(page, firstCommand)),
    section(page, 'COMMANDS IN TOPICS (relctl TOPIC -h)', twoColumns(page, sorted(topics))),
    section(page, 'OTHER COMMANDS', twoColumns(page, sorted(commands))),
    section(
      page,
      'PAGES (relctl help PAGE; relctl help --all prints everything)',
      twoColumns(page, Object.entries(helpPages)),
    ),
    section(page, 'EXIT CODES (relctl help exit-codes)', paragraph(page, codes.join(', '))),
  ]);
}

const sorted = (entries: readonly Entry[]): readonly Entry[] => entries.toSorted(([a], [b]) => (a < b ? -1 : 1));

const commandsBelowTopic = (config: Config, id: string): readonly CommandText[] =>
  config.commands.filter((command) => command.id.startsWith(`${id}:`));

function entriesBelowTopic(page: Page, config: Config, id: string): Lines {
  const entries = commandsBelowTopic(config, id).map((command): Entry => [
    `relctl ${typed(command.id)}`,
    withProgramName(command.summary ?? ''),
  ]);
  return section(page, 'COMMANDS', twoColumns(page, sorted(entries)));
}

/** Whose help is wanted, and how much of it. */
interface HelpOf {
  /** With `:` between words. */
  readonly id: string;
  readonly isBrief: boolean;
}

/** What stands below the help of a command that is a topic too, such as `operations`: the commands in it; nothing for another. */
function alsoIn(page: Page, config: Config, { id, isBrief }: HelpOf): Lines {
  const below = commandsBelowTopic(config, id).map((command) => typed(command.id.slice(id.length + 1)));
  if (below.length === 0) return [];
  if (!isBrief) return entriesBelowTopic(page, config, id);
  return hanging(page, 'Also: ', `relctl ${typed(id)} ${below.toSorted().join('|')}`);
}

/** What stands below a topic: `relation`, `mirror:add`. */
function topicHelp(page: Page, config: Config, id: string): Lines {
  return joined([
    hanging(page, '', config.findTopic(id)?.description ?? ''),
    hanging(page, 'Usage: ', `relctl ${typed(id)} COMMAND [ARGUMENTS] [FLAGS]`),
    entriesBelowTopic(page, config, id),
    [`relctl ${typed(id)} COMMAND -h shows one of them.`],
  ]);
}

const allCommands = (page: Page, config: Config): readonly Lines[] =>
  config.commands
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map((command: CommandText) =>
      section(page, `relctl ${typed(command.id)}`.toUpperCase(), ['', ...fullHelp(page, command)]),
    );
