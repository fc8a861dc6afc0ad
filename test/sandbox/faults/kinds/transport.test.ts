import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { constants, gunzipSync } from 'node:zlib';
import { transportFaults } from '../../../../src/sandbox/faults/kinds/transport.js';
import {
  faultyPlace,
  page,
  relation,
  soap,
  type FaultyPlace,
  type Heard,
} from '../../../support/sandbox/faults/place.js';

describe('A fault of the transport', () => {
  let place: FaultyPlace;
  let plain: Heard;
  before(async () => {
    place = await faultyPlace(30);
    plain = await place.under([], page(1));
  });
  after(() => place.close());

  const proved = new Set<string>();
  const proves = (name: string, promise: string, test: () => Promise<void>): void => {
    proved.add(name);
    it(`${name} ${promise}`, test);
  };

  proves('latency', 'holds the answer back and leaves it as it is', async () => {
    const heard = await place.under(['latency=80ms'], page(1));
    assert.ok(heard.ms >= 80, `${heard.ms} ms`);
    assert.equal(heard.text, plain.text);
  });

  proves('jitter', 'adds to latency what its seed draws for the call', async () => {
    const heard = await place.under(['latency=40ms,jitter=20ms'], page(1));
    assert.ok(heard.ms >= 40, `${heard.ms} ms`);
    assert.equal(heard.text, plain.text);
  });

  proves('drip', 'sends the whole body in small pieces', async () => {
    const heard = await place.under([`drip=${Math.ceil(plain.body.length / 4)}/15ms`], page(1));
    assert.ok(heard.ms >= 45, `${heard.ms} ms`);
    assert.ok(heard.pieces >= 2, `${heard.pieces} pieces`);
    assert.equal(heard.headers['content-length'], String(plain.body.length));
    assert.equal(heard.text, plain.text);
  });

  const start = (bytes: number): string => plain.body.subarray(0, bytes).toString();
  const half = (): string => start(Math.floor(plain.body.length / 2));
  for (const [how, error] of [
    ['reset', 'ECONNRESET'],
    ['close', 'ECONNRESET'],
    ['stall', 'WAITED'],
  ] as const) {
    // Only a stall is waited out.
    const patienceMs = how === 'stall' ? 300 : 60_000;
    proves(how, 'before the answer gives no byte of it', async () => {
      for (const where of ['request', 'before']) {
        const heard = await place.under([`${how}=${where}`], { ...page(1), patienceMs });
        assert.deepEqual([heard.status, heard.text, heard.error], [undefined, '', error], where);
      }
    });

    proves(how, 'behind the headers promises a body that does not come', async () => {
      const heard = await place.under([`${how}=head`], { ...page(1), patienceMs });
      assert.deepEqual([heard.status, heard.text], [200, '']);
      assert.equal(heard.headers['content-length'], String(plain.body.length));
      assert.equal(heard.error, error);
    });

    proves(how, 'amid the body gives half of it', async () => {
      const heard = await place.under([`${how}=amid`], { ...page(1), patienceMs });
      assert.deepEqual([heard.status, heard.text, heard.error], [200, half(), error]);
    });
  }

  it('ends by a reset or in good order, as one asks', async () => {
    const ending = (spec: string): Promise<string> => {
      const { headers, body = '' } = page(1);
      const fields = {
        ...headers,
        host: `127.0.0.1:${place.port}`,
        'content-length': Buffer.byteLength(body),
        'x-sandbox-fault': spec,
      };
      const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      return new Promise((resolve) => {
        const socket = connect(place.port, '127.0.0.1', () => {
          socket.write(`POST /V1/service.asmx HTTP/1.1\r\n${head.join('')}\r\n${body}`);
        });
        let bytes = 0;
        socket.on('data', (chunk) => (bytes += chunk.length));
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
        socket.on('end', () => resolve(bytes > plain.body.length ? 'end, whole' : 'end'));
      });
    };
    for (const where of ['request', 'before', 'head', 'amid', 'after']) {
      assert.equal(await ending(`reset=${where}`), 'ECONNRESET', where);
      assert.equal(await ending(`close=${where}`), where === 'after' ? 'end, whole' : 'end', where);
    }
    assert.equal((await place.under(['reset=after'], page(1))).text, plain.text);
  });

  it('befalls a write before or behind its effect, as one asks', async () => {
    const [id] = place.rows('SELECT "Id" FROM "PvActivityData" WHERE "FollowUp_InAgenda" IS NOT NULL LIMIT 1')[0] ?? [];
    const followUp = (minutes: number): string =>
      '<followUp><Start xsi:nil="true"/><End xsi:nil="true"/><InAgenda>true</InAgenda>' +
      `<ReminderPeriodInMinutes>${minutes}</ReminderPeriodInMinutes><OwnerUserId xsi:nil="true"/><PlacedInQueueId xsi:nil="true"/></followUp>`;
    const written = (minutes: number): number =>
      place.rows(`SELECT 1 FROM "PvActivityData" WHERE "FollowUp_ReminderPeriodInMinutes" = ${minutes}`).length;
    const update = (minutes: number) =>
      soap('ActivityUpdate', `<activityId>${String(id)}</activityId>${followUp(minutes)}`);
    await place.under(['reset=request'], update(4321));
    assert.equal(written(4321), 0);
    await place.under(['reset=before'], update(4321));
    assert.equal(written(4321), 1);
    await place.under(['status=503'], update(4322));
    assert.equal(written(4322), 0);
  });

  proves('truncate', 'sends the beginning under a length that fits', async () => {
    for (const [amount, length] of [
      ['50%', Math.floor(plain.body.length / 2)],
      ['17', 17],
      ['-1', plain.body.length - 1],
      ['0', 0],
    ] as const) {
      const heard = await place.under([`truncate=${amount}`], page(1));
      assert.equal(heard.error, undefined);
      assert.equal(heard.headers['content-length'], String(length));
      assert.equal(heard.text, start(length));
    }
  });

  proves('truncate-gzip', 'sends the beginning of a compressed body, asked or not', async () => {
    const heard = await place.under(['truncate-gzip=-8'], page(1));
    assert.deepEqual([heard.error, heard.headers['content-encoding']], [undefined, 'gzip']);
    assert.throws(() => gunzipSync(heard.body), { code: 'Z_BUF_ERROR' });
    const lenient = gunzipSync(heard.body, { finishFlush: constants.Z_SYNC_FLUSH });
    assert.equal(lenient.toString(), plain.text);
  });

  proves('status', 'answers without SOAP, with or without Retry-After', async () => {
    const busy = await place.under(['status=429,retry-after=7'], page(1));
    assert.deepEqual([busy.status, busy.headers['retry-after']], [429, '7']);
    assert.equal(busy.text, 'A fault makes the sandbox answer 429.\n');
    const down = await place.under(['status=503,retry-after="Wed, 21 Oct 2026 07:28:00 GMT"'], page(1));
    assert.deepEqual([down.status, down.headers['retry-after']], [503, 'Wed, 21 Oct 2026 07:28:00 GMT']);
    assert.equal((await place.under(['status=500'], page(1))).headers['retry-after'], undefined);
  });

  proves('html', 'answers with a page', async () => {
    const heard = await place.under(['html,title="A <b> & c"'], page(1));
    assert.deepEqual([heard.status, heard.headers['content-type']], [502, 'text/html; charset=utf-8']);
    assert.match(heard.text, /^<!DOCTYPE html>\n.*<title>A &lt;b&gt; &amp; c<\/title>/);
    assert.equal((await place.under(['html=200'], page(1))).status, 200);
  });

  proves('redirect', 'points elsewhere', async () => {
    const heard = await place.under(['redirect'], page(1));
    assert.deepEqual([heard.status, heard.headers.location], [307, 'https://elsewhere.invalid/V1/service.asmx']);
    const login = await place.under(['redirect=302,to=http://127.0.0.1:9/login?a=b'], page(1));
    assert.deepEqual([login.status, login.headers.location], [302, 'http://127.0.0.1:9/login?a=b']);
  });

  it('combines with others of the same line', async () => {
    const heard = await place.under(['status=503,retry-after=1,latency=30ms'], page(1));
    assert.equal(heard.status, 503);
    assert.ok(heard.ms >= 30);
    const cut = await place.under(['truncate=40,close=amid'], page(1));
    assert.deepEqual([cut.headers['content-length'], cut.text], ['40', start(20)]);
  });

  it('leaves pages, the WSDL and other operations alone', async () => {
    for (const path of ['/V1/service.asmx', '/V1/service.asmx?WSDL']) {
      assert.equal((await place.under(['status=503'], { method: 'GET', path })).status, 200);
    }
    assert.equal((await place.under(['status=503;operation=RelationGetAll'], relation())).status, 200);
  });

  it('is proved here, whichever it is', () => {
    assert.deepEqual([...proved].sort(), transportFaults.map(({ name }) => name).sort());
  });
});
