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
  /** The bytes in pieces, from the first one each time it is called. What it throws ends the exchange before its last byte. */
  open(): Iterable<Uint8Array>;
}

/** A request as it goes out: complete, or with a body that is made while it is sent. */
export type OutgoingRequest = Omit<HttpRequest, 'body'> & { readonly body: Uint8Array | StreamedBody };

/** True for a body that is made while it is sent. */
export const isStreamed = (body: Uint8Array | StreamedBody): body is StreamedBody => 'open' in body;

/** One HTTP answer. The body is decompressed and arrives as a stream; reading it throws RelctlError when it is cut short. */
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
  /** Send on a connection of its own, so that a keep-alive race cannot blur whether a write left. */
  readonly freshConnection?: boolean;
  /** How many times its size a compressed answer may become; more than usual where nobody holds the answer whole. */
  readonly maxInflateRatio?: number;
}

/** The near end of HTTP: sends a request and gives the answer. Errors are RelctlError `no-answer` or `bad-answer`. */
export type HttpClient = (request: OutgoingRequest, options: ExchangeOptions) => Promise<HttpResponse>;

/** The far end of HTTP, the mirror of the client: takes a request and makes the answer. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
