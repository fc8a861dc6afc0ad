import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { brokenServer, httpAnswer } from '../support/broken-server.js';
import { relctlProgram } from '../support/output/pipe.js';
import { peakMeter } from '../support/tracer.js';
import { home } from '../support/relctl.js';
import { envelope, namespace } from '../support/soap-answers.js';

const rows = 250_000;
const mostBytes = 300_000_000;

const idOf = (index: number): string => `6f9619ff-8b86-d011-b42d-${index.toString(16).padStart(12, '0')}`;

/** A relation of some 320 bytes. */
const relation = (_: unknown, index: number): string =>
  `<PvRelationData><Id>${idOf(index)}</Id><EntityTypeId>${idOf(0)}</EntityTypeId>` +
  `<DisplayName>Relation ${index} of many more</DisplayName><IsRoot>false</IsRoot><IsDummy>false</IsDummy>` +
  `<IsInactive>false</IsInactive><ImportKey>IMP-${index}</ImportKey></PvRelationData>`;

function answerWith(count: number): Buffer {
  const list = Array.from({ length: count }, relation).join('');
  const result = `<RelationGetAllResult><Relations>${list}</Relations></RelationGetAllResult>`;
  return httpAnswer(envelope('1.2', `<RelationGetAllResponse xmlns="${namespace}">${result}</RelationGetAllResponse>`));
}

const call = ['call', 'RelationGetAll', '--list', 'Relations', '--page-params', 'none'].concat(
  ['pageNumber=1', `pageSize=${rows}`, 'includeFields=false', 'includeCounters=false'].flatMap((one) => [
    '--param',
    one,
  ]),
);
const commands = [
  ['one page of a list', 'csv', ['relation', 'list', '--page', '1', '--page-size', String(rows)]],
  ['a list without pages', 'json', call],
] as const;

/** What is printed, by the format. */
const texts: Readonly<Record<string, (index: number) => string>> = {
  csv: (index) => `${idOf(index)},Relation ${index} of many more\n`,
  json: (index) =>
    `${index === 0 ? '[' : ','}\n  {\n    "Id": "${idOf(index)}",\n    "DisplayName": "Relation ${index} of many more"\n  }`,
};
const around: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  csv: ['Id,DisplayName\n', ''],
  json: ['', '\n]\n'],
};

function expectedHash(format: string): string {
  const [before = '', behind = ''] = around[format] ?? [];
  const hash = createHash('sha256').update(before);
  for (let index = 0; index < rows; index += 1) hash.update(texts[format]?.(index) ?? '');
  return hash.update(behind).digest('hex');
}

describe('Many rows of one answer on stdout', function () {
  const own = home();
  after(() => own.remove());

  for (const [what, format, args] of commands)
    it(`take less than 300 MB, for ${what} as ${format.toUpperCase()}`, async function () {
      const answer = answerWith(rows);
      const server = await brokenServer({ answer: (socket) => void socket.write(answer) });
      try {
        const meter = peakMeter(this, own.folder, {
          ...own.env,
          RELCTL_BASE_URL: server.url,
          RELCTL_NAMESPACE: namespace,
          RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
          RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
        });
        const program = relctlProgram(...args, '-o', format, '--columns', 'Id,DisplayName', '--quiet');
        const child = spawn(process.execPath, program, { env: meter.env, stdio: ['ignore', 'pipe', 'inherit'] });
        const hash = createHash('sha256');
        child.stdout.on('data', (bytes: Buffer) => hash.update(bytes));
        const [code] = (await once(child, 'close')) as [number];
        assert.deepEqual([code, hash.digest('hex')], [0, expectedHash(format)], format);
        const peak = meter.take();
        assert.ok(peak < mostBytes, `${format} took ${peak} bytes`);
      } finally {
        await server.close();
      }
    });
});
