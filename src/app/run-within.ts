import type { Command, Config } from '@oclif/core';
import { closeAll } from '../host/close-all.js';
import { provideContext, type Context } from '../host/context.js';
import type { Sink } from '../output/streams.js';

/** Stands for stdout where nobody reads it. */
const silence: Sink = {
  write: () => Promise.resolve(),
  writeBytes: () => Promise.resolve(),
  isTerminal: false,
  isPipe: false,
  width: undefined,
  hasColor: false,
};

/** Runs a command within another one: it prints nothing, and what it opened is closed at its end. */
export async function runWithin(
  config: Config,
  context: Context,
  { id, argv }: { readonly id: string; readonly argv: readonly string[] },
): Promise<void> {
  const closers: (() => void | Promise<void>)[] = [];
  const loaded = await context.loadCommand(id);
  // As in main.ts: the static run() would load the configuration once more.
  const Concrete = loaded as unknown as new (argv: string[], config: Config) => Command;
  const onClose: Context['onClose'] = (close) => closers.push(close);
  provideContext(config, { ...context, streams: { ...context.streams, out: silence }, onClose });
  try {
    await new Concrete([...argv], config).run();
  } finally {
    provideContext(config, context);
    await closeAll(closers);
  }
}
