import { defined } from '../../core/values/value.js';
import { userInfo, homedir } from 'node:os';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unreadableBecause } from '../../state/own-file.js';
import { shellWord } from '../../core/text/text.js';

/** How much of a server is checked: nothing and in clear text, nothing, the authority, the authority and the name. */
type TlsMode = 'disable' | 'require' | 'verify-ca' | 'verify-full';

/** A database of a PostgreSQL server, without a password. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly tls: TlsMode;
  /** PEM files: the authorities to trust in the place of the usual ones, and a certificate of ours with its key. */
  readonly rootCertificate?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly connectSeconds: number;
  /** The address as it may be shown and compared. */
  readonly shown: string;
}

/** Where a password may be given, behind "give it". */
export const passwordSources =
  'with the variable PGPASSWORD, the file that PGPASSFILE names (~/.pgpass), or --password-from file:PATH or cmd:COMMAND';

const scheme = /^postgres(?:ql)?:\/\//i;
/** Addresses that were typed or copied not quite as they should be, too: a password may stand in them. */
const postgresScheme = /^\s*(?:jdbc:)?postgres(?:ql)?:/i;
const longestAddress = 2048;
const usualPort = 5432;
const usualConnectSeconds = 10;
const tlsModes: readonly TlsMode[] = ['disable', 'require', 'verify-ca', 'verify-full'];

/** The options that may stand behind the `?`, as libpq calls them. */
const options = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'connect_timeout'] as const;
type Options = Readonly<Partial<Record<(typeof options)[number], string>>>;

/** True for a text that is meant as the address of a PostgreSQL database; anything else names a file. */
export const isPostgresAddress = (text: string): boolean => postgresScheme.test(text);

const example = 'postgres://user@host/database';

function decoded(text: string, path: string): string {
  try {
    const found = decodeURIComponent(text);

    if (!/[\u0000-\u001f]/.test(found)) return found;
  } catch {
    // Said below.
  }
  throw usage(path, `${path}: a part of the PostgreSQL address is not percent-encoded correctly`);
}

/** What a password with such a sign would be cut into is taken for other parts of the address, and shown. */
function checkSigns(text: string, path: string): void {
  const rest = text.replace(scheme, '');
  if (!/[/?#][^]*@|^[^?#]*&/.test(rest)) return;
  throw usage(
    path,
    `${path}: a part of the PostgreSQL address has a character that must be percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #, %26 for &`,
    { hint: undefined },
  );
}

/** The text is not shown: what is not a URL may hold a password anywhere. */
function parsed(text: string, path: string): URL {
  const isAddress = text.length <= longestAddress && scheme.test(text) && URL.canParse(text);
  if (!isAddress) throw usage(path, `${path} takes a PostgreSQL address such as ${example}`);
  checkSigns(text, path);
  return new URL(text);
}

function refusePassword({ password }: URL, path: string): void {
  if (password === '') return;
  throw usage(path, `${path} needs a PostgreSQL address without a password: others can see a command line`, {
    advice: `Remove it from the address, and pass it ${passwordSources}.`,
  });
}

function optionsOf({ searchParams, hash }: URL, path: string): Options {
  const values: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (!(options as readonly string[]).includes(name)) {
      const what = name === 'password' ? 'a password in it' : `the option '${name}'`;
      throw usage(path, `${path}: a PostgreSQL address cannot have ${what}; its options are ${options.join(', ')}`);
    }
    if (name in values) throw usage(path, `${path}: the PostgreSQL address has ${name} twice`);
    values[name] = value;
  }
  if (hash !== '') throw usage(path, `${path}: the PostgreSQL address has a part after #; write %23 for a #`);
  return values;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** Clear text stays on the machine; everything else is checked in full unless the address says otherwise. */
function tlsOf(host: string, { sslmode }: Options, path: string): TlsMode {
  if (sslmode === undefined) return host.startsWith('/') || loopback.test(host) ? 'disable' : 'verify-full';
  const mode = tlsModes.find((each) => each === sslmode);
  if (mode !== undefined) return mode;
  const why = ['allow', 'prefer'].includes(sslmode) ? ': it would let an attacker turn TLS off' : '';
  throw usage(path, `${path}: sslmode takes ${tlsModes.join(', ')}, not '${sslmode}'${why}`, { hint: undefined });
}

function connectSeconds({ connect_timeout: text }: Options, path: string): number {
  if (text === undefined) return usualConnectSeconds;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw usage(path, `${path}: connect_timeout takes 1 to 3600 seconds, not '${text}'`);
}

function userOf(name: string, variables: Variables): string {
  if (name !== '') return name;
  const { PGUSER: fromVariable } = variables;
  if (fromVariable !== undefined) return fromVariable;
  try {
    return userInfo().username;
  } catch (thrown) {
    // A container may run under a number that has no name.
    throw new RelctlError('usage', `the PostgreSQL address has no user, and the current user has no name: ${example}`, {
      cause: thrown,
    });
  }
}

function hostOf({ hostname }: URL, path: string): string {
  const host = decoded(hostname, path).replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw usage(path, `${path}: the PostgreSQL address has no server: ${example}`);
  if (host.includes(',')) throw usage(path, `${path} needs the PostgreSQL address of one server`);
  return host;
}

function databaseOf({ pathname }: URL, path: string): string {
  const database = decoded(pathname.slice(1), path);
  if (database === '') throw usage(path, `${path}: the PostgreSQL address has no database: ${example}`);
  return database;
}

/** Without what is usual, and with the user, who may be another one in another shell. */
function addressText(parts: Pick<PostgresAddress, 'host' | 'port' | 'user' | 'database'>): string {
  const { host, port, user, database } = parts;
  const where = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const portPart = port === usualPort ? '' : `:${port}`;
  return `postgres://${encodeURIComponent(user)}@${where}${portPart}/${encodeURIComponent(database)}`;
}

/**
 * Reads `postgres://[USER@]HOST[:PORT]/DATABASE[?OPTIONS]`. The user is that of PGUSER or of the system when left out; a host that
 * is a percent-encoded folder (`%2Frun%2Fpostgresql`) is that of a Unix socket. TLS with a full check of the server is
 * asked for unless the host is this machine. Throws `usage`; what is refused is not shown where it may hold a password.
 * @param path the flag, variable or setting that holds it
 */
export function readPostgresAddress(
  text: string,
  { path, variables }: { readonly path: string; readonly variables: Variables },
): PostgresAddress {
  const url = parsed(text, path);
  refusePassword(url, path);
  const options = optionsOf(url, path);
  const host = hostOf(url, path);
  const port = url.port === '' ? usualPort : Number(url.port);
  const parts = { host, port, user: userOf(decoded(url.username, path), variables), database: databaseOf(url, path) };
  return {
    ...parts,
    tls: tlsOf(host, options, path),
    ...defined({ rootCertificate: options.sslrootcert, certificate: options.sslcert, key: options.sslkey }),
    connectSeconds: connectSeconds(options, path),
    shown: addressText(parts),
  };
}

/** The schema that is published into when no other is named. */
export const usualSchema = 'relctl';

/**
 * The name of a schema as it was given. Throws `usage` for one that would have to be quoted wherever it is used, and for those
 * of PostgreSQL and of everybody.
 */
export function readSchema(text: string, path: string): string {
  const isOwn = !/^pg_/.test(text) && !['public', 'information_schema'].includes(text);
  if (isOwn && /^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text;
  const what = isOwn ? 'lower-case letters, digits and _' : 'a name of its own, such as relctl';
  throw usage(path, `${path} must be a schema name of ${what}, not '${text}'`);
}

type Variables = Readonly<Record<string, string | undefined>>;

const largestFile = 1024 * 1024;

/** What a field of a line of the file stands for: `\:` and `\\` are characters of it, and `*` alone is everything. */
const field = /((?:[^\\:]|\\.)*)(:|$)/gsy;

function fieldsOf(line: string): readonly string[] {
  const fields: string[] = [];
  for (const [, text = '', end] of line.matchAll(field)) {
    fields.push(text);
    if (end === '') break;
  }
  return fields;
}

const plain = (text: string): string => text.replace(/\\(.)/gs, '$1');

/** The password is the rest of the line, so that a `:` that nobody escaped is part of it. */
function passwordIn(line: string, expected: readonly string[]): string | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const fields = fieldsOf(line);
  const [password, ...more] = fields.slice(expected.length);
  if (password === undefined) return undefined;
  const fits = expected.every((value, at) => fields[at] === '*' || plain(fields[at] ?? '') === value);
  return fits ? plain([password, ...more].join(':')) : undefined;
}

function fileOf({ PGPASSFILE: named, APPDATA: folder }: Variables): string {
  if (named !== undefined) return named;
  return process.platform === 'win32' && folder !== undefined
    ? join(folder, 'postgresql', 'pgpass.conf')
    : join(homedir(), '.pgpass');
}

function unusable(file: string, why: string, hint?: string): RelctlError {
  return new RelctlError('profile', `the password file ${file} ${why}`, { facts: { path: file }, hint });
}

/** None where there is no such file: nobody has to have one. */
function linesOf(file: string): readonly string[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isFile()) throw unusable(file, 'is not a regular file');
  if (stats.size > largestFile) throw unusable(file, `is larger than ${largestFile} bytes`);
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw unusable(file, 'can be read by other users', `chmod 600 ${shellWord(file)}`);
  }
  return readFileSync(file, 'utf8').split(/\r?\n/);
}

function readLines(file: string): readonly string[] {
  try {
    return linesOf(file);
  } catch (thrown) {
    throw thrown instanceof RelctlError ? thrown : unusable(file, unreadableBecause(thrown).words);
  }
}

/** The password that a file in the form of PostgreSQL's own (`HOST:PORT:DATABASE:USER:PASSWORD`) has for an address. */
function passwordFromFile({ host, port, database, user }: PostgresAddress, file: string): string | undefined {
  const expected = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of readLines(file)) {
    const password = passwordIn(line, expected);
    if (password !== undefined) return password;
  }
  return undefined;
}

/**
 * The password for an address, where none is named: that of PGPASSWORD, else that of the file PGPASSFILE names or of
 * ~/.pgpass; undefined for none. Throws `profile` for a file that others can read, or that cannot be read.
 */
export function findPassword(address: PostgresAddress, variables: Variables): string | undefined {
  return variables['PGPASSWORD'] ?? passwordFromFile(address, fileOf(variables));
}
