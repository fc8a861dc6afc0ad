import { fileURLToPath } from 'node:url';
import { interleaved, processMs, row } from './timing.js';

/** Start-up of the built program against a bare node. */
export function startUp(rounds: number): string[] {
  const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url));
  const node = process.execPath;
  const figures = interleaved(
    {
      'node -e 0': () => processMs([node, '-e', '0']),
      'relctl --version': () => processMs([node, bin, '--version']),
      'relctl --help': () => processMs([node, bin, '--help']),
      'relctl operations -o json': () => processMs([node, bin, 'operations', '-o', 'json']),
    },
    rounds,
  );
  const bare = figures['node -e 0'] ?? Number.NaN;
  return [
    '## Start-up, whole process',
    '',
    row('what', 'ms', 'x bare node'),
    '|---|---|---|',
    ...Object.entries(figures).map(([name, ms]) => row(`\`${name}\``, ms.toFixed(0), (ms / bare).toFixed(2))),
  ];
}
