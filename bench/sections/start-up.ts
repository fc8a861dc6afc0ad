import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, relctl } from '../child.js';
import { show } from '../figures.js';
import { cleanEnv, within, type Place } from '../place.js';
import type { Section } from '../section.js';
import { Turns, type Candidate } from '../turns.js';

const id = '00000000-0001-4000-8000-00003c6ef362';
const bare = '`node -e 0`';

/** Command lines by the names of their figures. */
const commands = {
  version: ['--version'],
  help: ['--help'],
  operations: ['operations', '-o', 'json'],
  envelope: ['relation', 'get', id, '--envelope'],
  get: ['relation', 'get', id],
  'get-sandbox': ['relation', 'get', '00000000-0000-4000-8000-000000000101', '--profile', 'sandbox'],
} satisfies Record<string, readonly string[]>;

const names = Object.keys(commands) as readonly (keyof typeof commands)[];
const cold = (name: string): string => `${name}, cold`;

function candidates(place: Place): ReadonlyMap<string, Candidate> {
  const service = place.env({ pages: 1 });
  // The service of the profile sandbox has a folder of its own, so that no variable names another service.
  const sandbox = cleanEnv(join(place.folder, 'sandbox'));
  const envOf = (name: string): NodeJS.ProcessEnv => (name === 'get-sandbox' ? sandbox : service);
  const found = new Map<string, Candidate>([
    [bare, () => costOf({ command: [process.execPath, '-e', '0'], env: service })],
  ]);
  for (const name of names) {
    const command = [...relctl, ...commands[name]];
    found.set(name, () => costOf({ command, env: envOf(name) }));
    const cache = join(place.folder, 'cold');
    found.set(cold(name), () => {
      rmSync(cache, { recursive: true, force: true });
      return costOf({ command, env: { ...envOf(name), RELCTL_CACHE_DIR: cache } });
    });
  }
  return found;
}

/** Start-up of the built program against a bare node, with and without cached code. */
export const startUp: Section = {
  title: 'Start-up, whole process',
  async measure({ rounds }) {
    const turns = new Turns();
    await within(async (place) => {
      const all = candidates(place);
      // The first round caches code, makes the data of the sandbox, and brings files into the cache of the system.
      await new Turns().run(all, 1);
      await turns.run(all, rounds);
    });
    const x = (name: string) => turns.ratio(name, bare, 'ms');
    return {
      words:
        'Against a warm service in another process; `--profile sandbox` starts its own. All processes have the same environment: PATH, a new HOME, the service by RELCTL_ variables; no NODE_OPTIONS, no compile cache of Node. Warm: earlier runs of the same command cached V8’s code. Cold: the cache folder is empty before each run. The goals are about warm starts.',
      tables: [
        {
          head: ['what', 'ms warm', 's, least to most', 'x bare node warm', 'ms cold', 'x bare node cold'],
          rows: [
            [bare, show(turns.median(bare, 'ms'), 1), turns.spread(bare, 3), '1.00', '–', '–'],
            ...names.map((name) => [
              `\`relctl ${commands[name].join(' ').replaceAll(/[0-9a-f-]{36}/g, 'ID')}\``,
              show(turns.median(name, 'ms'), 1),
              turns.spread(name, 3),
              show(x(name), 2),
              show(turns.median(cold(name), 'ms'), 1),
              show(x(cold(name)), 2),
            ]),
          ],
        },
      ],
      figures: Object.fromEntries(names.map((name) => [name, x(name)])),
      notes: turns.notes,
    };
  },
};
