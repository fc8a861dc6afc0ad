import type { Command, Config } from '@oclif/core';
import type { CheckedCommand } from '../cli/command.js';
import { withTraceTarget } from '../cli/flags/trace-target.js';
import type { Context } from '../host/context.js';
import { refuseInborn, usageError } from './usage-error.js';

/**
 * Reads the words behind a command as if they had been typed, and runs nothing. Gives the flags. Throws `usage` for words that
 * the command does not take; what is missing may come later.
 */
export async function checkLine(
  config: Config,
  context: Context,
  { id, rest }: { readonly id: string; readonly rest: readonly string[] },
): Promise<Readonly<Record<string, unknown>>> {
  const loaded = await context.loadCommand(id);
  // Every command is made by defineCommand; the type that oclif gives it is that of their abstract base.
  const Concrete = loaded as unknown as new (argv: string[], config: Config) => Command & CheckedCommand;
  const known = Object.keys(loaded.flags);
  const words = id.replaceAll(':', ' ');
  refuseInborn(rest, known, words);
  try {
    return await new Concrete(withTraceTarget(rest), config).check();
  } catch (thrown) {
    throw usageError(thrown, known, words);
  }
}
