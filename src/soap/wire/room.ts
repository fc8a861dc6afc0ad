import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { Rows } from '../codec/decode-bytes.js';

/** Characters of data that an error has: a service may send a whole log, or a whole list. */
const mostCharacters = 16 * 1024;

type Shown = NonNullable<Rows['shown']>;

const asItIs: Shown = (value) => value;

/** Room for the texts of the data of one error. */
export class Room {
  readonly #mask: (text: string) => string;
  /** What stands for a value; undefined for one that is no longer there. */
  readonly shown: Shown;
  #left = mostCharacters;

  /**
   * @param mask hides secrets
   * @param shown what the rows of a list were made of, where they are no records
   */
  constructor(mask: (text: string) => string, shown = asItIs) {
    this.#mask = mask;
    this.shown = shown;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  take(characters: number): void {
    this.#left -= characters;
  }

  /** As much of a text as there is room for. Masked before it is cut: the mask would not find half a secret. */
  text(text: string): string {
    const masked = this.#mask(text);
    const kept = masked.length > this.#left ? `${masked.slice(0, Math.max(0, this.#left))}…` : masked;
    this.take(masked.length);
    return kept;
  }
}

function cutList(items: readonly Value[], room: Room): Value {
  const kept: Value[] = [];
  for (const [index, item] of items.entries()) {
    const shown = room.isFull ? undefined : room.shown(item);
    if (shown === undefined) return [...kept, `… ${items.length - index} more`];
    kept.push(cutValue(shown, room));
  }
  return kept;
}

function cutValue(value: Value, room: Room): Value {
  if (typeof value === 'string') return room.text(value);
  // What is no text takes room too: there may be millions of it.
  room.take(1);
  if (Array.isArray(value)) return cutList(value as readonly Value[], room);
  return isRecord(value) ? cutRecord(value, room) : value;
}

function cutRecord(record: RecordValue, room: Room): RecordValue {
  const kept = new Map<string, Value>();
  const members = Object.entries(record);
  for (const [index, [name, value]] of members.entries()) {
    if (room.isFull) {
      kept.set('…', `${members.length - index} more members`);
      break;
    }
    room.take(name.length);
    kept.set(name, cutValue(value, room));
  }
  return Object.fromEntries(kept);
}

/** The members of a result as data of an error: masked, and cut at 16,384 characters with `…`. */
export const cutData = (record: RecordValue, mask: (text: string) => string, shown?: Shown): RecordValue =>
  cutRecord(record, new Room(mask, shown));
