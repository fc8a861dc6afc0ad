/** A member that a record gets in front of its own. */
export interface Lead {
  readonly name: string;
  readonly value: string;
}

const usualRows = 1024;

/** Leads of the rows of a page. There are few different ones, and an object for each row of a long list takes memory. */
export class Leads {
  /** The different ones; rows have their numbers, from 1. */
  #leads: Lead[] = [];
  #numbers = new Uint32Array();

  /** Gives a row a lead in the place of any other. */
  put(row: number, { name, value }: Lead): void {
    if (row >= this.#numbers.length) this.#grow(row);
    const isSame = (lead: Lead): boolean => lead.name === name && lead.value === value;
    const known = this.#leads.findIndex(isSame);
    this.#numbers[row] = known === -1 ? this.#leads.push({ name, value }) : known + 1;
  }

  /** The lead of a row; undefined where it has none. */
  of(row: number): Lead | undefined {
    return this.#leads[(this.#numbers[row] ?? 0) - 1];
  }

  clear(): void {
    if (this.#leads.length === 0) return;
    this.#leads = [];
    this.#numbers.fill(0);
  }

  #grow(row: number): void {
    const larger = new Uint32Array(Math.max(usualRows, 2 ** Math.ceil(Math.log2(row + 1))));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
