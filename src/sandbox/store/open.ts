import type { RecordValue } from '../../core/values/value.js';
import { openDatabase, type Database, type Row } from '../../state/sqlite/open.js';
import type { Cell } from '../../contract/columns.js';
import { RelctlError } from '../../core/errors/relctl-error.js';

/** Makes rows of the data set again that a table keeps in outline (see schema.ts). */
export interface Origin {
  /** A new record, with its field values, or without: most readings do not need them. */
  record(table: string, seq: number, withValues: boolean): RecordValue;
  /** The columns beside those of the record that the row lacks in outline. */
  extra(table: string, seq: number): Readonly<Record<string, Cell>>;
}

/** An open database of the embedded service. */
export interface Store extends Database {
  /** Set once the parameters of the data set are known. */
  origin: Origin | undefined;
}

/** Opens a database file, empty when there is none (create.ts makes a whole one). Throws RelctlError `local`. */
export const openStore = (file: string): Store =>
  Object.assign(openDatabase({ file, what: 'The sandbox database' }), { origin: undefined });

/** Contents of files that are too long for their row: base64 in pieces of one length, one byte a character. */
export const contentTable =
  'CREATE TABLE "ContentPiece" (attachment INTEGER NOT NULL REFERENCES "Attachment" (seq) ON DELETE CASCADE, position INTEGER NOT NULL, Text TEXT NOT NULL, PRIMARY KEY (attachment, position)) STRICT, WITHOUT ROWID;';

/** Stores the content of an attachment, by its `seq`, in the transaction that makes the attachment. */
export function insertContent(store: Store, attachment: number, pieces: Iterable<Uint8Array>): void {
  const insert = store.statement('INSERT INTO "ContentPiece" (attachment, position, Text) VALUES (?, ?, ?)');
  let position = 0;
  for (const piece of pieces) {
    insert.run(attachment, position, Buffer.from(piece).toString('latin1'));
    position += 1;
  }
}

function bytesOf(row: Row | undefined): Uint8Array {
  if (row === undefined) throw new RelctlError('bug', 'A part of a content is missing.');
  return Buffer.from(String(row[0]), 'latin1');
}

/** A content in pieces, by the `seq` of its attachment; undefined without. It never changes, so needs no transaction. */
export function contentOf(
  store: Store,
  attachment: number,
): { readonly length: number; open(): Generator<Uint8Array> } | undefined {
  const sizes = store.statement('SELECT count(*), sum(octet_length(Text)) FROM "ContentPiece" WHERE attachment = ?');
  const [count = 0, length] = (sizes.first(attachment) ?? []).map(Number);
  if (count === 0) return undefined;
  const piece = store.statement('SELECT Text FROM "ContentPiece" WHERE attachment = ? AND position = ?');
  return {
    length: length ?? 0,
    *open() {
      for (let at = 0; at < count; at += 1) yield bytesOf(piece.first(attachment, at));
    },
  };
}
