import type { StoredProfile } from '../../profiles/store/store.js';
import type { Context } from '../../host/context.js';
import { databaseFile, runningSandbox, sandboxFolder, type SandboxPlace } from './running.js';

/** Settings of the built-in profile. Its credentials open nothing but the embedded service. */
export const sandboxSettings: StoredProfile = {
  apiKey: 'plain:00000000-0000-4000-8000-000000000001',
  databaseId: '00000000-0000-4000-8000-000000000002',
  userId: '00000000-0000-4000-8000-000000000011',
  userName: 'sandbox',
  password: 'plain:zandbak',
};

/**
 * The embedded service for one command: the running one, or one of its own in this process, on the same database. It is
 * closed with the command.
 */
export async function connectSandbox(context: Context): Promise<SandboxPlace> {
  const file = databaseFile(sandboxFolder(context));
  const running = await runningSandbox(file);
  if (running !== undefined) return running;
  const { openSandbox, serveSandbox } = await import('../../sandbox/sandbox.js');
  const sandbox = await openSandbox({ file });
  context.onClose(() => sandbox.close());
  const server = await serveSandbox(sandbox);
  context.onClose(() => server.close());
  return { baseUrl: server.url, namespace: sandbox.namespace };
}
