import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { operations } from '../src/contract/service.js';
import { writeRequest } from '../src/soap/wire/request.js';
import { peakOf, relctl } from './child.js';
import { cleanEnv } from './place.js';

/** The user that the data of the embedded service have. */
export const credentials = {
  ApiKey: '00000000-0000-4000-8000-000000000001',
  DatabaseId: '00000000-0000-4000-8000-000000000002',
  UserId: '00000000-0000-4000-8000-000000000011',
  UserName: 'sandbox',
  Password: 'zandbak',
};

const path = '/V1/service.asmx';

/** The embedded service in a process of its own. */
export interface Service {
  readonly port: number;
  /** Environment in which relctl calls it. */
  readonly env: NodeJS.ProcessEnv;
  /** A request of RelationGetAll, as its bytes stand on the wire. */
  page(number: number, size: number, includeFields: boolean): Buffer;
  /** A request of RelationGet. */
  relation(id: string): Buffer;
  /** Most memory that it held until now, in MiB. */
  peak(): number;
  stop(): Promise<void>;
}

/** The file of its data in a folder. */
export const databaseIn = (folder: string): string => join(folder, 'sandbox.db');

type Asked = Parameters<typeof writeRequest>[0];

/** The bytes of a request, head and body. */
function bytesOf(asked: Pick<Asked, 'operation' | 'input' | 'namespace'>, port: number): Buffer {
  const url = `http://127.0.0.1:${port}${path}`;
  const { headers, body } = writeRequest({ ...asked, credentials, version: '1.2', url });
  const content = Buffer.from(body);
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': content.length });
  const head = [`POST ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${String(value)}`), '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), content]);
}

/** Starts the service on the data that are in a folder; where there are none it makes the usual few. */
export async function startService(folder: string): Promise<Service> {
  const args = ['sandbox', 'start', '--port', '0', '--db', databaseIn(folder)];
  const [program = '', ...before] = relctl;
  const child = spawn(program, [...before, ...args], { env: cleanEnv(folder), stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`sandbox start ended with ${String(code)}`)));
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      if (/--namespace \S+/.test(output)) resolve();
    });
  });
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  const namespace = /--namespace (\S+)/.exec(output)?.[1] ?? '';
  return {
    port,
    env: {
      ...cleanEnv(folder),
      RELCTL_BASE_URL: `http://127.0.0.1:${port}`,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: credentials.ApiKey,
      RELCTL_DATABASE_ID: credentials.DatabaseId,
      RELCTL_USER_ID: credentials.UserId,
      RELCTL_USER_NAME: credentials.UserName,
      RELCTL_PASSWORD: credentials.Password,
    },
    page(pageNumber, pageSize, includeFields) {
      const input = { pageNumber, pageSize, includeFields, includeCounters: false };
      return bytesOf({ operation: operations.RelationGetAll, input, namespace }, port);
    },
    relation(relationId) {
      const input = { relationId, includeFields: false, includeCounters: false };
      return bytesOf({ operation: operations.RelationGet, input, namespace }, port);
    },
    peak: () => peakOf(child.pid),
    async stop() {
      child.kill('SIGINT');
      const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await closed;
      clearTimeout(late);
    },
  };
}
