/** Header names in lower case. A header that came more than once is joined with ", ". */
export type Headers = Readonly<Record<string, string>>;

/** A body that is not in memory: it is made while it is sent, or was put elsewhere when it came. */
export interface StreamedBody {
  /** Bytes, known before the first is made. */
  readonly length: number;
  /** The bytes in pieces; each call starts at the first one. What it throws ends the exchange. */
  open(): Iterable<Uint8Array>;
  /** Gives up what holds the bytes, if something does; may be called more than once. */
  readonly close?: () => void;
}

/** A body in memory, or not. */
export type Body = Uint8Array | StreamedBody;

/** One HTTP request. Its body may be made while it is sent, or be elsewhere than in memory when it came. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  /** Absolute URL for a client; path and query for a handler. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Body;
}

/** A request whose body is in memory. */
export type WholeRequest = HttpRequest & { readonly body: Uint8Array };

/** True for a body that is not in memory. */
export const isStreamed = (body: Body): body is StreamedBody => 'open' in body;

/** The bytes of a body in pieces. */
export const piecesOf = (body: Body): Iterable<Uint8Array> => (isStreamed(body) ? body.open() : [body]);

/** All bytes of a body, in memory. */
export const wholeOf = (body: Body): Uint8Array => (isStreamed(body) ? Buffer.concat([...body.open()]) : body);

/** True for what servers write of a body as it is, or of its text, in the place of a coding. */
export const isNoCoding = (coding: string): boolean => /^(?:identity|none|utf-?8)$/i.test(coding.trim());

/** The headers of Node or of axios by their names. */
export function headersIn(raw: unknown): Headers {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw as Record<string, unknown>)) {
    if (typeof value === 'string') headers[name.toLowerCase()] = value;
    else if (Array.isArray(value)) headers[name.toLowerCase()] = value.join(', ');
  }
  return headers;
}

/** A challenge begins with its scheme; what else stands between commas is a parameter with =. */
const schemeForm = /^\s*([A-Za-z][\w-]{0,31})(?:\s+[^\s=].*)?\s*$/;

/** The schemes that WWW-Authenticate or Proxy-Authenticate offers, each once (RFC 9110, section 11.6.1). */
export function schemesIn(challenges = ''): readonly string[] {
  const parts = challenges.replace(/"(?:[^"\\]|\\.)*"/g, '').split(',');
  return [...new Set(parts.flatMap((part) => schemeForm.exec(part)?.[1] ?? []))];
}

/** The schemes of challenges, as facts of an error; none where none is named. */
export function schemesOf(challenges: string | undefined): { readonly schemes?: readonly string[] } {
  const schemes = schemesIn(challenges);
  return schemes.length === 0 ? {} : { schemes };
}

/** What is said of schemes that relctl does not speak; undefined where one of them is spoken, or none is named. */
export function unspoken(schemes: readonly string[], spoken: readonly string[]): string | undefined {
  const isSpoken = (scheme: string): boolean => spoken.some((each) => each.toLowerCase() === scheme.toLowerCase());
  if (schemes.length === 0 || schemes.some(isSpoken)) return undefined;
  return `It offers ${schemes.join(' and ')}, and relctl supports only ${spoken.join(' and ')}.`;
}

/** An HTTP answer. Its body is a decompressed stream; reading it throws RelctlError when it is cut short. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** True where the service keeps cookies with the client, which go back with each request; what they are is not told. */
  readonly hasCookies?: boolean;
}

/** Time limits of one exchange, in milliseconds. */
export interface PhaseLimits {
  /** Name resolution and TCP connect. */
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly firstByteMs: number;
  /** Longest silence within the answer. */
  readonly idleMs: number;
  readonly wholeMs: number;
}

/** Phases of an exchange that have a time limit of their own. */
export type Phase = 'connect' | 'tls' | 'first-byte' | 'idle' | 'whole';

/** The limit of each phase, by its name. */
export const limitOf: Readonly<Record<Phase, keyof PhaseLimits>> = {
  connect: 'connectMs',
  tls: 'tlsMs',
  'first-byte': 'firstByteMs',
  idle: 'idleMs',
  whole: 'wholeMs',
};

/** Seconds that a phase may take, for messages. */
export function secondsOf(phase: Phase, limits: PhaseLimits): number {
  return limits[limitOf[phase]] / 1000;
}

/**
 * Which connection an exchange may use. On a kept one that the service is just closing, nobody can tell whether a request was
 * carried out: a read is made again, and what writes opens a `fresh` one. `busy` is for writes that can be looked up
 * afterwards, one behind the other: a kept one that was idle for a second at most. `kept` is one that was idle for any time.
 */
export type ConnectionChoice = 'kept' | 'busy' | 'fresh';

/** How to make one exchange. */
export interface ExchangeOptions {
  readonly limits: PhaseLimits;
  readonly signal?: AbortSignal;
  /** Usually `kept`. */
  readonly connection?: ConnectionChoice;
  /** Send no cookies, to see what the service makes of that. */
  readonly withoutCookies?: boolean;
  /** Called when the whole request was given to the system to be sent. */
  readonly sent?: () => void;
  /** Called when the last byte of the body has come, with the number of its bytes as they came, compressed or not. */
  readonly received?: (bytes: number) => void;
  /** Largest ratio of an answer to its compressed size; default see gunzip.ts. */
  readonly maxInflateRatio?: number;
}

/** Sends a request and gives the answer. Throws `no-answer`, `bad-answer`, `profile`, and the reason of the signal. */
export type HttpClient = (request: HttpRequest, options: ExchangeOptions) => Promise<HttpResponse>;

/** An answer as a service makes it. */
export interface OutgoingResponse extends HttpResponse {
  /** Bytes of a body that is made while it is sent. Unlike a content-length among the headers, it may still be compressed. */
  readonly length?: number;
}

/** The counterpart in a service: takes a request and makes the answer. */
export type HttpHandler = (request: HttpRequest) => Promise<OutgoingResponse>;

/** A user or a password as it stands in the address of a proxy, decoded. */
export function decodeLogin(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A bare % in a password is no escape.
    return part;
  }
}

/** The password in the address of a proxy, as written there and decoded: texts that no error may show. */
export function secretsOfProxy(proxy: { readonly url: string } | undefined): readonly string[] {
  const { password } = new URL(proxy?.url ?? 'http://none.invalid');
  return password === '' ? [] : [password, decodeLogin(password)];
}
