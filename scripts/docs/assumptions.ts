import { assumptions } from '../../src/sandbox/assumptions.js';

/** What the embedded service decides where the service's description is silent. */
export function assumptionsText(): string {
  return assumptions
    .map(({ topic, decision, why, sources = [] }) => {
      const links = sources.map((url) => `[${url.split('/').at(-1) ?? url}](${url})`);
      const cited = links.length === 0 ? '' : ` Source: ${links.join(', ')}.`;
      return `### ${topic}\n\n${decision}\n\nWhy: ${why}${cited}`;
    })
    .join('\n\n');
}
