import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sandboxModes, type SandboxMode } from '../../src/sandbox/context.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../src/sandbox/http/serve.js';
import type { RunningServer } from '../../src/sandbox/http/server.js';
import { changeOf, type Change, goodRequests as good, shout, fuzz } from '../support/fuzz.js';
import { exchange } from '../support/sandbox/asmx/http.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';

/** Pieces on which readers of XML and of HTTP stumble. */
const pieces = [
  ...['<', '>', '&', ']]>', '<![CDATA[', '<!--', '--', '<?x ?>', '<!DOCTYPE a [<!ENTITY b "c">]>', '&#0;', '&#x1F;'],
  ...['&#xD800;', '&#99999999999;', '&b;', '\0', '\u{1f600}', 'xsi:nil="true"', 'xmlns=""', 'xmlns:soap="urn:x"'],
  ...['</soap:Body>', '<soap:Body>', '<a>'.repeat(300), 'x'.repeat(70_000), '99999999999999999999', '-1'],
  ...['__proto__', "' OR 1=1 --"],
];

const change: fc.Arbitrary<Change> = changeOf(fc.constantFrom(...pieces));

const changed = fc
  .tuple(fc.constantFrom(...good), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([sent, changes]) => ({
    ...sent,
    body: changes.reduce<Buffer>((bytes, each) => each(bytes), Buffer.from(sent.body)),
  }));

for (const mode of sandboxModes) {
  describe(`The sandbox in the mode ${mode}, whatever is sent to it,`, () => {
    let sandbox: Sandbox & { readonly mode: SandboxMode };
    let server: RunningServer;
    before(async () => {
      sandbox = { ...(await temporarySandbox(20)), mode };
      server = await serveSandbox(sandbox);
    });
    after(async () => {
      await server.close();
      sandbox.close();
    });
    afterEach('it lives, and answers right', async () => {
      const [count] = good;
      assert.ok(count !== undefined);
      const answer = await exchange(server.port, count);
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.text, /<NumberOfNotifications>\d+<\/NumberOfNotifications>/);
      assert.deepEqual(sandbox.store.statement('PRAGMA integrity_check').all(), [['ok']]);
    });

    it('answers envelopes with something missing, doubled or put in, by a result, a fault or a refusal', async () => {
      const property = fc.asyncProperty(changed, async (sent) => {
        const { status, text, bytes } = await exchange(server.port, sent);
        assert.ok([200, 400, 415, 500].includes(status), `${status} ${text}`);
        // A failure of ours, not of the sender.
        assert.doesNotMatch(text, /The sandbox failed|has no handler|TypeError|RangeError|SqliteError/);
        if (mode === 'strict' && status === 500) assert.doesNotMatch(text, /soap:(?:Server|Receiver)\b/);
        if (bytes.length > 0) assert.match(text, /<\/soap:Envelope>$/);
      });
      await fuzz(property);
    });

    it('answers requests with other headers than it asks for', async () => {
      const value = fc.oneof(
        fc.constantFrom(
          'text/xml',
          'text/xml; charset=',
          'application/soap+xml; action=',
          'multipart/related',
          ';',
          '"',
        ),
        fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
      );
      const name = fc.constantFrom(
        'content-type',
        'soapaction',
        'content-encoding',
        'accept-encoding',
        'expect',
        'x-a',
      );
      const property = fc.asyncProperty(
        fc.constantFrom(...good),
        fc.dictionary(name, value, { noNullPrototype: true }),
        fc.constantFrom(
          '/V1/service.asmx',
          '/v1/SERVICE.asmx/',
          '/V1/service.asmx?%',
          '/V1/service.asmx?op=%00',
          '//',
          '/%2e%2e/',
        ),
        fc.constantFrom('POST', 'GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
        async (sent, headers, path, method) => {
          const answer = await exchange(server.port, {
            ...sent,
            headers: { ...sent.headers, ...headers },
            path,
            method,
          });
          assert.ok([200, 400, 403, 404, 405, 415, 417, 500].includes(answer.status), String(answer.status));
          assert.doesNotMatch(answer.text, /The sandbox failed/);
        },
      );
      await fuzz(property);
    });

    it('answers bytes that are no HTTP, or half of it, by 400 or by hanging up', async () => {
      const [sent] = good;
      const { port } = server;
      const head = (length: string): string =>
        `POST /V1/service.asmx HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: text/xml\r\n${length}\r\n\r\n`;
      const whole = [
        `${head(`Content-Length: ${sent?.body.length ?? 0}`)}${sent?.body ?? ''}`,
        `${head('Transfer-Encoding: chunked')}5\r\n<a/>\n\r\n0\r\n\r\n`,
        `${head('Content-Length: 4\r\nTransfer-Encoding: chunked')}0\r\n\r\n`,
        `${head('Content-Length: 99999999999999999999')}x`,
        `${head('Transfer-Encoding: chunked')}ffffffffffffffff\r\n`,
      ];
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 400 }),
        fc
          .tuple(fc.constantFrom(...whole), fc.array(change, { maxLength: 3 }))
          .map(([text, changes]) => changes.reduce<Buffer>((each, next) => next(each), Buffer.from(text))),
      );
      const property = fc.asyncProperty(bytes, async (sentBytes) => {
        const heard = await shout(port, sentBytes);
        assert.match(heard, /^(?:HTTP\/1\.1 (?:100|[2-5]\d\d) |$)/);
        assert.doesNotMatch(heard, /The sandbox failed/);
      });
      await fuzz(property);
    });
  });
}
