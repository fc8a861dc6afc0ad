/** An id to ask for, and where it was. */
export interface ListedId {
  readonly id: string;
  readonly line: number;
}

const idBytes = 36;

/** Ids that are allocated together, so that a list that grows is never copied. */
const blockIds = 16_384;

interface Block {
  readonly texts: Buffer;
  readonly lines: Uint32Array;
}

/** Ids in order, 40 bytes an id. */
export class IdList implements Iterable<ListedId> {
  readonly #blocks: Block[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): ListedId | undefined {
    return this.#size === 0 ? undefined : this.#at(0);
  }

  add({ id, line }: ListedId): void {
    const offset = this.#size % blockIds;
    if (offset === 0) {
      this.#blocks.push({ texts: Buffer.alloc(blockIds * idBytes), lines: new Uint32Array(blockIds) });
    }
    const block = this.#blockOf(this.#size);
    block.texts.write(id, offset * idBytes, 'latin1');
    block.lines[offset] = line;
    this.#size += 1;
  }

  *[Symbol.iterator](): Generator<ListedId, void> {
    for (let index = 0; index < this.#size; index += 1) yield this.#at(index);
  }

  #at(index: number): ListedId {
    const { texts, lines } = this.#blockOf(index);
    const offset = index % blockIds;
    return { id: texts.toString('latin1', offset * idBytes, (offset + 1) * idBytes), line: lines[offset] ?? 0 };
  }

  #blockOf(index: number): Block {
    const block = this.#blocks[Math.floor(index / blockIds)];
    if (block === undefined) throw new RangeError(`no id at ${index}`);
    return block;
  }
}
