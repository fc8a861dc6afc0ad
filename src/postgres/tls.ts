import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { unreadableInput } from '../files/failure.js';
import { defined } from '../plain/defined.js';
import type { PostgresAddress } from './address.js';

function pem(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw unreadableInput(file, thrown);
  }
}

/**
 * How TLS is made for an address; false where the address asks for none. Throws `usage` for a PEM file that cannot be read.
 */
export function tlsOptions(address: PostgresAddress): ConnectionOptions | false {
  if (address.tls === 'disable') return false;
  const { rootCertificate, certificate, key } = address;
  return {
    ...defined({ ca: pem(rootCertificate), cert: pem(certificate), key: pem(key) }),
    minVersion: 'TLSv1.2',
    // As with libpq, naming an authority means that the server is checked against it.
    rejectUnauthorized: address.tls !== 'require' || rootCertificate !== undefined,
    ...(address.tls === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}
