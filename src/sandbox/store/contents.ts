import { fateOfTag, ownTag } from '../../files/locks/holder.js';
import type { Work } from '../../plain/work.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Row } from '../../sqlite/open.js';
import type { Store } from './open.js';

/** Characters of a piece. */
export const pieceLength = 64 * 1024;

/** Characters that are written in one transaction: each piece in its own takes half as long again. */
const writtenLength = 8 * pieceLength;

/** Pieces that are removed in one step. */
const stepPieces = 32;

/**
 * The contents of files that are too long for their row: the base64, to the character, in pieces of one length but for the
 * last one. What is in base64 has one byte a character. A content is of an attachment, or is being received by a process.
 */
export const contentTables = `
CREATE TABLE "Content" (seq INTEGER PRIMARY KEY, attachment INTEGER UNIQUE REFERENCES "Attachment" (seq) ON DELETE CASCADE, receiver TEXT, since INTEGER NOT NULL DEFAULT (unixepoch()), CHECK ((attachment IS NULL) <> (receiver IS NULL))) STRICT;
CREATE TABLE "ContentPiece" (content INTEGER NOT NULL REFERENCES "Content" (seq) ON DELETE CASCADE, position INTEGER NOT NULL, Text TEXT NOT NULL, PRIMARY KEY (content, position)) STRICT, WITHOUT ROWID;`;

const changesOf = (store: Store): number => Number(store.statement('SELECT total_changes()').first()?.[0] ?? 0);

/** Changes rows that no answer shows. */
function unseen(store: Store, change: () => void): void {
  const before = changesOf(store);
  try {
    change();
  } finally {
    store.unseen += changesOf(store) - before;
  }
}

/**
 * A content that is being received. It is written some pieces at a time, in transactions of their own, so that others can
 * write between them; until it is given to an attachment nobody can see it.
 */
export class NewContent {
  readonly #store: Store;
  #seq: number | undefined;
  #waiting = '';
  #position = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds text at the end. */
  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length < writtenLength) return;
    unseen(this.#store, () => this.#store.write(() => this.#insertWhole()));
  }

  /** Makes it the content of an attachment, by its `seq`, within the transaction that makes the attachment. */
  giveTo(attachment: number): void {
    this.#insertWhole();
    if (this.#waiting !== '') this.#insert(this.#waiting.length);
    const give = this.#store.statement('UPDATE "Content" SET attachment = ?, receiver = NULL WHERE seq = ?');
    give.run(attachment, this.#seq ?? null);
  }

  /** Removes it, in steps, unless it was given to an attachment. */
  *drop(): Work<void> {
    const ours = this.#store.statement('SELECT 1 FROM "Content" WHERE seq = ? AND receiver IS NOT NULL');
    if (this.#seq !== undefined && ours.first(this.#seq) !== undefined) yield* removing(this.#store, this.#seq);
  }

  #insertWhole(): void {
    while (this.#waiting.length >= pieceLength) this.#insert(pieceLength);
  }

  #insert(length: number): void {
    this.#seq ??= this.#store.statement('INSERT INTO "Content" (receiver) VALUES (?)').run(ownTag());
    const insert = this.#store.statement('INSERT INTO "ContentPiece" (content, position, Text) VALUES (?, ?, ?)');
    insert.run(this.#seq, this.#position, this.#waiting.slice(0, length));
    this.#waiting = this.#waiting.slice(length);
    this.#position += 1;
  }
}

function* removing(store: Store, content: number): Work<void> {
  const last = store.statement('SELECT max(position) FROM "ContentPiece" WHERE content = ?');
  const remove = store.statement('DELETE FROM "ContentPiece" WHERE content = ? AND position >= ?');
  for (let at = Number(last.first(content)?.[0] ?? -1); at >= 0; at -= stepPieces) {
    unseen(store, () => remove.run(content, at - stepPieces + 1));
    yield;
  }
  store.statement('DELETE FROM "Content" WHERE seq = ?').run(content);
}

/** Removes the contents that were being received by processes that have ended. */
export function removeAbandoned(store: Store): void {
  const received = store.statement('SELECT seq, receiver, since FROM "Content" WHERE receiver IS NOT NULL').all();
  const abandoned = received.filter(
    ([, receiver, since]) => fateOfTag(String(receiver), Number(since) * 1000) === 'ended',
  );
  const remove = store.statement('DELETE FROM "Content" WHERE seq = ?');
  for (const [seq = null] of abandoned) remove.run(seq);
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
export function contentOf(store: Store, attachment: number): StoredContent | undefined {
  const sizes = store.statement(
    'SELECT content, sum(octet_length(Text)) FROM "ContentPiece" WHERE content = (SELECT seq FROM "Content" WHERE attachment = ?)',
  );
  const [content = null, sum] = sizes.first(attachment) ?? [];
  const length = Number(sum ?? 0);
  if (length === 0) return undefined;
  const piece = store.statement('SELECT Text FROM "ContentPiece" WHERE content = ? AND position = ?');
  return {
    length,
    *open() {
      for (let at = 0; at * pieceLength < length; at += 1) yield bytesOf(piece.first(content, at));
    },
  };
}
