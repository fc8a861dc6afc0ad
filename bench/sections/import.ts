import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { costsInMemory } from '../costs.js';
import { combine, seconds } from '../figures.js';
import { cleanEnv } from '../place.js';
import type { Section } from '../section.js';
import { inTurns, Turns, type Candidate } from '../turns.js';
import { largeWsdl } from '../wsdl.js';

const first = '`operations import`, nothing kept yet';
const again = '`operations import` of what is kept';

/** Imports a file; with nothing kept by another profile each time. */
function candidates(folder: string, file: string): ReadonlyMap<string, Candidate> {
  const env = {
    ...cleanEnv(folder),
    RELCTL_BASE_URL: 'http://127.0.0.1:9/large.asmx',
    RELCTL_NAMESPACE: 'urn:large',
    RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
  };
  const command = [...relctl, 'operations', 'import', file, '-o', 'csv', '--quiet'];
  let runs = 0;
  const fresh = (): NodeJS.ProcessEnv => ({ ...env, XDG_CONFIG_HOME: join(folder, `config-${(runs += 1)}`) });
  return new Map<string, Candidate>([
    [first, () => costOf({ command, env: fresh() })],
    [again, () => costOf({ command, env })],
  ]);
}

/** Import of a large WSDL from a file. */
export const importOfWsdl: Section = {
  title: 'Import of a WSDL',
  async measure({ longRounds, wsdlMegabytes }) {
    const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-wsdl-'));
    const turns = new Turns();
    const { text, operations } = largeWsdl(wsdlMegabytes);
    try {
      const file = join(folder, 'large.wsdl');
      writeFileSync(file, text);
      await inTurns(turns, candidates(folder, file), longRounds);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return {
      words: `A WSDL of ${(text.length / 1e6).toFixed(1)} MB with ${operations} operations, each with records of its own, in a file.`,
      tables: [costsInMemory(turns, 'what')],
      figures: {
        first: seconds(turns.median(first, 'ms')),
        again: seconds(turns.median(again, 'ms')),
        memory: combine(
          [first, again].map((name) => turns.median(name, 'peakMebibytes')),
          (...all) => Math.max(...all) * 1.048576,
        ),
      },
      notes: turns.notes,
    };
  },
};
