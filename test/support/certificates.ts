import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from './argv.js';

/** A certificate with its key, as files and as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** What to certify. */
interface Subject {
  /** For the names of its files. */
  readonly name: string;
  /** subjectAltName, as openssl takes it. */
  readonly names?: string;
  readonly days?: number;
  /** Encrypts the key. */
  readonly passphrase?: string;
}

/** An authority of our own, made for one run of the tests. */
export interface Authority {
  readonly ca: Certificate;
  issue(subject: Subject): Certificate;
  remove(): void;
}

/** Makes an authority in a temporary folder. Certificates last a day unless `days` says otherwise. */
export function authority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-certificates-'));
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const files = (name: string): Certificate => {
    const certFile = join(folder, `${name}.crt`);
    const keyFile = join(folder, `${name}.key`);
    return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  openssl(...argv`req -x509 ${curve} -nodes -days 2 -subj "/CN=Test authority" -keyout ca.key -out ca.crt`);
  return {
    ca: files('ca'),
    issue({ name, names = 'IP:127.0.0.1,DNS:localhost,DNS:service.test', days = 1, passphrase }) {
      const secret = passphrase === undefined ? ['-nodes'] : ['-passout', `pass:${passphrase}`];
      openssl('req', ...curve, ...secret, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}\n`);
      const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`];
      openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-days', String(days), '-out', `${name}.crt`);
      return files(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
