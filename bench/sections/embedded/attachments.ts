import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { relctl } from '../../child.js';
import { medianOf, show } from '../../figures.js';
import type { Scale } from '../../scale.js';
import type { Service } from '../../service.js';
import { onService, type Part } from './part.js';

function run(service: Service, ...args: readonly string[]): string {
  const [program = '', ...before] = relctl;
  const { status, stdout, stderr } = spawnSync(program, [...before, ...args], { env: service.env, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${args.slice(0, 2).join(' ')} ended with ${String(status)}: ${stderr.slice(0, 300)}`);
  return stdout;
}

/** What was done, and the peak of the service in millions of bytes: of a new process, because it only grows. */
const peakAfter = <Result>(folder: string, use: (service: Service) => Result): Promise<readonly [Result, number]> =>
  onService(folder, async (service) => [use(service), service.peak() * 1.048576]);

const activity = '00000000-0020-4000-8000-000000000001';

/** Memory of the service while a large attachment goes in and out. */
export async function attachments(folder: string, { longRounds, megabytes }: Scale): Promise<Part> {
  const file = join(folder, 'up.bin');
  const down = join(folder, 'down.bin');
  writeFileSync(file, Buffer.alloc(megabytes * 1_000_000, 'relctl'));
  const peaks = { idle: [] as number[], in: [] as number[], out: [] as number[] };
  const place = join(folder, 'attachments');
  mkdirSync(place);
  for (let round = 0; round < longRounds; round += 1) {
    const [, idle] = await peakAfter(place, (service) => run(service, 'relation', 'list', '--limit', '1'));
    const [id, up] = await peakAfter(place, (service) => {
      const added = run(service, 'activity', 'attach', activity, file, '--yes', '-o', 'json', '--quiet');
      return /"Id": "([0-9a-f-]{36})"/.exec(added)?.[1] ?? '';
    });
    const [, out] = await peakAfter(place, (service) =>
      run(service, 'attachment', 'get', id, '--output-file', down, '--force', '--quiet'),
    );
    peaks.idle.push(idle);
    peaks.in.push(up);
    peaks.out.push(out);
  }
  const [most, least] = [`${megabytes} MB in`, `${megabytes} MB out`];
  return {
    table: {
      head: ['attachment', 'peak of the service, MB'],
      rows: [
        ['none', show(medianOf(peaks.idle))],
        [most, show(medianOf(peaks.in))],
        [least, show(medianOf(peaks.out))],
      ],
    },
    figures: { 'attachment-in': medianOf(peaks.in), 'attachment-out': medianOf(peaks.out) },
    notes: [],
  };
}
