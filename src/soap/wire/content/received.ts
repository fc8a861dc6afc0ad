import { Base64Check } from '../../../core/text/base64/base64.js';
import type { TextSink } from '../../codec/decoder-options.js';

/** The parameter that holds the content of a file; no other operation has one of that name. */
const member = 'base64EncodedFile';

/** Characters of it that are held in memory. */
export const heldCharacters = 64 * 1024;

/** The content of a file in a request, too long to be held: its text was kept elsewhere while it was read. */
export interface ReceivedContent {
  /** Name of the parameter; the input has words in its place. */
  readonly member: string;
  /** In characters. */
  readonly length: number;
  /** Its first characters. */
  readonly head: string;
  readonly isBase64: boolean;
}

/** Keeps the text of a content that is too long to be held, in pieces of any length. What it throws ends the reading. */
export type KeepContent = (piece: string) => void;

/** Holds the content of a file while it is short; measures, checks and passes it on when it is not. */
export class MeasuredContent implements TextSink {
  readonly path = member;
  #head = '';
  #length = 0;
  readonly #check = new Base64Check();
  readonly #keep: KeepContent;

  constructor(keep: KeepContent) {
    this.#keep = keep;
  }

  begin(): void {
    // A second element of this name is refused before it begins.
  }

  text(piece: string): void {
    const wasHeld = this.#isHeld;
    this.#length += piece.length;
    this.#check.write(piece);
    if (wasHeld) this.#head += piece;
    if (!this.#isHeld) this.#keep(wasHeld ? this.#head : piece);
  }

  end(): string {
    return this.#isHeld ? this.#head : `[${this.#length} characters]`;
  }

  get received(): ReceivedContent | undefined {
    if (this.#isHeld) return undefined;
    return { member, length: this.#length, head: this.#head, isBase64: this.#check.isWhole() };
  }

  /** Characters that were passed on so far. */
  get keptLength(): number {
    return this.#isHeld ? 0 : this.#length;
  }

  get #isHeld(): boolean {
    return this.#length <= heldCharacters;
  }
}
