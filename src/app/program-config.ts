import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Interfaces } from '@oclif/core';
import { Config } from '@oclif/core/config';
import { error } from '@oclif/core/errors';
import { settings } from '@oclif/core/settings';
import type { Context } from '../kit/host/context.js';
import { nearest } from '../core/text/text.js';
import { guessCommands, type Names as Commands } from './guess.js';
import type { HelpRequest } from './help/help.js';

/** What the arguments ask for. */
export type ProgramRequest =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly wanted: HelpRequest }
  | { readonly kind: 'command'; readonly id: string; readonly rest: readonly string[] }
  | UnknownWords;

interface UnknownWords {
  readonly kind: 'unknown';
  readonly words: string;
  /** They follow `help`: they may be the name of a page too. */
  readonly isOfHelp?: true;
  /** Command lines that may be meant, without the program's name. */
  readonly suggestions: readonly string[];
  /** What was typed behind the words that the only suggestion stands for. */
  readonly rest?: readonly string[];
}

/** The names that can be asked for: commands and topics with `:` between words, and pages of help. */
export interface Names extends Commands {
  readonly pages: readonly string[];
}

const versionArguments: readonly string[] = ['--version', '-V', '-v', 'version'];

function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((argument) => argument.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

function longestMatch(words: readonly string[], ids: readonly string[]): number {
  for (let count = words.length; count > 0; count -= 1) if (ids.includes(words.slice(0, count).join(':'))) return count;
  return 0;
}

/** The flag before a `--` that asks for help: `-h` for a short one, `--help` for all. */
function helpFlag(argv: readonly string[]): '-h' | '--help' | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.includes('--help') ? '--help' : words.includes('-h') ? '-h' : undefined;
}

const endsInHelp = (words: readonly string[], { topics }: Names): boolean =>
  words.at(-1) === 'help' && longestMatch(words, topics) === words.length - 1;

function unknown(words: readonly string[], names: Names, argv: readonly string[] = []): UnknownWords {
  const [word = ''] = words;
  const isPage = words.length === 1 && names.pages.includes(word);
  const suggestions = isPage ? [`help ${word}`] : guessCommands(words, names);
  const [first = '', second] = suggestions;
  const count = first.split(' ').length;
  const isQuotedCommand =
    second === undefined && count <= words.length && names.commands.includes(first.replaceAll(' ', ':'));
  const rest = isQuotedCommand ? { rest: argv.slice(count) } : {};
  return { kind: 'unknown', words: words.slice(0, 2).join(' '), suggestions, ...rest };
}

function help(words: readonly string[], names: Names, isBrief: boolean): ProgramRequest {
  if (words.length === 0) return { kind: 'help', wanted: { isBrief } };
  const count = longestMatch(words, [...names.commands, ...names.topics]);
  if (count === 0) return unknown(words, names);
  return { kind: 'help', wanted: { id: words.slice(0, count).join(':'), isBrief } };
}

function helpCommand(argv: readonly string[], words: readonly string[], names: Names): ProgramRequest {
  const [name = ''] = words;
  if (argv[1] === '--all') return { kind: 'help', wanted: { isEverything: true } };
  const request = help(words, names, helpFlag(argv) === '-h');
  if (words.length === 1 && helpFlag(argv) === undefined && names.pages.includes(name))
    return { kind: 'help', wanted: { page: name, ...(request.kind === 'help' ? { id: name } : {}) } };
  if (request.kind !== 'unknown') return request;
  const page = nearest(name, names.pages);
  const suggestions = (page === undefined ? request.suggestions : [page]).map((each) => `help ${each}`);
  return { kind: 'unknown', words: words.join(' '), isOfHelp: true, suggestions };
}

function command(argv: readonly string[], words: readonly string[], names: Names): ProgramRequest {
  const count = longestMatch(words, names.commands);
  if (count > 0) return { kind: 'command', id: words.slice(0, count).join(':'), rest: argv.slice(count) };
  if (words.length === 0) return { kind: 'unknown', words: argv[0] ?? '', suggestions: [] };
  return words.length === longestMatch(words, names.topics) ? help(words, names, false) : unknown(words, names, argv);
}

/** Reads the arguments up to the command's name (pure). */
export function resolveCommand(argv: readonly string[], names: Names): ProgramRequest {
  const words = leadingWords(argv);
  const [first = ''] = argv;
  if (versionArguments.includes(first) && !names.commands.includes(first)) return { kind: 'version' };
  if (words[0] === 'help' && !names.commands.includes('help')) return helpCommand(argv, words.slice(1), names);
  const flag = argv.length === 0 ? '-h' : helpFlag(argv);
  if (flag !== undefined || endsInHelp(words, names)) return help(words, names, flag === '-h');
  return command(argv, words, names);
}

/** Modules of commands by their ids, `relation:get`; each has the command as its default export. */
export type CommandModules = Readonly<Record<string, () => Promise<{ readonly default: typeof Command }>>>;

type Cached = Command.Cached;

/** What the manifest leaves out where it is empty: see scripts/manifest.ts. */
const unsaid: Partial<Cached> = { aliases: [], args: {}, hiddenAliases: [] };

const idsUpwards = (id: string): readonly string[] =>
  id.split(':').map((_word, at, words) => words.slice(0, words.length - at).join(':'));

/** Topics with a description of their own, then what else has commands below it, or is one, in oclif's manner. */
function topicsOf(pjson: Interfaces.PJSON, commands: readonly Cached[]): Interfaces.Topic[] {
  const topics = new Map<string, Interfaces.Topic>();
  for (const [name, topic] of Object.entries(pjson.oclif.topics ?? {})) topics.set(name, { ...topic, name });
  for (const { id, summary, description } of commands) {
    for (const name of idsUpwards(id))
      if (!topics.has(name)) topics.set(name, { name, description: summary ?? description });
  }
  return [...topics.values()];
}

/**
 * oclif's configuration without its search for plugins, which takes longer than most calls: commands come from the table
 * that the build made, and the manifest is read when help, completion or a job file asks for what it says of them.
 */
class ProgramConfig extends Config {
  readonly #modules: CommandModules;
  #known: ReadonlyMap<string, Command.Loadable> | undefined;
  #topics: Interfaces.Topic[] | undefined;

  constructor(options: Interfaces.Options, modules: CommandModules) {
    super(options);
    this.#modules = modules;
  }

  #byId(): ReadonlyMap<string, Command.Loadable> {
    return (this.#known ??= this.#read());
  }

  #read(): ReadonlyMap<string, Command.Loadable> {
    const file = join(this.root, 'oclif.manifest.json');
    const { commands } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly commands: Readonly<Record<string, Cached>>;
    };
    return new Map(
      Object.entries(commands).map(
        ([id, cached]) => [id, { ...unsaid, ...cached, load: () => this.loadCommand(id) }] as const,
      ),
    );
  }

  /** The command of an id; the process ends with a `bug` when there is none. */
  async loadCommand(id: string): Promise<Command.Class> {
    const loaded = await this.#modules[id]?.();
    return loaded?.default ?? error(`command ${id} not found`);
  }

  override loadPluginsAndCommands(): Promise<void> {
    return Promise.resolve();
  }

  /** The look of help is not left to a file in the home of the user. */
  override loadTheme(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override get commandIDs(): string[] {
    return Object.keys(this.#modules);
  }

  override get commands(): Command.Loadable[] {
    return [...this.#byId().values()];
  }

  override get topics(): Interfaces.Topic[] {
    // Help asks for all of them once for each of them.
    return (this.#topics ??= topicsOf(this.pjson, this.commands));
  }

  override findCommand(id: string, options: { must: true }): Command.Loadable;
  override findCommand(id: string, options?: { must: boolean }): Command.Loadable | undefined;
  override findCommand(id: string, { must = false } = {}): Command.Loadable | undefined {
    const command = this.#byId().get(id);
    return command ?? (must ? error(`command ${id} not found`) : undefined);
  }

  override findTopic(id: string, options: { must: true }): Interfaces.Topic;
  override findTopic(id: string, options?: { must: boolean }): Interfaces.Topic | undefined;
  override findTopic(id: string, { must = false } = {}): Interfaces.Topic | undefined {
    const topic = this.topics.find(({ name }) => name === id);
    return topic ?? (must ? error(`topic ${id} not found`) : undefined);
  }
}

/**
 * The configuration of this program.
 * @param root folder of the package
 */
export async function loadConfig(root: string, modules: CommandModules): Promise<ProgramConfig> {
  // An operator's NODE_ENV must not make an installed program look for TypeScript sources.
  settings.enableAutoTranspile = false;
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON;
  const { name, version } = pjson;
  // The package as oclif sees it: one plugin. Its commands are those of the configuration.
  const plugin: Interfaces.Plugin = {
    _base: name,
    alias: name,
    commandIDs: [],
    commands: [],
    commandsDir: undefined,
    findCommand: () => Promise.reject(new Error('the program loads its commands')),
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: () => Promise.resolve(),
    moduleType: 'module',
    name,
    options: { root },
    pjson,
    root,
    topics: [],
    type: 'core',
    valid: true,
    version,
  };
  const plugins = new Map([[name, plugin]]);
  const config = new ProgramConfig({ root, pjson, plugins }, modules);
  await config.load();
  return config;
}

/** Names of all commands and of what stands above them: `relation`, `mirror`, `mirror:add`. */
export const topicNames = (ids: readonly string[]): readonly string[] => [...new Set(ids.flatMap(idsUpwards))];

/** Runs a command by its id, with the words behind it, as if it had been typed; throws what it throws. */
export async function runAsTyped(
  config: Config,
  context: Context,
  { id, argv }: { readonly id: string; readonly argv: readonly string[] },
): Promise<void> {
  // Every command is concrete; the type that oclif gives it is that of their abstract base.
  const Loaded = (await context.loadCommand(id)) as unknown as new (argv: string[], config: Config) => Command;
  // The static run() would load the configuration once more, which takes time and loses the context kept by it.
  await new Loaded([...argv], config).run();
}
