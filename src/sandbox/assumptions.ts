import texts from './assumptions.json' with { type: 'json' };
import { paging, refusalNumbers } from './handlers/handler.js';

/** Something that the interface document leaves open, and what the sandbox does. */
export interface Assumption {
  readonly topic: string;
  readonly decision: string;
  readonly why: string;
  /** Addresses of public source code of clients of deployed instances, which shows it. Without any it is a guess. */
  readonly sources?: readonly string[];
}

const figures: Readonly<Record<string, Readonly<Record<string, number>>>> = { paging, refusalNumbers };

/** Every decision about what the interface document leaves open. docs/assumptions.md is generated from it. */
export const assumptions: readonly Assumption[] = texts.map((assumption) => ({
  ...assumption,
  // Figures such as {paging.firstPage} come from the code that uses them.
  decision: assumption.decision.replace(/\{(\w+)\.(\w+)\}/g, (_, group: string, name: string) =>
    String(figures[group]?.[name]),
  ),
}));
