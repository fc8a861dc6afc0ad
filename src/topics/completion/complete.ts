import type { Command, Interfaces } from '@oclif/core';
import type { OptionFacts } from '../../kit/flags/define.js';
import { answer, nothing, type Answer, type Offer } from './answer.js';

type Flag = Command.Flag.Any & OptionFacts & { readonly allowNo?: boolean; readonly multiple?: boolean };

interface KnownCommand {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly args: Readonly<Record<string, OptionFacts & Pick<Interfaces.Arg<unknown>, 'description'>>>;
  readonly loaded: Command.Class;
}

/** A value that is being typed. */
export interface ValueRequest {
  /** The flag or argument that it is of. */
  readonly facts: OptionFacts;
  readonly typed: string;
  readonly command: KnownCommand;
  /** Arguments that were given before. */
  readonly args: readonly string[];
  /** Values of flags that were given before, by their names. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

/** What the program knows about itself. */
export interface Catalogue {
  /** Ids of the commands that are shown, with `:` between their words. */
  readonly ids: readonly string[];
  /** What a command or a topic is for. */
  readonly about: (id: string) => string | undefined;
  readonly load: (id: string) => Promise<KnownCommand>;
  /** Looks for what may be typed as a value. */
  readonly valuesOf: (request: ValueRequest) => Answer;
  /** What may stand behind `help`, besides commands. */
  readonly helpTopics: readonly Offer[];
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

function nextCommandWords({ ids, about }: Catalogue, words: readonly string[]): readonly Offer[] {
  const start = words.map((word) => `${word}:`).join('');
  const below = ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length).split(':', 1)[0] ?? '');
  return [...new Set(below)].map((word) => ({ word, about: about(`${start}${word}`) }));
}

function completeName(catalogue: Catalogue, words: readonly string[], current: string): Answer {
  if (words[0] === 'help') {
    const others = words.length === 1 ? catalogue.helpTopics : [];
    return answer([...nextCommandWords(catalogue, words.slice(1)), ...others]);
  }
  const next = nextCommandWords(catalogue, words);
  if (current.startsWith('-')) {
    const version = words.length === 0 ? [{ word: '--version', about: 'Print the version.' }] : [];
    return next.length === 0 ? nothing : answer([{ word: '--help', about: 'Show help.' }, ...version]);
  }
  const others = words.length === 0 ? [{ word: 'help', about: 'Show help.' }] : [];
  return answer([...next, ...others]);
}

function completeValue({ valuesOf }: Catalogue, kept: string, request: ValueRequest): Answer {
  const found = valuesOf(request);
  return { ...found, kept: `${kept}${found.kept}` };
}

async function completeCommand(catalogue: Catalogue, id: string, typed: TypedLine): Promise<Answer> {
  const command = await catalogue.load(id);
  const { current } = typed;
  const given = new TypedWords(command, typed.words);
  const request = (facts: OptionFacts | undefined, text: string): ValueRequest => ({
    facts: facts ?? {},
    typed: text,
    command,
    args: given.args,
    given: given.flags,
  });
  if (given.open !== undefined) return completeValue(catalogue, '', request(command.flags[given.open], current));
  if (!given.isEnded && current.startsWith('-')) {
    const { name = '', value } = readFlagWord(command, current) ?? {};
    if (value === undefined) return answer(flagOffers(command, given));
    const kept = current.slice(0, current.length - value.length);
    return isOption(command.flags[name])
      ? completeValue(catalogue, kept, request(command.flags[name], value))
      : nothing;
  }
  const argument = Object.values(command.args)[given.args.length];
  if (argument !== undefined) return completeValue(catalogue, '', request(argument, current));
  return given.isEnded ? nothing : answer(flagOffers(command, given));
}

interface TypedLine {
  readonly words: readonly string[];
  readonly current: string;
}

/** What may stand where the cursor is: commands, flags, or values. Throws what the catalogue throws. */
export async function complete(catalogue: Catalogue, { words, current }: TypedLine): Promise<Answer> {
  const end = words.findIndex((word) => word.startsWith('-'));
  const leading = end === -1 ? words : words.slice(0, end);
  const counts = leading.map((_word, at) => leading.length - at);
  const count = counts.find((each) => catalogue.ids.includes(leading.slice(0, each).join(':')));
  if (count === undefined) return end === -1 ? completeName(catalogue, words, current) : nothing;
  const id = leading.slice(0, count);
  const typed = { words: words.slice(count), current };
  const found = await completeCommand(catalogue, id.join(':'), typed);
  // A command whose name is that of a topic too, such as `operations`: a command below it may follow.
  if (typed.words.length > 0 || current.startsWith('-') || found.kind !== 'words' || found.kept !== '') return found;
  return { ...found, offers: [...found.offers, ...nextCommandWords(catalogue, id)] };
}
