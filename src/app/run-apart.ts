import { PassThrough } from 'node:stream';
import type { CommandLine, LineEnd } from '../kit/host/context.js';
import type { Streams } from '../formats/streams.js';
import type { Host, RunEnd } from './exit.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables but those of these names. */
const allBut = (variables: Variables, names: readonly string[]): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));

/** Streams that belong to the command line alone. */
function streamsOf({ out, err, outClosed }: CommandLine, { prompt }: Streams): Streams {
  return { out, err, outClosed, prompt, finish: () => Promise.resolve() };
}

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
  const { failure, notes, secrets } = await again({
    environment: {
      ...environment,
      variables: allBut(environment.variables, line.without),
      argv: line.argv,
      stdinIsTerminal: false,
      stdin: () => new PassThrough().end(line.input),
    },
    streams: streamsOf(line, streams),
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
