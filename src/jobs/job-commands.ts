import type { Config } from '@oclif/core';
import { findOperation } from '../contract/service.js';

/** A flag as the command describes it. */
export interface FlagFacts {
  readonly name: string;
  readonly type: string;
  readonly helpValue?: string;
  readonly multiple?: boolean;
  readonly required?: boolean;
  readonly allowNo?: boolean;
  readonly options?: readonly string[];
}

/** A command that a job may run. */
export interface JobCommand {
  /** As it is typed: `relation list`. */
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly required?: boolean }[];
  readonly flags: Readonly<Record<string, FlagFacts>>;
}

/** A command as the manifest keeps it: with the operations that defineCommand gave it. */
interface Described {
  readonly id: string;
  readonly args: Readonly<Record<string, JobCommand['args'][number]>>;
  readonly flags: JobCommand['flags'];
  readonly operations?: readonly string[];
}

const typed = (id: string): string => id.replaceAll(':', ' ');

const onlyReads = ({ operations = [], flags }: Described): boolean =>
  operations.length > 0 &&
  flags['output-file'] !== undefined &&
  operations.every((name) => findOperation(name)?.access === 'read');

/** Every command that there is, and those that a job may run: they read, and print to a file. */
export interface KnownCommands {
  readonly names: readonly string[];
  readonly jobs: ReadonlyMap<string, JobCommand>;
}

/** The commands of the program, from its manifest. */
export function knownCommands(config: Pick<Config, 'commands'>): KnownCommands {
  // The manifest keeps what defineCommand wrote into it; oclif's types know nothing of `operations`.
  const described = config.commands as unknown as readonly Described[];
  const jobs = described
    .filter(onlyReads)
    .map(({ id, args, flags }): JobCommand => ({ name: typed(id), args: Object.values(args), flags }));
  return { names: described.map(({ id }) => typed(id)), jobs: new Map(jobs.map((each) => [each.name, each])) };
}
