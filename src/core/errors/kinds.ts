type Actor = 'user' | 'service' | 'machine' | 'relctl';

/** One row of the table of failures. */
export interface KindFacts {
  /** Process exit code, frozen: scripts depend on it. */
  readonly exitCode: number;
  /** The part of the program or of the call that failed. */
  readonly layer: 'command' | 'profile' | 'service' | 'transport' | 'answer' | 'local' | 'relctl';
  readonly actor: Actor;
  /** What the exit code means in a word or two, as the line of the help says it. */
  readonly brief: string;
  /** What the exit code means, as the docs say it. */
  readonly words: string;
}

/** Exit codes of runs that a signal ended, as a shell gives them: 128 and the number of the signal. */
export const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * The one table of failures. Exit codes, the `exit-codes` documentation and the JSON error object derive from it.
 * A kind is never chosen by reading a message text.
 */
export const kinds = {
  bug: { exitCode: 1, layer: 'relctl', actor: 'relctl', brief: 'defect', words: 'unexpected: a bug in relctl' },
  usage: {
    exitCode: 2,
    layer: 'command',
    actor: 'user',
    brief: 'usage',
    words: 'usage: a bad flag, value, input file or unknown command; nothing was sent',
  },
  profile: {
    exitCode: 3,
    layer: 'profile',
    actor: 'user',
    brief: 'credentials',
    words: 'profile or credentials missing, unreadable or refused',
  },
  refused: {
    exitCode: 4,
    layer: 'service',
    actor: 'user',
    brief: 'refused',
    words: 'the service refused: Succeeded=false, ErrorInformation or a SOAP fault',
  },
  'not-found': {
    exitCode: 5,
    layer: 'service',
    actor: 'user',
    brief: 'not found',
    words: 'not found: the record does not exist',
  },
  'no-answer': {
    exitCode: 6,
    layer: 'transport',
    actor: 'service',
    brief: 'no answer',
    words: 'no answer: DNS, connect, TLS, proxy, timeout, or an HTTP status without SOAP',
  },
  'bad-answer': {
    exitCode: 7,
    layer: 'answer',
    actor: 'service',
    brief: 'bad answer',
    words: 'bad answer: not what the contract defines; not XML, truncated, another envelope, over a limit',
  },
  partial: {
    exitCode: 8,
    layer: 'service',
    actor: 'user',
    brief: 'partly done',
    words: 'partly done: some rows failed, or a list stopped short',
  },
  'outcome-unknown': {
    exitCode: 9,
    layer: 'transport',
    actor: 'user',
    brief: 'outcome unknown',
    words:
      'outcome unknown: relctl sent a write and does not know whether the service carried it out; relctl never retries it',
  },
  local: {
    exitCode: 10,
    layer: 'local',
    actor: 'machine',
    brief: 'local file or disk',
    words: 'local failure: a file cannot be written, or the disk fails or is full',
  },
  locked: { exitCode: 11, layer: 'local', actor: 'machine', brief: 'locked', words: 'another run holds the lock' },
  different: {
    exitCode: 12,
    layer: 'command',
    actor: 'user',
    brief: 'different',
    words: 'the compared things differ; only with --exit-code',
  },
  conflict: {
    exitCode: 13,
    layer: 'service',
    actor: 'user',
    brief: 'conflict',
    words: 'conflict: somebody else changed the record in the meantime; nothing was sent',
  },
  interrupted: {
    exitCode: signalExitCodes.SIGINT,
    layer: 'command',
    actor: 'user',
    brief: 'interrupted',
    words: `interrupted (${signalExitCodes.SIGINT} by Ctrl-C, ${signalExitCodes.SIGTERM} by SIGTERM, ${signalExitCodes.SIGHUP} by SIGHUP), with no write in flight`,
  },
} as const satisfies Record<string, KindFacts>;

/** The closed set of failures. */
export type Kind = keyof typeof kinds;

/** The exit code of a kind, as help names it. */
export const exitWords = (kind: Kind): string => `exit code ${kinds[kind].exitCode}`;

/** An exit code with what it means; without a kind it is that of a run without a failure. */
export type ExitCode = Pick<KindFacts, 'exitCode' | 'brief' | 'words'> & {
  readonly kind?: string;
  readonly layer?: string;
};

/** The exit code of a run without a failure. */
export const successCode = 0;

const done: ExitCode = {
  exitCode: successCode,
  brief: 'done',
  words: 'done; an empty list is done, and so is a list whose reader went away',
};

/** All exit codes, in their order. */
export const exitCodes = (): readonly ExitCode[] => [
  done,
  ...Object.entries<KindFacts>(kinds)
    .map(([kind, facts]) => ({ kind, ...facts }))
    .toSorted((one, other) => one.exitCode - other.exitCode),
];
