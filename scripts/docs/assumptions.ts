import texts from '../../src/sandbox/assumptions.json' with { type: 'json' };
import { paging, refusalNumbers } from '../../src/sandbox/handlers/handler.js';

/** Something that the interface document leaves open, and what the sandbox does. */
interface Assumption {
  readonly topic: string;
  readonly decision: string;
  readonly why: string;
  /** Addresses of public source code of clients of deployed instances, which shows it. Without any it is a guess. */
  readonly sources?: readonly string[];
}

const figures: Readonly<Record<string, Readonly<Record<string, number>>>> = { paging, refusalNumbers };

/** Every decision about what the interface document leaves open. */
export const assumptions: readonly Assumption[] = texts.map((assumption) => ({
  ...assumption,
  // Figures such as {paging.firstPage} come from the code that uses them.
  decision: assumption.decision.replace(/\{(\w+)\.(\w+)\}/g, (_, group: string, name: string) =>
    String(figures[group]?.[name]),
  ),
}));

/** What the embedded service decides where the service's description is silent. */
export function assumptionsText(): string {
  return assumptions
    .map(({ topic, decision, why, sources = [] }) => {
      const links = sources.map((url) => `[${url.split('/').at(-1) ?? url}](${url})`);
      // What others observed is evidence; our own reasons stay in the list of assumptions.
      const evidence = links.length === 0 ? '' : `\n\nEvidence: ${why} Source: ${links.join(', ')}.`;
      return `### ${topic}\n\n${decision}${evidence}`;
    })
    .join('\n\n');
}
