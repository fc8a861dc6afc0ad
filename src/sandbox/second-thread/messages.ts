import type { WholeResponse } from '../../soap/wire/response.js';
import type { Asked } from '../context.js';
import type { DatasetParameters } from '../dataset/making.js';
import type { FileIdentity } from '../store/identity.js';

/** What the second thread works with. */
export interface Setting {
  /** The database, which it opens for itself, */
  readonly file: string;
  /** and which it must find there. */
  readonly identity: FileIdentity;
  readonly dataset: DatasetParameters;
  /** XML namespace of the service. */
  readonly namespace: string;
}

/** A request for the second thread to answer. */
export interface Order extends Pick<Asked, 'version' | 'credentials' | 'input'> {
  readonly id: number;
  /** Name of the operation. */
  readonly operation: string;
}

/** What the second thread says: that it can be given orders, and the answer to each; `undefined` where it has none. */
export type Said = { readonly ready: true } | { readonly id: number; readonly whole: WholeResponse | undefined };
