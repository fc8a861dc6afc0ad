import { TextDecoder } from 'node:util';
import { encodingOfMark } from '../../xml/decoder.js';

/** A Content-Type header, cut up. */
export interface MediaType {
  /** In lower case, with white space before its `;`, which counts to .asmx services; '' without a header. */
  readonly base: string;
  readonly charset: string | undefined;
  /** The `action` parameter of SOAP 1.2. */
  readonly action: string | undefined;
}

const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))/g;

/** Cuts up a Content-Type header; the first parameter of a name counts. Takes anything. */
export function mediaTypeOf(header: string | undefined): MediaType {
  const text = header ?? '';
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of text.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted ?? bare);
  }
  return {
    base: (text.split(';')[0] ?? '').trimStart().toLowerCase(),
    charset: parameters.get('charset'),
    action: parameters.get('action'),
  };
}

/** What the declaration of a document says; looked for in its first bytes only. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head)?.[1];
}

const ascii = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u00ff]/g, '?');

function decoded(bytes: Uint8Array, encoding: string): string {
  const name = encoding.toLowerCase();
  // Decoders on the web take these names for Windows-1252.
  if (name === 'iso-8859-1' || name === 'latin1') return Buffer.from(bytes).toString('latin1');
  if (name === 'us-ascii' || name === 'ascii') return ascii(bytes);
  try {
    const decoder = new TextDecoder(name);
    // At once, Node 20 decodes windows-1252 as if it were ISO-8859-1: the euro sign becomes a control character.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return ascii(bytes);
  }
}

/**
 * The text of a request as an .asmx service decodes it: a byte order mark wins; then the charset; without one, text/xml is
 * ASCII, where every other byte becomes `?`, and application/soap+xml is what the document declares. A charset that nobody
 * knows is ASCII as well, and bytes that are wrong in their encoding become U+FFFD.
 */
export function requestText(bytes: Uint8Array, { base, charset }: MediaType): string {
  const marked = encodingOfMark(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  if (charset !== undefined && charset !== '') return decoded(bytes, charset);
  if (base !== 'application/soap+xml') return ascii(bytes);
  return decoded(bytes, declaredEncoding(bytes) ?? 'utf-8');
}
