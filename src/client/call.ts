import type { RelctlError } from '../core/errors/relctl-error.js';
import type { RecordValue } from '../core/values/value.js';
import type { Rows } from '../soap/codec/rows.js';
import type { ContentSink } from '../soap/codec/leaf.js';
import type { Note } from '../soap/codec/notes.js';
import type { ConnectionChoice, HttpClient, HttpResponse, HttpRequest } from '../soap/transport/http.js';
import type { CallText, Written } from '../soap/wire/request.js';
import type { StreamedContent } from '../soap/wire/content.js';
import type { SoapVersion } from '../soap/wire/version.js';
import type { Pace } from './pace.js';

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** A request that the user wrote; it is sent instead of the input. */
  readonly written?: Written;
  /** An attempt that takes too long is not repeated: the caller has something smaller to ask for. */
  readonly endsWhenSlow?: boolean;
  /** Gets the bytes of the answer as they arrive, of every attempt. */
  readonly tee?: (chunk: Uint8Array) => void;
  /** Called when the request is on its way as a whole; again when the call is repeated. */
  readonly sent?: () => void;
  /** Called when the answer has come as a whole, before it is decoded, with its bytes; again when the call is repeated. */
  readonly received?: (bytes: number) => void;
  /** Takes the text of one member of the answer as it arrives. */
  readonly sink?: ContentSink;
  /** Makes, for each attempt, what becomes of the records of one list of the answer. */
  readonly rows?: () => Rows;
  /** The answer is kept as a whole until it is printed, also that of an operation that gives a list. */
  readonly isWhole?: boolean;
  readonly withoutCookies?: boolean;
  /** The value of one member of the input, made while it is sent. */
  readonly content?: StreamedContent;
  /** Which connection a write uses; usually `fresh`. */
  readonly connection?: ConnectionChoice;
}

/** A call whose request is written. */
export interface Call extends CallOptions, CallText {
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
}

/** The answer to a call that succeeded. */
export interface Reply {
  readonly result: RecordValue;
  readonly envelope?: RecordValue;
  readonly notes: readonly Note[];
  /** The service keeps cookies with its clients. */
  readonly hasCookies?: boolean;
  readonly version: SoapVersion;
  /** The Date header of the answer, when it has one: the clock of the service. */
  readonly serverDate?: string;
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** How an attempt ended. */
type Outcome = Reply | RelctlError;

/** Makes one attempt of a call, the first one with the number 1. */
export type MakeAttempt = (call: Call, number: number) => Promise<Outcome>;

/** What a trace gets of each attempt: never the envelope, so that it cannot show secrets. */
export interface Attempt extends CallText {
  readonly number: number;
  readonly elapsedMs: number;
  readonly outcome:
    { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'error'; readonly error: RelctlError };
}

/** A call as a recorder gets it: its request is written anew, so that it cannot hold credentials. */
export interface CallToRecord extends CallText {
  readonly content?: StreamedContent;
}

/** Keeps a copy of one exchange. */
export interface ExchangeRecord {
  /** The same answer, which is copied while it is read. */
  answered(response: HttpResponse): HttpResponse;
  failed(error: RelctlError): void;
}

/** What a client uses of its process. It is passed in, so that tests decide about time and chance. */
export interface ClientSurroundings {
  readonly send: HttpClient;
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Waits before a call is repeated after an error; rejects with the signal's reason when it is aborted. */
  readonly pause: (ms: number, signal: AbortSignal, after: RelctlError) => Promise<void>;
  /** How often calls that read are made; a write is made at once, for what sends many of them has a pace of its own. */
  readonly pace: Pace;
  /** Told of each attempt. What it gives is awaited: a long answer is told in pieces. */
  readonly onAttempt?: (attempt: Attempt) => Promise<void> | undefined;
  /** Called, perhaps often, while an answer comes that takes more memory than most. */
  readonly onLongAnswer?: () => void;
  /** Called before each attempt is sent. What it throws ends the call, with nothing sent. */
  readonly record?: (call: CallToRecord) => ExchangeRecord;
}
