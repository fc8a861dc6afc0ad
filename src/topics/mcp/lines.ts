const newline = 0x0a;

/** Cuts bytes that come in pieces into lines of at most so many bytes. */
export class LineCutter {
  readonly #most: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** True where the line that does not end yet is longer than it may be: its bytes are dropped. */
  get isTooLong(): boolean {
    return this.#bytes > this.#most;
  }

  /** The lines that end in a piece; undefined for one that is too long. */
  *take(piece: Uint8Array): Generator<Buffer | undefined> {
    let from = 0;
    for (let to = piece.indexOf(newline); to !== -1; to = piece.indexOf(newline, from)) {
      this.#add(piece.subarray(from, to));
      yield this.end();
      from = to + 1;
    }
    this.#add(piece.subarray(from));
  }

  /** The line so far, which ends here. */
  end(): Buffer | undefined {
    const line = this.isTooLong ? undefined : Buffer.concat(this.#pieces);
    [this.#pieces, this.#bytes] = [[], 0];
    return line;
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    // The writer may use its bytes again.
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(Uint8Array.from(bytes));
  }
}
