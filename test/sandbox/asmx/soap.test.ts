import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { sandboxModes } from '../../../src/sandbox/context.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import type { RunningServer } from '../../../src/sandbox/http/server.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';
import { exchange, type Sent } from '../../support/sandbox/asmx/http.js';

const namespace = 'http://relctl.example/sandbox';

function call(operation: string, parameters = ''): Sent & { readonly body: string } {
  return {
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${namespace}/${operation}"` },
    body:
      '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
      `<soap:Body><${operation} xmlns="${namespace}"><credentials><ApiKey>${known.credentials.ApiKey}</ApiKey>` +
      `<DatabaseId xsi:nil="true" /><UserId xsi:nil="true" /></credentials>${parameters}</${operation}></soap:Body></soap:Envelope>`,
  };
}

const marks = call('MarkGetAll');
const attachment = (bytes: number): Sent =>
  call(
    'ActivityAddAttachment',
    `<activityId>${known.activityId}</activityId><fileName>a.bin</fileName>` +
      `<base64EncodedFile>${'A'.repeat(Math.floor(bytes / 4) * 4)}</base64EncodedFile>`,
  );

for (const mode of sandboxModes) {
  describe(`The wire of the sandbox in the mode ${mode}`, () => {
    let sandbox: Sandbox;
    let server: RunningServer;
    let plain: string;
    before(async () => {
      sandbox = { ...(await temporarySandbox(30)), mode };
      server = await serveSandbox(sandbox);
      plain = (await exchange(server.port, marks)).text;
    });
    after(async () => {
      await server.close();
      sandbox.close();
    });

    it('compresses an answer for those who take it', async () => {
      const headers = { ...marks.headers, 'accept-encoding': 'gzip, deflate' };
      const answer = await exchange(server.port, { ...marks, headers });
      assert.equal(answer.headers['content-encoding'], 'gzip');
      assert.equal(gunzipSync(answer.bytes).toString(), plain);
    });

    it('answers many requests on one connection, good ones behind bad ones', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const statuses: number[] = [];
      for (const body of [marks.body, marks.body.slice(0, -9), marks.body]) {
        statuses.push((await exchange(server.port, { ...marks, body, agent })).status);
      }
      const free = Object.values(agent.freeSockets).flat();
      agent.destroy();
      assert.deepEqual(statuses, [200, mode === 'asmx' ? 400 : 500, 200]);
      assert.equal(free.length, 1);
    });

    for (const method of ['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
      it(`does not allow ${method}`, async () => {
        const { status, headers } = await exchange(server.port, { method });
        assert.deepEqual([status, headers['allow']], [405, 'GET, POST']);
      });
    }

    it('takes a request of 4 MB', async () => {
      const { status, text } = await exchange(server.port, attachment(4_000_000));
      assert.equal(status, 200, text);
      assert.match(text, /<Attachment><Id>/);
    });

    it(
      mode === 'asmx' ? 'refuses one that is longer than 4096 KB, as ASP.NET does' : 'takes longer ones too',
      async () => {
        const { status, text } = await exchange(server.port, attachment(4_200_000));
        if (mode === 'strict') {
          assert.equal(status, 200, text);
          return;
        }
        assert.equal(status, 500);
        assert.match(
          text,
          /There was an exception running the extensions specified in the config file\. ---&gt; Maximum request length exceeded\./,
        );
      },
    );
  });
}
