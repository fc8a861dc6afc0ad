import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { known } from '../../src/sandbox/dataset/known.js';
import { openSandbox } from '../../src/sandbox/sandbox.js';
import { home } from '../support/relctl.js';
import { hear, soap, type Asking } from '../support/sandbox/faults/place.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { skip } from '../support/skip.js';

/** Bytes that do not repeat within a piece, the same ones for each size. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  return bytes;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const attach = (text: string): Asking =>
  soap(
    'ActivityAddAttachment',
    `<activityId>${known.activityId}</activityId><fileName>kaart.bin</fileName><base64EncodedFile>${text}</base64EncodedFile>`,
  );

/** What the database holds of attachments that are in pieces, after it was looked through. */
async function piecesIn(file: string): Promise<readonly string[]> {
  const opened = await openSandbox({ file });
  const { store } = opened;
  try {
    assert.deepEqual(store.statement('PRAGMA integrity_check').all(), [['ok']]);
    assert.deepEqual(store.statement('PRAGMA foreign_key_check').all(), []);
    const rows = store
      .statement('SELECT seq FROM "Attachment" WHERE "FileName" = \'kaart.bin\' ORDER BY seq')
      .all()
      .map(([seq]) =>
        store.statement('SELECT Text FROM "ContentPiece" WHERE attachment = ? ORDER BY position').all(Number(seq)),
      );
    const [count] = store.statement('SELECT count(*) FROM "ContentPiece"').first() ?? [];
    assert.equal(count, rows.flat().length);
    return rows.map((pieces) => sha256(Buffer.from(pieces.join(''), 'base64')));
  } finally {
    opened.close();
  }
}

describe('sandbox start, with large attachments,', () => {
  const place = home();
  const temporary = join(place.folder, 'tmp');
  const file = join(place.folder, 'sandbox.db');
  before(() => mkdirSync(temporary));
  after(() => place.remove());
  const started = (...args: readonly string[]): Promise<RunningSandbox> =>
    sandbox({ ...place.env, TMPDIR: temporary }, ['--db', file, '--relations', '20', ...args]);
  const portOf = ({ url }: RunningSandbox): number => Number(new URL(url).port);

  // Both are larger than what V8 leaves uncollected, so that only their difference is counted.
  it('needs no memory for their size: 55 MB more take less than 40 in and out', async function () {
    const peaks: number[] = [];
    for (const size of [40_000_000, 95_000_000]) {
      const running = await started('--log', join(place.folder, 'log'), '--fault', 'latency=1ms');
      const bytes = bytesOf(size);
      const added = await hear(portOf(running), { ...attach(bytes.toString('base64')), patienceMs: 120_000 });
      const id = /<Id>([^<]*)</.exec(added.text)?.[1] ?? added.text.slice(0, 300);
      const get = soap('AttachmentGet', `<attachmentId>${id}</attachmentId>`);
      const { body } = await hear(portOf(running), { ...get, patienceMs: 120_000 });
      const from = body.indexOf('<Base64EncodedFile>') + '<Base64EncodedFile>'.length;
      const content = body.subarray(from, body.indexOf('<', from)).toString('latin1');
      assert.equal(sha256(Buffer.from(content, 'base64')), sha256(bytes));
      const peak = /VmHWM:\s+(\d+) kB/.exec(statusOf(running))?.[1];
      await running.stop();
      if (peak === undefined) skip(this, 'there is no /proc here');
      else peaks.push(Number(peak) * 1024);
    }
    const [small = 0, large = 0] = peaks;
    assert.ok(large - small < 40_000_000, `${small} bytes for 40 MB, ${large} for 95 MB`);
  });

  /** Sends a request whose answer nobody waits for. */
  const sent = (running: RunningSandbox, { headers = {}, body = '' }: Asking, until = body.length): ClientRequest => {
    const length = { 'content-length': String(body.length) };
    const asked = request({
      port: portOf(running),
      path: '/V1/service.asmx',
      method: 'POST',
      headers: { ...headers, ...length },
    });
    asked.on('error', () => undefined);
    asked.write(body.slice(0, until));
    return asked;
  };
  const reached = async (isReached: () => boolean): Promise<void> => {
    const limit = performance.now() + 60_000;
    while (!isReached() && performance.now() < limit) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.ok(isReached());
  };

  it('leaves a whole database when it is killed within one, and no temporary file', async () => {
    const before = await piecesIn(file);
    const bytes = bytesOf(40_000_000);
    const asking = attach(bytes.toString('base64'));
    const receiving = await started();
    sent(receiving, asking, 20_000_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await receiving.stop('SIGKILL');
    assert.deepEqual(await piecesIn(file), before);
    const storing = await started();
    sent(storing, asking);
    // Pieces of the content that is received.
    await reached(() => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 2_000_000);
    await storing.stop('SIGKILL');
    const after = await piecesIn(file);
    assert.ok(after.length === before.length || after.at(-1) === sha256(bytes));
    assert.deepEqual(after.slice(0, before.length), before);
    if (process.platform === 'linux') assert.deepEqual(readdirSync(temporary), []);
  });
});

function statusOf({ child }: RunningSandbox): string {
  try {
    return readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  } catch {
    return '';
  }
}
