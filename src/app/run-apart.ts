import { PassThrough } from 'node:stream';
import { type CommandLine, type LineEnd, provideContext, type Context, closeAll } from '../kit/host/context.js';
import type { Sink } from '../formats/streams.js';
import type { Host, RunEnd } from './exit.js';
import type { Config } from '@oclif/core';
import { runAsTyped } from './program-config.js';

/**
 * Runs a command line as a run of its own within this process: other streams, stdin and signal, and a configuration that it
 * shares with nobody, so that many may run at once. Nothing is asked, and how it ended goes to the caller alone. Never throws.
 * @param again runs the program
 */
export async function runApart(
  host: Host,
  line: CommandLine,
  again: (host: Host) => Promise<RunEnd>,
): Promise<LineEnd> {
  const { environment, streams, clock } = host;
  const { out, err, outClosed } = line;
  const variables = Object.entries(environment.variables).filter(([name]) => !line.without.includes(name));
  const { failure, notes, secrets } = await again({
    environment: {
      ...environment,
      variables: Object.fromEntries(variables),
      argv: line.argv,
      stdinIsTerminal: false,
      stdin: () => new PassThrough().end(line.input),
    },
    streams: { out, err, outClosed, prompt: streams.prompt, finish: () => Promise.resolve() },
    signals: {
      signal: line.signal,
      ask: () => false,
      received: () => undefined,
      guardWrite: line.guardWrite,
      isWriting: () => false,
      stop: () => undefined,
    },
    clock,
    secrets: host.secrets,
    // How this process collects garbage is for the whole of it to say.
    collectGarbage: () => undefined,
    report: () => Promise.resolve(),
  });
  return { failure, notes, hide: (text) => secrets.hide(text) };
}

const unreadOutput: Sink = {
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
  provideContext(config, { ...context, streams: { ...context.streams, out: unreadOutput }, onClose });
  try {
    await runAsTyped(config, context, line);
  } finally {
    provideContext(config, context);
    await closeAll(closers);
  }
}
