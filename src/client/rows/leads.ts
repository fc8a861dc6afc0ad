import { withRoom } from './words.js';

/** A member that a record gets in front of its own. */
export interface Lead {
  readonly name: string;
  readonly value: string;
}

/** Leads of the rows of a page. There are few different ones, and an object for each row of a long list takes memory. */
export class Leads {
  /** The different ones; rows have their numbers, from 1. */
  #leads: Lead[] = [];
  #numbers: Uint32Array = new Uint32Array();

  /** Gives a row a lead in the place of any other. */
  put(row: number, { name, value }: Lead): void {
    this.#numbers = withRoom(this.#numbers, row + 1);
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
}
