import type { Rows } from './rows.js';
import type { NoteCollector } from './notes.js';
import type { RecordValue } from '../../core/values/value.js';

/**
 * Takes the text of one member as it is read, so that it is never in memory as a whole. It does not learn how the document
 * ends: its text is valid only when that was read to its end.
 */
export interface TextSink {
  /** Path of the member: `Attachment.Base64EncodedFile`. */
  readonly path: string;
  /** The member begins; gives the members of its record that came before it. */
  begin(before: RecordValue): void;
  text(piece: string): void;
  /** Called at the end of the member; gives the value that the record holds for it. */
  end(): string;
}

/** Takes the text of one member of an answer as it arrives. What it throws ends the call. */
export interface ContentSink extends TextSink {
  /** Called when an attempt begins: the text of the one before is void. */
  restart(): void;
  /** Resolves when it can take more; awaited after each chunk of the answer. */
  ready(): Promise<void>;
}

/** What a decoder needs beside its plan. */
export interface DecoderOptions {
  readonly notes: NoteCollector;
  /** It is an answer: an item of a list that is none of its records is refused, and so are elements in the text of a sink. */
  readonly isResult?: boolean;
  /** Namespace that every known element must have. */
  readonly namespace: string;
  readonly namespaceOf: (prefix: string) => string | undefined;
  /** Takes the text of one member in the place of the record. */
  readonly sink?: TextSink;
  /** What becomes of the records of one list of the result. */
  readonly rows?: Rows | undefined;
  /** Member of a result whose element the document does not name. */
  readonly unnamed?: string;
}
