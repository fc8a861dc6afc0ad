import type { Kind } from '../../errors/kinds.js';
import { RelctlError, type Remedy } from '../../errors/relctl-error.js';
import type { PhaseLimits } from './http.js';
import { secondsOf, type Phase } from './watchdog.js';

/** Codes in `facts.code` of failures below SOAP. */
export type TransportCode =
  | 'dns'
  | 'connect-refused'
  | 'connect-timeout'
  | 'unreachable'
  | 'tls'
  | 'certificate'
  | 'client-certificate'
  | 'proxy'
  | 'proxy-authentication'
  | 'reset'
  | 'timeout-connect'
  | 'timeout-tls'
  | 'timeout-first-byte'
  | 'timeout-idle'
  | 'timeout-whole'
  | 'truncated'
  | 'not-http'
  | 'encoding'
  | 'limit'
  | 'network';

/** The state of an exchange when it failed. */
export interface Progress {
  /** `host:port` for messages. */
  readonly target: string;
  readonly origin: string;
  /** `host:port` of the proxy, until it has connected to the service. */
  readonly proxy?: string;
  /** True within the TLS handshake. */
  readonly securing: boolean;
  /** True when part of the request may have been sent. */
  readonly handed: boolean;
  /** True once the head of the answer was there. */
  readonly answered: boolean;
  readonly limits: PhaseLimits;
}

interface Failure extends Remedy {
  readonly kind: Kind;
  readonly code: TransportCode;
  readonly message: string;
}

const noAnswer = (code: TransportCode, message: string, remedy: Remedy = {}): Failure => ({
  kind: 'no-answer',
  code,
  message,
  ...remedy,
});

function failed(failure: Failure, progress: Progress): RelctlError {
  const { kind, message, code, ...remedy } = failure;
  return new RelctlError(kind, message, {
    facts: { code, url: progress.origin, unsent: progress.handed ? undefined : true },
    ...remedy,
  });
}

const checkAddress: Remedy = {
  advice: 'Check the base URL of the profile, and whether the service runs.',
  hint: 'relctl profile show NAME',
};

const checkProxy: Remedy = {
  advice: 'Check the proxy, which the profile or the environment names.',
  hint: 'relctl profile show NAME --origin',
};

/** Who failed to connect: the service or the proxy, with what to do. */
function peerOf({ target, proxy }: Progress): { readonly peer: string; readonly remedy: Remedy } {
  return proxy === undefined
    ? { peer: target, remedy: checkAddress }
    : { peer: `the proxy ${proxy}`, remedy: checkProxy };
}

/** The `no-answer` for a phase that took too long. */
export function timeoutError(phase: Phase, progress: Progress): RelctlError {
  const seconds = secondsOf(phase, progress.limits);
  const { peer, remedy } = peerOf(progress);
  const texts: Record<Phase, string> = {
    connect: `no connection to ${peer} within ${seconds} s`,
    tls: `no TLS handshake with ${peer} within ${seconds} s`,
    'first-byte': `${progress.target} gave no answer within ${seconds} s`,
    idle: `the answer of ${progress.target} stalled for ${seconds} s`,
    whole: `the call to ${progress.target} took more than ${seconds} s`,
  };
  const isConnecting = phase === 'connect' || phase === 'tls';
  const longer: Remedy = { advice: 'Give it longer with --timeout, or ask for smaller pages with --page-size.' };
  return failed(noAnswer(`timeout-${phase}`, texts[phase], isConnecting ? remedy : longer), progress);
}

/** The error for a proxy that refused the connection: `profile` for 407, else `no-answer`. */
export function proxyError(status: number, proxyHost: string, progress: Progress): RelctlError {
  if (status === 407) {
    const message = `the proxy ${proxyHost} wants a user name and password (407)`;
    const remedy = {
      advice: 'Put them into the proxy setting of the profile.',
      hint: 'relctl profile edit NAME --secret proxy=-',
    };
    return failed({ kind: 'profile', code: 'proxy-authentication', message, ...remedy }, progress);
  }
  const message = `the proxy ${proxyHost} refused the connection (${status})`;
  return failed(noAnswer('proxy', message, checkProxy), progress);
}

/** The `bad-answer` for a service that changed to another protocol than HTTP. */
export function upgradeError(progress: Progress): RelctlError {
  const message = `${progress.target} changed to another protocol than HTTP (101)`;
  return failed({ kind: 'bad-answer', code: 'not-http', message, ...checkAddress }, progress);
}

/** The `bad-answer` for a service that sends more interim answers (1xx) than this. */
export function interimError(most: number, progress: Progress): RelctlError {
  const message = `${progress.target} sent more than ${most} interim answers (1xx)`;
  return failed({ kind: 'bad-answer', code: 'limit', message }, progress);
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

/** TLS alerts of a service that refuses the client certificate, or requires one. */
const clientCertificateCodes =
  /^ERR_SSL_(?:TLSV13_ALERT_CERTIFICATE_REQUIRED|SSLV3_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE)|TLSV1_ALERT_UNKNOWN_CA|TLSV1_ALERT_ACCESS_DENIED)$/;

function connectionFailure(code: string, progress: Progress): Failure | undefined {
  const { peer, remedy } = peerOf(progress);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return noAnswer('dns', `the host name of ${peer} was not found`, remedy);
    case 'ECONNREFUSED':
      return noAnswer('connect-refused', `${peer} refused the connection: nothing listens there`, remedy);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return noAnswer('unreachable', `there is no route to ${peer}`, { advice: 'Is the network, or the VPN, up?' });
    case 'ETIMEDOUT':
      return noAnswer('connect-timeout', `no connection to ${peer}`, remedy);
    default:
      return undefined;
  }
}

function certificateFailure(code: string, progress: Progress): Failure | undefined {
  const { peer } = peerOf(progress);
  if (certificateCodes.test(code)) {
    const message = `the certificate of ${peer} is not accepted: ${certificateWords[code] ?? `it cannot be checked (${code})`}`;
    const advice =
      'If the authority is your own, name its certificate: --set caFile=FILE, also of `relctl profile edit`.';
    return noAnswer('certificate', message, { advice, hint: 'relctl profile show NAME' });
  }
  if (clientCertificateCodes.test(code)) {
    const message = `${peer} wants a client certificate that it accepts (${code})`;
    const advice = 'Name one: --set clientCertFile=FILE and --set clientKeyFile=FILE, also of `relctl profile edit`.';
    return { kind: 'profile', code: 'client-certificate', message, advice };
  }
  if (code.startsWith('ERR_OSSL_')) {
    const message = `the client certificate, its key or passphrase, or the CA file cannot be used (${code})`;
    const advice = 'Check the files that the profile names.';
    return { kind: 'profile', code: 'client-certificate', message, advice };
  }
  return undefined;
}

function tlsFailure(code: string, progress: Progress): Failure | undefined {
  const { peer } = peerOf(progress);
  const isClosed = progress.securing && (code === 'ECONNRESET' || code === 'EPIPE');
  if (!isClosed && code !== 'EPROTO' && !code.startsWith('ERR_SSL') && !code.startsWith('ERR_TLS')) return undefined;
  const advice = 'Does the base URL need http instead of https, or a client certificate?';
  const reason = isClosed ? 'it closed the connection' : code;
  return noAnswer('tls', `TLS with ${peer} failed (${reason})`, { advice, hint: 'relctl profile show NAME' });
}

function httpFailure(code: string, { target, answered }: Progress): Failure | undefined {
  if (answered)
    return { kind: 'bad-answer', code: 'truncated', message: `the answer of ${target} was cut off or damaged` };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'bad-answer', code: 'limit', message: `the headers of ${target} are too long` };
  return code.startsWith('HPE_')
    ? { kind: 'bad-answer', code: 'not-http', message: `${target} did not answer in HTTP` }
    : undefined;
}

function brokenOff(code: string, progress: Progress): Failure {
  const { target, proxy, handed } = progress;
  if (proxy !== undefined) return noAnswer('proxy', `the proxy ${proxy} closed the connection without an answer`);
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') {
    const when = handed ? 'without an answer' : 'before the request was sent';
    return noAnswer('reset', `${target} closed the connection ${when}`);
  }
  return noAnswer('network', `the call to ${target} failed (${code === '' ? 'no reason given' : code})`);
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const { code, cause } = thrown as { readonly code?: unknown; readonly cause?: unknown };
  const inner = codeOf(cause);
  return inner === '' && typeof code === 'string' ? code : inner;
}

/** The error for what axios or Node threw, by its code alone: their errors hold the whole request, with the password. */
export function transportError(thrown: unknown, progress: Progress): RelctlError {
  const code = codeOf(thrown);
  const failure =
    connectionFailure(code, progress) ??
    certificateFailure(code, progress) ??
    tlsFailure(code, progress) ??
    httpFailure(code, progress) ??
    brokenOff(code, progress);
  return failed(failure, progress);
}
