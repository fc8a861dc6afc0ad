import type { Command, Config } from '@oclif/core';
import type { Context } from '../host/context.js';

/** Runs a command by its id, with the words behind it, as if it had been typed; throws what it throws. */
export async function runAsTyped(
  config: Config,
  context: Context,
  { id, argv }: { readonly id: string; readonly argv: readonly string[] },
): Promise<void> {
  // Every command is concrete; the type that oclif gives it is that of their abstract base.
  const Loaded = (await context.loadCommand(id)) as unknown as new (argv: string[], config: Config) => Command;
  await new Loaded([...argv], config).run();
}
