import type { Code } from '../core/errors/codes.js';
import type { Access } from '../contract/build.js';
import { kinds } from '../core/errors/kinds.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { Call, ClientSurroundings, MakeAttempt, Reply } from './call.js';
import { limitsOfReads } from './pace.js';

/** HTTP statuses without SOAP after which a read may be repeated. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** HTTP statuses by which the server says that it refused the request before it did anything. */
const turnedAway: ReadonlySet<number> = new Set([
  301, 307, 308, 400, 401, 403, 404, 405, 407, 410, 411, 413, 414, 415, 417, 421, 429, 431, 511,
]);

/** Codes of failures that would also end another attempt. */
const lastingCodes: ReadonlySet<Code | undefined> = new Set([
  'certificate',
  'proxy-authentication',
  'redirect',
  'client-certificate',
]);

/** Codes of answers that were cut off on the way; any other bad answer would come again. */
const cutShort: ReadonlySet<Code | undefined> = new Set(['truncated', 'xml-truncated', 'empty', 'closed', 'reset']);

/** True for a time limit that ended a call, here or behind a gateway, once the service was connected to. */
export function isTooSlow({ facts: { code, httpStatus } }: RelctlError): boolean {
  const isTimeout = code === 'timeout-first-byte' || code === 'timeout-idle' || code === 'timeout-whole';
  return isTimeout || httpStatus === 408 || httpStatus === 504;
}

function isPassing(error: RelctlError): boolean {
  const { code, httpStatus } = error.facts;
  if (error.kind === 'no-answer') {
    return httpStatus === undefined ? !lastingCodes.has(code) : passingStatuses.has(httpStatus);
  }
  return error.kind === 'bad-answer' && cutShort.has(code);
}

function mayHaveHappened(error: RelctlError): boolean {
  if (error.facts.unsent === true) return false;
  if (error.kind === 'bad-answer' || error.kind === 'interrupted') return true;
  return error.kind === 'no-answer' && !turnedAway.has(error.facts.httpStatus ?? 0);
}

function outcomeUnknown(error: RelctlError): RelctlError {
  // The exit code of a signal is for runs that were not writing.
  const facts = { ...error.facts, exitCode: kinds['outcome-unknown'].exitCode };
  return new RelctlError(
    'outcome-unknown',
    `relctl sent the request, but does not know whether the service carried it out: ${error.message}`,
    {
      facts,
      advice: 'Check the record before you repeat the command; relctl never retries a write.',
      cause: error.cause,
    },
  );
}

/**
 * The error that a call ends with after a failed attempt; undefined where that is repeated: no other code decides it. Reads are
 * repeated after failures that may pass, writes only when no byte of the request was sent. A write that the service may have
 * done becomes `outcome-unknown`.
 */
export function lastFailure(access: Access, remainingAttempts: number, error: RelctlError): RelctlError | undefined {
  if (access !== 'read' && mayHaveHappened(error)) return outcomeUnknown(error);
  if (access !== 'read' && error.facts.unsent !== true) return error;
  return remainingAttempts > 0 && isPassing(error) ? undefined : error;
}

const capMs = 20_000;

/**
 * Milliseconds to wait before the next attempt: what the service asked for (Retry-After), else a random time whose maximum
 * doubles with each attempt up to 20 s. Undefined when the service asks for more than a minute: then there is no retry.
 * @param random a number in [0, 1)
 */
export function delayMs(attempt: number, error: RelctlError, random: number): number | undefined {
  const waitSeconds = error.facts.retryAfterSeconds;
  if (waitSeconds !== undefined) return waitSeconds * 1000 > limitsOfReads.mostWaitMs ? undefined : waitSeconds * 1000;
  return random * Math.min(capMs, 250 * 2 ** attempt);
}

const isOver = ({ signal, endsWhenSlow }: Call, error: RelctlError): boolean =>
  signal.aborted || (endsWhenSlow === true && isTooSlow(error));

/** Attempts a call until it has a reply, or an error that another attempt would not mend. Throws RelctlError, and what `pause` throws. */
export function retry(
  attempt: MakeAttempt,
  retries: number,
  { random, pause }: Pick<ClientSurroundings, 'random' | 'pause'>,
): (call: Call) => Promise<Reply> {
  return async (call) => {
    for (let number = 1; ; number += 1) {
      const outcome = await attempt(call, number);
      if (!(outcome instanceof RelctlError)) return outcome;
      const error = number > 1 ? outcome.with({ attempts: number }) : outcome;
      const remaining = isOver(call, error) ? 0 : retries - number + 1;
      const failure = lastFailure(call.operation.access, remaining, error);
      if (failure !== undefined) throw failure;
      const waitMs = delayMs(number, error, random());
      if (waitMs === undefined) throw error;
      await pause(waitMs, call.signal, error);
    }
  };
}
