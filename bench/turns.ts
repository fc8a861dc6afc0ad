import type { Cost } from './child.js';
import { medianOf, type Found } from './figures.js';

/** Something to run again and again. */
export type Candidate = () => Promise<Cost>;

/** One figure of a cost. */
export type Part = keyof Cost;

const firstLine = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1).join('').trim();

/** What candidates took that came in turn, so that drift of the machine meets all of them alike. */
export class Turns {
  readonly #costs = new Map<string, Cost[]>();
  readonly #absent = new Map<string, string>();

  /** Says that a candidate is not run, and why. */
  without(name: string, why: string): this {
    this.#absent.set(name, why);
    return this;
  }

  /** Runs candidates in turn. One that fails is left out from then on, with all its figures; the others go on. */
  async run(candidates: ReadonlyMap<string, Candidate>, rounds: number): Promise<this> {
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, run] of candidates) await this.#runOnce(name, run);
    }
    return this;
  }

  async #runOnce(name: string, run: Candidate): Promise<void> {
    if (this.#absent.has(name)) return;
    try {
      this.#costs.set(name, [...(this.#costs.get(name) ?? []), await run()]);
    } catch (failed) {
      this.#costs.delete(name);
      this.#absent.set(name, `failed: ${firstLine(failed)}`);
    }
  }

  /** Drops what was measured; a candidate that failed stays out. */
  forget(): void {
    this.#costs.clear();
  }

  /** Candidates that were run to the end. */
  get names(): readonly string[] {
    return [...this.#costs.keys()];
  }

  /** A line for each candidate without figures. */
  get notes(): readonly string[] {
    return [...this.#absent].map(([name, why]) => `${name}: ${why}`);
  }

  #of(name: string): readonly Cost[] | { readonly why: string } {
    return this.#costs.get(name) ?? { why: `${name}: ${this.#absent.get(name) ?? 'was not run'}` };
  }

  /** The median of one part of a candidate's cost. */
  median(name: string, part: Part): Found {
    const costs = this.#of(name);
    return 'why' in costs ? costs : medianOf(costs.map((cost) => cost[part]));
  }

  /** The shortest and the longest run in seconds: how much the runs differ. */
  spread(name: string, digits: number): string {
    const all = (this.#costs.get(name) ?? []).map(({ ms }) => ms / 1000);
    return all.length === 0 ? '–' : `${Math.min(...all).toFixed(digits)} to ${Math.max(...all).toFixed(digits)}`;
  }

  /** How much more one candidate took than another: the median of the ratios of each round. */
  ratio(name: string, other: string, part: Part): Found {
    const [costs, others] = [this.#of(name), this.#of(other)];
    if ('why' in costs) return costs;
    if ('why' in others) return others;
    return medianOf(costs.map((cost, round) => cost[part] / (others[round]?.[part] ?? Number.NaN)));
  }
}

/** Runs candidates in turn after one round that does not count, which fills caches and keeps the code of relctl. */
export async function inTurns(
  turns: Turns,
  candidates: ReadonlyMap<string, Candidate>,
  rounds: number,
): Promise<Turns> {
  await turns.run(candidates, 1);
  turns.forget();
  return turns.run(candidates, rounds);
}
