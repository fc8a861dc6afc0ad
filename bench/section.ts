import type { Found } from './figures.js';
import type { Scale } from './scale.js';

/** A table of the page of benchmarks. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What a section found. */
export interface Measured {
  /** What was measured, and what a reader must know to judge it. */
  readonly words: string;
  readonly tables: readonly Table[];
  /** Figures that goals are about, by their names. */
  readonly figures: Readonly<Record<string, Found>>;
  /** Candidates that are not on this machine, or failed: one line each. */
  readonly notes: readonly string[];
}

/** One section of the bench. */
export interface Section {
  readonly title: string;
  measure(scale: Scale): Promise<Measured>;
}
