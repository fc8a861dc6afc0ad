import type { Lots } from '../disk.js';
import type { Make, Sent } from './records.js';

/** A list as it was from one change to the next. */
export interface Moment {
  readonly records: readonly Sent[];
  /** How often rows were taken out or moved until then: a reading of pages may miss others. */
  readonly moved: number;
  /** How often an answer did not show what is there. */
  readonly odd: number;
}

interface Row {
  readonly number: number;
  readonly version: number;
  readonly sent: Sent;
}

/** A list that changes, with all that it ever was. */
export class ModelList {
  readonly #make: Make;
  readonly #lots: Lots;
  #rows: Row[] = [];
  #gone: Row[] = [];
  #made = 0;
  #moved = 0;
  #odd = 0;
  readonly history: Moment[] = [];
  /** Where its history was when its first page was sent last. */
  readFrom = 0;

  constructor(make: Make, lots: Lots, most: number) {
    this.#make = make;
    this.#lots = lots;
    for (let count = lots(most); count > 0; count -= 1) this.#insert();
    this.#keep();
  }

  get records(): readonly Sent[] {
    return this.history.at(-1)?.records ?? [];
  }

  #insert(): void {
    const back = this.#lots(2) === 0 ? this.#gone.pop() : undefined;
    if (back === undefined) this.#made += 1;
    const row = back ?? { number: this.#made, version: 1, sent: this.#make(this.#made, 1, this.#lots) };
    this.#rows.splice(this.#lots(this.#rows.length + 1), 0, row);
  }

  #keep(): void {
    this.history.push({ records: this.#rows.map(({ sent }) => sent), moved: this.#moved, odd: this.#odd });
  }

  /** An answer does not show what is there. */
  hide(): void {
    this.#odd += 1;
    this.#keep();
  }

  /** A row comes, goes, moves or changes; one that went may come again. Gives what happened in words. */
  change(): string {
    const lots = this.#lots;
    const at = lots(Math.max(1, this.#rows.length));
    const row = this.#rows[at];
    const act = row === undefined ? 0 : lots(5);
    if (row === undefined || act === 0) {
      this.#insert();
    } else if (act === 1 || act === 2) {
      this.#rows.splice(at, 1);
      this.#moved += 1;
      if (act === 1) this.#gone.push(row);
      else this.#rows.splice(lots(this.#rows.length + 1), 0, row);
    } else {
      const version = row.version + 1;
      this.#rows[at] = { ...row, version, sent: this.#make(row.number, version, lots) };
    }
    this.#keep();
    return ['a row comes', 'a row goes', 'a row moves', 'a row changes', 'a row changes'][act] ?? '';
  }
}
