import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../src/contract/service.js';
import { writeRequest } from '../src/soap/wire/request.js';
import { relctl } from './child.js';
import { cleanEnv } from './place.js';
import { pageSize } from './prepared.js';
import { figure, median, section, type Measure } from './timing.js';

const credentials = {
  ApiKey: '00000000-0000-4000-8000-000000000001',
  DatabaseId: '00000000-0000-4000-8000-000000000002',
  UserId: '00000000-0000-4000-8000-000000000011',
  UserName: 'sandbox',
  Password: 'zandbak',
};

interface Service {
  readonly url: string;
  readonly namespace: string;
  stop(): Promise<void>;
}

async function started(folder: string, relations: number): Promise<Service> {
  const args = ['sandbox', 'start', '--port', '0', '--relations', String(relations)];
  const [program = '', ...before] = relctl;
  const child = spawn(program, [...before, ...args], { env: cleanEnv(folder), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`sandbox start ended with ${String(code)}`)));
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      if (/--namespace \S+/.test(output)) resolve();
    });
  });
  return {
    url: `${/http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''}/V1/service.asmx`,
    namespace: /--namespace (\S+)/.exec(output)?.[1] ?? '',
    async stop() {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGINT');
      await closed;
    },
  };
}

const agent = new Agent({ keepAlive: true });

/** Asks for one page and drops it; gives the milliseconds. */
async function pageMs({ url, namespace }: Service, pageNumber: number): Promise<number> {
  const operation = operations.RelationGetAll;
  const input = { pageNumber, pageSize, includeFields: false, includeCounters: false };
  const { headers, body } = writeRequest({ operation, input, credentials, namespace, version: '1.2', url });
  const began = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      let count = 0;
      response.on('data', (chunk: Buffer) => (count += chunk.length));
      response.on('end', () => (response.statusCode === 200 ? resolve(count) : reject(new Error('no page'))));
    });
    sent.on('error', reject).end(body);
  });
  if (bytes < 10_000) throw new Error(`page ${pageNumber} is empty`);
  return performance.now() - began;
}

/** Pages anywhere in a large list of the embedded service. */
export const embedded: Measure = async ({ rounds, relations }) => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
  try {
    const service = await started(folder, relations);
    const last = Math.floor(relations / pageSize);
    const places = [1, Math.max(1, Math.round(last / 2)), last];
    const taken = new Map<number, number[]>();
    for (let round = 0; round < rounds + 2; round += 1) {
      for (const page of places) {
        const ms = await pageMs(service, page);
        if (round >= 2) taken.set(page, [...(taken.get(page) ?? []), ms]);
      }
    }
    await service.stop();
    const first = median(taken.get(1) ?? []);
    return section(
      'The embedded service',
      `Pages of 1,000 out of ${relations.toLocaleString('en')} relations, one at a time over HTTP. Goals: 40 pages a second, the last at most 1.5 times the first.`,
      {
        head: ['page', 'ms', 'pages/s', 'x page 1'],
        rows: [...taken].map(([page, all]) => [
          page,
          figure(median(all), 1),
          figure(1000 / median(all)),
          figure(median(all) / first, 2),
        ]),
      },
    );
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
};
