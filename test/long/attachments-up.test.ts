import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, createWriteStream, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { attachmentId, attachmentMade, bytesOf, namespace } from '../support/soap-answers.js';
import {
  answers,
  brokenServer,
  httpAnswer,
  resets,
  type Behaviour,
  type BrokenServer,
} from '../support/broken-server.js';
import { started, until } from '../support/export-lane.js';
import { ends, home, type Run } from '../support/relctl.js';
import { peakMeter } from '../support/tracer.js';

const apiKey = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';
const bytes = bytesOf(10_000_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');

describe('A large attachment on its way up', function () {
  const own = home();
  after(() => own.remove());
  const file = join(own.folder, 'kaart.bin');
  before(() => writeFileSync(file, bytes));

  async function at(
    behaviour: Behaviour,
    work: (place: { readonly server: BrokenServer; readonly env: NodeJS.ProcessEnv }) => Promise<void>,
  ): Promise<void> {
    const server = await brokenServer(behaviour);
    const env = {
      ...own.env,
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: apiKey,
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
    };
    try {
      await work({ server, env });
    } finally {
      await server.close();
    }
  }

  const attach = (path: string): string[] => ['activity', 'attach', attachmentId, path, '--yes', '--quiet'];
  const attached = (env: NodeJS.ProcessEnv, path = file, more: readonly string[] = []): Promise<Run> =>
    started([...attach(path), ...more], { env }).ended;

  for (const size of [0, 1, 2, 3, 65_535, 65_536, 65_537, 65_538, 98_304, 98_305, 10_000_000]) {
    it(`arrives byte for byte with ${size} bytes, in one request of the length that it announced`, async () => {
      const path = join(own.folder, `${size}.bin`);
      const part = bytes.subarray(0, size);
      writeFileSync(path, part);
      await at({ answer: answers(attachmentMade) }, async ({ server, env }) => {
        await ends(attached(env, path), 0, '');
        const [request, ...others] = server.requests;
        const body = request?.body.toString('utf8') ?? '';
        const element =
          size === 0 ? '<base64EncodedFile />' : `<base64EncodedFile>${part.toString('base64')}</base64EncodedFile>`;
        const parameters = `<activityId>${attachmentId}</activityId><fileName>${size}.bin</fileName>${element}`;
        assert.ok(
          body.endsWith(`${parameters}</ActivityAddAttachment></soap:Body></soap:Envelope>`),
          body.slice(0, 900),
        );
        assert.deepEqual([request?.headers['content-length'], others.length], [String(Buffer.byteLength(body)), 0]);
        assert.equal(request?.headers['transfer-encoding'], undefined);
      });
    });
  }

  it('comes from a pipe as well', async () => {
    const pipe = join(own.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await at({ answer: answers(attachmentMade) }, async ({ server, env }) => {
      const run = attached(env, pipe, ['--name', 'uit-een-pijp.bin']);
      createWriteStream(pipe).end(bytes);
      assert.equal((await run).code, 0);
      assert.ok(server.requests[0]?.body.includes(`<base64EncodedFile>${bytes.toString('base64')}<`));
    });
  });

  it('is shown by --envelope and traces as size and hash, a small one as it is, and no secret either way', async () => {
    await at({ answer: answers(attachmentMade) }, async ({ server, env }) => {
      const shown = await attached(env, file, ['--envelope']);
      const words = `<base64EncodedFile>[base64 of 10000000 bytes, sha256 ${sha256}]</base64EncodedFile>`;
      assert.ok(shown.stdout.includes(words), shown.stdout.slice(0, 2000));
      assert.equal(server.requests.length, 0);
      const small = join(own.folder, 'klein.bin');
      writeFileSync(small, bytes.subarray(0, 60_000));
      const whole = await attached(env, small, ['--envelope']);
      assert.ok(whole.stdout.includes(bytes.subarray(0, 60_000).toString('base64')));
      const trace = join(own.folder, 'trace');
      assert.equal((await attached(env, file, [`--trace=${trace}`])).code, 0);
      const traced = readFileSync(trace, 'utf8');
      assert.ok(traced.includes(words) && traced.length < 10_000, String(traced.length));
      for (const text of [shown.stdout, whole.stdout, traced]) assert.ok(!text.includes(apiKey));
      assert.ok(server.requests[0]?.body.includes(apiKey));
    });
  });

  it('is announced when it is larger than such services usually take', async () => {
    await at({ answer: answers(attachmentMade) }, async ({ env }) => {
      const { code, stderr } = await started(['activity', 'attach', attachmentId, file, '--yes'], { env }).ended;
      assert.deepEqual(
        [code, stderr],
        [0, 'Note: the request has 12.7 MB; such services usually refuse more than 4 MB\n'],
      );
    });
  });

  it('is refused above 256 MiB, before anything is sent', async () => {
    const huge = join(own.folder, 'huge.bin');
    writeFileSync(huge, '');
    truncateSync(huge, 256 * 1024 * 1024 + 1);
    await at({ answer: answers(attachmentMade) }, async ({ server, env }) => {
      const { code, stderr } = await attached(env, huge);
      assert.deepEqual([code, server.requests.length], [2, 0]);
      assert.match(stderr, /huge\.bin is larger than 256 MiB$/m);
    });
  });

  it('is sent once, with exit code 9, when it is not known whether it arrived', async () => {
    await at({ answer: resets }, async ({ server, env }) => {
      const { code, stderr } = await attached(env, file, ['--set', 'retries=3']);
      assert.deepEqual([code, server.requests.length, server.connections()], [9, 1, 1], stderr);
    });
  });

  it('is refused in one call by a service that takes no request so large', async () => {
    const refusing = (socket: Socket): void =>
      void socket.once('data', () =>
        socket.write(httpAnswer({ status: 413, headers: { 'Content-Type': 'text/plain' }, body: 'te groot' })),
      );
    await at({ atAccept: refusing }, async ({ server, env }) => {
      const { code, stderr } = await attached(env, file, ['--set', 'retries=3']);
      assert.deepEqual([code, server.connections()], [6, 1], stderr);
      assert.match(stderr, /413/);
    });
  });

  const changes: Readonly<Record<string, (path: string) => void>> = {
    grows: (path) => appendFileSync(path, 'x'),
    shrinks: (path) => writeFileSync(path, bytes.subarray(0, 9_000_000)),
    'is written to': (path) => utimesSync(path, new Date(0), new Date(0)),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`never arrives whole when its file ${what} meanwhile: exit code 10`, async () => {
      const path = join(own.folder, 'levend.bin');
      writeFileSync(path, bytes);
      const sockets: Socket[] = [];
      // Nothing is read until the file has changed: more than the system holds between the two is still to come.
      const atAccept = (socket: Socket): void => {
        socket.pause();
        sockets.push(socket);
      };
      await at({ atAccept }, async ({ server, env }) => {
        const run = started([...attach(path), '--set', 'retries=3'], { env });
        assert.ok(await until(run, () => sockets.length > 0));
        change(path);
        setImmediate(() => sockets.forEach((socket) => socket.resume()));
        await ends(run.ended, 10, /levend\.bin changed while relctl read it; nothing was attached/);
        assert.deepEqual([server.requests.length, server.connections()], [0, 1]);
      });
    });
  }

  // Both are larger than the buffers that V8 leaves uncollected (64 MiB), so that only their difference is counted.
  it('needs no memory for its size: 60 MB more take less than that', async function () {
    await at({ answer: answers(attachmentMade) }, async ({ server, env }) => {
      const meter = peakMeter(this, own.folder, env);
      const peaks: number[] = [];
      for (const size of [80_000_000, 140_000_000]) {
        const path = join(own.folder, `${size}.bin`);
        writeFileSync(path, bytesOf(size));
        await ends(attached(meter.env, path), 0, '');
        peaks.push(meter.take());
      }
      assert.ok((server.requests[1]?.body.length ?? 0) > 186_666_668);
      const [small = 0, large = 0] = peaks;
      assert.ok(large - small < 60_000_000, `${small} bytes for 80 MB, ${large} for 140 MB`);
    });
  });
});
