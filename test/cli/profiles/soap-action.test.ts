import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ends, home, relctl, type Home } from '../../support/relctl.js';
import { envelope } from '../../support/soap-answers.js';

const namespace = 'http://crm.example/api';
const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const { body } = envelope(
  '1.1',
  `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult><Result><Succeeded>true</Succeeded><Number>0</Number></Result><NumberOfNotifications>7</NumberOfNotifications></NotificationGetCountResult></NotificationGetCountResponse>`,
);
const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;

/** Each form, and the line of the head as it has to stand on the wire; undefined for none. */
const forms: readonly (readonly [form: string, line: string | undefined])[] = [
  ['slash', 'soapaction: "http://crm.example/api/NotificationGetCount"'],
  ['slash-unquoted', 'soapaction: http://crm.example/api/NotificationGetCount'],
  ['joined', 'soapaction: "http://crm.example/apiNotificationGetCount"'],
  ['joined-unquoted', 'soapaction: http://crm.example/apiNotificationGetCount'],
  ['operation', 'soapaction: "NotificationGetCount"'],
  ['operation-unquoted', 'soapaction: NotificationGetCount'],
  ['empty', 'soapaction: ""'],
  ['none', undefined],
];

describe('The header SOAPAction of a profile, byte by byte as a server reads it', () => {
  let place: Home;
  let server: Server;
  let heads: string[] = [];

  const run = async (...args: readonly string[]): Promise<string> => {
    return (await ends(relctl(args, { env: { ...place.env, KEY: id } }), 0)).stdout;
  };
  const lines = (): readonly string[] => {
    assert.equal(heads.length, 1);
    return (heads[0] ?? '').split('\r\n').filter((line) => /^soapaction/i.test(line));
  };

  before(async () => {
    place = home();
    server = createServer((socket) => {
      let got = '';
      socket.on('data', (bytes: Buffer) => {
        got += bytes.toString('latin1');
        if (!got.includes('</soap:Envelope>')) return;
        heads.push(got.slice(0, got.indexOf('\r\n\r\n')));
        socket.end(answer);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const where = ['--base-url', `http://127.0.0.1:${port}`, '--namespace', namespace, '--set', 'soapVersion=1.1'];
    await run('profile', 'add', 'old', ...where, '--api-key-from', 'env:KEY', '--database-id', id, '--user-id', id);
  });
  beforeEach(() => (heads = []));
  after(() => {
    server.close();
    place.remove();
  });

  for (const [form, line] of forms) {
    it(`of the form ${form} is ${line ?? 'not there'}`, async () => {
      await run('profile', 'edit', 'old', '--set', `soapAction=${form}`);
      assert.equal(
        await run('notification', 'count', '-p', 'old', '-o', 'tsv', '--quiet'),
        'NumberOfNotifications\n7\n',
      );
      assert.deepEqual(lines(), line === undefined ? [] : [line]);
    });
  }
});
