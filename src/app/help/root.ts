import type { Config } from '@oclif/core';
import { fullHelp, typed, type CommandText, withProgramName } from './command.js';
import { commandLine, hanging, joined, paragraph, section, twoColumns, type Entry, type Page } from './layout.js';
import { helpPages } from './page-names.js';

type Lines = readonly string[];

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

const exitCodes = 'EXIT CODES (relctl help exit-codes)';

/** What to type first, and what most people type: for `relctl` alone. */
export function briefRoot(page: Page, config: Config): Lines {
  const used = mostUsedCommands.map(([id, rest]): Entry => [`relctl ${typed(id)}${rest}`, summaryOf(config, id)]);
  const more: readonly Entry[] = [
    ['relctl --help', 'all commands'],
    ['relctl COMMAND -h', 'usage, examples and flags of a command; --help shows all'],
    ['relctl help TOPIC', Object.keys(helpPages).slice(0, 7).join(', ')],
  ];
  return joined([
    hanging(page, '', `relctl ${config.version}: ${config.pjson.description ?? ''}`),
    section(page, 'TRY IT (nothing to set up: the service runs inside the command)', commandLine(page, firstCommand)),
    section(page, 'MOST USED', twoColumns(page, used)),
    section(page, 'YOUR OWN SERVICE', commandLine(page, 'relctl profile add NAME')),
    section(page, 'MORE', twoColumns(page, more)),
  ]);
}

/** All topics and commands, the pages of help and the most frequent exit codes. */
export function fullRoot(page: Page, config: Config): Lines {
  const topics = config.topics.filter(({ name }) => !name.includes(':') && config.findCommand(name) === undefined);
  const commands = config.commands.filter(({ id }) => !id.includes(':'));
  const sorted = (entries: readonly Entry[]): readonly Entry[] => entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return joined([
    hanging(page, '', `relctl ${config.version}: ${config.pjson.description ?? ''}`),
    ['Usage: relctl COMMAND [ARGUMENTS] [FLAGS]'],
    section(page, 'TRY IT', commandLine(page, firstCommand)),
    section(
      page,
      'COMMANDS IN TOPICS (relctl TOPIC -h)',
      twoColumns(page, sorted(topics.map(({ name, description = '' }) => [name, description]))),
    ),
    section(
      page,
      'OTHER COMMANDS',
      twoColumns(page, sorted(commands.map(({ id, summary = '' }) => [id, withProgramName(summary)]))),
    ),
    section(
      page,
      'PAGES (relctl help PAGE; relctl help --all prints everything)',
      twoColumns(page, Object.entries(helpPages)),
    ),
    section(
      page,
      exitCodes,
      paragraph(
        page,
        '0 done, 2 usage, 3 credentials, 4 refused, 5 not found, 6 no answer, 7 bad answer, 8 partly done',
      ),
    ),
  ]);
}

const commandsBelowTopic = (config: Config, id: string): readonly CommandText[] =>
  config.commands.filter((command) => command.id.startsWith(`${id}:`));

function entriesBelowTopic(page: Page, config: Config, id: string): Lines {
  const entries = commandsBelowTopic(config, id).map((command): Entry => [
    `relctl ${typed(command.id)}`,
    withProgramName(command.summary ?? ''),
  ]);
  return section(
    page,
    'COMMANDS',
    twoColumns(
      page,
      entries.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
}

/** Whose help is wanted, and how much of it. */
export interface HelpOf {
  /** With `:` between words. */
  readonly id: string;
  readonly isBrief: boolean;
}

/** What stands below the help of a command that is a topic too, such as `operations`: the commands in it; nothing for another. */
export function alsoIn(page: Page, config: Config, { id, isBrief }: HelpOf): Lines {
  const below = commandsBelowTopic(config, id).map((command) => typed(command.id.slice(id.length + 1)));
  if (below.length === 0) return [];
  if (!isBrief) return entriesBelowTopic(page, config, id);
  return hanging(page, 'Also: ', `relctl ${typed(id)} ${below.toSorted().join('|')}`);
}

/** What stands below a topic: `relation`, `mirror:add`. */
export function topicHelp(page: Page, config: Config, id: string): Lines {
  return joined([
    hanging(page, '', config.findTopic(id)?.description ?? ''),
    hanging(page, 'Usage: ', `relctl ${typed(id)} COMMAND [ARGUMENTS] [FLAGS]`),
    entriesBelowTopic(page, config, id),
    [`relctl ${typed(id)} COMMAND -h shows one of them.`],
  ]);
}

/** All that is to be said of each command, one after the other. */
export const allCommands = (page: Page, config: Config): readonly Lines[] =>
  config.commands
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map((command: CommandText) =>
      section(page, `relctl ${typed(command.id)}`.toUpperCase(), ['', ...fullHelp(page, command)]),
    );
