import { assumptions } from '../../src/sandbox/assumptions.js';

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
