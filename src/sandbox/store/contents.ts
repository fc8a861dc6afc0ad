import type { ReceivedContent } from '../../soap/wire/content/received.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Row } from '../../sqlite/open.js';
import type { Store } from './open.js';

/** Characters of a piece. */
export const pieceLength = 64 * 1024;

/**
 * The contents of files that are too long for their row: the base64, to the character, in pieces of one length but for the
 * last one. What is in base64 has one byte a character.
 */
export const contentTable = `
CREATE TABLE "AttachmentContent" (owner INTEGER NOT NULL REFERENCES "Attachment" (seq) ON DELETE CASCADE, position INTEGER NOT NULL, Text TEXT NOT NULL, PRIMARY KEY (owner, position)) STRICT, WITHOUT ROWID;`;

/** Adds the content of an attachment, by its `seq`, within the transaction that makes the attachment. */
export function insertContent(store: Store, owner: number, content: Pick<ReceivedContent, 'read'>): void {
  const insert = store.statement('INSERT INTO "AttachmentContent" (owner, position, Text) VALUES (?, ?, ?)');
  let waiting = '';
  let position = 0;
  const write = (length: number): void => {
    insert.run(owner, position, waiting.slice(0, length));
    waiting = waiting.slice(length);
    position += 1;
  };
  content.read((piece) => {
    waiting += piece;
    while (waiting.length >= pieceLength) write(pieceLength);
  });
  if (waiting !== '') write(waiting.length);
}

function bytesOf(row: Row | undefined): Uint8Array {
  if (row === undefined) throw new RelctlError('bug', 'A piece of a content is missing.');
  return Buffer.from(String(row[0]), 'latin1');
}

/** A content that is read from the database while it is sent. */
export interface StoredContent {
  /** In bytes. */
  readonly length: number;
  open(): Generator<Uint8Array>;
}

/**
 * The content of an attachment that is in pieces, by its `seq`; undefined for one that is not. No operation changes an
 * attachment, so its pieces can be read one after the other without a transaction around them.
 */
export function contentOf(store: Store, owner: number): StoredContent | undefined {
  const sizes = store.statement('SELECT sum(octet_length(Text)) FROM "AttachmentContent" WHERE owner = ?');
  const length = Number(sizes.first(owner)?.[0] ?? 0);
  if (length === 0) return undefined;
  const piece = store.statement('SELECT Text FROM "AttachmentContent" WHERE owner = ? AND position = ?');
  return {
    length,
    *open() {
      for (let at = 0; at * pieceLength < length; at += 1) yield bytesOf(piece.first(owner, at));
    },
  };
}
