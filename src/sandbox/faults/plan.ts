import type { Random } from '../dataset/random.js';
import type { Effects } from './kinds/fault-kind.js';
import { type CallFacts, draws, type FaultSpec, isDue, isMeant, misread, readSpec } from './spec.js';

/** An effect with the stream of numbers that it draws from. */
export type DrawnEffect = Effects & { readonly random: Random };

/** A fault that a call gets. */
export interface DueFault {
  readonly text: string;
  readonly effects: readonly DrawnEffect[];
}

/** A line of the plan with its counts. */
export interface PlanLine {
  readonly id: number;
  readonly spec: string;
  /** Calls that match its operation and page. */
  readonly calls: number;
  /** Calls that got its faults. */
  readonly befallen: number;
}

interface Kept {
  readonly id: number;
  readonly spec: FaultSpec;
  calls: number;
  befallen: number;
}

const dueFault = ({ text, effects, schedule }: FaultSpec, number: number): DueFault => ({
  text,
  effects: effects.map((effect, index) => ({ ...effect, random: draws(schedule.seed)(`effect ${index}`, number) })),
});

/** The faults to apply, and when. Lines can be added and removed while the sandbox runs; each counts its calls. */
export class FaultPlan {
  #lines: readonly Kept[] = [];
  #lastId = 0;

  /** Throws RelctlError `usage` for a line that cannot be read. */
  constructor(specs: readonly string[] = []) {
    for (const spec of specs) this.add(spec);
  }

  /** True when there are no lines. */
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Adds a line at the end. Throws RelctlError `usage` when it cannot be read. */
  add(text: string): PlanLine {
    const line = { id: this.#lastId + 1, spec: readSpec(text), calls: 0, befallen: 0 };
    this.#lastId += 1;
    this.#lines = [...this.#lines, line];
    return shown(line);
  }

  /** Removes a line; false when there is none with this id. */
  remove(id: number): boolean {
    const before = this.#lines.length;
    this.#lines = this.#lines.filter((line) => line.id !== id);
    return this.#lines.length < before;
  }

  /** Removes all lines. */
  clear(): void {
    this.#lines = [];
  }

  /** The lines, in their order. */
  lines(): readonly PlanLine[] {
    return this.#lines.map(shown);
  }

  /** Counts a call, and gives the faults that it gets. */
  takeDue(call: CallFacts): readonly DueFault[] {
    return this.#lines.flatMap((line) => {
      if (!isMeant(line.spec.schedule, call)) return [];
      line.calls += 1;
      if (!isDue(line.spec.schedule, line.calls)) return [];
      line.befallen += 1;
      return [dueFault(line.spec, line.calls)];
    });
  }
}

const shown = ({ id, spec, calls, befallen }: Kept): PlanLine => ({ id, spec: spec.text, calls, befallen });

/** The faults that the header of a call asks for: a line with no schedule but a seed. Throws RelctlError `usage`. */
export function dueByHeader(text: string): DueFault {
  const spec = readSpec(text);
  const [when] = Object.keys(spec.schedule).filter((key) => key !== 'seed');
  if (when !== undefined) {
    throw misread('fault-schedule', `a header is about its own call: it takes no ${when}`);
  }
  return dueFault(spec, 1);
}
