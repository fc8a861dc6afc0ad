import { createClient, type Client } from '../../../src/client/client.js';
import { endpointUrl } from '../../../src/client/connection.js';
import { operations } from '../../../src/contract/service.js';
import { Pace } from '../../../src/client/pace.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { createTransport } from '../../../src/soap/transport/axios-client.js';
import type { ConnectionChoice } from '../../../src/soap/transport/http.js';
import { credentials, type Service } from '../../service.js';

const limits = { connectMs: 10_000, tlsMs: 10_000, firstByteMs: 120_000, idleMs: 30_000, wholeMs: 300_000 };

/** A client of the service over the transport of the program, without anything that a command puts around it. */
function clientOf({ port, env }: Service): { readonly client: Client; readonly close: () => void } {
  const transport = createTransport({ userAgent: 'relctl' });
  const client = createClient(
    {
      profile: 'bench',
      url: endpointUrl(`http://127.0.0.1:${port}`),
      namespace: env['RELCTL_NAMESPACE'] ?? '',
      version: '1.2',
      credentials,
      firstPage: 1,
      pageSize: 1000,
      listEnd: 'empty',
      limits,
      retries: 0,
    },
    {
      send: transport.send,
      signal: new AbortController().signal,
      nowMs: () => performance.now(),
      random: Math.random,
      pause: () => Promise.resolve(),
      pace: new Pace(Infinity, {
        nowMs: () => performance.now(),
        pause: () => Promise.resolve(),
        onSlow: () => undefined,
      }),
    },
  );
  return { client, close: () => transport.close() };
}

/** Products of an answer that the bench made. */
const ownProducts = (products: unknown): readonly RecordValue[] =>
  (products as readonly RecordValue[]).filter(({ Code }) => typeof Code === 'string' && Code.startsWith('B'));

/**
 * The same calls that a batch makes, and nothing else: the list of products once before and once after, and an update for
 * each, so many at once. Gives how long they take, in milliseconds.
 * @param connection `fresh` as writes are sent that nobody looks up, `busy` as a batch of products sends them
 */
export async function bareUpdates(
  service: Service,
  price: string,
  { atOnce, connection }: { readonly atOnce: number; readonly connection: ConnectionChoice },
): Promise<number> {
  const { client, close } = clientOf(service);
  const began = performance.now();
  const list = async (): Promise<readonly RecordValue[]> => {
    const { result } = await client.call(operations.ProductGetAll_V2, {});
    return ownProducts(result.Products);
  };
  const left = (await list()).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const product of left) {
        const changed: RecordValue = { ...product, SalesPrice: price };
        const given = Object.entries(changed).filter(([, value]) => value !== null);
        await client.callUntyped(
          operations.ProductUpdate_V2,
          { productData: Object.fromEntries(given) },
          { connection },
        );
      }
    }),
  );
  await list();
  const ms = performance.now() - began;
  close();
  return ms;
}
