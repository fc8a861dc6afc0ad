import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const versions = '/usr/lib/postgresql';

/** The folder of the programs of the newest PostgreSQL of Debian; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const found = readdirSync(versions).sort((left, right) => Number(right) - Number(left));
  return found.map((version) => join(versions, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** PostgreSQL refuses to run as root. */
const prefix = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];

/** A server. */
export interface BenchServer {
  readonly address: string;
  /** Runs a statement in its database. */
  readonly psql: (sql: string) => void;
}

/** A server of its own, as it is set up by default, in a temporary folder; it is gone when this ends. */
export async function withPostgres<T>(bin: string, work: (server: BenchServer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-pg-'));
  chmodSync(folder, 0o755);
  if (prefix.length > 0) execFileSync('chown', ['postgres:postgres', folder]);
  const data = join(folder, 'data');
  const run = (program: string, ...args: readonly string[]): void => {
    const [command = '', ...all] = [...prefix, join(bin, program), ...args];
    execFileSync(command, all, { cwd: folder, stdio: 'ignore' });
  };
  try {
    run('initdb', '-D', data, '-U', 'owner', '-E', 'UTF8', '--locale=C', '--auth=trust');
    // A socket in the folder, and no port: nothing else can be there.
    run('pg_ctl', '-D', data, '-o', `-k ${folder} -c listen_addresses=`, '-l', join(folder, 'log'), '-w', 'start');
    try {
      return await work({
        address: `postgres://owner@${encodeURIComponent(folder)}/postgres`,
        psql: (sql) => run('psql', '-q', '-h', folder, '-U', 'owner', '-c', sql, 'postgres'),
      });
    } finally {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
