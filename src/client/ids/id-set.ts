import { GuidTable, guidWords, hashAt, Search, slotWords, writeIdWords } from './guid-table.js';
import { OverflowGuids, type OpenOverflow } from './overflow-guids.js';

/** `new`: the Id was not in the set; `other`: it was, with other contents only; `same`: with this content. */
export type Known = 'new' | 'other' | 'same';

/** How much of a set stays in memory. */
export interface IdSetOptions {
  /** Opens the overflow file; without it, or when writing it fails, all Ids stay in memory. */
  readonly openOverflow?: OpenOverflow | undefined;
  /** Slots of the table in memory, a power of two; three quarters of them are used. */
  readonly slots?: number;
}

/** Contents that are kept of one Id: with more of them every search would be long. */
const mostContents = 64;

/** 1.5 MiB for 49,152 Ids. */
const usualSlots = 65_536;
const firstSlots = 16;

const noContent = { words: new Uint32Array(slotWords), at: 0 } as const;

/** A set of record Ids, each with the contents that came with it. Millions of them take a few MiB of memory. */
export class IdSet {
  readonly #entry = new Uint32Array(slotWords);
  readonly #search = new Search(this.#entry);
  readonly #slots: number;
  readonly #table: GuidTable;
  readonly #overflow: OverflowGuids | undefined;
  #mayOverflow: boolean;

  constructor({ openOverflow, slots = usualSlots }: IdSetOptions = {}) {
    this.#slots = slots;
    this.#table = new GuidTable(Math.min(firstSlots, slots));
    this.#overflow = openOverflow === undefined ? undefined : new OverflowGuids(openOverflow, slots);
    this.#mayOverflow = openOverflow !== undefined;
  }

  /** Adds an Id, in any case of a GUID; true when it was new. Throws `local` when the overflow file fails. */
  add(id: string): boolean {
    const words = new Uint32Array(guidWords);
    writeIdWords(id, words);
    return this.take(words, 0, noContent) === 'new';
  }

  /**
   * Adds an Id, by its four words, with the two words of the hash of a content; gives what the set held before. It keeps 64
   * contents of one Id: any further one is `other` each time. Throws `local` when the overflow file fails.
   */
  take(ids: Uint32Array, at: number, content: { readonly words: Uint32Array; readonly at: number }): Known {
    const entry = this.#entry;
    for (let word = 0; word < guidWords; word += 1) entry[word] = ids[at + word] ?? 0;
    entry[guidWords] = content.words[content.at] ?? 0;
    entry[guidWords + 1] = content.words[content.at + 1] ?? 0;
    return this.#takeEntry();
  }

  #takeEntry(): Known {
    const hash = hashAt(this.#entry, 0);
    const search = this.#search;
    search.begin();
    this.#table.look(search, hash);
    if (!search.isFound) this.#overflow?.look(search, hash);
    if (search.isFound) return 'same';
    if (search.others < mostContents) {
      if (this.#table.isFull) this.#makeRoom();
      this.#table.add(this.#entry, hash);
    }
    return search.others === 0 ? 'new' : 'other';
  }

  #makeRoom(): void {
    const isLargest = this.#table.slots === this.#slots;
    if (isLargest && this.#mayOverflow) this.#mayOverflow = this.#overflow?.take(this.#table) === true;
    // Without an overflow file, or when it fails, the table grows; what the file holds already is still read.
    if (isLargest && this.#mayOverflow) this.#table.clear();
    else this.#table.grow();
  }

  close(): void {
    this.#overflow?.close();
  }
}
