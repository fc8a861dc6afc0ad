import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { known } from '../../../src/sandbox/dataset/known.js';
import { serverLimits } from '../../../src/sandbox/http/server.js';
import type { RunningServer } from '../../../src/sandbox/http/server.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import { pieceBytes as pieceLength } from '../../../src/state/temporary-file.js';
import { type Answer, exchange } from '../../support/sandbox/asmx/http.js';
import { type Asking, faultyPlace, type FaultyPlace, hear, soap } from '../../support/sandbox/faults/place.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const isNameless = (handle: string): boolean => {
  try {
    return /\/relctl-\d+-[0-9a-f]{16}-\w{6}\/content \(deleted\)$/.test(readlinkSync(`/proc/self/fd/${handle}`));
  } catch {
    return false;
  }
};

/** How many temporary files this process has open; only Linux tells. */
const openBodyFiles = (): number =>
  process.platform === 'linux' ? readdirSync('/proc/self/fd').filter(isNameless).length : 0;

/**
 * Waits until this process has no more of them open than a number. Who asked gets an answer before the file of the request
 * is closed, and other tests of the same process may have had some open.
 */
async function bodyFilesClosed(most: number): Promise<void> {
  const until = performance.now() + 5000;
  while (openBodyFiles() > most && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(openBodyFiles() <= most, 'a body file is open');
}

const nobody = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** More than fits into the memory for a request, so that whatever follows is not held there. */
const room = ' '.repeat(serverLimits.heldBytes);

interface Attaching {
  readonly text: string;
  readonly name?: string;
  readonly activityId?: string;
}

const attach = ({ text, name = 'a.bin', activityId = known.activityId }: Attaching): Asking =>
  soap(
    'ActivityAddAttachment',
    `<activityId>${activityId}</activityId><fileName>${name}</fileName>${room}<base64EncodedFile>${text}</base64EncodedFile>`,
  );

const get = (id: string): Asking => soap('AttachmentGet', `<attachmentId>${id}</attachmentId>`);

const contentIn = (text: string): string => {
  const [element, content = ''] = /<Base64EncodedFile(?: \/>|>([^<]*)<)/.exec(text) ?? [];
  return element === undefined ? 'none' : content;
};

describe('The content of an attachment', () => {
  let place: FaultyPlace;
  let filesBefore = 0;
  before(async () => {
    filesBefore = openBodyFiles();
    place = await faultyPlace(20);
  });
  after(() => place.close());
  afterEach(() => bodyFilesClosed(filesBefore));

  const asked = ({ headers, body }: Asking, accept = ''): Promise<Answer> =>
    exchange(place.port, {
      headers: { ...headers, 'accept-encoding': accept },
      ...(body === undefined ? {} : { body }),
    });
  const attached = async (text: string): Promise<string> => {
    const answer = await asked(attach({ text }));
    return /<Id>([^<]*)</.exec(answer.text)?.[1] ?? answer.text;
  };
  /** What the database holds for an attachment: in its row, and in pieces. */
  const stored = (id: string): { readonly row: unknown; readonly pieces: readonly string[] } => {
    const [row] = place.rows(`SELECT seq, "Base64EncodedFile" FROM "Attachment" WHERE "Id" = '${id}'`);
    const pieces = place.rows(
      `SELECT Text FROM "ContentPiece" WHERE attachment = ${Number(row?.[0])} ORDER BY position`,
    );
    return { row: row?.[1], pieces: pieces.map(([text]) => String(text)) };
  };
  const everything = (): unknown =>
    ['"Attachment"', '"ContentPiece"', '"PvActivityData"'].map((table) =>
      sha256(Buffer.from(JSON.stringify(place.rows(`SELECT * FROM ${table} ORDER BY 1, 2`)))),
    );

  const pieceBytes = (pieceLength / 4) * 3;
  const sizes = [0, 1, 2, 3, 4];
  for (const pieces of [1, 2, 9]) for (let more = -4; more <= 4; more += 1) sizes.push(pieces * pieceBytes + more);
  for (const size of sizes) {
    it(`of ${size} bytes goes in and comes out, byte for byte`, async () => {
      const bytes = randomBytes(size);
      const text = bytes.toString('base64');
      const id = await attached(text);
      const { row, pieces } = stored(id);
      const isHeld = text.length <= pieceLength;
      assert.equal(row, isHeld ? text : null);
      assert.equal(sha256(Buffer.from(pieces.join(''), 'base64')), sha256(isHeld ? Buffer.alloc(0) : bytes));
      assert.ok(pieces.slice(0, -1).every((piece) => piece.length === pieceLength));
      for (const accept of ['', 'gzip']) {
        const answer = await asked(get(id), accept);
        const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes;
        const isPacked = accept === 'gzip' && isHeld && body.length > 1024;
        assert.equal(answer.headers['content-encoding'], isPacked ? 'gzip' : undefined);
        assert.equal(answer.headers['content-length'], String(answer.bytes.length));
        assert.equal(contentIn(body.toString()), text);
        assert.equal(sha256(Buffer.from(contentIn(body.toString()), 'base64')), sha256(bytes));
      }
    });
  }

  it('is kept to the character, also where bits are left over', async () => {
    const text = `${randomBytes(pieceBytes).toString('base64')}QR==`;
    assert.equal(contentIn((await asked(get(await attached(text)))).text), text);
  });

  it('is the same as one in a row, to the last byte of the answer', async () => {
    const id = await attached(randomBytes(3 * pieceBytes + 5).toString('base64'));
    const inPieces = await asked(get(id));
    const { pieces } = stored(id);
    const seq = `(SELECT seq FROM "Attachment" WHERE "Id" = '${id}')`;
    place.execute(`UPDATE "Attachment" SET "Base64EncodedFile" = '${pieces.join('')}' WHERE "Id" = '${id}'`);
    place.execute(`DELETE FROM "ContentPiece" WHERE attachment = ${seq}`);
    const { bytes, headers } = await asked(get(id));
    assert.equal(sha256(inPieces.bytes), sha256(bytes));
    assert.deepEqual({ ...inPieces.headers, date: '' }, { ...headers, date: '' });
  });

  const good = randomBytes(2 * pieceBytes).toString('base64');
  const refusals: Readonly<Record<string, readonly [Asking, RegExp]>> = {
    'a stranger': [
      {
        ...attach({ text: good }),
        body: (attach({ text: good }).body ?? '').replace(known.credentials.ApiKey, nobody),
      },
      /The ApiKey is not valid/,
    ],
    'white space': [attach({ text: `${good.slice(0, 76)}\n${good.slice(76)}` }), /not base64/],
    'white space at its end': [attach({ text: `${good}\n` }), /not base64/],
    'another alphabet': [attach({ text: `${good.slice(0, -4)}-_-_` }), /not base64/],
    'a group that is cut short': [attach({ text: good.slice(0, -1) }), /not base64/],
    'an activity that is not there': [attach({ text: good, activityId: nobody }), /There is no activity/],
    'a file without a name': [attach({ text: good, name: '' }), /A file needs a name/],
    'an element in it': [attach({ text: `${good}<b/>` }), /base64EncodedFile has a value that does not match its type/],
    'an envelope that ends within it': [
      { ...attach({ text: good }), body: (attach({ text: good }).body ?? '').slice(0, -300) },
      /xml|ends within/i,
    ],
    'an envelope that goes on behind it': [
      { ...attach({ text: good }), body: `${attach({ text: good }).body ?? ''}<a/>` },
      /second root element/,
    ],
  };
  for (const [what, [asking, words]] of Object.entries(refusals)) {
    it(`leaves nothing when it is refused for ${what}`, async () => {
      const before = everything();
      assert.match((await asked(asking)).text, words);
      assert.deepEqual(everything(), before);
    });
  }

  it('leaves nothing when the caller goes away within it', async () => {
    const before = everything();
    const { headers = {}, body = '' } = attach({ text: good });
    await new Promise<void>((resolve) => {
      const length = { 'content-length': String(body.length) };
      const request = httpRequest({
        port: place.port,
        path: '/V1/service.asmx',
        method: 'POST',
        headers: { ...headers, ...length },
      });
      request.on('error', () => resolve());
      request.write(body.slice(0, -100), () => setTimeout(() => request.destroy(new Error('gone')), 50));
    });
    await bodyFilesClosed(filesBefore);
    assert.deepEqual(everything(), before);
  });

  it('is told in the log by its beginning and its length', async () => {
    const { headers = {}, body = '' } = attach({ text: good });
    await hear(place.port, { headers, body });
    const entry = place.log.at(-1);
    assert.deepEqual(entry?.input, {
      activityId: known.activityId,
      fileName: 'a.bin',
      base64EncodedFile: `${good.slice(0, 200)}… (${good.length} characters)`,
    });
    const [[id] = []] = place.rows('SELECT "Id" FROM "Attachment" ORDER BY seq DESC LIMIT 1');
    const { body: answered } = await hear(place.port, get(String(id)));
    assert.equal(place.log.at(-1)?.bytes, answered.length);
  });

  describe('under a fault', () => {
    let id: string;
    let whole: string;
    before(async () => {
      id = await attached(good);
      whole = (await asked(get(id))).text;
    });
    /** Long texts are compared by hash, so that a failure can be read. */
    const digest = (text: string): string => sha256(Buffer.from(text));
    const texts = /<\/(FileName|Version|Extension|Base64EncodedFile)>/g;
    const expected: Readonly<Record<string, (text: string) => string>> = {
      'latency=20ms': (text) => text,
      'control-characters=1F': (text) => text.replace(texts, '&#x1F;</$1>'),
      'unknown-elements': (text) =>
        text.replace(/<\/Attachment(GetResult)?>/g, '<NotInTheContract>unknown</NotInTheContract>$&'),
      'missing-fields=Base64EncodedFile': (text) => text.replace(`<Base64EncodedFile>${good}</Base64EncodedFile>`, ''),
      'nested=empty': (text) => text,
      'truncate=-7': (text) => text.slice(0, -7),
      'drip=100000/1ms': (text) => text,
      bom: (text) => `\ufeff${text}`,
      'close=amid': (text) => text.slice(0, Math.floor(text.length / 2)),
    };
    for (const [spec, changed] of Object.entries(expected)) {
      it(`goes out as one in a row does: ${spec}`, async () => {
        const { text } = await place.under([spec], get(id));
        assert.deepEqual([text.length, digest(text)], [changed(whole).length, digest(changed(whole))]);
      });
    }

    it('is not written when the call fails before, and is when it fails behind', async () => {
      const before = everything();
      const stalled = await place.under(['stall=request'], { ...attach({ text: good }), patienceMs: 200 });
      assert.equal(stalled.error, 'WAITED');
      assert.equal((await place.under(['fault=Server'], attach({ text: good }))).status, 500);
      assert.deepEqual(everything(), before);
      const lost = await place.under(['reset=before'], attach({ text: good }));
      assert.equal(lost.error, 'ECONNRESET');
      const [[text, count] = []] = place.rows(
        `SELECT group_concat(Text, ''), count(*) FROM (SELECT Text FROM "ContentPiece" WHERE attachment = (SELECT max(seq) FROM "Attachment") ORDER BY position)`,
      );
      assert.deepEqual([digest(String(text)), count], [digest(good), good.length / pieceLength]);
    });
  });
});

describe('The content of an attachment in the mode asmx', () => {
  let place: Sandbox;
  let strict: RunningServer;
  let lenient: RunningServer;
  before(async () => {
    place = await temporarySandbox(20);
    strict = await serveSandbox(place);
    lenient = await serveSandbox({ ...place, mode: 'asmx' });
  });
  after(async () => {
    await Promise.all([strict.close(), lenient.close()]);
    place.close();
  });
  const made = async ({ port }: RunningServer, text: string): Promise<string> =>
    (await hear(port, attach({ text }))).text;
  const idIn = (text: string): string => /<Id>([^<]*)</.exec(text)?.[1] ?? text.slice(0, 300);

  it('goes out as in the strict one', async () => {
    const text = randomBytes(300_001).toString('base64');
    const id = idIn(await made(strict, text));
    const { headers, text: answer } = await hear(lenient.port, get(id));
    assert.equal(sha256(Buffer.from(contentIn(answer))), sha256(Buffer.from(text)));
    assert.equal(headers['content-length'], String(Buffer.byteLength(answer)));
    assert.match(
      answer,
      new RegExp(`<Id>${id}</Id>.*<FileName>a.bin</FileName>.*<ExternalDmsType>0</ExternalDmsType>`),
    );
  });

  it('goes in, up to the size of a request', async () => {
    const text = randomBytes(2_000_000).toString('base64');
    const id = idIn(await made(lenient, text));
    assert.equal(contentIn((await hear(strict.port, get(id))).text) === text, true);
    const count = (): unknown => place.store.statement('SELECT count(*) FROM "Attachment"').first()?.[0];
    const before = count();
    assert.match(await made(lenient, 'A'.repeat(4_200_000)), /Maximum request length exceeded/);
    assert.match(await made(lenient, `${text}!`), /The content of the file is not base64/);
    assert.equal(count(), before);
  });
});
