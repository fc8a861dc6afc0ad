/** Bytes are gathered in blocks of this size, or of the size of a longer text. */
const blockLength = 512 * 1024;

/** A UTF-16 unit becomes three bytes at most. */
const bytesPerUnit = 3;

/** Blocks that were used, to be used again: new ones for each answer are left to the collector faster than it takes them. */
const spare: Buffer[] = [];
const mostSpare = 4;

function blockFor(bytes: number): Buffer {
  const found = bytes <= blockLength ? spare.pop() : undefined;
  return found ?? Buffer.allocUnsafeSlow(Math.max(bytes, blockLength));
}

/** Texts as UTF-8, one behind the other. */
export class Blocks {
  readonly #full: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  /** True until something is written. */
  get isEmpty(): boolean {
    return this.#block === undefined;
  }

  write(text: string): void {
    const block = this.#room(text.length * bytesPerUnit);
    this.#used += block.write(text, this.#used);
  }

  #room(bytes: number): Buffer {
    if (this.#block !== undefined && this.#block.length - this.#used >= bytes) return this.#block;
    if (this.#block !== undefined) this.#full.push(this.#block.subarray(0, this.#used));
    [this.#block, this.#used] = [blockFor(bytes), 0];
    return this.#block;
  }

  /** All bytes, in memory of their own. Nothing may be written after that. */
  take(): Uint8Array {
    if (this.#block === undefined) return new Uint8Array();
    const parts = [...this.#full, this.#block.subarray(0, this.#used)];
    const bytes = Buffer.concat(parts);
    for (const { buffer } of parts)
      if (buffer.byteLength === blockLength && spare.length < mostSpare) spare.push(Buffer.from(buffer));
    this.#block = undefined;
    this.#full.length = 0;
    return bytes;
  }
}
