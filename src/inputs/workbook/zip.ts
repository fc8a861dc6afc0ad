import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { codeOf } from '../../errors/code-of.js';
import type { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { InputBytes } from '../bytes.js';

/** Bytes of a part, unpacked: a file that says it has more is no workbook that people made. */
const mostUnpacked = 2 ** 30;

const mostParts = 10_000;
const mostDirectoryBytes = 16 * 2 ** 20;

/** Bytes of the record at the end of the file, and the longest comment behind it. */
const [endBytes, mostComment] = [22, 65_535];
const entryBytes = 46;
const headerBytes = 30;

const signatures = { end: 0x06054b50, entry: 0x02014b50, header: 0x04034b50 } as const;

/** A part of the file, by the directory at its end. */
interface Part {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly at: number;
}

const damaged = (name: string, what: string): RelctlError =>
  usage('--from', `${name} is no whole workbook: ${what}; save it again`);

async function bytesAt(bytes: InputBytes, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes.pieces(from, to)) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Directory {
  readonly at: number;
  readonly length: number;
  readonly parts: number;
}

async function findDirectory(bytes: InputBytes): Promise<Directory> {
  const { name, length } = bytes;
  const tail = await bytesAt(bytes, Math.max(0, length - endBytes - mostComment), length);
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== signatures.end) continue;
    if (tail.readUInt16LE(at + 20) !== tail.length - at - endBytes) continue;
    const found = {
      parts: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      at: tail.readUInt32LE(at + 16),
    };
    if (found.parts > mostParts || found.length > mostDirectoryBytes || found.at + found.length > length)
      throw damaged(name, 'its directory has no size that a workbook has');
    return found;
  }
  throw damaged(name, 'its end is missing');
}

function partAt(directory: Buffer, at: number): { readonly part: Part; readonly next: number } | undefined {
  if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== signatures.entry) return undefined;
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place));
  const nameEnd = at + entryBytes + (nameBytes ?? 0);
  const part = {
    name: directory.toString('utf8', at + entryBytes, nameEnd),
    flags: directory.readUInt16LE(at + 8),
    method: directory.readUInt16LE(at + 10),
    crc: directory.readUInt32LE(at + 16),
    packed: directory.readUInt32LE(at + 20),
    unpacked: directory.readUInt32LE(at + 24),
    at: directory.readUInt32LE(at + 42),
  };
  return { part, next: nameEnd + (extraBytes ?? 0) + (commentBytes ?? 0) };
}

/** Names of parts are the same in any case of letters. */
const keyOf = (name: string): string => name.toLowerCase();

/** The parts of a ZIP file. Nothing is written anywhere: names are looked up, never used as paths. */
export class ZipFile {
  readonly #bytes: InputBytes;
  readonly #parts: ReadonlyMap<string, Part>;

  private constructor(bytes: InputBytes, parts: ReadonlyMap<string, Part>) {
    this.#bytes = bytes;
    this.#parts = parts;
  }

  /** Reads the directory. Throws `usage` for a file that is damaged. */
  static async open(bytes: InputBytes): Promise<ZipFile> {
    const { at, length, parts: count } = await findDirectory(bytes);
    const directory = await bytesAt(bytes, at, at + length);
    const parts = new Map<string, Part>();
    let place = 0;
    for (let index = 0; index < count; index += 1) {
      const found = partAt(directory, place);
      if (found === undefined) throw damaged(bytes.name, 'its directory is cut');
      const key = keyOf(found.part.name);
      if (parts.has(key)) throw damaged(bytes.name, `it has two parts named ${found.part.name}`);
      parts.set(key, found.part);
      place = found.next;
    }
    return new ZipFile(bytes, parts);
  }

  has(name: string): boolean {
    return this.#parts.has(keyOf(name));
  }

  /** The bytes of a part, unpacked. Throws `usage` for one that is missing, damaged, or too large. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const part = this.#parts.get(keyOf(name));
    if (part === undefined) throw damaged(this.#bytes.name, `it has no part ${name}`);
    this.#check(part);
    let [length, crc] = [0, 0];
    try {
      for await (const piece of this.#unpacked(part, await this.#begin(part))) {
        length += piece.length;
        if (length > part.unpacked) break;
        crc = crc32(piece, crc);
        yield piece;
      }
    } catch (thrown) {
      if (codeOf(thrown)?.startsWith('Z_') !== true) throw thrown;
      throw damaged(this.#bytes.name, `its part ${name} cannot be unpacked`);
    }
    if (length !== part.unpacked || crc !== part.crc)
      throw damaged(this.#bytes.name, `its part ${name} is not what it was`);
  }

  #check({ name, flags, method, unpacked }: Part): void {
    if ((flags & 1) !== 0) throw usage('--from', `${this.#bytes.name} is encrypted: save it without a password`);
    if (method !== 0 && method !== 8) throw damaged(this.#bytes.name, `its part ${name} is packed in another way`);
    if (unpacked > mostUnpacked)
      throw usage(
        '--from',
        `${this.#bytes.name} has a part of more than ${mostUnpacked / 2 ** 20} MiB: save it as CSV`,
      );
  }

  /** Where the bytes of a part begin. */
  async #begin({ name, at, packed }: Part): Promise<number> {
    const header = await bytesAt(this.#bytes, at, at + headerBytes);
    if (header.length < headerBytes || header.readUInt32LE(0) !== signatures.header)
      throw damaged(this.#bytes.name, `its part ${name} is not where it should be`);
    const begin = at + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (begin + packed > this.#bytes.length) throw damaged(this.#bytes.name, `its part ${name} is cut`);
    return begin;
  }

  #unpacked({ method, packed }: Part, begin: number): AsyncIterable<Buffer> {
    const pieces = this.#bytes.pieces(begin, begin + packed);
    if (method === 0) return pieces;
    const source = Readable.from(pieces);
    const inflate = createInflateRaw();
    source.on('error', (error) => inflate.destroy(error));
    return source.pipe(inflate);
  }
}
