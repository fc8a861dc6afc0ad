import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionChoice } from '../../src/soap/transport/http.js';
import { costOf, relctl } from '../child.js';
import { quotient, seconds, show, type Found } from '../figures.js';
import type { Scale } from '../scale.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { Turns, type Candidate } from '../turns.js';
import { bareUpdates } from './batch/bare.js';
import { makeProducts, writePrices } from './batch/products.js';
import { onService } from './embedded/part.js';

const many = (count: number): string => count.toLocaleString('en');
const nameOf = {
  bare: (count: number, atOnce: number) => `${many(count)} bare calls, ${atOnce} at once`,
  kept: (count: number, atOnce: number) => `${many(count)} bare calls over kept connections, ${atOnce} at once`,
  updates: (count: number, atOnce: number) => `${many(count)} product updates by \`--file\`, ${atOnce} at once`,
  lines: (count: number) => `${many(count)} product lines by \`--file\``,
  checks: (count: number) => `\`--dry-run\` of ${many(count)} rows`,
} as const;

const both = [1, 4] as const;

/** A command that writes the rows of a file, whatever was written before. */
const writes =
  (service: Service, args: readonly string[]): Candidate =>
  () =>
    costOf({ command: [...relctl, ...args, '--yes', '--restart', '--set', 'ledger=no', '--quiet'], env: service.env });

/** Each run gives all products another price: a row that changes nothing is not sent. */
function updates(service: Service, folder: string, count: number): ReadonlyMap<string, Candidate> {
  let run = 0;
  const price = (): string => `${10 + (run += 1)}.25`;
  const bare =
    (atOnce: number, connection: ConnectionChoice): Candidate =>
    async () => {
      const ms = await bareUpdates(service, price(), { atOnce, connection });
      return { ms, cpuMs: Number.NaN, peakMebibytes: Number.NaN, diskMegabytes: Number.NaN };
    };
  const batch =
    (atOnce: number): Candidate =>
    () => {
      const file = writePrices(folder, count, price());
      return writes(service, ['product', 'update', '--file', file, '--no-base', '--concurrency', String(atOnce)])();
    };
  return new Map(
    both.flatMap((atOnce) => [
      [nameOf.bare(count, atOnce), bare(atOnce, 'fresh')] as const,
      [nameOf.kept(count, atOnce), bare(atOnce, 'busy')] as const,
      [nameOf.updates(count, atOnce), batch(atOnce)] as const,
    ]),
  );
}

function lines(service: Service, folder: string, count: number): readonly [string, Candidate] {
  const file = join(folder, `lines-${count}.csv`);
  const row = '00000000-0020-4000-8000-000000000001,00001,1.50\n';
  writeFileSync(file, `activityId,product,quantity\n${row.repeat(count)}`);
  const args = ['activity', 'add-line', '--file', file, '--set', `maxRows=${count}`];
  return [nameOf.lines(count), writes(service, args)];
}

function checks(service: Service, folder: string, count: number): readonly [string, Candidate] {
  const file = join(folder, `checks-${count}.csv`);
  const rest = '2026-01-01T10:00:00,2026-01-01T11:00:00,true,15,00000000-0000-4000-8000-000000000011,';
  const ids = Array.from(
    { length: count },
    (_, at) => `${at.toString(16).padStart(8, '0')}-0020-4000-8000-000000000001`,
  );
  const titles = 'activityId,start,end,in-agenda,reminder,owner,nil';
  writeFileSync(file, `${titles}\n${ids.map((id) => `${id},${rest}queue\n`).join('')}`);
  const args = ['activity', 'update', '--file', file, '--dry-run', '-o', 'csv', '--set', `maxRows=${count}`, '--quiet'];
  return [nameOf.checks(count), () => costOf({ command: [...relctl, ...args], env: service.env })];
}

function figures(turns: Turns, { rows, growth: [few, more, most] }: Scale): Record<string, Found> {
  const peak = (name: string): Found => turns.median(name, 'peakMebibytes');
  const ratio = (atOnce: number): Found => turns.ratio(nameOf.updates(rows, atOnce), nameOf.bare(rows, atOnce), 'ms');
  return {
    'one-x-bare': ratio(1),
    'four-x-bare': ratio(4),
    growth: quotient(peak(nameOf.lines(more)), peak(nameOf.lines(few))),
    checks: peak(nameOf.checks(most)),
  };
}

async function run(turns: Turns, folder: string, scale: Scale): Promise<void> {
  const { rows, growth, longRounds } = scale;
  const [few, more, most] = growth;
  const data = join(folder, 'data');
  await makeProducts(data, rows);
  await onService(data, async (service) => {
    await turns.run(updates(service, folder, rows), longRounds);
    await turns.run(new Map([lines(service, folder, few), lines(service, folder, more)]), 1);
    await turns.run(new Map([checks(service, folder, few), checks(service, folder, most)]), 1);
  });
}

/** Writes of the rows of a file, against the same calls alone; memory by the number of rows. */
export const batch: Section = {
  title: 'Writes from a file',
  async measure(scale) {
    const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
    const turns = new Turns();
    try {
      await run(turns, folder, scale);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return {
      words:
        'Over HTTP, to the embedded service in a process of its own. The bare calls read the products, update each, and read them again, with the client of the program in a process that runs already: without start-up, checks, journal and results. They use a connection a call, or connections that are kept, as the batch does.',
      tables: [
        {
          head: ['what', 's', 'shortest to longest', 'CPU s', 'peak MiB'],
          rows: turns.names.map((name) => [
            name,
            show(seconds(turns.median(name, 'ms')), 1),
            turns.spread(name, 1),
            show(seconds(turns.median(name, 'cpuMs')), 1),
            show(turns.median(name, 'peakMebibytes')),
          ]),
        },
      ],
      figures: figures(turns, scale),
      notes: turns.notes,
    };
  },
};
