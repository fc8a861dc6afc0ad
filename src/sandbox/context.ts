import type { RecordValue } from '../core/values/value.js';
import type { Operation } from '../contract/build.js';
import type { HttpRequest, OutgoingResponse } from '../soap/transport/http.js';
import type { ReceivedContent, ReceivedRequest } from '../soap/wire/receive.js';
import type { PlacedContent } from '../soap/wire/content.js';
import type { DatasetParameters } from './dataset/making.js';
import type { Store } from './store/open.js';

/** The content of a file in a request, too long for memory, which waits in a temporary file. */
export interface BufferedContent extends ReceivedContent {
  readonly open: () => Iterable<Uint8Array>;
}

/** A request that was read. */
export interface ReadRequest extends ReceivedRequest {
  readonly content?: BufferedContent;
}

/** A request whose operation is known. */
export interface OperationRequest extends ReadRequest {
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
export type Middleware = (
  operationRequest: OperationRequest,
  execute: (operationRequest: OperationRequest) => Executed,
) => Executed;

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
  readonly handler: (input: RecordValue) => RecordValue;
}

/** An open sandbox without its server: what handlers and the endpoint need. */
export interface SandboxContext {
  readonly store: Store;
  /** The wall clock, for audit data. */
  readonly now: () => Date;
  /** A new GUID in lower case. */
  readonly newId: () => string;
  readonly middleware?: Middleware;
  /** Operations beside those of the contract, by name: those of a deployment, where a test needs them. */
  readonly more?: ReadonlyMap<string, MoreOperation>;
  readonly namespace: string;
  readonly mode: SandboxMode;
  /** The parameters that the data set was made from, read from the database. */
  readonly dataset: DatasetParameters;
  readonly publicUrl?: PublicUrl;
  /** Called before work that takes much memory. */
  readonly onMuchMemory?: () => void;
}

/** XML namespace of the sandbox; the first half of its SOAPAction values. */
export const sandboxNamespace = 'http://relctl.example/sandbox';

/** Path of the service (interface document, "What the service does"). */
export const servicePath = '/V1/service.asmx';

/** A request with the sandbox that is to answer it. */
export interface ServedRequest {
  readonly context: SandboxContext;
  readonly request: HttpRequest;
  /** Called for each fault that is applied to the request, with its line of the plan. */
  readonly onFault?: (text: string) => void;
}

/** Answers a request: the service itself, or middleware around it. */
export type Serve = (served: ServedRequest) => Promise<OutgoingResponse>;
