import type { Code } from '../../core/errors/codes.js';
import type { Kind } from '../../core/errors/kinds.js';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { schemesIn, schemesOf, secondsOf, unspoken, type Phase, type PhaseLimits } from './http.js';

/** The state of an exchange when it failed. */
export interface Progress {
  /** `host:port` for messages. */
  readonly target: string;
  readonly origin: string;
  /** `host:port` of the proxy, until it has connected to the service. */
  readonly proxy?: string | undefined;
  /** True within the TLS handshake. */
  readonly securing: boolean;
  /** True when part of the request may have been sent. */
  readonly handed: boolean;
  /** True once the head of the answer was there. */
  readonly answered: boolean;
  readonly limits: PhaseLimits;
  /** What Node's parser minded in the answer, when it ended the exchange before the body did. */
  readonly minded?: unknown;
  /** The parser forgives what it can already. */
  readonly isLenient?: boolean;
}

interface Failure extends Remedy {
  readonly kind: Kind;
  readonly code: Code;
  readonly message: string;
}

const noAnswer = (code: Code, message: string, remedy: Remedy = {}): Failure => ({
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
  advice: 'Check the base URL of the profile, and that the service is running.',
  hint: 'relctl profile show NAME',
};

const checkProxy: Remedy = {
  advice: 'Check the proxy in the profile or the environment.',
  hint: 'relctl profile show NAME --origin',
};

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
  const longer: Remedy = { advice: 'Set a longer --timeout, or request smaller pages with --page-size.' };
  return failed(noAnswer(`timeout-${phase}`, texts[phase], isConnecting ? remedy : longer), progress);
}

/** How a proxy refused. */
export interface ProxyRefusal {
  readonly status: number;
  readonly host: string;
  /** Its header Proxy-Authenticate. */
  readonly challenges?: string | undefined;
  /** The request had a user name and password for it. */
  readonly isLoginSent: boolean;
}

function loginRequired({ host, challenges, isLoginSent }: ProxyRefusal): Failure {
  const login = isLoginSent ? 'does not accept the user name and password of the proxy setting' : 'wants a login';
  const unknown = unspoken(schemesIn(challenges), ['Basic']);
  const advice =
    unknown === undefined
      ? `Put the ${isLoginSent ? 'right ones' : 'user name and password'} into the proxy setting of the profile.`
      : `${unknown} Start a local proxy that supports it, such as cntlm or px, and set its address as proxy.`;
  return {
    kind: 'profile',
    code: 'proxy-authentication',
    message: `the proxy ${host} ${login} (407)`,
    advice,
    hint: 'relctl profile edit NAME --secret proxy=-',
  };
}

/** The error for a proxy that refused the connection: `profile` for 407, else `no-answer`. */
export function proxyError(refusal: ProxyRefusal, progress: Progress): RelctlError {
  const { status, host, challenges } = refusal;
  if (status !== 407)
    return failed(noAnswer('proxy', `the proxy ${host} refused the connection (${status})`, checkProxy), progress);
  return failed(loginRequired(refusal), progress).with(schemesOf(challenges));
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
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is unknown',
};

const clientCertificateCodes =
  /^ERR_SSL_(?:TLSV13_ALERT_CERTIFICATE_REQUIRED|SSLV3_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE)|TLSV1_ALERT_UNKNOWN_CA|TLSV1_ALERT_ACCESS_DENIED)$/;

function connectionFailure(code: string, progress: Progress): Failure | undefined {
  const { peer, remedy } = peerOf(progress);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return noAnswer('dns', `the host name of ${peer} was not found`, remedy);
    case 'ECONNREFUSED':
      return noAnswer('connect-refused', `${peer} refused the connection: nothing listens on that port`, remedy);
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

function certificateFailure({ code, reason }: Thrown, progress: Progress): Failure | undefined {
  const { peer } = peerOf(progress);
  if (certificateCodes.test(code) || (code === 'UNSPECIFIED' && progress.securing)) {
    const why = certificateWords[code] ?? `it cannot be checked (${reason ?? code})`;
    const message = `the certificate of ${peer} is not accepted: ${why}`;
    const advice = 'For your own authority, set its certificate: --set caFile=FILE, also with `relctl profile edit`.';
    return noAnswer('certificate', message, { advice, hint: 'relctl profile show NAME' });
  }
  if (clientCertificateCodes.test(code)) {
    const message = `${peer} requires a valid client certificate (${reason ?? code})`;
    const advice = 'Set one: --set clientCertFile=FILE and --set clientKeyFile=FILE, also with `relctl profile edit`.';
    return { kind: 'profile', code: 'client-certificate', message, advice };
  }
  if (code.startsWith('ERR_OSSL_')) {
    const message = `the client certificate, its key or passphrase, or the CA file cannot be used (${code})`;
    const advice = 'Check the files in the settings of the profile.';
    return { kind: 'profile', code: 'client-certificate', message, advice };
  }
  return undefined;
}

const tooOld: readonly [words: string, advice: string] = [
  'it does not support TLS 1.2 or later',
  'relctl supports nothing older. Ask its administrator to enable TLS 1.2.',
];
const noTls: readonly [words: string, advice: string] = [
  'the answer is not TLS',
  'Does the base URL need http instead of https, or another port?',
];
const tooWeak: readonly [words: string, advice: string] = ['its key is too weak', 'Ask its owner for a longer one.'];

/** What the reasons of OpenSSL mean that people meet, and what can be done. */
const tlsReasons: Readonly<Record<string, readonly [words: string, advice: string]>> = {
  TLSV1_ALERT_PROTOCOL_VERSION: tooOld,
  UNSUPPORTED_PROTOCOL: tooOld,
  UNSAFE_LEGACY_RENEGOTIATION_DISABLED: [
    'it has no secure renegotiation (RFC 5746)',
    'Ask its administrator to update its TLS.',
  ],
  SSLV3_ALERT_HANDSHAKE_FAILURE: [
    'it accepts no offered protocol or cipher',
    'It may have only old ciphers, or require a client certificate (--set clientCertFile=FILE).',
  ],
  DH_KEY_TOO_SMALL: tooWeak,
  EE_KEY_TOO_SMALL: tooWeak,
  WRONG_VERSION_NUMBER: noTls,
  PACKET_LENGTH_TOO_LONG: noTls,
  HTTP_REQUEST: noTls,
};

const isTls = (code: string): boolean => code === 'EPROTO' || /^ERR_(?:SSL|TLS)/.test(code);

function tlsFailure({ code, reason }: Thrown, progress: Progress): Failure | undefined {
  const { peer } = peerOf(progress);
  const isClosed = progress.securing && (code === 'ECONNRESET' || code === 'EPIPE');
  if (!isClosed && !isTls(code)) return undefined;
  const known = isClosed ? ['it closed the connection'] : (tlsReasons[code.replace('ERR_SSL_', '')] ?? []);
  const [words, advice = 'Does the base URL need http instead of https, or a client certificate?'] = known;
  const why = [words, reason].filter((each) => each !== undefined).join(': ');
  const message = `TLS with ${peer} failed (${why === '' ? code : why})`;
  return noAnswer('tls', message, { advice, hint: 'relctl profile show NAME' });
}

/** Breaches that Node's parser can be set to forgive, at least in some forms. */
const forgivable: ReadonlySet<string> = new Set([
  'HPE_INVALID_HEADER_TOKEN',
  'HPE_CR_EXPECTED',
  'HPE_LF_EXPECTED',
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_INVALID_TRANSFER_ENCODING',
  'HPE_UNEXPECTED_SPACE',
  'HPE_STRICT',
]);

function brokenRule(
  { code, reason }: Thrown,
  { isLenient }: Progress,
): { readonly why: string; readonly remedy: Remedy } {
  const why = reason === undefined ? '' : `: ${reason}`;
  if (!forgivable.has(code)) return { why, remedy: {} };
  const advice =
    isLenient === true
      ? 'Even --set insecureHTTPParser=yes cannot read that: ask its administrator to correct it.'
      : 'It violates HTTP in a way that browsers may accept. Ask its administrator to correct it; --set insecureHTTPParser=yes reads ' +
        'some such answers, also with `relctl profile edit`.';
  return { why, remedy: { advice } };
}

function httpFailure(thrown: Thrown, progress: Progress): Failure | undefined {
  const { target, answered } = progress;
  const { why, remedy } = brokenRule(thrown, progress);
  if (answered) {
    const message = `the answer of ${target} was truncated or damaged${why}`;
    return { kind: 'bad-answer', code: 'truncated', message, ...remedy };
  }
  if (thrown.code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'bad-answer', code: 'limit', message: `the headers of ${target} are too long` };
  if (!thrown.code.startsWith('HPE_')) return undefined;
  const isHttp = thrown.code !== 'HPE_INVALID_CONSTANT';
  const message = `${target} did not answer in ${isHttp ? 'valid ' : ''}HTTP${isHttp ? why : ''}`;
  return { kind: 'bad-answer', code: 'not-http', message, ...remedy };
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

/** What is taken of an error of axios or Node: it may hold the whole request, with the password. */
interface Thrown {
  readonly code: string;
  /** Fixed words of OpenSSL or of the parser of HTTP, which hold nothing of the request. */
  readonly reason?: string;
}

/** The error line of OpenSSL, which Node puts into the message of EPROTO and nowhere else: its reason is the fourth part. */
const openSslLine = /\berror:[\dA-F]{8}:[^:]*:[^:]*:([\w /.-]{1,80}):/;

const fixedWords = /^[\w ,./()'-]{1,100}$/;

function ofOpenSsl(message: string): Thrown {
  const reason = openSslLine.exec(message)?.[1];
  return reason === undefined
    ? { code: 'EPROTO' }
    : { code: `ERR_SSL_${reason.toUpperCase().replaceAll(/\W/g, '_')}`, reason };
}

function innermost(thrown: unknown): Thrown {
  if (typeof thrown !== 'object' || thrown === null) return { code: '' };
  const { code, reason, cause, message } = thrown as Readonly<Record<'code' | 'reason' | 'cause' | 'message', unknown>>;
  const inner = innermost(cause);
  if (inner.code !== '' || typeof code !== 'string') return inner;
  if (code === 'EPROTO') return ofOpenSsl(String(message));
  // What a certificate lacks is said in the message alone when Node has no code for it.
  const words = code === 'UNSPECIFIED' ? message : reason;
  return typeof words === 'string' && fixedWords.test(words) ? { code, reason: words } : { code };
}

/** The error for what axios or Node threw, by its code, and with no words of theirs but those that are fixed. */
export function transportError(thrown: unknown, progress: Progress): RelctlError {
  const minded = innermost(progress.minded);
  const reason = minded.code.startsWith('HPE_') ? minded : innermost(thrown);
  const failure =
    connectionFailure(reason.code, progress) ??
    certificateFailure(reason, progress) ??
    tlsFailure(reason, progress) ??
    httpFailure(reason, progress) ??
    brokenOff(reason.code, progress);
  return failed(failure, progress);
}
