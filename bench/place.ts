import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namespace } from './prepared.js';

/** A folder, and a service of prepared answers in another process. */
export interface Place {
  readonly folder: string;
  /** URL of the service whose list has so many pages, each of them late by so much. */
  url(pages: number, delayMs: number): string;
  /** Environment in which relctl calls that service. */
  env(pages: number, delayMs: number): NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** An environment without anything of the person who runs the bench. */
export const cleanEnv = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_CONFIG_HOME: join(folder, 'config'),
});

/** Opens such a place. */
export async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
  const responder = fileURLToPath(new URL('responder.ts', import.meta.url));
  const server = spawn(process.execPath, ['--import', 'tsx', responder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    server.once('close', () => reject(new Error('the responder did not start')));
  });
  const base = (pages: number, delayMs: number): string => `${origin}/${pages}/${delayMs}`;
  return {
    folder,
    url: (pages, delayMs) => `${base(pages, delayMs)}/V1/service.asmx`,
    env: (pages, delayMs) => ({
      ...cleanEnv(folder),
      RELCTL_BASE_URL: base(pages, delayMs),
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
      RELCTL_PAGE_SIZE: '1000',
    }),
    async close() {
      const closed = new Promise((resolve) => server.once('close', resolve));
      server.kill();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
