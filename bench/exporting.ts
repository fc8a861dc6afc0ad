import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { costOf, costsOf, isThere, relctl, type Cost } from './child.js';
import { openPlace, type Place } from './place.js';
import { figure, median, section, type Measure, type Scale } from './timing.js';

const client = (file: string): string => fileURLToPath(new URL(`clients/${file}`, import.meta.url));

const python = ['python3', '/usr/bin/python3'].find((program) => isThere(program, '-c', 'import zeep'));

/** Other stacks that are here, by name. */
function others(): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ['npm soap 1.13', [process.execPath, client('npm-soap-list.mjs')]],
    ...(isThere('php', '-r', 'exit(class_exists("SoapClient") ? 0 : 1);')
      ? [['PHP SoapClient, fputcsv', ['php', client('php-list.php')]] as const]
      : []),
    ...(python === undefined ? [] : [['python3-zeep, csv', [python, client('zeep-list.py')]] as const]),
  ]);
}

type Runs = Map<string, () => Promise<Cost>>;

function curl(place: Place, { pages }: Scale, { delayMs, at }: { delayMs: number; at: number }): readonly string[] {
  const parallel = at === 1 ? [] : ['--parallel', '--parallel-max', String(at)];
  const url = `${place.url(pages, delayMs)}?page=[1-${pages + 1}]`;
  return ['curl', '-sS', ...parallel, '-H', 'content-type: application/soap+xml', '-d', '<x/>', '-o', '/dev/null', url];
}

/** Pages at a time: what relctl asks for by itself, and what it can be told to where the service is far away. */
const usual = 3;
const many = 8;

function runs(place: Place, scale: Scale, delayMs: number): Runs {
  const file = join(place.folder, 'out.csv');
  const list = ['relation', 'list', '-o', 'csv', '--output-file', file, '--force', '--quiet'];
  const run = (...flags: readonly string[]): Promise<Cost> =>
    costOf([...relctl, ...list, ...flags], place.env(scale.pages, delayMs));
  const found: Runs = new Map([['relctl', () => run()]]);
  if (delayMs > 0) found.set(`relctl --concurrency ${many}`, () => run('--concurrency', String(many)));
  for (const [name, command] of others())
    found.set(name, () => costOf([...command, place.url(scale.pages, delayMs), file]));
  if (isThere('curl', '--version')) {
    found.set('curl to /dev/null, one at a time', () => costOf(curl(place, scale, { delayMs, at: 1 })));
    for (const at of delayMs > 0 ? [usual, many] : [usual])
      found.set(`curl to /dev/null, ${at} at a time`, () => costOf(curl(place, scale, { delayMs, at })));
  }
  return found;
}

async function table(place: Place, scale: Scale, delayMs: number) {
  // A round of the slowest stack takes many seconds.
  const costs = await costsOf(runs(place, scale, delayMs), Math.min(scale.rounds, 7));
  const ms = (name: string): number => median((costs.get(name) ?? []).map((cost) => cost.ms));
  return {
    head: ['client', 's', 'rows/s', 'x relctl', 'peak MiB'],
    rows: [...costs].map(([name, all]) => [
      name,
      figure(ms(name) / 1000, 2),
      name.startsWith('curl') ? '–' : figure((scale.pages * 1_000_000) / ms(name)),
      figure(ms(name) / ms('relctl'), 2),
      figure(median(all.map(({ peakMebibytes }) => peakMebibytes))),
    ]),
  };
}

/** A list to its end as CSV in a file, by relctl and other stacks, from one service of prepared answers. */
export const exporting: Measure = async (scale) => {
  const place = await openPlace();
  try {
    const words = `${scale.pages} pages of 1,000 relations, whole processes. A stack that is not in the table is not on this machine.`;
    const near = await table(place, scale, 0);
    const far = await table(place, scale, 50);
    const goals = [
      'Goals: faster than PHP, 5 times npm soap, 7 times zeep, at most 4 times curl one at a time.',
      `Goals: 4 times each stack where relctl is told to ask for ${many} pages at a time, as the others cannot be; at most 2 times curl with as many. By itself relctl asks for ${usual}, which is kind to the service.`,
    ] as const;
    return [
      ...section('A list to CSV', `${words} ${goals[0]}`, near),
      '',
      ...section('The same with 50 ms before each page', `${words} ${goals[1]}`, far),
    ];
  } finally {
    await place.close();
  }
};
