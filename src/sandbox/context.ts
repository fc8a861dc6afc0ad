import type { DatasetParameters } from './dataset/parameters.js';
import type { Store } from './store/open.js';

/** What handlers and the endpoint work on: an open sandbox without its server. */
export interface SandboxContext {
  readonly store: Store;
  /** XML namespace of the service. */
  readonly namespace: string;
  /** What the data set was made from, as kept in the database. */
  readonly dataset: DatasetParameters;
  /** The wall clock, for audit data. */
  readonly now: () => Date;
  /** A new GUID in lower case. */
  readonly newId: () => string;
}

/** XML namespace of the sandbox; the first half of its SOAPAction values. */
export const sandboxNamespace = 'http://relctl.example/sandbox';

/** Path of the service (interface document, "What the service does"). */
export const servicePath = '/V1/service.asmx';
