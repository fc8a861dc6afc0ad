import { GuidTable, hashAt, isFree, readGuid } from './guid-table.js';
import { SpilledGuids, type OpenSpill } from './spilled-guids.js';

/** A set of record Ids that tells millions apart in flat memory, exactly. */
export interface IdSet {
  readonly size: number;
  /** Adds an Id; tells whether it was new. GUIDs are compared without regard to case. Throws `local` for a spill. */
  add(id: string): boolean;
  /** Lets go of the file. */
  close(): void;
}

/** How much of a set stays in memory. */
export interface IdSetOptions {
  /** Where GUIDs go that are too many for memory; all stay there when it is absent, or fails. */
  readonly openSpill?: OpenSpill | undefined;
  /** Slots of the table in memory, a power of two; three quarters of them are used. */
  readonly slots?: number;
}

/** A mebibyte, of 49,152 GUIDs. */
const usualSlots = 65_536;
const firstSlots = 16;

/** GUIDs other than the all-zero one, which would look like a free slot. */
class Guids {
  readonly #slots: number;
  readonly #table: GuidTable;
  readonly #spilled: SpilledGuids | undefined;
  #maySpill: boolean;

  constructor({ openSpill, slots = usualSlots }: IdSetOptions) {
    this.#slots = slots;
    this.#table = new GuidTable(Math.min(firstSlots, slots));
    this.#spilled = openSpill === undefined ? undefined : new SpilledGuids(openSpill, slots);
    this.#maySpill = openSpill !== undefined;
  }

  add(guid: Uint32Array): boolean {
    const hash = hashAt(guid, 0);
    if (this.#table.has(guid, hash) || this.#spilled?.has(guid, hash) === true) return false;
    if (this.#table.isFull) this.#makeRoom();
    this.#table.add(guid, hash);
    return true;
  }

  #makeRoom(): void {
    const isLargest = this.#table.slots === this.#slots;
    if (isLargest && this.#maySpill) this.#maySpill = this.#spilled?.take(this.#table) === true;
    // Where nothing can be spilled, or no longer, memory is what there is; what was spilled before is still read.
    if (isLargest && this.#maySpill) this.#table.clear();
    else this.#table.grow();
  }

  close(): void {
    this.#spilled?.close();
  }
}

/** An empty set. */
export function createIdSet(options: IdSetOptions = {}): IdSet {
  const guids = new Guids(options);
  // The service's Ids are GUIDs: the all-zero one and texts that are none are the few that a set has to bear with.
  const others = new Set<string>();
  const words = new Uint32Array(4);
  let size = 0;
  const isNew = (id: string): boolean => {
    if (readGuid(id, words) && !isFree(words, 0)) return guids.add(words);
    if (others.has(id)) return false;
    others.add(id);
    return true;
  };
  return {
    get size() {
      return size;
    },
    add(id) {
      if (!isNew(id)) return false;
      size += 1;
      return true;
    },
    close: () => guids.close(),
  };
}
