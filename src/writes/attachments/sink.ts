import type { RecordValue } from '../../core/values/value.js';
import { createHash } from 'node:crypto';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { openPartFile, type PartFile } from '../../state/part-file.js';
import { Base64Decoder } from '../../core/text/base64.js';
import type { Sink } from '../../formats/streams.js';
import type { ContentSink } from '../../soap/codec/leaf.js';

/** Where the bytes of an attachment are written while they come. */
export interface Destination {
  /** Called when the content begins, with the members of the record before it. Throws `local` when it must not be written. */
  begin(before: RecordValue): void;
  /** Writes bytes, which are valid until the next call only. */
  write(bytes: Uint8Array): void;
  /** Called when the call is repeated: what was written before is dropped. */
  restart(): void;
  /** Resolves when more may come. */
  ready(): Promise<void>;
}

/** Receives the content of an attachment, and counts and hashes it. */
export interface AttachmentSink extends ContentSink {
  /** Size and SHA-256, in hexadecimal, of what came so far. */
  content(): { readonly size: number; readonly sha256: string };
}

const contentPath = 'Attachment.Base64EncodedFile';

/** Makes a sink that decodes the content of AttachmentGet. Its functions throw `bad-answer` for text that is not base64. */
export function createAttachmentSink(to: Destination): AttachmentSink {
  let decoder = new Base64Decoder(contentPath);
  let hash = createHash('sha256');
  let size = 0;
  const content = () => ({ size, sha256: hash.copy().digest('hex') });
  return {
    path: contentPath,
    content,
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
      return `(${size} bytes, sha256 ${content().sha256})`;
    },
    ready: () => to.ready(),
  };
}

/** Writes nothing: for size and hash alone. */
export const nowhere: Destination = {
  begin: () => undefined,
  write: () => undefined,
  restart: () => undefined,
  ready: () => Promise.resolve(),
};

/** A file as destination. */
export interface FileDestination extends Destination {
  /** Renames the file to its name, as a partial file is; without content it is empty. Throws `local`. */
  putAs: PartFile['putAs'];
  discard(): void;
}

/**
 * A partial file that is made beside another file when the content begins.
 * @param check called then; throws `local` when the file must not be written
 * @param sweeps false where what killed runs left was taken away for many files at once
 */
export function toFile(beside: string, check: (before: RecordValue) => void, sweeps = true): FileDestination {
  let part: PartFile | undefined;
  const opened = (): PartFile => (part ??= openPartFile(beside, { sweeps }));
  return {
    begin(before) {
      check(before);
      opened();
    },
    write: (bytes) => opened().write(bytes),
    restart: () => part?.restart(),
    ready: () => Promise.resolve(),
    putAs: (file, isReady) => opened().putAs(file, isReady),
    discard: () => part?.discard(),
  };
}

/** Bytes that are held back before the first goes to stdout, so that a small answer that is damaged writes nothing. */
const heldBytes = 4 * 1024 * 1024;

/** A destination whose bytes cannot be taken back. */
export interface StreamDestination extends Destination {
  /** Number of bytes that were written to the stream. */
  readonly sent: number;
  /** Writes what is held back. Throws `bad-answer` when a repeated call had fewer bytes than were written. */
  finish(): Promise<void>;
}

/** Stdout as destination. A call that is repeated after bytes were written must have the same bytes again; they are skipped. */
export function toStream(out: Sink): StreamDestination {
  let held: Buffer[] = [];
  let holding = 0;
  let sent = 0;
  const hash = createHash('sha256');
  let again = { rest: 0, hash: createHash('sha256') };
  const passOver = (bytes: Uint8Array): Uint8Array => {
    const known = bytes.subarray(0, again.rest);
    again.hash.update(known);
    again.rest -= known.length;
    if (again.rest === 0 && again.hash.digest('hex') !== hash.copy().digest('hex')) throw another();
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
      const fresh = again.rest > 0 ? passOver(bytes) : bytes;
      if (fresh.length === 0) return;
      held.push(Buffer.from(fresh));
      holding += fresh.length;
    },
    restart() {
      held = [];
      holding = 0;
      again = { rest: sent, hash: createHash('sha256') };
    },
    ready: async () => {
      if (sent > 0 || holding > heldBytes) await letGo();
    },
    finish: async () => {
      if (again.rest > 0) throw another();
      await letGo();
    },
  };
}

function another(): RelctlError {
  return new RelctlError('bad-answer', 'the retried call returned other bytes than those already written', {
    facts: { code: 'changed' },
  });
}
