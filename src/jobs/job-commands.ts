import type { Command, Config } from '@oclif/core';
import type { Context } from '../kit/host/context.js';
import type { OptionFacts } from '../kit/flags/define.js';
import { findOperation } from '../contract/service.js';
import { formatNamed } from '../kit/flags/common.js';
import { RelctlError } from '../core/errors/relctl-error.js';

/** A flag as the command describes it. */
export interface FlagFacts extends OptionFacts {
  readonly name: string;
  readonly type: string;
  readonly multiple?: boolean;
  readonly required?: boolean;
  readonly allowNo?: boolean;
}

/** An argument as the command describes it. */
export interface ArgumentFacts extends Pick<OptionFacts, 'reader' | 'idOf'> {
  readonly name: string;
  readonly required?: boolean;
}

/** A command that a job may run. */
export interface JobCommand {
  /** As it is typed: `relation list`. */
  readonly name: string;
  /** Names of the operations that it may call; empty where its first argument names the operation. */
  readonly operations: readonly string[];
  readonly args: readonly ArgumentFacts[];
  readonly flags: ReadonlyMap<string, FlagFacts>;
}

interface OwnFacts {
  readonly operations?: readonly string[];
  /** The flag with which it reads a list, and others that go with it; empty where it always does, or never. */
  readonly jobFlags?: readonly string[];
}

type ManifestCommand = Command.Loadable & OwnFacts;

const typed = (id: string): string => id.replaceAll(':', ' ');

const onlyReads = ({ operations = [], jobFlags = [], flags }: ManifestCommand): boolean =>
  jobFlags.length > 0 ||
  (operations.length > 0 &&
    flags['output-file'] !== undefined &&
    operations.every((name) => findOperation(name)?.access === 'read'));

/** The command with its readers of flags, which no manifest can hold. */
async function jobCommand({ id, operations = [] }: ManifestCommand, load: Context['loadCommand']): Promise<JobCommand> {
  const { args, flags, jobFlags = [] }: Command.Class & OwnFacts = await load(id);
  const [needed] = jobFlags;
  const named = Object.entries(flags)
    .filter(([name]) => needed === undefined || jobFlags.includes(name))
    .map(([name, flag]) => [name, { ...flag, name, ...(name === needed ? { required: true } : {}) }] as const);
  return {
    name: typed(id),
    operations,
    args: Object.entries(args).map(([name, arg]) => ({ ...arg, name })),
    // What defineCommand was given: oclif's types do not tell the facts of its own options.
    flags: new Map(named),
  };
}

/** Every command that there is, and those that a job may run: they read, and print to a file. */
export interface KnownCommands {
  readonly names: readonly string[];
  readonly jobs: ReadonlyMap<string, JobCommand>;
}

/** The commands of the program. */
export async function knownCommands(
  config: Pick<Config, 'commands'>,
  load: Context['loadCommand'],
): Promise<KnownCommands> {
  const described: readonly ManifestCommand[] = config.commands;
  const jobs = await Promise.all(described.filter(onlyReads).map((each) => jobCommand(each, load)));
  return { names: described.map(({ id }) => typed(id)), jobs: new Map(jobs.map((each) => [each.name, each])) };
}

/** True for a text with control characters, which a command line cannot or should not hold. */
export const isUnfit = (text: string): boolean => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text);

/** Why a reader does not take a text, in words; undefined when it does, and where there is no reader. */
export function refusal(reader: FlagFacts['reader'], text: string, name: string): string | undefined {
  try {
    reader?.(text, name);
    return undefined;
  } catch (thrown) {
    const { message, hint, correction, kind } = RelctlError.from(thrown);
    if (kind === 'bug') throw thrown;
    const remedy = correction === undefined ? hint : `did you mean ${correction.meant}?`;
    return remedy === undefined ? message : `${message} (${remedy})`;
  }
}

/** What is wrong with a value of a flag, in words, by the reader of its command; undefined when nothing is. */
export function wrongValue({ name, reader }: FlagFacts, text: string): string | undefined {
  if (isUnfit(text)) return `--${name} holds a line break or a control character`;
  // A format that only one command has, such as tree, is for terminals; a job writes a file.
  return refusal(reader, text, `--${name}`) ?? (name === 'output' ? refusal(formatNamed, text, '') : undefined);
}
