import { openPostgresMirror } from '../../../src/mirror/postgres/mirror.js';
import type { Mirror, Service } from '../../../src/mirror/store.js';
import { readPostgresAddress } from '../../../src/postgres/address.js';
import { connectPostgres, type Postgres } from '../../../src/postgres/connect.js';

/** The service that the mirrors of tests belong to. */
export const service: Service = { url: 'https://crm.test/', namespace: 'urn:test', database: '' };

/** Connects to a database of the server of a test. */
export const connectTo = (address: string): Promise<Postgres> =>
  connectPostgres(readPostgresAddress(address, { path: '--to', variables: {} }), { password: () => undefined });

/** Opens a mirror for syncs. */
export async function openMirror(
  address: string,
  { schema = 'relctl', of = service, lockMs = 0 }: { schema?: string; of?: Service; lockMs?: number } = {},
): Promise<{ readonly mirror: Mirror; readonly postgres: Postgres }> {
  const postgres = await connectTo(address);
  const given = { schema, service: of, forget: 'relctl mirror forget', lock: { ms: lockMs } };
  return { mirror: await openPostgresMirror(postgres, given), postgres };
}
