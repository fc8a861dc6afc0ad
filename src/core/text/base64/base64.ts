// One character at a time: a pattern of groups would need a stack as deep as the text is long.
const form = /^[A-Za-z0-9+/]*(=*)$/;

/** Tells whether text is strict base64, with its padding and without white space, as it comes. */
export class Base64Check {
  #length = 0;
  #padding = 0;
  #isRight = true;

  /** Takes the next piece of the text. Cuts in the text make no difference. */
  write(piece: string): void {
    if (piece === '' || !this.#isRight) return;
    const matchLength = form.exec(piece)?.[1]?.length;
    // Behind padding nothing but padding may come.
    this.#isRight = matchLength !== undefined && (this.#padding === 0 || matchLength === piece.length);
    this.#length += piece.length;
    this.#padding += matchLength ?? 0;
  }

  /** True when what came so far is a whole text in base64; an empty one is. */
  isWhole(): boolean {
    return this.#isRight && this.#length % 4 === 0 && this.#padding <= 2;
  }
}

/** True for strict base64, with its padding and without white space. */
export const isBase64 = (text: string): boolean => {
  const check = new Base64Check();
  check.write(text);
  return check.isWhole();
};
