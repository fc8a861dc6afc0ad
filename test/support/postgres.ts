import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { needs } from './skip.js';
import { argv } from './argv.js';

const versions = '/usr/lib/postgresql';

/** The folder of the programs of the newest PostgreSQL of Debian. */
function postgresPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const found = readdirSync(versions).sort((left, right) => Number(right) - Number(left));
  return found.map((version) => join(versions, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** A PostgreSQL server on this machine that the test alone uses. */
export interface PostgresServer {
  readonly port: number;
  /** Where its socket is. */
  readonly folder: string;
  /** The address of a new, empty database of the superuser. */
  database(): string;
  /** Runs statements by psql as the superuser, and gives what it prints: a line a row, columns separated by tabs. */
  psql(database: string, sql: string): string;
  /** The rows of a question, as PostgreSQL makes JSON of them. */
  json(database: string, sql: string): unknown;
  /** Begins a session of psql that runs statements and stays open until its input ends. */
  session(database: string, sql: string): ChildProcess;
  /** What the server wrote to its log. */
  log(): string;
  stop(): Promise<void>;
}

/** How it is to be set up. */
export interface PostgresSetup {
  /** Whom it lets in by TCP: everybody, or who knows a password. The superuser has the password `superpass`. */
  readonly auth?: 'trust' | 'scram-sha-256';
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

/** The superuser of the server. */
export const superuser = 'owner';
export const superuserPassword = 'superpass';

/** PostgreSQL refuses to run as root. */
function asOther(folder: string): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  execFileSync('chown', ['-R', 'postgres:postgres', folder]);
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function initialise(bin: string, folder: string, auth: string): void {
  writeFileSync(join(folder, 'pw'), superuserPassword, { mode: 0o644 });
  const [program = '', ...args] = argv`
    ${asOther(folder)} ${join(bin, 'initdb')} -D ${join(folder, 'data')} -U ${superuser} -E UTF8 --locale=C -N
    --auth-local=trust --auth-host=${auth} --pwfile=${join(folder, 'pw')}
  `;
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** A key that others can read is refused by the server. */
function tlsArguments(folder: string, { tls }: PostgresSetup): readonly string[] {
  if (tls === undefined) return [];
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  writeFileSync(cert, readFileSync(tls.certFile));
  writeFileSync(key, readFileSync(tls.keyFile), { mode: 0o600 });
  asOther(folder);
  return ['-c', 'ssl=on', '-c', `ssl_cert_file=${cert}`, '-c', `ssl_key_file=${key}`];
}

async function untilReady(bin: string, port: number, child: ChildProcess): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    assert.equal(child.exitCode, null, 'PostgreSQL ended at once');
    if (spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0) return;
    await pause(50);
  }
  assert.fail('PostgreSQL did not get ready');
}

function start(bin: string, folder: string, args: readonly string[]): ChildProcess {
  // Ends with the test, also when that is killed.
  const dying = existsSync('/usr/bin/setpriv') ? ['--pdeathsig', 'INT'] : [];
  const prefix = asOther(folder);
  const [program = '', ...rest] = argv`
    ${prefix.length > 0 ? prefix : dying.length > 0 ? ['setpriv'] : []} ${dying} ${join(bin, 'postgres')} -D
    ${join(folder, 'data')} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c log_min_messages=warning -c
    log_statement=none ${args}
  `;
  return spawn(program, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Starts a server in a temporary folder, or skips the suite that calls it in a `before` where there is none. */
export async function startPostgres(context: Mocha.Context, setup: PostgresSetup = {}): Promise<PostgresServer> {
  needs(context, 'PostgreSQL');
  const bin = postgresPrograms() ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'relctl-pg-'));
  chmodSync(folder, 0o755);
  initialise(bin, folder, setup.auth ?? 'trust');
  const port = await freePort();
  const child = start(bin, folder, ['-p', String(port), ...tlsArguments(folder, setup)]);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(bin, port, child);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  let databases = 0;
  const psql = (database: string, sql: string): string => {
    const args = ['-X', '-q', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-p', String(port)];
    const { status, stdout, stderr } = spawnSync(join(bin, 'psql'), [...args, '-U', superuser, '-d', database], {
      input: sql,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], PGCLIENTENCODING: 'UTF8', PGTZ: 'UTC' },
      maxBuffer: 1 << 30,
    });
    assert.equal(status, 0, stderr);
    return stdout.replace(/\n$/, '');
  };
  return {
    port,
    folder,
    database: () => {
      databases += 1;
      psql('postgres', `CREATE DATABASE db${databases}`);
      return `postgres://${superuser}@127.0.0.1:${port}/db${databases}`;
    },
    psql,
    // In hexadecimal digits: psql leaves out characters that it takes for none, such as U+10FFFF.
    json: (database, sql) => {
      const all = `SELECT encode(convert_to(coalesce(json_agg(t), '[]')::text, 'UTF8'), 'hex') FROM (${sql}) t`;
      return JSON.parse(Buffer.from(psql(database, all), 'hex').toString()) as unknown;
    },
    session: (database, sql) => {
      const args = ['-X', '-q', '-h', folder, '-p', String(port), '-U', superuser, '-d', database];
      const opened = spawn(join(bin, 'psql'), args, { stdio: ['pipe', 'ignore', 'ignore'] });
      opened.stdin.write(`${sql}\n`);
      return opened;
    },
    log: () => log,
    stop,
  };
}
