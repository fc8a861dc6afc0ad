import type { RecordValue } from '../../plain/value.js';
import type { ResponseText, WholeResponse } from '../../soap/wire/response.js';
import type { OutlinePage } from '../store/outline.js';

/** An answer for the second thread to write. */
export interface Order extends Omit<ResponseText, 'operation' | 'result'> {
  readonly id: number;
  /** Name of the operation. */
  readonly operation: string;
  /** The result without its list, */
  readonly result: RecordValue;
  /** and the member that the list belongs in, with the page that it is made of. */
  readonly list: { readonly member: string; readonly page: OutlinePage };
}

/** What the second thread says: that it can be given orders, and each of them written; `undefined` where that failed. */
export type Said = { readonly ready: true } | { readonly id: number; readonly whole: WholeResponse | undefined };
