const firstBytes = 64 * 1024;

/** Characters up to which room for the longest form in UTF-8 is cheaper than counting its bytes. */
const shortText = 1024;

/**
 * Texts of a column, kept as UTF-8 in one buffer: as strings each would be copied by itself when it is written, and would
 * keep the answer alive that it came in.
 */
export class TextCells {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #at = 0;
  /** Where each text ends; -1 where there is none. */
  #ends: number[] = [];

  /** Adds a text, or null. Gives the bytes it takes. */
  add(text: string | null): number {
    if (text === null) {
      this.#ends.push(-1);
      return 0;
    }
    this.#makeRoom(text.length <= shortText ? text.length * 3 : Buffer.byteLength(text));
    const length = this.#bytes.write(text, this.#at);
    this.#at += length;
    this.#ends.push(this.#at);
    return length;
  }

  /** The texts that were added since the last time, and begins anew. They are parts of a buffer that the next `add` writes to. */
  take(): (Uint8Array | null)[] {
    const { buffer } = this.#bytes;
    const ends = this.#ends;
    let from = 0;
    const texts = ends.map((end) => {
      if (end === -1) return null;
      const text = new Uint8Array(buffer, from, end - from);
      from = end;
      return text;
    });
    this.#at = 0;
    this.#ends = [];
    return texts;
  }

  #makeRoom(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
