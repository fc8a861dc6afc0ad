import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { costsOf } from '../costs.js';
import { exportTo } from '../export.js';
import { medianOf, quotient, show, type Found } from '../figures.js';
import { within } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Section } from '../section.js';
import { inTurns, Turns } from '../turns.js';

const name = 'all of them';

/** A process of its own, for which nothing is compiled yet, as for an export: the time of all that hiding takes. */
function timeOfMask(): number {
  const program = fileURLToPath(new URL('mask-once.ts', import.meta.url));
  return Number(execFileSync(process.execPath, ['--import', 'tsx', program], { encoding: 'utf8' }));
}

/** What it takes of an export that secrets are looked for in all that leaves the process but its rows. */
export const mask: Section = {
  title: 'Secrets that are hidden',
  async measure({ rounds, growth: [, many] }) {
    const turns = new Turns();
    await within((place) =>
      inTurns(turns, new Map([[name, exportTo('csv', place, { pages: many / pageSize })]]), rounds),
    );
    const taken: Found = medianOf(Array.from({ length: rounds }, timeOfMask));
    return {
      words: `${many.toLocaleString('en')} relations, whole processes. To hide a key, a password and a token in forty lines takes ${show(taken, 1)} ms.`,
      tables: [costsOf(turns, 'list to CSV')],
      figures: { cpu: quotient(taken, turns.median(name, 'cpuMs')) },
      notes: turns.notes,
    };
  },
};
