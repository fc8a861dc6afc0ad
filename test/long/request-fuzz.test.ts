import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sandboxModes } from '../../src/sandbox/context.js';
import { known } from '../../src/sandbox/dataset/known.js';
import type { RunningServer } from '../../src/sandbox/http/server.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../src/sandbox/http/serve.js';
import type { Store } from '../../src/sandbox/store/open.js';
import { cuts, damaged, type Change, goodRequests, shout, type GoodRequest, fuzz, xmlChange } from '../support/fuzz.js';
import { exchange, type Answer } from '../support/sandbox/asmx/http.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';
import { chunksOf } from '../support/xml/recorder.js';

const key = known.credentials.ApiKey;

/** Documents that are deep, wide, or large, and declarations that make large ones of small ones. */
const odd = fc.constantFrom(
  ...['<a>'.repeat(60), '<a>'.repeat(70), '<a>'.repeat(5000), '<a/>'.repeat(20_000), `<a${' b=""'.repeat(3)}/>`],
  ...['<PvFieldValueData/>'.repeat(5000), 'é'.repeat(70_000), '&amp;'.repeat(100_000), ' '.repeat(100_000)],
  ...[`<a ${Array.from({ length: 300 }, (_, at) => `b${at}=""`).join(' ')}/>`, `<a xmlns:b="${'x'.repeat(100_000)}"/>`],
);
const declarations = fc.constantFrom(
  '',
  '<?xml version="1.0" encoding="windows-1252"?>',
  '<?xml version="1.0" encoding="utf-16"?>',
  '<?xml version="1.1"?>',
  '<!DOCTYPE a [<!ENTITY a "0"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
  '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">',
  '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
);

/** What is around the elements of a request, or among them, is something else. */
const shaped: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(odd, fc.constantFrom('<credentials>', '</soap:Body>', '<soap:Body>', '</soap:Envelope>')).map(
    ([piece, where]) =>
      (bytes: Buffer) =>
        Buffer.from(bytes.toString('utf8').replace(where, piece + where)),
  ),
  declarations.map(
    (text) => (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replace(/^<\?xml[^>]*\?>/, () => text)),
  ),
);

const charsets = fc.constantFrom(
  ...['', '; charset=utf-8', '; charset=UTF-8', '; charset="utf-8"', '; charset=utf-16', '; charset=latin1'],
  ...['; charset=', '; charset=utf-7', '; charset=x-user-defined', '; charset=us-ascii', '; boundary=a; charset=utf-8'],
);
const types = fc.constantFrom(
  'text/xml',
  'application/soap+xml',
  'application/xml',
  'multipart/related',
  'TEXT/XML',
  '',
);
const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.tuple(types, charsets).map(([type, charset]) => type + charset) },
);
const coding = fc.constantFrom<Readonly<Record<string, string>>>(
  ...[{}, {}, {}, { 'content-encoding': 'gzip' }, { 'content-encoding': 'identity' }, { expect: '100-continue' }],
);

interface Case {
  readonly sent: GoodRequest;
  readonly body: Buffer;
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom(...goodRequests), contentType, coding)
  .chain(([sent, type, more]) =>
    damaged(fc.constant(sent.body), fc.oneof({ weight: 5, arbitrary: xmlChange }, shaped)).map((body) => ({
      sent: { ...sent, headers: { ...sent.headers, ...(type === undefined ? {} : { 'content-type': type }), ...more } },
      body,
    })),
  );

/** Makes what tells all that a database holds, which is looked at again where rows were written since. */
function contentOf(store: Store): () => string {
  let [seen, content] = [-1, ''];
  return () => {
    const changes = Number(store.statement('SELECT total_changes()').first()?.[0]);
    if (changes !== seen) content = digestOf(store);
    seen = changes;
    return content;
  };
}

function digestOf(store: Store): string {
  const hash = createHash('sha256');
  const tables = store.statement("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  for (const [name] of tables) {
    const rows = store.statement(`SELECT * FROM "${String(name)}"`).all();
    hash.update(`${String(name)} ${rows.length}\n`);
    for (const row of rows) hash.update(row.map(String).join('\u0000'));
  }
  return hash.digest('hex');
}

const isDone = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 200 && !/<Succeeded>false<\/Succeeded>|<ErrorInformation>[^<]/.test(text);

/** An answer without what each write makes anew. */
const outlined = ({ status, headers, text }: Answer): unknown => ({
  status,
  type: headers['content-type'],
  text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id'),
});

function checkAnswer({ status, text, bytes }: Answer): void {
  assert.ok([200, 400, 415, 500].includes(status), `${status} ${text}`);
  assert.doesNotMatch(text, /The sandbox failed|TypeError|RangeError|SqliteError|\bat .*\.[jt]s/);
  if (status === 500) assert.match(text, /^<\?xml .*<soap:Fault>.*<\/soap:Envelope>$/s);
  else if (status === 200) assert.match(text, /^<\?xml .*<\/soap:Envelope>$/s);
  else assert.ok(bytes.length < 1000);
}

/** The key, and not the beginning of an Id with a digit more. */
const wholeKey = new RegExp(`(?<![0-9a-f-])${key}(?![0-9a-f-])`, 'i');

/**
 * What stands before the first tag or in the Body, or is no markup, is quoted, whatever it is: nobody knows which part of a request it
 * would be, and who sent it is the only one to read it.
 */
const quoted =
  /text (?:outside the root element|in the envelope): '[^']*'|'[^']*' is not a name|XML version '[^']*'|&lt;\/[^&]*&gt; where/g;

const checkKey = ({ text }: Answer): void => assert.doesNotMatch(text.replaceAll(quoted, ''), wholeKey);

for (const mode of sandboxModes) {
  describe(`The reader of requests in the mode ${mode}, whatever comes,`, () => {
    let sandbox: Sandbox;
    let server: RunningServer;
    let content: () => string;
    before(async () => {
      sandbox = { ...(await temporarySandbox(3)), mode, now: () => new Date(Date.UTC(2026, 0, 31)) };
      server = await serveSandbox(sandbox);
      content = contentOf(sandbox.store);
    });
    after(async () => {
      await server.close();
      sandbox.close();
    });

    it('answers in the same way however it is cut, repeats no secret, and changes nothing where it refuses', async () => {
      const property = fc.asyncProperty(cases, cuts, async ({ sent, body }, places) => {
        const before = content();
        const whole = await exchange(server.port, { ...sent, body });
        const inChunks = await exchange(server.port, {
          ...sent,
          chunks: chunksOf(body, places).map((each) => Buffer.from(each)),
        });
        checkAnswer(whole);
        assert.deepEqual(outlined(inChunks), outlined(whole));
        checkKey(whole);
        if (!isDone(whole)) assert.equal(content(), before);
      });
      await fuzz(property);
    }).timeout(0);

    it('reads what has another length than it says as no request, or as the one that it is', async () => {
      const before = content();
      const property = fc.asyncProperty(
        fc.constantFrom(...goodRequests.filter(({ body }) => !/Update|Add/.test(body))),
        fc.oneof(fc.integer({ min: -800, max: 800 }), fc.constant(1e9)),
        fc.boolean(),
        async ({ headers, body }, more, isChunked) => {
          const length = Math.max(0, Buffer.byteLength(body) + more);
          const framing = isChunked
            ? `Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}`
            : `Content-Length: ${length}\r\n`;
          const heard = await shout(
            server.port,
            Buffer.from(
              `POST /V1/service.asmx HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${headers['content-type'] ?? ''}\r\n` +
                `SOAPAction: ${headers['soapaction'] ?? ''}\r\n${framing}\r\n${body}${isChunked ? '\r\n0\r\n\r\n' : ''}`,
            ),
          );
          assert.match(heard, more === 0 ? /^HTTP\/1\.1 200 / : /^(?:HTTP\/1\.1 [45]\d\d |$)/);
          assert.ok(!heard.toLowerCase().includes(key), heard);
        },
      );
      await fuzz(property, 2);
      assert.equal(content(), before);
    }).timeout(0);
  });
}
