import type { AllowedValues } from '../contract/widen.js';
import type { Config, Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import type { RecordType } from '../contract/build.js';
import { contextOf, type Context, type NamedParameter, type Resolutions } from './host/context.js';
import { checkValues, type Values, type Allowing, type OptionFacts } from './flags/define.js';
import { commonFlags, type CommonFlags, maxAgeFlag } from './flags/common.js';
import { flaggedFormat, type FormatFlags } from './output/output-choice.js';
import { helpWord } from '../formats/columns.js';
import type { ColumnHelpCommand } from './output/column-help.js';
import { isGuid } from '../core/text/scalars.js';
import { isRecordKind } from '../contract/lists.js';
import { settingEntries } from '../profiles/settings/settings.js';
import { yesNoOf } from './flags/readers.js';

type FlagValues = Readonly<Record<string, unknown>>;

/** Variables that flags name and that are read where the profile and the streams are. */
const readElsewhere: ReadonlySet<string> = new Set([
  'RELCTL_PROFILE',
  ...settingEntries.map(([, { environment }]) => environment),
]);

interface ParsedFlags {
  readonly flags: FlagValues;
  readonly metadata: { readonly flags: Readonly<Record<string, { readonly setFromDefault?: boolean } | undefined>> };
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The values of flags, with those of their variables where the command line says nothing. Throws `usage` that names the
 * variable for a value that is none.
 * @param variables those of the environment that are not empty
 */
export function withVariables(declared: FlagsText, { flags, metadata }: ParsedFlags, variables: Variables): FlagValues {
  const values: Record<string, unknown> = { ...flags };
  for (const [name, flag] of Object.entries(declared)) {
    const { env = '' } = flag;
    const text = readElsewhere.has(env) ? undefined : variables[env];
    const isTyped = flags[name] !== undefined && metadata.flags[name]?.setFromDefault !== true;
    if (text === undefined || isTyped) continue;
    // Options are made by `option`, which gives them their reader.
    const { reader } = flag as OptionFacts;
    values[name] = flag.type === 'boolean' ? yesNoOf(text, env) : reader?.(text, env);
  }
  return values;
}

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

/** The arguments of a command that takes none. */
export type None = Readonly<Record<string, never>>;

/** A command: what help, the manifest and the parser need to know, and what it does. */
export interface CommandText<A extends ArgsText, F extends FlagsText> {
  /** One sentence; the first line of the help. */
  readonly summary: string;
  readonly description?: string;
  /** Complete command lines, each of which works as printed. */
  readonly examples: readonly string[];
  readonly args?: A;
  readonly flags: F;
  /** Names of flags with which nothing else is missed. */
  readonly looseWith?: readonly string[];
  /** Records that it prints, where they are not those of its operations; a function makes them when they are asked for. */
  readonly prints?: readonly RecordType[] | (() => readonly RecordType[]);
  /** Names of the operations that the command may call; they go into the manifest. */
  readonly operations?: readonly string[];
  /** Names of the flags that a job may have, of a command that reads a list only with the first of them. */
  readonly jobFlags?: readonly string[];
  readonly run: (input: CommandInput<A, F>) => Promise<void>;
}

/** What help says of a command, and what it takes. */
export type CommandWords<A extends ArgsText, F extends FlagsText> = Pick<
  CommandText<A, F>,
  'summary' | 'description' | 'examples' | 'args' | 'flags'
>;

/** What the user gave, and what exists while the command runs. */
export interface CommandInput<A extends ArgsText, F extends FlagsText> extends Resolutions {
  readonly args: Interfaces.InferredArgs<A>;
  readonly flags: Values<F> & CommonFlags;
  readonly context: Context;
  readonly config: Config;
}

/** The same by the same names, each with other facts. */
const withEachFact = <T extends ArgsText | FlagsText>(all: T, facts: object): T =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => [name, { ...each, ...facts }] as const)) as T;

function requestsColumnHelp(argv: readonly string[]): boolean {
  const at = argv.indexOf('--columns');
  const word = at === -1 ? argv.find((each) => each.startsWith('--columns='))?.slice(10) : argv[at + 1];
  return word?.trim().toLowerCase() === helpWord;
}

const hasFlag = (argv: readonly string[], names: readonly string[] = []): boolean =>
  names.some((name) => argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`)));

type Definitions = Readonly<Record<string, object>>;

function parametersIn(
  group: NamedParameter['group'],
  definitions: Definitions,
  values: object,
): readonly NamedParameter[] {
  return Object.entries(values).flatMap(([key, value]: readonly [string, unknown]): readonly NamedParameter[] => {
    // What was passed to `option` and `argument` stands in what they made, which the types of oclif do not say.
    const { idOf: kind } = (definitions[key] ?? {}) as OptionFacts;
    if (kind === undefined || value === undefined) return [];
    const texts = [value].flat().filter((text) => typeof text === 'string');
    return texts.every(isGuid) ? [] : [{ group, key, kind, texts }];
  });
}

/** The places of a command line that hold names of ids: mostly none. */
const namedParameters = (
  text: { readonly args: Definitions; readonly flags: Definitions },
  parsed: { readonly args: object; readonly flags: object },
): readonly NamedParameter[] => [
  ...parametersIn('args', text.args, parsed.args),
  ...parametersIn('flags', text.flags, parsed.flags),
];

/** True for arguments one of which is the Id of a record that a mirror may have. */
const takesRecords = (args: Definitions): boolean =>
  Object.values(args).some((arg) => isRecordKind((arg as OptionFacts).idOf ?? ''));

async function valuesAllowedByProfile(config: Config): Promise<AllowedValues | undefined> {
  const { allowedIn } = await import('./session/connection.js');
  const { profileUsed } = await import('./remedy/profile-in-line.js');
  const { profileOf } = await import('./session/profile-store.js');
  const context = contextOf(config);
  try {
    const profile = profileUsed(context);
    return profile === undefined ? undefined : allowedIn(profileOf(context, { profile }));
  } catch {
    return undefined;
  }
}

/**
 * Makes a command for oclif out of words and what it does. oclif parses and nothing else: errors pass through to main.ts,
 * JSON is ours, and no format silences a warning.
 */
export function defineCommand<const A extends ArgsText = None, const F extends FlagsText = FlagsText>(
  text: CommandText<A, F>,
): typeof Command {
  // oclif takes none of them from stdin by itself: that is read only when it is asked for.
  const words = withEachFact(text.args ?? {}, { ignoreStdin: true });
  const declared = { ...(takesRecords(words) ? maxAgeFlag : {}), ...text.flags, ...commonFlags };
  // The parser looks at the command line alone: oclif takes any text of a variable for yes or no.
  const parsedFlags = withEachFact(declared, { env: undefined });
  const operations = text.operations ?? [];
  const loose = () => ({
    args: withEachFact(words, { required: false }),
    flags: withEachFact(parsedFlags, { required: false }),
  });
  return class extends Command implements Allowing {
    static override readonly summary = text.summary;
    static override readonly description = text.description;
    static override readonly examples = [...text.examples];
    static override readonly args = words;
    static override readonly flags = declared;
    static override readonly enableJsonFlag = false;
    static readonly operations = operations;
    static readonly jobFlags = text.jobFlags ?? [];

    /** A method, so that the manifest does not hold it. */
    static prints(): readonly RecordType[] {
      return typeof text.prints === 'function' ? text.prints() : (text.prints ?? []);
    }

    /** No method, because oclif gives parsers of flags a copy of the command. */
    readonly allowedValues = () => valuesAllowedByProfile(this.config);

    override async run(): Promise<void> {
      const context = contextOf(this.config);
      if ('columns' in declared && requestsColumnHelp(this.argv)) {
        const output = await this.parse({ ...loose(), strict: false });
        checkValues(output.args, output.flags);
        const line = { ...output, loaded: this.ctor } as unknown as ColumnHelpCommand;
        return (await import('./output/column-help.js')).printColumns(context, line);
      }
      const expected = hasFlag(this.argv, text.looseWith) ? loose() : { args: words, flags: parsedFlags };
      const { args, ...parsed } = await this.parse(expected);
      checkValues(args, parsed.flags);
      const flags = withVariables(declared, parsed, context.environment.variables);
      // Two formats are refused before anything is done.
      if ('output' in flags && 'json' in flags) flaggedFormat(flags as unknown as FormatFlags);
      // oclif's inferred types do not survive a generic; both come from the same two objects as `CommandInput` does.
      const invocation = { args, flags, context, config: this.config, named: [], mirrored: [] };
      const commandInput = invocation as unknown as CommandInput<A, F>;
      const parameters = namedParameters({ args: words, flags: text.flags }, commandInput);
      // A GUID needs no look-up, and most are GUIDs.
      if (parameters.length === 0) return text.run(commandInput);
      await text.run(await context.names.resolveIds(commandInput, parameters, operations));
    }
  };
}

/** The commands of the program, as oclif's configuration lists them. */
export type Commands = Pick<Config, 'commands'>;

type Described = Command.Loadable & { readonly operations?: readonly string[] };

const described = ({ commands }: Commands): readonly Described[] => commands;

/** The commands that call an operation, as they are typed, by what the manifest says of them. */
export function commandsOf(config: Commands, operation: string): readonly string[] {
  const callers = described(config).filter(({ operations = [] }) => operations.includes(operation));
  return callers.map(({ id }) => id.replaceAll(':', ' ')).sort();
}

/** The operations that a command calls, by the words that it is typed with; none for what is no command. */
export const operationsOf = (config: Commands, words: readonly string[]): readonly string[] =>
  described(config).find(({ id }) => id === words.join(' ').replaceAll(' ', ':'))?.operations ?? [];
