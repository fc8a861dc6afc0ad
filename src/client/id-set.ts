import { GuidTable, guidWords, hashAt, isFree, readGuid, Search, slotWords } from './guid-table.js';
import { OverflowGuids, type OpenOverflow } from './overflow-guids.js';

/** What is known of a record: nothing; its Id, with other contents; the record as it is. */
export type Known = 'new' | 'other' | 'same';

/** A set of record Ids, each with the contents that came under it, that tells millions apart in flat memory. */
export interface IdSet {
  /** How many Ids with contents are in it. */
  readonly size: number;
  /** Adds an Id; tells whether it was new. GUIDs are compared without regard to case. Throws `local` when the overflow file fails. */
  add(id: string): boolean;
  /**
   * Adds an Id with a content, the two words that hashContent makes of it; tells what was known before. Of the contents of
   * one Id a few dozen are kept: those behind them are `other` each time.
   */
  take(id: string, left: number, right: number): Known;
  /** Closes the file. */
  close(): void;
}

/** How much of a set stays in memory. */
export interface IdSetOptions {
  /** Where GUIDs go that are too many for memory; all stay there when it is absent, or fails. */
  readonly openOverflow?: OpenOverflow | undefined;
  /** Slots of the table in memory, a power of two; three quarters of them are used. */
  readonly slots?: number;
}

/** Contents of one Id that are kept: with more of them every look would be long. */
const mostContents = 64;

/** A mebibyte and a half, of 49,152 GUIDs. */
const usualSlots = 65_536;
const firstSlots = 16;

/** GUIDs other than the all-zero one, which would look like a free slot. */
class Guids {
  /** The GUID and the content to take next. */
  readonly entry = new Uint32Array(slotWords);
  readonly #search = new Search(this.entry);
  readonly #slots: number;
  readonly #table: GuidTable;
  readonly #overflow: OverflowGuids | undefined;
  #mayOverflow: boolean;

  constructor({ openOverflow, slots = usualSlots }: IdSetOptions) {
    this.#slots = slots;
    this.#table = new GuidTable(Math.min(firstSlots, slots));
    this.#overflow = openOverflow === undefined ? undefined : new OverflowGuids(openOverflow, slots);
    this.#mayOverflow = openOverflow !== undefined;
  }

  /** Adds an entry, as long as there are few of its GUID; tells what was known. */
  take(): Known {
    const hash = hashAt(this.entry, 0);
    const search = this.#search;
    search.begin();
    this.#table.look(search, hash);
    if (!search.isFound) this.#overflow?.look(search, hash);
    if (search.isFound) return 'same';
    if (search.others < mostContents) {
      if (this.#table.isFull) this.#makeRoom();
      this.#table.add(this.entry, hash);
    }
    return search.others === 0 ? 'new' : 'other';
  }

  #makeRoom(): void {
    const isLargest = this.#table.slots === this.#slots;
    if (isLargest && this.#mayOverflow) this.#mayOverflow = this.#overflow?.take(this.#table) === true;
    // Where there is no overflow file, or it failed, memory is what there is; what was written to it before is still read.
    if (isLargest && this.#mayOverflow) this.#table.clear();
    else this.#table.grow();
  }

  close(): void {
    this.#overflow?.close();
  }
}

/** Ids that are no GUIDs, which the service's are: the few that a set has to bear with. */
class Others {
  readonly #contents = new Map<string, string[]>();

  take(id: string, content: string): Known {
    const known = this.#contents.get(id);
    if (known === undefined) {
      this.#contents.set(id, [content]);
      return 'new';
    }
    if (known.includes(content)) return 'same';
    if (known.length < mostContents) known.push(content);
    return 'other';
  }
}

/** An empty set. */
export function createIdSet(options: IdSetOptions = {}): IdSet {
  const guids = new Guids(options);
  const { entry } = guids;
  const others = new Others();
  let size = 0;
  const take = (id: string, left: number, right: number): Known => {
    entry[guidWords] = left;
    entry[guidWords + 1] = right;
    const isGuid = readGuid(id, entry) && !isFree(entry, 0);
    const known = isGuid ? guids.take() : others.take(id, `${left >>> 0} ${right >>> 0}`);
    if (known !== 'same') size += 1;
    return known;
  };
  return {
    get size() {
      return size;
    },
    take,
    add: (id) => take(id, 0, 0) === 'new',
    close: () => guids.close(),
  };
}
