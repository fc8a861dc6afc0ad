import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import type { XmlAttribute, XmlEvents } from '../../../xml/events.js';
import { XmlReader } from '../../../xml/reader.js';
import type { ZipFile } from './zip.js';

/** A part of a workbook that is read. */
export interface PartSource {
  /** The file, as messages name it. */
  readonly file: string;
  readonly zip: ZipFile;
}

/** Bytes that are read before their rows are given. */
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
  { events, taken }: { readonly events: XmlEvents; readonly taken: () => readonly T[] },
): Generator<T, void> {
  const reader = new XmlReader(events);
  const read = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof RelctlError) || thrown.kind !== 'bad-answer') throw thrown;
      throw usage('--file', `${file} is no workbook that can be read: ${path}: ${thrown.message}`);
    }
  };
  const bytes = zip.read(path);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    read(() => reader.write(bytes.subarray(at, at + pieceBytes)));
    yield* taken();
  }
  read(() => reader.end());
  yield* taken();
}

/** Reads a part whole, by its events. Throws as `readPart` does. */
export function readWhole(source: PartSource, path: string, events: XmlEvents): void {
  readPart(source, path, { events, taken: () => [] }).next();
}
