import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../src/sandbox/context.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { createEndpoint } from '../../src/sandbox/endpoint.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { openStore } from '../../src/sandbox/store/open.js';
import type { StreamedBody } from '../../src/soap/transport/http.js';
import { soap, type Asking } from '../support/sandbox/faults/place.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';

const list = (size: number): Asking =>
  soap(
    'RelationGetAll',
    `<pageNumber>1</pageNumber><pageSize>${size}</pageSize><includeFields>true</includeFields><includeCounters>false</includeCounters>`,
  );

const attach = (text: string): Asking =>
  soap(
    'ActivityAddAttachment',
    `<activityId>${known.activityId}</activityId><fileName>a.bin</fileName><base64EncodedFile>${text}</base64EncodedFile>`,
  );

const get = (id: string): Asking => soap('AttachmentGet', `<attachmentId>${id}</attachmentId>`);

/** A body that is not in memory. */
const elsewhere = (text: string): StreamedBody => ({
  length: text.length,
  *open() {
    for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
  },
});

describe('Long work of the sandbox', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await temporarySandbox(1000);
  });
  afterEach(() => sandbox.close());

  /** The text of an answer; `between` is called between any two steps. */
  const ask = async (asking: Asking, between: Partial<SandboxContext['pace']> = {}): Promise<string> => {
    const { headers = {}, body = '' } = asking;
    const endpoint = createEndpoint({ ...sandbox, pace: { ...sandbox.pace, ...between } });
    const sent = body.length > 1_000_000 ? elsewhere(body) : Buffer.from(body);
    const answer = await endpoint({ method: 'POST', url: '/V1/service.asmx', headers, body: sent });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const idIn = (text: string): string => /<Attachment><Id>([^<]*)</.exec(text)?.[1] ?? text;

  it('writes an answer in steps of 128 thousand characters', async () => {
    let steps = 0;
    const writing = async (): Promise<void> => void (steps += 1);
    const text = await ask(list(1000), { writing });
    assert.ok(text.length > 1_000_000 && text.endsWith('</soap:Envelope>'));
    assert.ok(steps >= Math.floor(text.length / 160_000), `${steps} steps for ${text.length} characters`);
    assert.ok(steps <= text.length / 128_000, `${steps} steps for ${text.length} characters`);
  });

  it('is done alone for a long body, and not for others', async () => {
    let [begun, atOnce, most] = [0, 0, 0];
    const alone = async <T>(work: () => Promise<T>): Promise<T> => {
      begun += 1;
      return sandbox.pace.alone(async () => {
        most = Math.max(most, (atOnce += 1));
        const done = await work();
        atOnce -= 1;
        return done;
      });
    };
    await ask(attach('QUJD'), { alone });
    await ask(list(1000), { alone });
    assert.equal(begun, 0);
    const text = randomBytes(3_300_000).toString('base64');
    const asked = await Promise.all([text, text, 'QUJD'].map((content) => ask(attach(content), { alone })));
    assert.equal(new Set(asked.map(idIn)).size, 3);
    assert.deepEqual([begun, most], [2, 1]);
  });

  it('reads an upload in steps, between which others write for good and are answered', async () => {
    const text = randomBytes(6_000_000).toString('base64');
    const others: string[] = [];
    const reading = async (): Promise<void> => void others.push(idIn(await ask(attach('QUJD'))));
    const id = idIn(await ask(attach(text), { reading }));
    assert.ok(others.length >= 15, `${others.length} steps`);
    const store = openStore(sandbox.file);
    const kept = store.statement('SELECT "Id" FROM "Attachment" WHERE "FileName" = \'a.bin\' ORDER BY seq').all();
    store.close();
    assert.deepEqual(kept.flat(), [...others, id], 'in the order in which they were complete');
    assert.ok((await ask(get(id))).includes(`<Base64EncodedFile>${text}<`));
  });

  it('is refused for more than 32 MiB that are no content of a file', async () => {
    const most = 32 * 1024 * 1024;
    const update = (bytes: number): Asking =>
      soap(
        'ActivityUpdate',
        `<activityId>${known.activityId}</activityId><fieldValues>${' '.repeat(bytes)}</fieldValues>`,
      );
    const room = most - (update(0).body?.length ?? 0);
    assert.match(await ask(update(room)), /<ActivityUpdateResult>/);
    assert.match(
      await ask(update(room + 1)),
      /<faultstring>A request has at most 33554432 bytes beside the content of a file\./,
    );
    const text = 'QUJD'.repeat(most / 4);
    assert.match(await ask(attach(text)), /<Attachment>/);
    const spaced = attach('QUJD');
    const body = String(spaced.body).replace('<fileName>', ' '.repeat(room + 1_000).concat('<fileName>'));
    assert.match(await ask({ ...spaced, body }), /A request has at most/);
  });

  it('shows nobody what is uploaded until all of it is there, and removes in steps what is refused', async () => {
    const text = `${randomBytes(9_000_000).toString('base64')}!`;
    const count = (table: string): unknown => sandbox.store.statement(`SELECT count(*) FROM "${table}"`).first()?.[0];
    const before = count('Attachment');
    const pieces: number[] = [];
    const reading = async (): Promise<void> => {
      assert.equal(count('Attachment'), before);
      pieces.push(Number(count('ContentPiece')));
    };
    assert.match(await ask(attach(text), { reading }), /is not base64/);
    const steps = pieces.slice(1).map((many, at) => many - (pieces[at] ?? 0));
    assert.ok(
      steps.every((more) => Math.abs(more) <= 32 && more !== 0),
      pieces.join(' '),
    );
    assert.ok(Math.max(...pieces) > 100);
    assert.deepEqual([count('Content'), count('ContentPiece'), count('Attachment')], [0, 0, before]);
  });
});
