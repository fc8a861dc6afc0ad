/** Header names in lower case. A header that came more than once is joined with ", ". */
export type Headers = Readonly<Record<string, string>>;

/** One HTTP request, complete before it is sent. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  /** Absolute URL for a client; path and query for a handler. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** A body that is made while it is sent. */
export interface StreamedBody {
  /** Bytes, known before the first is made. */
  readonly length: number;
  /** The bytes in pieces; each call starts at the first one. What it throws ends the exchange. */
  open(): Iterable<Uint8Array>;
}

/** A request as it goes out: complete, or with a body that is made while it is sent. */
export type OutgoingRequest = Omit<HttpRequest, 'body'> & { readonly body: Uint8Array | StreamedBody };

/** True for a body that is made while it is sent. */
export const isStreamed = (body: Uint8Array | StreamedBody): body is StreamedBody => 'open' in body;

/**
 * One HTTP answer. The body is decompressed and arrives as a stream; reading it throws RelctlError when it is cut
 * short.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Time limits of one exchange, in milliseconds. */
export interface PhaseLimits {
  /** Name resolution and TCP connect. */
  readonly connectMs: number;
  readonly tlsMs: number;
  /** From the last byte sent to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Longest silence within the answer. */
  readonly idleMs: number;
  /** The whole exchange. */
  readonly wholeMs: number;
}

/** How to make one exchange. */
export interface ExchangeOptions {
  readonly limits: PhaseLimits;
  readonly signal?: AbortSignal;
  /** Use a new connection: on a kept one that the server closes, nobody can tell whether a write was sent. */
  readonly freshConnection?: boolean;
  /** Largest ratio of an answer to its compressed size; default see gunzip.ts. */
  readonly maxInflateRatio?: number;
}

/** Sends a request and gives the answer. Throws `no-answer`, `bad-answer`, `profile`, and the reason of the signal. */
export type HttpClient = (request: OutgoingRequest, options: ExchangeOptions) => Promise<HttpResponse>;

/** The counterpart in a service: takes a request and makes the answer. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
