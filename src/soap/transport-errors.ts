import type { Kind } from '../errors/kinds.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { PhaseLimits } from './http.js';
import { secondsOf, type Phase } from './watchdog.js';

/** Codes in `facts.code` of failures below SOAP. */
export const transportCodes = [
  'dns',
  'connect-refused',
  'connect-timeout',
  'unreachable',
  'tls',
  'certificate',
  'proxy',
  'proxy-authentication',
  'reset',
  'timeout-connect',
  'timeout-tls',
  'timeout-first-byte',
  'timeout-idle',
  'timeout-whole',
  'truncated',
  'not-http',
  'encoding',
  'limit',
  'network',
] as const;

/** See transportCodes. */
export type TransportCode = (typeof transportCodes)[number];

/** How far an exchange had come when it failed. */
export interface Progress {
  /** `host:port` for messages. */
  readonly target: string;
  readonly origin: string;
  /** True once the request may have left: the socket was ready to take it. */
  readonly handed: boolean;
  /** True once the head of the answer was there. */
  readonly answered: boolean;
  readonly limits: PhaseLimits;
}

interface Failure {
  readonly kind: Kind;
  readonly code: TransportCode;
  readonly message: string;
  readonly hint?: string;
}

function failed(failure: Failure, progress: Progress): RelctlError {
  return new RelctlError(failure.kind, failure.message, {
    facts: { code: failure.code, url: progress.origin, ...(progress.handed ? {} : { unsent: true }) },
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
  });
}

const checkAddress = 'Check the base URL of the profile: relctl profile show';

/** A phase took too long. */
export function timeoutError(phase: Phase, progress: Progress): RelctlError {
  const seconds = secondsOf(phase, progress.limits);
  const texts: Record<Phase, string> = {
    connect: `no connection to ${progress.target} within ${seconds} s`,
    tls: `no TLS handshake with ${progress.target} within ${seconds} s`,
    'first-byte': `${progress.target} gave no answer within ${seconds} s`,
    idle: `the answer of ${progress.target} stalled for ${seconds} s`,
    whole: `the call to ${progress.target} took more than ${seconds} s`,
  };
  const hint =
    phase === 'connect' || phase === 'tls'
      ? checkAddress
      : 'Give it longer with --timeout, or ask for smaller pages with --page-size.';
  return failed({ kind: 'no-answer', code: `timeout-${phase}`, message: texts[phase], hint }, progress);
}

/** The proxy did not let the connection through. */
export function proxyError(status: number, proxyHost: string, progress: Progress): RelctlError {
  if (status === 407) {
    const message = `the proxy ${proxyHost} wants a user name and password (407)`;
    return failed(
      {
        kind: 'profile',
        code: 'proxy-authentication',
        message,
        hint: 'Put them into the proxy setting of the profile.',
      },
      progress,
    );
  }
  return failed(
    { kind: 'no-answer', code: 'proxy', message: `the proxy ${proxyHost} refused the connection (${status})` },
    progress,
  );
}

const certificateCodes =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

const certificateWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known',
};

function connectionFailure(code: string, target: string): Failure | undefined {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        kind: 'no-answer',
        code: 'dns',
        message: `the host name in ${target} was not found`,
        hint: checkAddress,
      };
    case 'ECONNREFUSED':
      return {
        kind: 'no-answer',
        code: 'connect-refused',
        message: `${target} refused the connection`,
        hint: checkAddress,
      };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return {
        kind: 'no-answer',
        code: 'unreachable',
        message: `there is no route to ${target}`,
        hint: 'Is the network, or the VPN, up?',
      };
    case 'ETIMEDOUT':
      return { kind: 'no-answer', code: 'connect-timeout', message: `no connection to ${target}`, hint: checkAddress };
    default:
      return undefined;
  }
}

function protocolFailure(code: string, target: string): Failure | undefined {
  if (certificateCodes.test(code)) {
    const reason = certificateWords[code] ?? code;
    const hint = 'If the authority is your own, name its certificate with --ca-file.';
    return {
      kind: 'no-answer',
      code: 'certificate',
      message: `the certificate of ${target} is not accepted: ${reason}`,
      hint,
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return {
      kind: 'no-answer',
      code: 'tls',
      message: `TLS with ${target} failed (${code})`,
      hint: 'Does the base URL need http instead of https, or a client certificate?',
    };
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'bad-answer', code: 'limit', message: `the headers of ${target} are too long` };
  return code.startsWith('HPE_')
    ? { kind: 'bad-answer', code: 'not-http', message: `${target} did not answer in HTTP (${code})` }
    : undefined;
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const { code, cause } = thrown as { readonly code?: unknown; readonly cause?: unknown };
  const inner = codeOf(cause);
  return inner === '' && typeof code === 'string' ? code : inner;
}

/**
 * Our own error for whatever the HTTP library threw. Only its code is looked at: the library's errors carry the whole
 * request, and the password with it.
 */
export function transportError(thrown: unknown, progress: Progress): RelctlError {
  const code = codeOf(thrown);
  const { target } = progress;
  const known = connectionFailure(code, target) ?? protocolFailure(code, target);
  if (known !== undefined) return failed(known, progress);
  if (progress.answered)
    return failed({ kind: 'bad-answer', code: 'truncated', message: `the answer of ${target} was cut off` }, progress);
  const message = progress.handed
    ? `${target} closed the connection without an answer`
    : `${target} closed the connection before the request was sent`;
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED')
    return failed({ kind: 'no-answer', code: 'reset', message }, progress);
  return failed(
    { kind: 'no-answer', code: 'network', message: `the call to ${target} failed (${code || 'no reason given'})` },
    progress,
  );
}
