import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import type { InputBytes } from '../bytes.js';
import type { XmlAttribute, XmlEvents } from '../../../xml/events.js';
import { XmlReader } from '../../../xml/reader.js';

const mebibyte = 2 ** 20;

/** Bytes of a workbook, and of a part of it, unpacked: both are in memory. */
const [mostBytes, mostUnpacked] = [128 * mebibyte, 512 * mebibyte];

const mostParts = 10_000;

const signatures = { end: Buffer.from('PK\x05\x06'), entry: 0x02014b50 } as const;

const damaged = (name: string, what: string): RelctlError =>
  usage('--file', `${name} is not a complete workbook: ${what}; save it again`);

const tooLarge = (name: string, what: string): RelctlError => usage('--file', `${name} ${what}: save it as CSV`);

const keyOf = (name: string): string => name.toLowerCase();

/** CRC-32 of each part by the directory at the end of the file: the library does not compare them. */
function checksumsIn(data: Buffer): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  let at = data.readUInt32LE(data.lastIndexOf(signatures.end) + 16);
  while (data.readUInt32LE(at) === signatures.entry) {
    const end = at + 46 + data.readUInt16LE(at + 28);
    sums.set(keyOf(data.toString('utf8', at + 46, end)), data.readUInt32LE(at + 16));
    at = end + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return sums;
}

/** The parts of a ZIP file. Nothing is written anywhere: names are looked up, never used as paths. */
export class ZipFile {
  readonly #file: string;
  readonly #data: Buffer;
  readonly #checksums: ReadonlyMap<string, number>;

  private constructor(file: string, data: Buffer, checksums: ReadonlyMap<string, number>) {
    this.#file = file;
    this.#data = data;
    this.#checksums = checksums;
  }

  /** Reads the file, and its directory. Throws `usage` for one that is damaged or too large, and `local` as `bytes` do. */
  static async open(bytes: InputBytes): Promise<ZipFile> {
    const { name } = bytes;
    if (bytes.length > mostBytes) throw tooLarge(name, `has more than ${mostBytes / mebibyte} MiB`);
    const pieces: Buffer[] = [];
    for await (const piece of bytes.pieces()) pieces.push(piece);
    const data = Buffer.concat(pieces);
    const names = new Set<string>();
    unpack(name, () =>
      unzipSync(data, {
        filter: (part) => {
          const key = keyOf(part.name);
          if (names.has(key)) throw damaged(name, `it has two parts named ${part.name}`);
          if (names.add(key).size > mostParts) throw damaged(name, `it has more than ${mostParts} parts`);
          return false;
        },
      }),
    );
    return new ZipFile(
      name,
      data,
      unpack(name, () => checksumsIn(data)),
    );
  }

  has(name: string): boolean {
    return this.#checksums.has(keyOf(name));
  }

  /** The bytes of a part, unpacked. Throws `usage` for one that is missing, damaged, or too large. */
  read(name: string): Uint8Array {
    const key = keyOf(name);
    if (!this.has(name)) throw damaged(this.#file, `it has no part ${name}`);
    const [part] = Object.values(
      unpack(this.#file, () =>
        unzipSync(this.#data, {
          filter: ({ name: other, originalSize }) => {
            if (keyOf(other) !== key) return false;
            if (originalSize <= mostUnpacked) return true;
            throw tooLarge(this.#file, `has a part of more than ${mostUnpacked / mebibyte} MiB`);
          },
        }),
      ),
    );
    if (part === undefined || crc32(part) !== this.#checksums.get(key))
      throw damaged(this.#file, `its part ${name} is damaged`);
    return part;
  }
}

/** Does what fails for a file that is damaged: beyond its ends, by what the library throws, and by our own errors. */
function unpack<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Error && !('kind' in thrown)) throw damaged(file, 'it cannot be unpacked');
    throw thrown;
  }
}

/** A part of a workbook that is read. */
export interface PartSource {
  readonly file: string;
  readonly zip: ZipFile;
}

const pieceBytes = 64 * 1024;

/** The text of an attribute by its local name; undefined without it. */
export const attributeOf = (attributes: readonly XmlAttribute[], name: string): string | undefined =>
  attributes.find((each) => each.name.local === name)?.value;

/** True for the texts of XML Schema that mean yes. */
export const isYes = (text: string | undefined): boolean => text === '1' || text === 'true';

/**
 * Reads a part; after each piece of it `taken` is yielded from, so that what the events gather can be given at once. Throws
 * `usage` for what is no XML, and for document type declarations.
 */
export function* readPart<T>(
  { file, zip }: PartSource,
  path: string,
  { events, taken: results }: { readonly events: XmlEvents; readonly taken: () => readonly T[] },
): Generator<T, void> {
  const reader = new XmlReader(events);
  const read = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof RelctlError) || thrown.kind !== 'bad-answer') throw thrown;
      throw usage('--file', `${file} is not a readable workbook: ${path}: ${thrown.message}`);
    }
  };
  const bytes = zip.read(path);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    read(() => reader.write(bytes.subarray(at, at + pieceBytes)));
    yield* results();
  }
  read(() => reader.end());
  yield* results();
}

/** Reads a part whole, by its events. Throws as `readPart` does. */
export function readWholePart(source: PartSource, path: string, events: XmlEvents): void {
  readPart(source, path, { events, taken: () => [] }).next();
}
