import type { Command, Config, Interfaces } from '@oclif/core';
import { helpPages } from '../../app/help/page-names.js';
import type { OptionFacts } from '../../kit/flags/define.js';
import type { Context } from '../../kit/host/context.js';
import { usage } from '../../core/errors/relctl-error.js';
import { answer, answerFor, nothing, readLine, type Completions, type Offer, type Shell } from './answer.js';
import { installScript, removeScript, scriptFor, shellNamed } from './install.js';
import { completeValue } from './values.js';

type Flag = Command.Flag.Any & OptionFacts & { readonly allowNo?: boolean; readonly multiple?: boolean };

interface KnownCommand {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly args: Readonly<Record<string, OptionFacts & Pick<Interfaces.Arg<unknown>, 'description'>>>;
}

const isOption = (flag: Flag | undefined): boolean => flag?.type === 'option';

/** `--trace` takes its value behind `=` only. */
const takesNext = (name: string, flag: Flag | undefined): boolean => isOption(flag) && name !== 'trace';

const flagByLetter = ({ flags }: KnownCommand, letter: string): string | undefined =>
  Object.keys(flags).find((name) => flags[name]?.char === letter);

function readFlagWord(command: KnownCommand, word: string): { name: string; value?: string } | undefined {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    return at === -1 ? { name: word.slice(2) } : { name: word.slice(2, at), value: word.slice(at + 1) };
  }
  const name = flagByLetter(command, word.charAt(1));
  if (name === undefined) return undefined;
  return word.length > 2 && isOption(command.flags[name]) ? { name, value: word.slice(2) } : { name };
}

class TypedWords {
  readonly args: string[] = [];
  readonly flags = new Map<string, string[]>();
  open: string | undefined;
  isEnded = false;
  readonly #command: KnownCommand;

  constructor(command: KnownCommand, words: readonly string[]) {
    this.#command = command;
    for (const word of words) this.#read(word);
  }

  #add(name: string, value: string): void {
    this.flags.set(name, [...(this.flags.get(name) ?? []), value]);
  }

  #readFlag(word: string): void {
    const { name, value } = readFlagWord(this.#command, word) ?? { name: '' };
    if (value === undefined && takesNext(name, this.#command.flags[name])) this.open = name;
    else this.#add(name in this.#command.flags ? name : name.replace(/^no-/, ''), value ?? '');
  }

  #read(word: string): void {
    if (this.open !== undefined) {
      this.#add(this.open, word);
      this.open = undefined;
    } else if (this.isEnded || !word.startsWith('-') || word === '-') this.args.push(word);
    else if (word === '--') this.isEnded = true;
    else this.#readFlag(word);
  }
}

function flagWords(name: string, flag: Flag): readonly string[] {
  if (flag.type !== 'boolean' || !flag.allowNo) return [`--${name}`];
  return (flag as { readonly default?: unknown }).default === true ? [`--no-${name}`] : [`--${name}`, `--no-${name}`];
}

function flagOffers({ flags }: KnownCommand, typedWords: TypedWords): readonly Offer[] {
  const open = Object.entries(flags).filter(
    ([name, { hidden, multiple }]) => hidden !== true && (multiple === true || !typedWords.flags.has(name)),
  );
  const own = open.flatMap(([name, flag]) =>
    flagWords(name, flag).map((word) => ({ word, about: flag.summary ?? flag.description })),
  );
  return [...own, { word: '--help', about: 'Show help.' }];
}

const visibleIds = ({ commands }: Config): readonly string[] =>
  commands.flatMap(({ hidden, id }) => (hidden ? [] : [id]));

function nextCommandWords(config: Config, words: readonly string[]): readonly Offer[] {
  const start = words.map((word) => `${word}:`).join('');
  const below = visibleIds(config).flatMap((id) =>
    id.startsWith(start) ? [id.slice(start.length).split(':', 1)[0] ?? ''] : [],
  );
  return [...new Set(below)].map((word) => {
    const id = `${start}${word}`;
    return { word, about: config.findCommand(id)?.summary ?? config.findTopic(id)?.description };
  });
}

/** The pages of help. One that has the name of a command or a topic is offered as that. */
const pagesBeside = (config: Config): readonly Offer[] =>
  Object.entries(helpPages).flatMap(([word, about]) =>
    config.findCommand(word) === undefined && config.findTopic(word) === undefined ? [{ word, about }] : [],
  );

function completeName(config: Config, words: readonly string[], current: string): Completions {
  if (words[0] === 'help')
    return answer([...nextCommandWords(config, words.slice(1)), ...(words.length === 1 ? pagesBeside(config) : [])]);
  const next = nextCommandWords(config, words);
  if (current.startsWith('-')) {
    const version = words.length === 0 ? [{ word: '--version', about: 'Print the version.' }] : [];
    return next.length === 0 ? nothing : answer([{ word: '--help', about: 'Show help.' }, ...version]);
  }
  const others = words.length === 0 ? [{ word: 'help', about: 'Show help.' }] : [];
  return answer([...next, ...others]);
}

async function completeCommand(context: Context, id: string, typed: TypedLine): Promise<Completions> {
  const loaded = await context.loadCommand(id);
  // What was passed to `option` and `argument` stands in what they made, which the types of oclif do not say.
  const command: KnownCommand = { flags: loaded.flags, args: loaded.args };
  const { current } = typed;
  const line = new TypedWords(command, typed.words);
  const valueOf = (facts: OptionFacts = {}, before: string, text: string): Completions => {
    const values = completeValue(context, { facts, typed: text, command: loaded, args: line.args, given: line.flags });
    return { ...values, kept: `${before}${values.kept}` };
  };
  if (line.open !== undefined) return valueOf(command.flags[line.open], '', current);
  if (!line.isEnded && current.startsWith('-')) {
    const { name, value } = readFlagWord(command, current) ?? { name: '' };
    const flag = command.flags[name];
    if (value === undefined) return answer(flagOffers(command, line));
    return isOption(flag) ? valueOf(flag, current.slice(0, current.length - value.length), value) : nothing;
  }
  const argument = Object.values(command.args)[line.args.length];
  if (argument !== undefined) return valueOf(argument, '', current);
  return line.isEnded ? nothing : answer(flagOffers(command, line));
}

interface TypedLine {
  readonly words: readonly string[];
  readonly current: string;
}

async function complete(context: Context, config: Config, { words, current }: TypedLine): Promise<Completions> {
  const ids = visibleIds(config);
  const end = words.findIndex((word) => word.startsWith('-'));
  const leading = end === -1 ? words : words.slice(0, end);
  const counts = leading.map((_word, at) => leading.length - at);
  const count = counts.find((each) => ids.includes(leading.slice(0, each).join(':')));
  if (count === undefined) return end === -1 ? completeName(config, words, current) : nothing;
  const id = leading.slice(0, count);
  const typed = { words: words.slice(count), current };
  const answer = await completeCommand(context, id.join(':'), typed);
  // A command whose name is that of a topic too, such as `operations`: a command below it may follow.
  if (typed.words.length > 0 || current.startsWith('-') || answer.kind !== 'words' || answer.kept !== '') return answer;
  return { ...answer, offers: [...answer.offers, ...nextCommandWords(config, id)] };
}

/** Answers the script of a shell. It calls no service and tells no error: a shell that waits for Tab shows none. */
async function answerShell(
  context: Context,
  config: Config,
  { shell, line, word = '' }: { shell: Shell; line: string; word: string | undefined },
): Promise<void> {
  const typed = readLine(shell, line);
  const typedLine = { words: typed.words, current: typed.current.text };
  const answer = await complete(context, config, typedLine).catch(() => nothing);
  await context.streams.out.write(answerFor(shell, answer, { current: typed.current, replaced: word }));
}

/** Prints, installs or removes the script of a shell, or answers it. Throws `usage` and `local`. */
export async function runAutocomplete(
  context: Context,
  config: Config,
  flags: {
    shell: Shell | undefined;
    install: boolean;
    remove: boolean;
    line: string | undefined;
    word: string | undefined;
  },
): Promise<void> {
  const { install, remove, line, word } = flags;
  if (install && remove) throw usage('--install', '--install and --remove cannot be used together');
  if (flags.shell === undefined && !install && !remove) {
    throw usage('SHELL', 'which shell? bash, zsh or fish; or let relctl detect it', 'relctl autocomplete --install');
  }
  const shell = shellNamed(context, flags.shell);
  if (line !== undefined) return answerShell(context, config, { shell, line, word });
  if (install) return installScript(context, shell);
  return remove ? removeScript(context, shell) : context.streams.out.write(scriptFor(shell));
}
