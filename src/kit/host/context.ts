import type { Command, Config } from '@oclif/core';
import type { ErrorShape } from '../../formats/error.js';
import type { Column } from '../../formats/columns.js';
import { isWatched, type Sink, type Streams } from '../../formats/streams.js';
import type { NameOf } from '../../formats/writers/format.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import type { CommonFlags } from '../flags/common.js';
import type { IdKind } from '../flags/define.js';
import type { SecretFilter } from '../../core/secrets/mask.js';
import type { ExchangeRecord } from '../../client/call.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { HttpHandler, HttpRequest } from '../../soap/transport/http.js';
import type { Clock, Environment } from './environment.js';
import type { Collection } from './process.js';
import type { JobReport } from './parent-channel.js';

/** A command line to run apart: with streams, stdin and a signal of its own. */
export interface CommandLine {
  /** The words of the command and those behind them. */
  readonly argv: readonly string[];
  /** All of its stdin. */
  readonly input: string;
  readonly out: Sink;
  readonly err: Sink;
  /** Aborted when nobody wants more of its output: a reason to stop, not a failure. */
  readonly outClosed: AbortSignal;
  /** Aborted with the reason why its work is to stop. */
  readonly signal: AbortSignal;
  readonly guardWrite: Context['guardWrite'];
  /** Variables of the environment that it does not have. */
  readonly without: readonly string[];
}

/** How a command line that ran apart ended. */
export interface LineEnd {
  readonly failure: RelctlError | undefined;
  readonly notes: readonly string[];
  /** A text without the secrets that it came to know: for the report of its end. */
  readonly hide: (text: string) => string;
}

interface EmbeddedService {
  readonly namespace: string;
  readonly answer: HttpHandler;
  close(): void;
}

interface Recorder {
  /**
   * Records the request, before it is sent. Throws `local`, with nothing sent.
   * @param call its request without credentials, and the names of parameters whose value the command made by the clock
   */
  begin(call: {
    readonly operation: string;
    readonly namespace: string;
    readonly filled?: readonly string[];
    readonly request: HttpRequest;
  }): ExchangeRecord;
  /** Throws `local` when an answer could not be recorded: the call itself went on. */
  close(): void;
}

/** An argument or a flag whose value is an id. */
export interface IdParameter {
  readonly group: 'args' | 'flags';
  /** Name of the argument or flag, without dashes. */
  readonly key: string;
}

/** An argument or a flag that holds a name in the place of an id. */
export interface NamedParameter extends IdParameter {
  readonly kind: IdKind;
  /** One of them at least is not a GUID. */
  readonly texts: readonly string[];
}

/** What names were resolved to, in words. */
export interface Resolutions {
  readonly named: readonly string[];
  /** Names of records, with the age of the mirror. */
  readonly mirrored: readonly string[];
}

/** A command line, as it is parsed. */
export interface ParsedLine {
  readonly args: object;
  readonly flags: CommonFlags & { readonly profile?: string | undefined };
  readonly context: Context;
}

/** Looks up names for Ids, and Ids for names: those of the profile, and of records in its mirror. */
interface Names {
  /**
   * Puts Ids in the place of names. Throws `usage` for a name that is not known or means several records, `not-found`,
   * `profile`, and `local` when the mirror cannot be read.
   * @param operations names of those that the command may call: they tell whether it writes
   */
  readonly resolveIds: <L extends ParsedLine>(
    line: L,
    parameters: readonly NamedParameter[],
    operations: readonly string[],
  ) => Promise<L & Resolutions>;
  /** Makes what gives the names of records whose Ids stand in some columns. */
  readonly openColumnNames: (
    request: { readonly context: Context; readonly profile: ResolvedProfile; readonly flags: CommonFlags },
    columns: readonly Column[],
  ) => Promise<NameOf>;
}

/** What exists while a command runs. Made once by main.ts; a command reaches it through its config. */
export interface Context {
  readonly environment: Environment;
  readonly streams: Streams;
  /** What must not leave the process but in requests; stderr hides it. */
  readonly secrets: SecretFilter;
  readonly clock: Clock;
  /** Aborted by a signal or when the reader of stdout went away; all work stops at it. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly errorShape: ErrorShape;
  /** What is to be said on stderr as JSON when the run ends. */
  readonly notes: string[];
  /** Does a write: as long as its outcome is open, no signal ends the process as if nothing had been sent. */
  readonly guardWrite: <T>(write: () => Promise<T>) => Promise<T>;
  /** Sets how the process collects garbage from here on: early, unless `when` says otherwise. */
  readonly collectGarbage: (when?: Collection) => void;
  /** Tells the run that this process is a job of, if it is one. */
  readonly report: (report: JobReport) => Promise<void>;
  /** A command by its id, `relation:get`; that there is one is known by the configuration. */
  readonly loadCommand: (id: string) => Promise<Command.Class>;
  /** Runs another command within this one, by its id and the words behind it. It prints nothing on stdout. Throws what it throws. */
  readonly runCommand: (id: string, argv: readonly string[]) => Promise<void>;
  /** Runs a command line apart from this one, as a process of its own would, but within this one. Never throws. */
  readonly runApart: (line: CommandLine) => Promise<LineEnd>;
  readonly names: Names;
  /** Opens the embedded service on a database file, which is made where there is none. Throws `local`. */
  readonly openService: (file: string) => Promise<EmbeddedService>;
  /** Opens a recording of calls. Throws `usage` for a foreign folder and for secrets that cannot be masked, and `local`. */
  readonly openRecorder: (options: {
    readonly folder: string;
    readonly secrets: readonly string[];
    readonly now: () => Date;
  }) => Promise<Recorder>;
  /** Adds something to close before the process ends; closed in reverse order, also after a failure. */
  onClose(close: () => void | Promise<void>): void;
}

const contexts = new WeakMap<Config, Context>();

/** Makes the context reachable for the command that oclif creates with this config. */
export function provideContext(config: Config, context: Context): void {
  contexts.set(config, context);
}

/** The context of a running command. Throws `bug` when main.ts did not provide one. */
export function contextOf(config: Config): Context {
  const context = contexts.get(config);
  if (context === undefined) throw new RelctlError('bug', 'a command ran without a context');
  return context;
}

/** True when the user can be asked: stdin, stdout and stderr are terminals, --no-input was not given, and CI is not set. */
export function canAsk(context: Context, flags: { readonly 'no-input'?: boolean | undefined }): boolean {
  const { stdinIsTerminal, variables } = context.environment;
  const hasPerson = stdinIsTerminal && isWatched(context.streams.err) && isWatched(context.streams.out);
  return hasPerson && flags['no-input'] !== true && variables['CI'] === undefined;
}

/** Closes all, the last first, whatever fails: a lock is released although its database cannot be closed. Throws the first failure. */
export async function closeAll(closers: readonly (() => void | Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...closers].reverse()) {
    try {
      await close();
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
}
