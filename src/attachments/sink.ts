import type { RecordValue } from '../plain/value.js';
import { createHash } from 'node:crypto';
import { RelctlError } from '../errors/relctl-error.js';
import { openPartFile, type PartFile } from '../files/part-file.js';
import { Base64Decoder } from '../lexical/base64/decoder.js';
import type { Sink } from '../output/streams.js';
import type { ContentSink } from '../soap/codec/content-sink.js';

/** Where the bytes of an attachment go as they come. */
export interface Destination {
  /** The content begins, behind these members of its record. Throws `local` when it is not wanted. */
  begin(before: RecordValue): void;
  /** The bytes are good until the next ones only. */
  write(bytes: Uint8Array): void;
  /** Nothing was written: the call begins anew. */
  restart(): void;
  /** Resolves when more may come. */
  ready(): Promise<void>;
}

/** Takes the content of an attachment and tells what it was. */
export interface AttachmentSink extends ContentSink {
  readonly size: number;
  /** In hexadecimal digits, of what came so far. */
  sha256(): string;
}

/** Where the content stands in the result of AttachmentGet. */
const contentPath = 'Attachment.Base64EncodedFile';

/** Decodes the content of AttachmentGet on its way to a destination. */
export function createAttachmentSink(to: Destination): AttachmentSink {
  let decoder = new Base64Decoder(contentPath);
  let hash = createHash('sha256');
  let size = 0;
  const sha256 = (): string => hash.copy().digest('hex');
  return {
    path: contentPath,
    get size() {
      return size;
    },
    sha256,
    restart() {
      decoder = new Base64Decoder(contentPath);
      hash = createHash('sha256');
      size = 0;
      to.restart();
    },
    begin: (before) => to.begin(before),
    text(piece) {
      const bytes = decoder.write(piece);
      hash.update(bytes);
      size += bytes.length;
      to.write(bytes);
    },
    end() {
      decoder.end();
      return `(${size} bytes, sha256 ${sha256()})`;
    },
    ready: () => to.ready(),
  };
}

/** Takes nothing: for who only wants to know size and hash. */
export const nowhere: Destination = {
  begin: () => undefined,
  write: () => undefined,
  restart: () => undefined,
  ready: () => Promise.resolve(),
};

/** A destination on the disk. */
export interface FileDestination extends Destination {
  /** Puts the file in its place; an empty one when there was no content. Throws `local`. */
  putAs(file: string): void;
  discard(): void;
}

/**
 * A file that is made beside another one when the content begins.
 * @param check is asked then whether it may be put in its place
 */
export function toFile(beside: string, check: (before: RecordValue) => void): FileDestination {
  let part: PartFile | undefined;
  const opened = (): PartFile => (part ??= openPartFile(beside));
  return {
    begin(before) {
      check(before);
      opened();
    },
    write: (bytes) => opened().write(bytes),
    restart: () => part?.restart(),
    ready: () => Promise.resolve(),
    putAs: (file) => opened().putAs(file),
    discard: () => part?.discard(),
  };
}

/** Held back before the first byte goes to stdout, so that nothing comes of a small answer that turns out broken. */
const heldBytes = 4 * 1024 * 1024;

/** A destination that cannot take back what it was given. */
export interface StreamDestination extends Destination {
  /** Bytes that have left. */
  readonly sent: number;
  /** Releases what is held back. Throws `bad-answer` when a repeated call brought less than has left. */
  finish(): Promise<void>;
}

/** Stdout. A call that is repeated when bytes have left must bring the same bytes again; they are passed over. */
export function toStream(out: Sink): StreamDestination {
  let held: Buffer[] = [];
  let holding = 0;
  let sent = 0;
  const hash = createHash('sha256');
  let again = { left: 0, hash: createHash('sha256') };
  const passOver = (bytes: Uint8Array): Uint8Array => {
    const known = bytes.subarray(0, again.left);
    again.hash.update(known);
    again.left -= known.length;
    if (again.left === 0 && again.hash.digest('hex') !== hash.copy().digest('hex')) throw another();
    return bytes.subarray(known.length);
  };
  const letGo = async (): Promise<void> => {
    const bytes = Buffer.concat(held, holding);
    held = [];
    holding = 0;
    sent += bytes.length;
    hash.update(bytes);
    await out.writeBytes(bytes);
  };
  return {
    get sent() {
      return sent;
    },
    begin: () => undefined,
    write(bytes) {
      const fresh = again.left > 0 ? passOver(bytes) : bytes;
      if (fresh.length === 0) return;
      held.push(Buffer.from(fresh));
      holding += fresh.length;
    },
    restart() {
      held = [];
      holding = 0;
      again = { left: sent, hash: createHash('sha256') };
    },
    ready: async () => {
      if (sent > 0 || holding > heldBytes) await letGo();
    },
    finish: async () => {
      if (again.left > 0) throw another();
      await letGo();
    },
  };
}

function another(): RelctlError {
  return new RelctlError('bad-answer', 'the repeated call brought other bytes than those that were written already', {
    facts: { code: 'changed' },
  });
}
