import { Base64Check } from '../../../lexical/base64/base64.js';
import type { TextSink } from '../../codec/content-sink.js';

/** The parameter that holds the content of a file; no other operation has one of that name. */
const member = 'base64EncodedFile';

/** Characters of it that are held in memory. */
export const heldCharacters = 64 * 1024;

/** The content of a file in a request, too long to be held: it is read from the request as often as it is needed. */
export interface ReceivedContent {
  /** Name of the parameter; the input has words in its place. */
  readonly member: string;
  /** In characters. */
  readonly length: number;
  /** Its first characters. */
  readonly head: string;
  readonly isBase64: boolean;
  /** Hands over the whole text, in pieces of any length. Throws what `take` throws. */
  read(take: (piece: string) => void): void;
}

/** Passes the content of a file on. */
export const passOn = (take: (piece: string) => void): TextSink => ({
  path: member,
  begin: () => undefined,
  text: take,
  end: () => '',
});

/** Holds the content of a file while it is short, and measures and checks it when it is not. */
export class MeasuredContent implements TextSink {
  readonly path = member;
  #head = '';
  #length = 0;
  readonly #check = new Base64Check();

  begin(): void {
    // A second element of this name is refused before it begins.
  }

  text(piece: string): void {
    this.#length += piece.length;
    this.#check.write(piece);
    if (this.#head.length <= heldCharacters) this.#head += piece;
  }

  end(): string {
    return this.#isHeld ? this.#head : `[${this.#length} characters]`;
  }

  /** The content when it is not held. */
  from(read: ReceivedContent['read']): ReceivedContent | undefined {
    if (this.#isHeld) return undefined;
    return { member, length: this.#length, head: this.#head, isBase64: this.#check.isWhole(), read };
  }

  get #isHeld(): boolean {
    return this.#length <= heldCharacters;
  }
}
