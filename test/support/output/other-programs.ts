import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { skip, python } from '../skip.js';

/** What is asked of DuckDB. */
export interface Questions {
  /** The rows that SQL gives, as values of JavaScript: text, booleans, bigints and null for what relctl writes. */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}

/**
 * Opens a database in memory of DuckDB, an independent reader of Parquet files. Skips the test that calls it where its
 * library, which is not there for every machine, cannot be loaded.
 */
export async function duckdb(context: Mocha.Context): Promise<Questions> {
  const library = await import('@duckdb/node-api').catch((reason: unknown) =>
    skip(context, `DuckDB cannot be loaded: ${String(reason).split('\n')[0] ?? ''}`),
  );
  const database = await library.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await database.connect();
  return {
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    close() {
      connection.closeSync();
      database.closeSync();
    },
  };
}

/** A text in SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What a program for the Python with these modules prints as JSON when it gets a value as JSON. */
export function askPython(script: string, input: unknown, ...modules: readonly string[]): unknown {
  const { stdout, stderr, status } = spawnSync(python(...modules), ['-c', `import json, sys\n${script}`], {
    input: JSON.stringify(input),
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONUTF8: '1' },
  });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString());
}

/** How LibreOffice writes CSV: commas, quotes, UTF-8, every sheet, cells as they are shown. */
const asShown = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

const readCsv = `
import csv, io
print(json.dumps([list(csv.reader(io.StringIO(text, newline=''))) for text in json.load(sys.stdin)]))`;

/** Runs LibreOffice on a file, and gives what is then in the folder of its output, by name. */
function converted(
  name: string,
  content: Uint8Array | string,
  { reading, to }: { readonly reading: readonly string[]; readonly to: string },
): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-office-'));
  try {
    writeFileSync(join(folder, name), content);
    const user = `-env:UserInstallation=${pathToFileURL(join(folder, 'user')).href}`;
    const words = [user, '--headless', ...reading, '--convert-to', to, '--outdir', join(folder, 'out')];
    const { status, stderr } = spawnSync('soffice', [...words, join(folder, name)], {
      env: { ...process.env, HOME: folder },
    });
    assert.equal(status, 0, stderr.toString());
    const out = join(folder, 'out');
    return new Map(readdirSync(out).map((file) => [file, readFileSync(join(out, file))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A file as LibreOffice writes it after it opened it.
 * @param reading how LibreOffice is to read it
 * @param to the form that it writes
 */
export function savedByLibreOffice(
  name: string,
  content: Uint8Array | string,
  { reading = [], to }: { readonly reading?: readonly string[]; readonly to: string },
): Buffer {
  const [saved] = converted(name, content, { reading, to }).values();
  assert.ok(saved !== undefined, `LibreOffice did not write ${name}`);
  return saved;
}

/**
 * The rows of each sheet of a file as LibreOffice shows them.
 * @param name with the ending of the file, which says what it is
 * @param reading how LibreOffice is to read it
 */
export function shownByLibreOffice(
  name: string,
  content: Uint8Array | string,
  ...reading: readonly string[]
): string[][][] {
  const texts = [...converted(name, content, { reading, to: asShown })]
    // The first sheet has no number behind its name.
    .toSorted(([left], [right]) => (left.replace(/\.csv$/, '') < right.replace(/\.csv$/, '') ? -1 : 1))
    .map(([, bytes]) => bytes.toString('utf8'));
  return askPython(readCsv, texts, 'csv') as string[][][];
}
