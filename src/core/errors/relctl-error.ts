import type { Code } from './codes.js';
import { kinds, type Kind } from './kinds.js';
import { defined } from '../values/value.js';

/** Facts that travel with a failure. All optional, none secret; they go into the JSON error object as they are. */
export interface ErrorFacts {
  readonly operation?: string;
  readonly profile?: string;
  readonly httpStatus?: number;
  /** A code of relctl. */
  readonly code?: Code;
  /** A code as the service (fault code, `Result.Code`), the system (`ENOENT`) or a library gave it; shown as `code` too. */
  readonly foreignCode?: string;
  /** `Result.Number` of a refused call. */
  readonly number?: number;
  /** Place in a record or document, for example `fieldValues[2].Id`. */
  readonly path?: string;
  /** Number of the line of a file, from 1. */
  readonly line?: number;
  readonly page?: number;
  readonly url?: string;
  /** How many attempts were made, when more than one. */
  readonly attempts?: number;
  /** True when not one byte of the request was handed to the socket, so that even a write may be sent again. */
  readonly unsent?: boolean;
  /** Schemes of HTTP by which a server or a proxy wants a login, such as Negotiate. */
  readonly schemes?: readonly string[];
  /** Where a redirect leads, without its query. */
  readonly location?: string;
  /** Seconds that the service asked us to wait (Retry-After). */
  readonly retryAfterSeconds?: number;
  /** Exit code that differs from that of the kind: of a signal, of an end that is no failure, of a write whose outcome is unknown. */
  readonly exitCode?: number;
}

/** A word that was given, and the one that was probably meant. */
export interface Correction {
  readonly given: string;
  readonly meant: string;
  /** What to try where the word is not on the command line. */
  readonly otherwise?: string | undefined;
}

/**
 * What to try next: a line to run, or flags for the command that failed (`--yes`), in which `NAME` stands for the profile in use;
 * a word of the line to change; or null, nothing.
 */
export type Hint = string | Correction | null;

/** What to do about a failure. `kit/remedy` makes the line that is shown after "Try:", also where there is no hint. */
export interface Remedy {
  /** One sentence, where no command line says it. Shown before "Try:". */
  readonly advice?: string | undefined;
  readonly hint?: Hint | undefined;
}

/** What else an error may have; what is undefined is left out. */
export interface ErrorOptions extends Remedy {
  readonly facts?: { readonly [Name in keyof ErrorFacts]?: ErrorFacts[Name] | undefined };
  /** The message says the profile of the facts: it is not shown once more. */
  readonly namesProfile?: boolean | undefined;
  /** Data that came with the refusal (for example the rows beside an ErrorInformation); shown, never lost. */
  readonly data?: unknown;
  /** Lines that show the place of a mistake in a text, with a caret. */
  readonly excerpt?: readonly string[] | undefined;
  /** The error that caused it. It must not hold a request: axios errors are replaced before (transport-errors.ts). */
  readonly cause?: unknown;
}

/** Of the packages that the bundle leaves outside, npm installs those for the platform: not with `--omit=optional`, not for musl. */
const installAdvice =
  'Reinstall relctl without --omit=optional. On a system with musl, such as Alpine, also install that package with npm, next to relctl.';

/**
 * The only error class of the program. The message says what failed and why; the facts say where; advice and
 * hint say what to do.
 * It never holds an envelope, a credential or a library's request object.
 */
export class RelctlError extends Error {
  readonly kind: Kind;
  readonly facts: ErrorFacts;
  readonly remedy: Remedy;
  readonly namesProfile: boolean;
  readonly data: unknown;
  readonly excerpt: readonly string[] | undefined;

  constructor(kind: Kind, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RelctlError';
    this.kind = kind;
    this.facts = defined(options.facts ?? {});
    this.remedy = { advice: options.advice, hint: options.hint };
    this.namesProfile = options.namesProfile === true;
    this.data = options.data;
    this.excerpt = options.excerpt;
  }

  /** The code that is reported: ours, else that of the service, the system or a library. */
  get reportedCode(): string | undefined {
    return this.facts.code ?? this.facts.foreignCode;
  }

  get advice(): string | undefined {
    return this.remedy.advice;
  }

  /** The line to run, or flags; undefined where there is none, or nothing to try. */
  get hint(): string | undefined {
    const { hint } = this.remedy;
    return typeof hint === 'string' ? hint : hint?.otherwise;
  }

  get correction(): Correction | undefined {
    const { hint } = this.remedy;
    return typeof hint === 'object' && hint !== null ? hint : undefined;
  }

  /** Exit code of the process that ends with this error. */
  get exitCode(): number {
    return this.facts.exitCode ?? kinds[this.kind].exitCode;
  }

  /** The same error with these changes; what is given as undefined is taken away. */
  but(changes: ErrorOptions & { readonly kind?: Kind; readonly message?: string }): RelctlError {
    const { kind, message, facts, remedy, namesProfile, data, excerpt, cause } = this;
    const { kind: newKind = kind, message: newMessage = message, ...options } = changes;
    return new RelctlError(newKind, newMessage, { facts, ...remedy, namesProfile, data, excerpt, cause, ...options });
  }

  /**
   * The same error with more facts; facts already there win, because the place nearest to the failure knows best.
   */
  with(facts: ErrorFacts): RelctlError {
    return this.but({ facts: { ...facts, ...this.facts } });
  }

  /** The same error with this in the place of what it said to do. */
  withHint(hint: string): RelctlError {
    return this.but({ advice: undefined, hint });
  }

  /** Any thrown value as a RelctlError: a package that is not installed is `local`, what else is not ours becomes a `bug`. */
  static from(thrown: unknown): RelctlError {
    if (thrown instanceof RelctlError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (codeOf(thrown) !== 'MODULE_NOT_FOUND') return new RelctlError('bug', message, { cause: thrown });
    // The rest of the message is where it was looked for.
    const [reason = ''] = message.split('\n', 1);
    return new RelctlError('local', `the installation of relctl is incomplete: ${reason}`, {
      advice: installAdvice,
      hint: null,
    });
  }
}

/** The remedy for a word that is not known: the one that was probably meant, when there is one, otherwise a line to run. */
export const perhaps = (typed: string, suggestion: string | undefined, otherwise?: string): Remedy => ({
  hint:
    suggestion === undefined
      ? otherwise
      : { given: typed, meant: suggestion, ...(otherwise === undefined ? {} : { otherwise }) },
});

/**
 * A mistake in what the user gave. The path names the flag (`--limit`) or the argument (`ID`); undefined where none is to
 * blame. The remedy is one thing to do instead; a text alone is a hint.
 */
export function usage(path: string | undefined, message: string, remedy: Hint | Remedy = {}): RelctlError {
  const options = typeof remedy === 'string' || remedy === null || 'given' in remedy ? { hint: remedy } : remedy;
  return new RelctlError('usage', message, { facts: { path }, ...options });
}

/** A question that was answered with no: there is nothing to try. */
export const declined = (message: string): RelctlError => usage(undefined, `not confirmed; ${message}`, null);

/** An answer of the service that is not what the contract says. The code tells in which way, for scripts. */
export function badAnswer(code: Code, message: string, facts: ErrorFacts = {}): RelctlError {
  return new RelctlError('bad-answer', message, { facts: { code, ...facts } });
}

/** Code of an error of the system, such as `ENOENT`; undefined for what has none. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/**
 * The error of a write that was done, of which it could not be told: nothing else is to be tried. A signal that came meanwhile
 * is told as `local`, because by its own exit code the write would not have been done.
 * @param done what was done, in words
 */
export function untold(thrown: unknown, done: string): RelctlError {
  const { kind, message, facts, namesProfile, data, cause } = RelctlError.from(thrown);
  const words = `${done}; but ${message}`;
  const isSignal = kind === 'interrupted' && facts.code !== 'stdout-closed';
  if (!isSignal) return new RelctlError(kind, words, { facts, namesProfile, data, cause });
  return new RelctlError('local', words, { facts: { foreignCode: facts.foreignCode }, data, cause, hint: null });
}
