import type { ConnectionOptions } from 'node:tls';
import { unreadableInput } from '../../state/own-file.js';
import { textOfGiven } from '../../state/given-file.js';
import { defined } from '../../core/values/value.js';
import type { PostgresAddress } from './address.js';

async function pem(file: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await textOfGiven(file, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw unreadableInput(file, thrown);
  }
}

/**
 * How TLS is made for an address; false where the address asks for none. Throws `usage` for a PEM file that cannot be read, and
 * the signal's reason.
 */
export async function tlsOptions(address: PostgresAddress, signal: AbortSignal): Promise<ConnectionOptions | false> {
  if (address.tls === 'disable') return false;
  const { rootCertificate } = address;
  const ca = await pem(rootCertificate, signal);
  const cert = await pem(address.certificate, signal);
  const key = await pem(address.key, signal);
  return {
    ...defined({ ca, cert, key }),
    minVersion: 'TLSv1.2',
    // As with libpq, naming an authority means that the server is checked against it.
    rejectUnauthorized: address.tls !== 'require' || rootCertificate !== undefined,
    ...(address.tls === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}
