import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { RelctlError } from '../core/errors/relctl-error.js';
import { attempt, makeFolders } from '../state/own-file.js';
import { shellWord } from '../core/text/text.js';
import { openDatabase, type Database, type Row } from '../state/sqlite/open.js';
import { applicationId, createMirror, formatVersion, createTable } from './schema.js';
import { callTablesIn } from './sources.js';

const creating = /^CREATE ((?:VIRTUAL )?TABLE|VIEW|INDEX)(?: IF NOT EXISTS)? (("?)(\w+)\3.*)$/s;

function statementsOf(text: string): ReadonlyMap<string, string> {
  const made = text.split(/;\s*/).map((statement) => creating.exec(statement));
  return new Map(made.flatMap((parts) => (parts === null ? [] : [[parts[4] ?? '', `CREATE ${parts[1]} ${parts[2]}`]])));
}

/** Statements that make what a database must have; the tables that it names are read only when it is known to be no view. */
function* expectedIn(database: Database): Generator<ReadonlyMap<string, string>, void> {
  yield statementsOf(createMirror());
  const own = [...callTablesIn(database).values()].map(createTable);
  if (own.length > 0) yield statementsOf(own.join('\n'));
}

/**
 * What in a database is not as this version makes a mirror, in words, and what to do: a view in the place of a table may never
 * end, and a trigger may write what no service said. Undefined where there is no such thing. What else the database holds does
 * not matter. Throws `local` for what it says of its tables and no relctl wrote.
 */
function differenceIn(database: Database): readonly [words: string, advice: string] | undefined {
  const there = database.statement('SELECT name, type, sql FROM sqlite_schema').all();
  const names = new Set(there.map(([name]) => name));
  const changed = 'Undo the changes of the other program';
  for (const expected of expectedIn(database)) {
    for (const [name, type, sql] of there) {
      if (type === 'trigger') return [`has the trigger ${String(name)}`, changed];
      if ((expected.get(String(name)) ?? sql) !== sql)
        return [`has another ${String(type)} ${String(name)} than in this version`, changed];
    }
    const missing = [...expected].find(([name, sql]) => !sql.startsWith('CREATE INDEX') && !names.has(name));
    if (missing !== undefined)
      return [`has no ${missing[0]}, which this version of relctl has`, 'Use the version of relctl that created it'];
  }
  return undefined;
}

/** The service that a mirror belongs to. */
export interface Service {
  readonly url: string;
  readonly namespace: string;
  /** Empty where the credentials name no database. */
  readonly database: string;
}

/** A file of a mirror. */
export interface MirrorFile {
  readonly file: string;
  /** The service that it must belong to, as far as that is known; undefined when any will do. */
  readonly service?: Partial<Service> | undefined;
  readonly forget: string;
}

/** Bytes of the pages that SQLite keeps in memory, and of a journal that it lets grow before it writes it back. */
const cacheKiB = 4 * 1024;

// NONBLOCK is for a pipe, which is no mirror: nobody is to write it for that to be seen.
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/** Makes the folder and the empty file, for the user alone; SQLite gives its journal the mode of the file. */
function makeFile(file: string): void {
  attempt(file, () => {
    makeFolders(dirname(file));
    if (!existsSync(file)) closeSync(openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  });
}

/** The application id and the size of the pages of a database file; undefined for another file. */
export function readHead(handle: number): { readonly id: number; readonly pageSize: number } | undefined {
  const bytes = Buffer.alloc(100);
  const isWhole = readSync(handle, bytes, 0, bytes.length, 0) === bytes.length;
  if (!isWhole || !bytes.toString('latin1').startsWith('SQLite format 3\0')) return undefined;
  return { id: bytes.readUInt32BE(68), pageSize: bytes.readUInt16BE(16) };
}

function checkFile(file: string): void {
  const handle = attempt(file, () => openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    const stats = fstatSync(handle);
    const isOwn = process.getuid === undefined || stats.uid === process.getuid();
    const isPrivate = process.platform === 'win32' || (stats.mode & 0o077) === 0;
    if (stats.isFile() && isOwn && isPrivate) return;
    // The mode of another file is not to be changed: programs may need it.
    if (!stats.isFile() || readHead(handle)?.id !== applicationId) throw noMirrorIn(file);
  } finally {
    closeSync(handle);
  }
  throw new RelctlError('local', `the mirror ${file} is readable by other users`, {
    facts: { path: file, code: 'foreign' },
    hint: `chmod 600 ${shellWord(file)}`,
  });
}

const pragma = (database: Database, name: string): number =>
  Number(database.statement(`PRAGMA ${name}`).first()?.[0] ?? 0);

function settle(database: Database): void {
  // Sorts and large transactions go to files: in memory they would take a gigabyte for a million records.
  database.execute(
    `PRAGMA temp_store = FILE; PRAGMA cache_size = -${cacheKiB}; PRAGMA journal_size_limit = ${cacheKiB * 1024}; PRAGMA cache_spill = ON;`,
  );
}

const noMirrorIn = (file: string, is = 'is'): RelctlError =>
  new RelctlError('local', `${file} ${is} not a mirror of relctl`, {
    facts: { path: file, code: 'foreign' },
    advice: 'Choose another path.',
  });

function checkFormat(database: Database, { file, forget }: MirrorFile): void {
  const version = pragma(database, 'user_version');
  if (pragma(database, 'application_id') !== applicationId) throw noMirrorIn(file, 'is a database, and');
  const refused = (words: string, advice: string): RelctlError =>
    new RelctlError('local', `the mirror ${file} ${words}`, {
      facts: { path: file, code: 'format' },
      advice: `${advice}, or remove the mirror and fill it again.`,
      hint: forget,
    });
  if (version !== formatVersion) {
    const words = `has format ${version}, and this version of relctl reads format ${formatVersion}`;
    throw refused(
      words,
      version > formatVersion ? 'Use the newer version of relctl' : 'Use the version of relctl that created it',
    );
  }
  const difference = differenceIn(database);
  if (difference !== undefined) throw refused(...difference);
}

const isEmpty = (database: Database): boolean =>
  pragma(database, 'user_version') === 0 && database.statement('SELECT 1 FROM sqlite_schema').first() === undefined;

/** What tells one service from another. */
export const identityNames = ['url', 'namespace', 'database'] as const;

/** The service that some rows of names and values tell of. */
export function serviceFrom(rows: readonly Row[]): Service {
  const text = (name: string): string => String(rows.find((row) => row[0] === name)?.[1] ?? '');
  return { url: text('url'), namespace: text('namespace'), database: text('database') };
}

/** The service that a mirror belongs to. */
export const serviceIn = (database: Database): Service =>
  serviceFrom(database.statement('SELECT name, value FROM "_mirror"').all());

/** In what a service is another one than the wanted one, in words; empty where it is the same. */
export const otherThan = (expected: Partial<Service>, stored: Service): readonly string[] =>
  identityNames.flatMap((name) => {
    const text = expected[name];
    if (text === undefined || text === stored[name]) return [];
    return [`${name} ${stored[name] === '' ? 'none' : stored[name]}, not ${text === '' ? 'none' : text}`];
  });

function checkService(database: Database, { file, service, forget }: MirrorFile): void {
  if (service === undefined) return;
  const words = otherThan(service, serviceIn(database));
  if (words.length === 0) return;
  throw new RelctlError('profile', `the mirror ${file} belongs to another service: ${words.join('; ')}`, {
    facts: { path: file, code: 'mirror' },
    advice: 'Remove it, or use another path for the new one with --mirror.',
    hint: forget,
  });
}

/** True when there is a mirror in a file. An empty file is none: a run was killed before it made one. */
const isMirror = (file: string): boolean => existsSync(file) && attempt(file, () => lstatSync(file)).size > 0;

function opened(mirrorFile: MirrorFile, prepare: (database: Database) => void): Database {
  const database = openDatabase({ file: mirrorFile.file, what: 'The mirror' });
  try {
    prepare(database);
    checkFormat(database, mirrorFile);
    checkService(database, mirrorFile);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * Opens the mirror in a file, and makes an empty one where there is none. Throws `local` for a file that is no mirror, or
 * that other users may read, and `profile` when it belongs to another service.
 */
export function openMirrorFile(options: MirrorFile & { readonly service: Service }): Database {
  const { file, service } = options;
  makeFile(file);
  checkFile(file);
  return opened(options, (database) => {
    // The journal of a database that is no mirror stays as it is.
    if (!isEmpty(database)) checkFormat(database, options);
    database.statement('PRAGMA journal_mode = WAL').all();
    settle(database);
    database.write(() => {
      if (!isEmpty(database)) return;
      database.execute(createMirror());
      for (const name of identityNames) {
        database.statement('INSERT INTO "_mirror" (name, value) VALUES (?, ?)').run(name, service[name]);
      }
    });
  });
}

/** Opens the mirror in a file to read it; undefined where there is none. Throws as `openMirrorFile` does. */
export function readMirrorFile(options: MirrorFile): Database | undefined {
  if (!isMirror(options.file)) return undefined;
  checkFile(options.file);
  return opened(options, settle);
}
