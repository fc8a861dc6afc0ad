import type { RecordValue } from '../../plain/value.js';

/**
 * Takes the text of one member of an answer as it comes, so that it is never held whole. Whatever it throws ends the
 * call. It is told nothing of how the answer ends: what it took counts only when the call has succeeded.
 */
export interface ContentSink {
  /** Path of the member in the result: `Attachment.Base64EncodedFile`. */
  readonly path: string;
  /** An attempt begins: what the one before brought is void. */
  restart(): void;
  /** The member begins; gives the members of its record that came before it. */
  begin(before: RecordValue): void;
  text(piece: string): void;
  /** The member ended. Gives what stands in the record in its place. */
  end(): string;
  /** Resolves when more may come; awaited behind each chunk of the answer. */
  ready(): Promise<void>;
}
