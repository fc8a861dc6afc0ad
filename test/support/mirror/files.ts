import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordsIn } from '../../../src/mirror/read.js';
import { openMirror } from '../../../src/mirror/mirror.js';
import type { Mirror } from '../../../src/mirror/mirror.js';
import { tableNamed } from '../../../src/mirror/tables.js';
import { openDatabase, type Database } from '../../../src/state/sqlite/open.js';

const service = { url: 'http://crm/', namespace: 'http://crm/', database: '' };

function reading<T>(file: string, read: (database: Database) => T): T {
  const database = openDatabase({ file, what: 'The mirror' });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Mirrors of a suite, in a folder of its own. */
export class MirrorFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'relctl-mirrors-'));
  #count = 0;

  /** Where a new mirror is to be. */
  place(): string {
    this.#count += 1;
    return join(this.#folder, `${this.#count}.db`);
  }

  open(file: string): Mirror {
    return openMirror({ file, service, forget: '' });
  }

  /** What a question gives, each cell as text. */
  ask(file: string, sql: string): readonly (readonly (string | null)[])[] {
    const rows = reading(file, (database) => database.statement(sql).all());
    return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
  }

  /** The records of relations that are there, as JSON, in the order of their list. */
  listed(file: string): readonly string[] {
    const wanted = { isGone: false, changedSince: undefined };
    return reading(file, (database) => [...recordsIn(database, tableNamed('relations'), wanted)]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
