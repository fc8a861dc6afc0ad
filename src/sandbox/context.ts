import type { RecordValue } from '../plain/value.js';
import type { Operation } from '../contract/build.js';
import type { IncomingRequest, OutgoingResponse } from '../soap/transport/http.js';
import type { PlacedContent } from '../soap/wire/content/placed.js';
import type { ReceivedContent } from '../soap/wire/content/received.js';
import type { ReceivedRequest } from '../soap/wire/receive.js';
import type { WholeResponse } from '../soap/wire/response.js';
import type { DatasetParameters } from './dataset/making.js';
import type { Store } from './store/open.js';

/** The content of a file in a request, too long to be held, which was kept in the database while it was read. */
export interface KeptContent extends ReceivedContent {
  /** Makes it the content of an attachment, by its `seq`, within the transaction that makes the attachment. */
  readonly giveTo: (attachment: number) => void;
}

/** A request that was read. */
export interface ReadRequest extends ReceivedRequest {
  readonly content?: KeptContent;
}

/** A request whose operation is known. */
export interface Asked extends ReadRequest {
  readonly operation: Operation;
}

/** The result of a request, and the operation by whose contract it is encoded. */
export interface Executed {
  readonly operation: Operation;
  readonly result: RecordValue;
  /** Empty members are written as empty elements, not as nil. */
  readonly bare?: boolean;
  /** Content that is not in memory, where a text of the result stands for it. */
  readonly content?: PlacedContent;
}

/** Middleware around the execution of a request: may change the request or its result. Throws `refused`. */
export type Middleware = (asked: Asked, execute: (asked: Asked) => Executed) => Executed;

/**
 * How requests are read. `strict`: schema, order and lexical forms must be right. `asmx`: as lenient as a .NET .asmx
 * service, which ignores unknown elements and gives missing ones their default.
 */
export const sandboxModes = ['strict', 'asmx'] as const;

/** See sandboxModes. */
export type SandboxMode = (typeof sandboxModes)[number];

/** The address under which other machines reach the sandbox through a forwarded port or a proxy. */
export interface PublicUrl {
  /** Scheme, host and port, as browsers name the origin of a page. */
  readonly origin: string;
  /** Host and port, in lower case; no port where it is the usual one of the scheme. */
  readonly host: string;
  /** Prefix of the paths of the sandbox: '' or a path without a slash at its end. */
  readonly path: string;
}

/** An operation beside those of the contract. */
export interface MoreOperation {
  readonly operation: Operation;
  /** Executes it. Throws `refused`. */
  readonly handler: (input: RecordValue) => RecordValue;
}

/** An answer, and content of it that is not in memory. */
export interface MadeAnswer {
  readonly whole: WholeResponse;
  readonly content?: PlacedContent;
}

/** Answers to requests that read, kept for as long as no row has changed: many clients ask for the same pages. */
export interface KeptAnswers {
  /** The answer to the same request, by whoever has the same credentials; else the one that is made now. */
  readonly of: (asked: Asked, make: () => Promise<MadeAnswer>) => Promise<MadeAnswer>;
}

/** Answers requests that read beside the one who asks. */
export interface AnswersBeside {
  /**
   * Answers a request, if it is long: a page, while others wait; in a large data set, a search or a list without pages, always.
   * Resolves to undefined where the caller is to answer it: any other request, when nobody waits or there is enough to do, when
   * the request ends in a fault, and when this fails.
   */
  readonly answer: (asked: Asked) => Promise<WholeResponse | undefined>;
}

/** Gives way to others between two steps of long work. */
export interface Pace {
  /** Between two steps of reading a body: other requests are begun meanwhile. */
  readonly reading: () => Promise<void>;
  /** Between two steps of writing an answer: bytes and signals come and go meanwhile, and no request is begun. */
  readonly writing: () => Promise<void>;
  /** Does work that takes much memory when no other such work is under way, in the order of asking. Throws as it does. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What carries out requests. */
export interface ExecutingContext {
  readonly store: Store;
  /** The wall clock, for audit data. */
  readonly now: () => Date;
  /** A new GUID in lower case. */
  readonly newId: () => string;
  /** The middleware of all requests, if there is any. */
  readonly middleware?: Middleware;
  /** Operations beside those of the contract, by name: those of a deployment, where a test needs them. */
  readonly more?: ReadonlyMap<string, MoreOperation>;
}

/** An open sandbox without its server: what handlers and the endpoint need. */
export interface SandboxContext extends ExecutingContext {
  /** XML namespace of the service. */
  readonly namespace: string;
  readonly mode: SandboxMode;
  /** The parameters that the data set was made from, read from the database. */
  readonly dataset: DatasetParameters;
  /** The address by which others reach it; without one, only this machine does. */
  readonly publicUrl?: PublicUrl;
  /** How the server that asks shares its time. */
  readonly pace: Pace;
  readonly secondThread: AnswersBeside;
  /** Answers that were made before. */
  readonly answers: KeptAnswers;
}

/** XML namespace of the sandbox; the first half of its SOAPAction values. */
export const sandboxNamespace = 'http://relctl.example/sandbox';

/** Path of the service (interface document, "What the service does"). */
export const servicePath = '/V1/service.asmx';

/** A request with the sandbox that is to answer it. */
export interface ServedRequest {
  readonly context: SandboxContext;
  readonly request: IncomingRequest;
  /** Called for each fault that is applied to the request, with its line of the plan. */
  readonly onFault?: (text: string) => void;
}

/** Answers a request: the service itself, or middleware around it. */
export type Serve = (served: ServedRequest) => Promise<OutgoingResponse>;
