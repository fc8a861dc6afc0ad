import type { Config } from '@oclif/core';
import { closeAll } from '../kit/host/close-all.js';
import { provideContext, type Context } from '../kit/host/context.js';
import type { Sink } from '../formats/streams.js';
import { runAsTyped } from './program-config.js';

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
  line: { readonly id: string; readonly argv: readonly string[] },
): Promise<void> {
  const closers: (() => void | Promise<void>)[] = [];
  const onClose: Context['onClose'] = (close) => closers.push(close);
  provideContext(config, { ...context, streams: { ...context.streams, out: silence }, onClose });
  try {
    await runAsTyped(config, context, line);
  } finally {
    provideContext(config, context);
    await closeAll(closers);
  }
}
