import { X509Certificate } from 'node:crypto';
import { shellWord } from '../../core/text/text.js';
import { orElse } from '../../core/values/value.js';

interface Unusable {
  /** A clause that follows the name of the file. */
  readonly why: string;
  /** The command that makes PEM of the file, where there is one. */
  readonly converts?: (file: string) => string;
}

const pemForm = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^]*?-----END \1-----/g;

const isCertificate = (bytes: Buffer | string): boolean =>
  orElse(() => new X509Certificate(bytes), undefined) !== undefined;

/** The type of what DER holds stands within its first bytes (RFC 2315, section 14). */
const holdsType = (bytes: Buffer, type: string): boolean => bytes.subarray(0, 40).includes(Buffer.from(type, 'hex'));

interface OtherForm {
  readonly what: string;
  readonly is: (bytes: Buffer) => boolean;
  /** Words of openssl behind its name. */
  readonly openssl?: string;
}

const otherForms: readonly OtherForm[] = [
  { what: 'text in UTF-16', is: (bytes) => /^(?:fffe|feff)/.test(bytes.subarray(0, 2).toString('hex')) },
  {
    what: 'certificates in PKCS #7',
    is: (bytes) => bytes.includes('-----BEGIN PKCS7-----'),
    openssl: 'pkcs7 -print_certs',
  },
  {
    what: 'certificates in PKCS #7',
    is: (bytes) => holdsType(bytes, '06092a864886f70d010702'),
    openssl: 'pkcs7 -print_certs -inform DER',
  },
  {
    what: 'certificates in PKCS #12',
    is: (bytes) => holdsType(bytes, '06092a864886f70d010701'),
    openssl: 'pkcs12 -nokeys',
  },
  { what: 'a certificate in DER', is: isCertificate, openssl: 'x509 -inform DER' },
];

const lineOf =
  ({ openssl }: OtherForm) =>
  (file: string): string => {
    const made = shellWord(`${file}.pem`);
    return openssl === undefined
      ? `iconv -f UTF-16 -t UTF-8 ${shellWord(file)} > ${made}`
      : `openssl ${openssl} -in ${shellWord(file)} -out ${made}`;
  };

/**
 * Reads a file of authorities. Node takes any text for one, and reads no further than to a certificate that is damaged: a call
 * would fail later, for a reason that does not name the file.
 */
export function readAuthorities(bytes: Buffer): { readonly pem: string } | Unusable {
  const pem = bytes.toString('utf8');
  const certificates = [...pem.matchAll(pemForm)].map(([block]) => block);
  const damaged = certificates.findIndex((block) => !isCertificate(block));
  if (damaged !== -1) return { why: `is damaged: its certificate ${damaged + 1} cannot be read` };
  if (certificates.length > 0) return { pem };
  const other = otherForms.find(({ is }) => is(bytes));
  if (other !== undefined) return { why: `has ${other.what}, not PEM`, converts: lineOf(other) };
  const key = pem.includes('PRIVATE KEY-----') ? 'a private key and ' : '';
  return { why: `has ${key}no PEM certificate` };
}
