import type { RecordValue } from '../../plain/value.js';

/**
 * Takes the text of one member of an answer as it arrives, so that it is never in memory as a whole. What it throws ends
 * the call. It does not learn how the answer ends: its text is valid only when the call has succeeded.
 */
export interface ContentSink {
  /** Path of the member in the result: `Attachment.Base64EncodedFile`. */
  readonly path: string;
  /** Called when an attempt begins: the text of the one before is void. */
  restart(): void;
  /** The member begins; gives the members of its record that came before it. */
  begin(before: RecordValue): void;
  text(piece: string): void;
  /** Called at the end of the member; gives the value that the record holds for it. */
  end(): string;
  /** Resolves when it can take more; awaited after each chunk of the answer. */
  ready(): Promise<void>;
}
