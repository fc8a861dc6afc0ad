import { guidWords, hashAt, readGuid } from '../../../client/ids/guid-table.js';
import { digestWords, writeDigest } from '../../changes-since/digest.js';

/** Words of 32 bits of a row: its key and the digest of its content. */
const digestAt = guidWords;
const rowWords = guidWords + digestWords;

/** Rows that are allocated together, so that a table that grows is never copied. */
const blockRows = 65_536;
const firstSlots = 1024;

/**
 * The rows of a file by their keys: 32 bytes a row, and at most 11 for its slots. A key that is a GUID is kept as it is, in
 * any case of letters; of any other key, and of contents, 128 bits of the SHA-256 hash are kept.
 */
export class RowTable {
  readonly #blocks: Uint32Array[] = [];
  /** One more than the place of a row; 0 where there is none. The number of slots is a power of two. */
  #slots = new Uint32Array(firstSlots);
  #size = 0;
  readonly #key = new Uint32Array(guidWords);
  readonly #digest = new Uint32Array(digestWords);

  get size(): number {
    return this.#size;
  }

  /**
   * The place of the row with a key; undefined when there is none. Places count from 0, in the order of adding.
   * @param nth which of the rows with this key, from 1
   */
  find(key: string, nth = 1): number | undefined {
    this.#readKey(key, nth);
    const entry = this.#slots[this.#slotOfKey()] ?? 0;
    return entry === 0 ? undefined : entry - 1;
  }

  /** Adds a row, unless there is one with this key, as the nth; true when it was added. */
  add({ key, nth = 1, content }: { readonly key: string; readonly nth?: number; readonly content: string }): boolean {
    this.#readKey(key, nth);
    const slot = this.#slotOfKey();
    if (this.#slots[slot] !== 0) return false;
    const block = this.#blockFor(this.#size);
    const at = (this.#size % blockRows) * rowWords;
    block.set(this.#key, at);
    writeDigest(content, block, at + digestAt);
    this.#size += 1;
    this.#slots[slot] = this.#size;
    // At half of the slots a search looks at two or three of them.
    if (this.#size * 2 > this.#slots.length) this.#growSlots();
    return true;
  }

  hasContent(position: number, content: string): boolean {
    const digest = this.#digest;
    writeDigest(content, digest, 0);
    const block = this.#blockOf(position);
    const at = (position % blockRows) * rowWords + digestAt;
    return digest.every((word, index) => block[at + index] === word);
  }

  #readKey(key: string, nth: number): void {
    const isGuid = readGuid(key, this.#key);
    // As JSON, because UTF-8 has one form for all halves of a surrogate pair.
    if (nth > 1) writeDigest(JSON.stringify([isGuid ? [...this.#key] : key, nth]), this.#key, 0);
    else if (!isGuid) writeDigest(JSON.stringify(key), this.#key, 0);
  }

  #blockFor(position: number): Uint32Array {
    if (position % blockRows === 0) this.#blocks.push(new Uint32Array(blockRows * rowWords));
    return this.#blockOf(position);
  }

  #blockOf(position: number): Uint32Array {
    const block = this.#blocks[Math.floor(position / blockRows)];
    if (block === undefined) throw new RangeError(`no row at ${position}`);
    return block;
  }

  #isOfKey(position: number): boolean {
    const block = this.#blockOf(position);
    const at = (position % blockRows) * rowWords;
    const key = this.#key;
    return block[at] === key[0] && block[at + 1] === key[1] && block[at + 2] === key[2] && block[at + 3] === key[3];
  }

  /** The slot of the row with the key that was read, or the free slot where it belongs. */
  #slotOfKey(): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let slot = hashAt(this.#key, 0) & last; ; slot = (slot + 1) & last) {
      const entry = slots[slot] ?? 0;
      if (entry === 0 || this.#isOfKey(entry - 1)) return slot;
    }
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const last = slots.length - 1;
    for (let position = 0; position < this.#size; position += 1) {
      let slot = hashAt(this.#blockOf(position), (position % blockRows) * rowWords) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = position + 1;
    }
    this.#slots = slots;
  }
}
