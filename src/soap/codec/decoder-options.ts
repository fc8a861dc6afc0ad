import type { TextSink } from './content-sink.js';
import type { Rows } from './decode-bytes.js';
import type { Reading } from './frames/frame-values.js';

/** What a decoder needs beside its plan. */
export interface DecoderOptions extends Reading {
  /** Namespace that every known element must have. */
  readonly namespace: string;
  /** Namespace of a prefix in the scope of the element being opened. */
  readonly namespaceOf: (prefix: string) => string | undefined;
  /** Takes the text of one member in the place of the record. */
  readonly sink?: TextSink;
  /** What becomes of the records of one list of the result. */
  readonly rows?: Rows | undefined;
  /** Member of a result whose element the document does not name. */
  readonly unnamed?: string;
}
