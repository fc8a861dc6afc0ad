import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOf, relctl, sizeOf } from '../child.js';
import { combine, medianOf, seconds, show, type Found } from '../figures.js';
import { cleanEnv } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Scale } from '../scale.js';
import type { Measured, Section, Table } from '../section.js';
import { databaseIn, startService, type Service } from '../service.js';
import { openConnection } from '../socket.js';
import { Turns, type Candidate } from '../turns.js';

type Figures = Record<string, Found>;

/** One table, and its figures. */
interface Part {
  readonly table: Table;
  readonly figures: Figures;
  readonly notes: readonly string[];
}

const name = (count: number): string => `${count.toLocaleString('en')} relations`;

/** Makes data of some sizes; those of the largest stay in the folder. */
async function making(folder: string, { longRounds, growth }: Scale): Promise<Part> {
  const turns = new Turns();
  const sizes = new Map<string, number>();
  const make = (count: number): readonly [string, Candidate] => [
    name(count),
    async () => {
      const place = join(folder, 'data');
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      const args = ['sandbox', 'reset', '--yes', '--db', databaseIn(place), '--relations', String(count), '--quiet'];
      const cost = await costOf({ command: [...relctl, ...args], env: cleanEnv(folder), folder: place });
      sizes.set(name(count), sizeOf(place));
      return cost;
    },
  ];
  const [few, many, most] = growth;
  await turns.run(new Map([make(few), make(many)]), longRounds);
  await turns.run(new Map([make(most)]), 1);
  const size = (count: number): Found =>
    combine([turns.median(name(count), 'ms')], () => sizes.get(name(count)) ?? NaN);
  return {
    table: {
      head: ['making', 's', 'CPU s', 'peak MiB', 'on disk, MB', 'most on disk, MB'],
      rows: growth.map((count) => [
        name(count),
        show(seconds(turns.median(name(count), 'ms')), 1),
        show(seconds(turns.median(name(count), 'cpuMs')), 1),
        show(turns.median(name(count), 'peakMebibytes')),
        show(size(count)),
        show(turns.median(name(count), 'diskMegabytes')),
      ]),
    },
    figures: {
      'make-many': seconds(turns.median(name(many), 'cpuMs')),
      'make-many-disk': size(many),
      'make-most': seconds(turns.median(name(most), 'cpuMs')),
      'make-most-disk': size(most),
    },
    notes: turns.notes,
  };
}

/** Times pages at some places of the list, one at a time, in turn. */
async function pagesOf(service: Service, places: readonly number[], includeFields: boolean, rounds: number) {
  const connection = await openConnection(service.port);
  const taken = new Map<number, number[]>(places.map((place) => [place, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const place of places) {
      const request = service.page(place, pageSize, includeFields);
      const began = performance.now();
      const answer = await connection.send(request);
      if (answer.length < 10_000) throw new Error(`page ${place} is empty`);
      // The first two warm the compiler up.
      if (round >= 0) taken.get(place)?.push(performance.now() - began);
    }
  }
  connection.close();
  return taken;
}

async function pages(service: Service, { rounds, growth: [, , most] }: Scale): Promise<Part> {
  const last = Math.floor(most / pageSize);
  const places = [...new Set([1, Math.ceil(last / 2), last])];
  // A page takes milliseconds only, so that more of them are taken than of whole processes.
  const plain = await pagesOf(service, places, false, rounds * 5);
  const withFields = await pagesOf(service, places, true, rounds * 5);
  const rate = (taken: ReadonlyMap<number, readonly number[]>, place: number): Found =>
    combine([medianOf(taken.get(place) ?? [])], (ms) => 1000 / ms);
  const slowest = (taken: typeof plain): Found =>
    combine(
      places.map((place) => rate(taken, place)),
      Math.min,
    );
  return {
    table: {
      head: ['page of 1,000', 'pages/s', 'pages/s with fields'],
      rows: places.map((place) => [place, show(rate(plain, place)), show(rate(withFields, place))]),
    },
    figures: { pages: slowest(plain), 'pages-with-fields': slowest(withFields) },
    notes: [],
  };
}

const atOnce = 16;

/** Calls under way at once, over as many connections; how many a second. */
async function rateOf(service: Service, requests: readonly Buffer[]): Promise<number> {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => openConnection(service.port)));
  const left = requests.values();
  const began = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (const request of left) await connection.send(request);
    }),
  );
  const rate = (requests.length * 1000) / (performance.now() - began);
  for (const connection of connections) connection.close();
  return rate;
}

/** Calls of RelationGet for relations of all the list. */
async function gets(service: Service, { rounds, calls, growth: [, , most] }: Scale): Promise<Part> {
  const connection = await openConnection(service.port);
  const page = await connection.send(service.page(Math.ceil(most / pageSize / 2), pageSize, false));
  connection.close();
  const ids = [...page.toString('latin1').matchAll(/<Id>([0-9a-f-]{36})<\/Id>/g)].map(([, id = '']) => id);
  if (ids.length === 0) throw new Error('a page has no ids');
  const known = ids.map((id) => service.relation(id));
  const requests = Array.from({ length: calls }, (_, at) => known[at % known.length] ?? Buffer.alloc(0));
  const rates: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const rate = await rateOf(service, requests);
    if (round >= 0) rates.push(rate);
  }
  const get = medianOf(rates);
  return {
    table: { head: ['operation', 'a second'], rows: [[`RelationGet, ${atOnce} at once`, show(get)]] },
    figures: { get },
    notes: [],
  };
}

function run(service: Service, ...args: readonly string[]): string {
  const [program = '', ...before] = relctl;
  const { status, stdout, stderr } = spawnSync(program, [...before, ...args], { env: service.env, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${args.slice(0, 2).join(' ')} ended with ${String(status)}: ${stderr.slice(0, 300)}`);
  return stdout;
}

/** The peak of the service, in millions of bytes: of a new process for each way, because it only grows. */
async function peakAfter<Result>(folder: string, use: (service: Service) => Result): Promise<[Result, number]> {
  const service = await startService(folder);
  try {
    return [use(service), service.peak() * 1.048576];
  } finally {
    await service.stop();
  }
}

const activity = '00000000-0020-4000-8000-000000000001';

async function attachments(folder: string, { longRounds, megabytes }: Scale): Promise<Part> {
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

async function onService<Result>(folder: string, use: (service: Service) => Promise<Result>): Promise<Result> {
  const service = await startService(folder);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

const message = (failed: unknown): string => (failed instanceof Error ? failed.message : String(failed));

/** The embedded service: making its data, pages anywhere in a large list, single calls, attachments. */
export const embedded: Section = {
  title: 'The embedded service',
  async measure(scale) {
    const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
    const parts: Part[] = [];
    const notes: string[] = [];
    // What fails must not lose what stands beside it.
    const add = async (part: () => Promise<Part>): Promise<void> => {
      try {
        parts.push(await part());
      } catch (failed) {
        notes.push(`failed: ${message(failed)}`);
      }
    };
    try {
      await add(() => making(folder, scale));
      const data = join(folder, 'data');
      await add(() => onService(data, (service) => pages(service, scale)));
      await add(() => onService(data, (service) => gets(service, scale)));
      await add(() => attachments(folder, scale));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return measured(scale, parts, notes);
  },
};

function measured({ growth: [, , most] }: Scale, parts: readonly Part[], notes: readonly string[]): Measured {
  return {
    words: `Over HTTP, in a process of its own. Pages one at a time, and single calls, out of ${name(most)}; the client sends prepared bytes and decodes nothing. The peak of the service is its own process’s, a new one for each way.`,
    tables: parts.map(({ table }) => table),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Figures,
    notes: [...parts.flatMap((part) => part.notes), ...notes],
  };
}
