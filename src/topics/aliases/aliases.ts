import type { Config } from '@oclif/core';
import { checkLine } from '../../app/check-line.js';
import { aliasesOfUser } from '../../cli/aliases/kept.js';
import { commandIn, lineWords } from '../../cli/aliases/line.js';
import { isTaken } from '../../cli/aliases/place.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { profileStore } from '../../cli/session/profile-store.js';
import { holdsSecret } from '../../cli/remedy/secrets-in-line.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { nearest } from '../../lexical/nearest.js';
import { shellCommand } from '../../lexical/shell/command.js';
import {
  checkAliasLine,
  checkCommandAlias,
  withCommandAlias,
  type CommandAliases,
} from '../../profiles/kept/command-aliases.js';

/** What `alias list` prints. */
export const AliasOfLine = recordWithoutPresence('AliasOfLine', 'A name that stands for a command line.', {
  Name: inRole('key', req(string, 'The name.')),
  Line: req(string, 'The command line that it stands for.'),
  About: inRole('words', req(string, 'What its command does, or why the name does not work.')),
});

const spaced = (id: string): string => id.replaceAll(':', ' ');

/** What a name does, in words. */
function aboutOf(config: Config, name: string, line: string): string {
  if (isTaken(name, config.commandIDs)) return `relctl has a command of this name, which hides it: relctl ${name} -h`;
  const found = commandIn(lineWords(line), config.commandIDs);
  return found === undefined ? 'The line begins with no command.' : (config.findCommand(found.id)?.summary ?? '');
}

/** Prints the aliases of the user. Throws `profile`. */
export async function listAliases(context: Context, config: Config, flags: OutputFlags): Promise<void> {
  const aliases = aliasesOfUser(context.environment);
  const blank = `No aliases. ${shellCommand(['alias', 'set', 'NAME', 'LINE'])} makes one.`;
  await printRecords(context, { flags, record: AliasOfLine, shape: 'list', blank }, () =>
    Object.entries(aliases).map(([Name, Line]) => ({ Name, Line, About: aboutOf(config, Name, Line) })),
  );
}

/** Throws `usage` for a name that means something already. */
function checkFree(name: string, ids: readonly string[]): void {
  if (!isTaken(name, ids)) return;
  throw usage('NAME', `'${name}' is a command of relctl, which an alias cannot hide`, {
    advice: 'Take another name.',
    hint: `relctl ${name} -h`,
  });
}

/** Throws `usage` for words that begin with no command: with an alias neither, so that each name stands for one line. */
function unknownLine(words: readonly string[], aliases: CommandAliases): Error {
  const [first = ''] = words;
  if (first === '') return usage('LINE', 'the line is empty', 'relctl --help');
  if (Object.hasOwn(aliases, first)) {
    return usage('LINE', `'${first}' is an alias itself: the line of an alias begins with a command`, {
      advice: `Give its line instead: ${aliases[first] ?? ''}`,
      hint: 'relctl alias list',
    });
  }
  return usage('LINE', `the line begins with '${words.slice(0, 2).join(' ')}', which is no command`, 'relctl --help');
}

/** What a person says with each write; in an alias nobody would say it. */
const consents = ['yes', 'confirm'];

/** Throws `usage` for a line that gives its consent beforehand. */
function checkConsent(flags: Readonly<Record<string, unknown>>): void {
  const given = consents.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (given === undefined) return;
  throw usage('LINE', `--${given} cannot stand in an alias: a write through an alias asks as the command does`, {
    advice: `Leave --${given} out, and type it behind the alias.`,
    hint: '',
  });
}

/** Gives a command line a name. Throws `usage` for a line that no command takes, or one with a secret; `profile`, `local`. */
export async function setAlias(
  context: Context,
  config: Config,
  {
    name,
    line,
    ...flags
  }: { readonly name: string; readonly line: string; readonly force: boolean; readonly quiet?: boolean },
): Promise<void> {
  const ids = config.commandIDs;
  checkCommandAlias(name);
  checkFree(name, ids);
  checkAliasLine(line);
  const store = profileStore(context);
  const words = lineWords(line);
  const found = commandIn(words, ids);
  if (found === undefined) throw unknownLine(words, store.commandAliases());
  if (holdsSecret({ command: config.findCommand(found.id), argv: words })) {
    throw usage('LINE', 'the line seems to hold a secret, which an alias would show to whoever lists it', {
      advice: 'Keep secrets in a profile.',
      hint: 'relctl profile edit NAME --password-stdin',
    });
  }
  const flagsOfLine = await checkLine(config, context, found).catch((thrown: unknown) => {
    const error = RelctlError.from(thrown);
    throw error.but({ message: `the line does not work: ${error.message}`, instead: undefined });
  });
  checkConsent(flagsOfLine);
  const kept = line.trim().replace(/^relctl\s+/, '');
  await store.changeCommandAliases((aliases) =>
    withCommandAlias(aliases, { name, line: kept }, { replaces: flags.force }),
  );
  if (context.streams.err.isTerminal) {
    await note(
      context,
      flags,
      `relctl ${name} is now relctl ${kept}: ${config.findCommand(found.id)?.summary ?? spaced(found.id)}`,
    );
  }
}

/** Takes a name away. Throws `usage` for one that is not there, `profile` and `local`. */
export async function removeAlias(context: Context, name: string): Promise<void> {
  const store = profileStore(context);
  const known = Object.keys(store.commandAliases());
  if (!known.includes(name)) {
    throw usage('NAME', `there is no alias '${name}'`, {
      hint: 'relctl alias list',
      ...perhaps(name, nearest(name, known)),
    });
  }
  await store.changeCommandAliases((aliases) => withCommandAlias(aliases, { name, line: null }, { replaces: true }));
}
