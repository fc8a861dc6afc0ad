import type { Config } from '@oclif/core';
import { RelctlError, usage } from '../core/errors/relctl-error.js';
import { closeAll, provideContext, type Context } from '../kit/host/context.js';
import { maskedSink, createStreams, type Streams } from '../formats/streams.js';
import { SecretFilter } from '../core/secrets/mask.js';
import type { ErrorContext } from '../kit/remedy/complete.js';
import { noUtf8, machineClock, readEnvironment } from '../kit/host/environment.js';
import { endAtOnce, shutDown, type Host, type RunEnd, untilDefect } from './exit.js';
import { errorShape } from '../kit/output/output-choice.js';
import { collectGarbage, watchSignals } from '../kit/host/process.js';
import { jobVariable, joinParent } from '../kit/host/parent-channel.js';
import { helpPages } from './help/page-names.js';
import {
  resolveCommand,
  type ProgramRequest,
  loadConfig,
  runAsTyped,
  topicNames,
  type CommandModules,
} from './program-config.js';
import { shellWord } from '../core/text/text.js';

/**
 * A command line that is suggested, with what was typed behind it, unless the command takes fewer arguments; its help, where
 * it needs more than was typed. A yes was meant for what was typed.
 */
function completeSuggestion(config: Config, suggestion: string, typed: readonly string[] = []): string {
  const line = `relctl ${suggestion}`;
  const command = config.findCommand(suggestion.replaceAll(' ', ':'));
  if (command === undefined) return line;
  const places = Object.values(command.args);
  const end = typed.findIndex((word) => word.startsWith('-'));
  const isFitting = (end === -1 ? typed.length : end) <= places.length;
  const rest = isFitting ? typed.filter((word) => word !== '--yes' && word !== '-y') : [];
  const lacksArgument = places.filter(({ required }) => required).length > rest.length;
  const lacksFlag = Object.values(command.flags).some(({ name, required }) => required && !rest.includes(`--${name}`));
  return lacksArgument || lacksFlag ? `${line} --help` : [line, ...rest.map(shellWord)].join(' ');
}

function unknownCommand(unknownWords: Extract<ProgramRequest, { kind: 'unknown' }>, config: Config): RelctlError {
  const { words, isOfHelp = false } = unknownWords;
  if (!isOfHelp && words.startsWith('-')) {
    return usage(undefined, `a command is missing before ${words.split('=', 1)[0] ?? ''}`, {
      advice: 'Flags follow the command: relctl relation list --limit 10',
      hint: 'relctl --help',
    });
  }
  const [first = '--help', ...others] = unknownWords.suggestions;
  const or = others.length === 0 ? undefined : `Or: ${others.map((line) => `\`relctl ${line}\``).join(', ')}`;
  return usage(undefined, `unknown ${isOfHelp ? 'page or command' : 'command'} '${words}'`, {
    advice: or,
    hint: completeSuggestion(config, first, unknownWords.rest),
  });
}

/** A flag that begins with another dash, or has a name that every object has: oclif would not take it for an unknown one. */
const isOddFlag = (word: string): boolean =>
  /^-*[\u2010-\u2015\u2212]/.test(word) || (word.startsWith('--') && (word.slice(2).split('=', 1)[0] ?? '') in {});

async function runCommand(
  config: Config,
  context: Context,
  { id, rest }: Extract<ProgramRequest, { kind: 'command' }>,
): Promise<void> {
  if (rest.some(isOddFlag)) {
    const { flags } = await context.loadCommand(id);
    (await import('./usage-error.js')).refuseOddFlags(rest, flags, id);
  }
  try {
    // `--trace` without a value means stderr, which oclif cannot say.
    await runAsTyped(config, context, { id, argv: rest.map((word) => (word === '--trace' ? '--trace=-' : word)) });
  } catch (thrown) {
    if (thrown instanceof RelctlError) throw thrown;
    const { flags } = await context.loadCommand(id);
    throw (await import('./usage-error.js')).usageError(thrown, Object.keys(flags), id);
  }
}

async function act(config: Config, context: Context): Promise<void> {
  const names = { commands: config.commandIDs, topics: topicNames(config.commandIDs), pages: Object.keys(helpPages) };
  const request = resolveCommand(context.environment.argv, names);
  switch (request.kind) {
    case 'version':
      return context.streams.out.write(`${config.userAgent}\n`);
    case 'help': {
      const { helpText } = await import('./help/help.js');
      return context.streams.out.write(helpText(config, context, request.wanted));
    }
    case 'unknown':
      throw unknownCommand(request, config);
    case 'command':
      return runCommand(config, context, request);
  }
}

/** Whether RELCTL_DEBUG asks for more words about errors. Throws `usage`. */
const isDebugging = async (text: string): Promise<boolean> =>
  (await import('../kit/flags/readers.js')).yesNoOf(text, 'RELCTL_DEBUG');

/** The failure with what to try. How that is found is loaded for a failure alone; an error there must not hide this one. */
async function withRemedy(failure: RelctlError, errorContext: ErrorContext): Promise<RelctlError> {
  try {
    return (await import('../kit/remedy/complete.js')).completed(failure, errorContext);
  } catch {
    return failure;
  }
}

function processHost(): Host {
  const environment = readEnvironment();
  const signals = watchSignals(endAtOnce);
  return {
    environment,
    streams: createStreams(environment.variables, signals.signal),
    signals,
    clock: machineClock,
    secrets: new SecretFilter(),
    collectGarbage,
    report: environment.variables[jobVariable] === undefined ? () => Promise.resolve() : joinParent(signals),
  };
}

/**
 * Resolves the command and runs it. Never throws: gives how it ended, for `finish`.
 * @param host what it runs in
 * @param root folder of the package
 * @param modules the commands
 */
export async function run(host: Host, root: string, modules: CommandModules): Promise<RunEnd> {
  const { environment, signals, clock, report } = host;
  const secrets = new SecretFilter(host.secrets);
  const streams: Streams = { ...host.streams, err: maskedSink(host.streams.err, (text) => secrets.hide(text)) };
  const closers: (() => void | Promise<void>)[] = [];
  const notes: string[] = [];
  const shape = errorShape(environment);
  let failure: RelctlError | undefined;
  let errorContext: ErrorContext | undefined;
  let debug = false;
  try {
    if (environment.damaged !== undefined) throw noUtf8(environment.damaged);
    const { RELCTL_DEBUG: debugText } = environment.variables;
    if (debugText !== undefined) debug = await isDebugging(debugText);
    const config = await loadConfig(root, modules);
    const context: Context = {
      environment,
      streams,
      secrets,
      clock,
      signal: AbortSignal.any([signals.signal, streams.outClosed]),
      version: config.version,
      errorShape: shape,
      notes,
      guardWrite: signals.guardWrite,
      collectGarbage: host.collectGarbage,
      report,
      loadCommand: (id) => config.loadCommand(id),
      runCommand: async (id, argv) => (await import('./run-apart.js')).runWithin(config, context, { id, argv }),
      runApart: async (line) => (await import('./run-apart.js')).runApart(host, line, (own) => run(own, root, modules)),
      names: {
        resolveIds: async (line, ...all) => (await import('../names/resolve.js')).resolveIds(line, ...all),
        openColumnNames: async (...all) => (await import('../names/record-names.js')).openColumnNames(...all),
      },
      openService: async (file) => (await import('../sandbox/sandbox.js')).openEmbedded(file),
      openRecorder: async (options) => (await import('../sandbox/recordings/write.js')).openRecorder(options),
      onClose: (close) => closers.push(close),
    };
    provideContext(config, context);
    errorContext = { config, context };
    await act(config, context);
  } catch (thrown) {
    failure = RelctlError.from(thrown);
  }
  await closeAll(closers).catch((thrown: unknown) => (failure ??= RelctlError.from(thrown)));
  if (failure !== undefined) {
    await report({ reason: secrets.hide(failure.message) });
    if (errorContext !== undefined) failure = await withRemedy(failure, errorContext);
  }
  return { streams, signals, shape, debug, failure, secrets, notes };
}

const mostMsToReportDefect = 3000;

async function endWithDefect({ environment, streams, signals, secrets }: Host, failure: RelctlError): Promise<void> {
  await shutDown({
    streams: { ...streams, err: maskedSink(streams.err, (text) => secrets.hide(text)) },
    signals,
    shape: errorShape(environment),
    debug: await isDebugging(environment.variables['RELCTL_DEBUG'] ?? 'no').catch(() => false),
    failure,
    notes: [],
    mostMs: mostMsToReportDefect,
  });
}

/**
 * Runs the program in this process, which ends with the exit code of core/errors/kinds.ts. Never throws.
 * @param root folder of the package
 * @param modules the commands
 */
export async function main(root: string, modules: CommandModules): Promise<void> {
  const ownHost = processHost();
  const { host, defect } = untilDefect(ownHost, (failure) => void endWithDefect(ownHost, failure));
  const ending = await run(host, root, modules);
  // What a defect ended is over when that was told.
  if (!defect.aborted) await shutDown(ending);
}
