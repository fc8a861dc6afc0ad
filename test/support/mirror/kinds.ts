import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordsIn } from '../../../src/mirror/sqlite/changes.js';
import { openSqliteMirror } from '../../../src/mirror/sqlite/mirror.js';
import type { Mirror } from '../../../src/mirror/store.js';
import { tableNamed } from '../../../src/mirror/tables.js';
import type { TextRow } from '../../../src/postgres/connect.js';
import { openDatabase } from '../../../src/sqlite/open.js';
import { startPostgres, type PostgresServer } from '../postgres.js';
import { connectTo, openMirror, service } from './postgres.js';

/** Mirrors of one kind, for tests of what holds for each. */
export interface MirrorKind {
  /** Begins what the mirrors need, or skips the suite that calls it in a `before`. */
  begin(context: Mocha.Context): Promise<void>;
  /** Removes all that was made. */
  end(): Promise<void>;
  /** Where a new mirror is to be. */
  place(): string;
  open(place: string): Promise<Mirror>;
  /** What a question gives, each cell as text. Names of columns are quoted in it. */
  ask(place: string, sql: string): Promise<readonly TextRow[]>;
  /** The records of relations that are there, as JSON, in the order of their list. */
  listed(place: string): Promise<readonly string[]>;
}

function inFiles(): MirrorKind {
  let folder = '';
  let made = 0;
  const open = (file: string) => openDatabase({ file, what: 'The mirror' });
  return {
    begin: () => {
      folder = mkdtempSync(join(tmpdir(), 'relctl-mirror-kinds-'));
      return Promise.resolve();
    },
    end: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
    place: () => join(folder, `${(made += 1)}.db`),
    open: (file) => Promise.resolve(openSqliteMirror({ file, service, forget: '' })),
    ask: (file, sql) => {
      const database = open(file);
      try {
        const rows = database.statement(sql).all();
        return Promise.resolve(rows.map((row) => row.map((cell) => (cell === null ? null : String(cell)))));
      } finally {
        database.close();
      }
    },
    listed: (file) => {
      const database = open(file);
      try {
        const wanted = { isGone: false, changedSince: undefined };
        return Promise.resolve([...recordsIn(database, tableNamed('relations'), wanted)]);
      } finally {
        database.close();
      }
    },
  };
}

function inPostgres(): MirrorKind {
  let server: PostgresServer;
  const ask = async (place: string, sql: string): Promise<readonly TextRow[]> => {
    const postgres = await connectTo(place);
    try {
      await postgres.execute('SET search_path = relctl');
      return await postgres.rows(sql);
    } finally {
      await postgres.close();
    }
  };
  return {
    begin: async (context) => {
      server = await startPostgres(context);
    },
    end: () => server.stop(),
    place: () => server.database(),
    open: async (place) => (await openMirror(place, { lockMs: 10_000 })).mirror,
    ask,
    listed: async (place) => {
      const pages = await ask(place, 'SELECT seqs FROM "_pages" ORDER BY number');
      const rows = await ask(place, 'SELECT "_seq", "_record" FROM "all_relations" WHERE "_gone_at" IS NULL');
      const records = new Map(rows.map(([seq, record]) => [Number(seq), record ?? '']));
      const ranges = pages.flatMap(([seqs]) => JSON.parse(seqs ?? '') as (readonly [number, number])[]);
      return ranges.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, at) => {
          const record = records.get(first + at);
          assert.ok(record !== undefined, `row ${first + at} is on a page, and not there`);
          return record;
        }),
      );
    },
  };
}

/** Each kind of mirror, by where it is. */
export const mirrorKinds: Readonly<Record<string, () => MirrorKind>> = {
  'a file': inFiles,
  PostgreSQL: inPostgres,
};
