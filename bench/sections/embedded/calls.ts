import { combine, medianOf, show, type Found } from '../../figures.js';
import { pageSize } from '../../prepared.js';
import type { Scale } from '../../scale.js';
import type { Service } from '../../service.js';
import { openConnection } from '../../socket.js';
import type { Part } from './part.js';

/** Rounds before those that count. */
const warmUps = 2;

/** Times pages about some places of the list, one at a time, in turn. */
async function pagesOf(service: Service, places: readonly number[], includeFields: boolean, rounds: number) {
  const connection = await openConnection(service.port);
  const taken = new Map<number, number[]>(places.map((place) => [place, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const place of places) {
      const request = service.page(place, pageSize, includeFields);
      const began = performance.now();
      const answer = await connection.send(request);
      if (answer.length < 10_000) throw new Error(`page ${place} is empty`);
      // The first ones warm the compiler up.
      if (round >= 0) taken.get(place)?.push(performance.now() - began);
    }
  }
  connection.close();
  return taken;
}

/** Pages at the beginning, in the middle and at the end of the list. */
export async function pages(service: Service, { rounds, growth: [, , most] }: Scale): Promise<Part> {
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
export async function gets(service: Service, { rounds, calls, growth: [, , most] }: Scale): Promise<Part> {
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
