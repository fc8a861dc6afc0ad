import { costOf, costsOf, relctl } from './child.js';
import { openPlace } from './place.js';
import { figure, median, section, type Measure } from './timing.js';

const id = '00000000-0001-4000-8000-00003c6ef362';

/** Start-up of the built program against a bare node. */
export const startUp: Measure = async ({ rounds }) => {
  const place = await openPlace();
  const env = place.env(1, 0);
  const run = (...command: readonly string[]) => [command.slice(1).join(' '), () => costOf(command, env)] as const;
  const program = (...args: readonly string[]) =>
    [`relctl ${args.join(' ')}`, () => costOf([...relctl, ...args], env)] as const;
  try {
    const costs = await costsOf(
      new Map([
        run(process.execPath, '-e', '0'),
        program('--version'),
        program('--help'),
        program('operations', '-o', 'json'),
        program('relation', 'get', id),
      ]),
      rounds,
    );
    const figures = [...costs].map(([name, all]) => [name, median(all.map(({ ms }) => ms))] as const);
    const bare = figures[0]?.[1] ?? Number.NaN;
    return section(
      'Start-up, whole process',
      'Against a warm service in another process. Every process, the bare node too, has the same environment: PATH, a new HOME and state folder, and the service by RELCTL_ variables; no NODE_OPTIONS, no compile cache, stdin and stdout at /dev/null. Files are in the cache of the system from the first round on. Goals: `--version` at most 1.2 times bare node, `relation get` 2.2 times.',
      {
        head: ['what', 'ms', 'x bare node'],
        rows: figures.map(([name, ms]) => [
          name === '-e 0' ? '`node -e 0`' : `\`${name.replace(id, 'ID')}\``,
          figure(ms),
          figure(ms / bare, 2),
        ]),
      },
    );
  } finally {
    await place.close();
  }
};
