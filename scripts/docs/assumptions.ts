import { assumptions } from '../../src/sandbox/assumptions.js';

/** What the embedded service decides where the service's description is silent. */
export function assumptionsText(): string {
  return assumptions
    .map(({ topic, decision, why }) => `### ${topic}\n\n${decision}\n\nWhy: ${why}`)
    .join('\n\n');
}
