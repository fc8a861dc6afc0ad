import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namespace, pageSize } from './prepared.js';

/** The list of a service of prepared answers. For attachments `pages` is their size in millions of bytes. */
export interface PreparedList {
  readonly pages: number;
  /** Most records that a page has; 1,000 unless told. */
  readonly cap?: number;
  /** How late each answer comes; 0 unless told. */
  readonly delayMs?: number;
}

/** A folder, and a service of prepared answers in another process. */
export interface Place {
  readonly folder: string;
  /** URL of the service with this list. */
  url(list: PreparedList): string;
  /** Environment in which relctl calls that service, and asks for pages as large as they are. */
  env(list: PreparedList): NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** An environment without anything of the person who runs the bench. */
export const cleanEnv = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_CACHE_HOME: join(folder, 'cache'),
});

async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
  const responder = fileURLToPath(new URL('responder.ts', import.meta.url));
  const server = spawn(process.execPath, ['--import', 'tsx', responder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => server.once('close', resolve));
  const origin = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    server.once('close', () => reject(new Error('the responder did not start')));
  });
  const base = ({ pages, cap = pageSize, delayMs = 0 }: PreparedList): string => `${origin}/${pages}/${cap}/${delayMs}`;
  return {
    folder,
    url: (list) => `${base(list)}/V1/service.asmx`,
    env: (list) => ({
      ...cleanEnv(folder),
      RELCTL_BASE_URL: base(list),
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
      RELCTL_PAGE_SIZE: String(list.cap ?? pageSize),
    }),
    async close() {
      server.kill();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a place for as long as something needs it. */
export async function within<Result>(use: (place: Place) => Promise<Result>): Promise<Result> {
  const place = await openPlace();
  try {
    return await use(place);
  } finally {
    await place.close();
  }
}
