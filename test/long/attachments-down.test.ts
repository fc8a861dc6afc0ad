import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { attachmentAnswer, attachmentId, bytesOf, namespace } from '../support/soap-answers.js';
import {
  answers,
  brokenServer,
  endsWithinBody,
  httpAnswer,
  inTurn,
  writesAndStalls,
  type Reaction,
} from '../support/broken-server.js';
import { sizeOf, started, until } from '../support/export-lane.js';
import { ends, home, type Run } from '../support/relctl.js';
import { peakMeter } from '../support/tracer.js';

// So many that stdout has got some when the answer goes wrong, and not a whole number of groups in base64.
const bytes = bytesOf(6_000_001);
const content = bytes.toString('base64');
const fileName = 'kaart.bin';
const good = attachmentAnswer({ content, fileName });
const soap = { 'Content-Type': 'application/soap+xml; charset=utf-8' };
const sha256 = (of: Uint8Array): string => createHash('sha256').update(of).digest('hex');

/** Runs the program with its stdout in a file. */
const intoFile = ['sh', '-c', 'exec "$0" "$@" > "$OUT"'];

describe('A large attachment on its way down', function () {
  const own = home();
  after(() => own.remove());
  let folders = 0;

  interface Place {
    readonly folder: string;
    readonly env: NodeJS.ProcessEnv;
    readonly asked: () => number;
  }

  /** Does something with a folder and a service that reacts so. */
  async function at(answer: Reaction, work: (place: Place) => Promise<void>): Promise<void> {
    const server = await brokenServer({ answer });
    const folder = join(own.folder, `out-${(folders += 1)}`);
    mkdirSync(folder);
    const env = {
      ...own.env,
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
      OUT: join(folder, 'stdout'),
    };
    try {
      await work({ folder, env, asked: () => server.requests.length });
    } finally {
      await server.close();
    }
  }

  const get = ['attachment', 'get', attachmentId];

  const saved = ({ folder, env }: Place, more: readonly string[] = []): Promise<Run> =>
    started([...get, '--output-dir', folder, ...more], { env }).ended;

  const printed = ({ env }: Place, more: readonly string[] = []): Promise<Run> =>
    started([...get, '--output-file', '-', ...more], { env, under: intoFile }).ended;

  for (const size of [0, 1, 2, 3, 4095, 4096, 4097, bytes.length]) {
    it(`arrives byte for byte with ${size} bytes, in a file and on stdout, with and without lines`, async () => {
      const part = bytes.subarray(0, size);
      const text = part.toString('base64');
      const lines = text.replace(/.{76}/g, '$&&#xD;\n');
      for (const each of [text, lines]) {
        await at(answers(attachmentAnswer({ content: each, fileName })), async (place) => {
          const [file, stdout] = await Promise.all([saved(place, ['-o', 'json']), printed(place)]);
          assert.deepEqual([file.code, file.stderr, stdout.code, stdout.stderr], [0, '', 0, '']);
          const { Size, Sha256 } = JSON.parse(file.stdout) as { Size: number; Sha256: string };
          assert.deepEqual([Size, Sha256], [size, sha256(part)]);
          assert.equal(sha256(readFileSync(join(place.folder, fileName))), sha256(part));
          assert.equal(sha256(readFileSync(join(place.folder, 'stdout'))), sha256(part));
          assert.deepEqual(readdirSync(place.folder).sort(), [fileName, 'stdout']);
        });
      }
    });
  }

  it('is shown with size and hash without being kept', async () => {
    await at(answers(good), async ({ env }) => {
      const { stdout } = await ends(started(get, { env }).ended, 0);
      assert.match(stdout, new RegExp(`^Size +${bytes.length}\\nSha256 +${sha256(bytes)}$`, 'm'));
      assert.doesNotMatch(stdout, /Base64EncodedFile/);
    });
  });

  it('is in a trace as size and hash', async () => {
    await at(answers(good), async (place) => {
      const trace = join(own.folder, 'trace');
      assert.equal((await saved(place, [`--trace=${trace}`])).code, 0);
      const text = readFileSync(trace, 'utf8');
      assert.ok(
        text.includes(`"Base64EncodedFile":"(${bytes.length} bytes, sha256 ${sha256(bytes)})"`),
        text.slice(0, 4000),
      );
    });
  });

  const refused =
    '<Result><Succeeded>false</Succeeded><Code>Locked</Code><Description>Vergrendeld</Description></Result>';
  const spoilt = (at: number, by: string): string => content.slice(0, at) + by + content.slice(at + by.length);
  const broken: Readonly<Record<string, readonly [Reaction, number, RegExp]>> = {
    'is cut off': [endsWithinBody(good.body, 7_200_000, soap), 7, /cut|ended|closed|truncated/],
    'is cut off behind the content': [
      endsWithinBody(good.body, good.body.length - 20, soap),
      7,
      /cut|ended|closed|truncated/,
    ],
    'ends before its envelope does': [
      answers({ ...good, body: good.body.slice(0, -20) }),
      7,
      /the document ends within/,
    ],
    'goes on behind its envelope': [answers({ ...good, body: `${good.body}<more/>` }), 7, /second root element/],
    'holds what is no base64': [
      answers(attachmentAnswer({ content: spoilt(6_543_210, '-'), fileName })),
      7,
      /the character U\+002D cannot stand at position 6543210\n/,
    ],
    'lacks its padding': [
      answers(attachmentAnswer({ content: content.slice(0, -1), fileName })),
      7,
      /ends within a group of four characters, at position 8000003/,
    ],
    'holds an element within the content': [
      answers(attachmentAnswer({ content: spoilt(6_400_000, '<b></b>'), fileName })),
      7,
      /Base64EncodedFile holds an element/,
    ],
    'has the content twice': [
      answers(attachmentAnswer({ content, fileName, behind: '<Base64EncodedFile>QQ==</Base64EncodedFile>' })),
      7,
      /Base64EncodedFile comes twice/,
    ],
    'says behind the content that the call failed': [
      answers(attachmentAnswer({ content, fileName, after: refused })),
      4,
      /Vergrendeld/,
    ],
  };
  for (const [what, [reaction, exitCode, words]] of Object.entries(broken)) {
    it(`leaves no file when it ${what}, and on stdout says that what came is not whole`, async () => {
      await at(reaction, async (place) => {
        await ends(saved(place, ['--set', 'retries=0']), exitCode, words, '');
        assert.deepEqual(readdirSync(place.folder), []);
        const stdout = await ends(printed(place, ['--set', 'retries=0']), exitCode);
        const written = sizeOf(join(place.folder, 'stdout'));
        assert.ok(written > 3_000_000 && written <= bytes.length, String(written));
        assert.match(stdout.stderr, new RegExp(`Discard the output: it has ${written} bytes, not the whole`));
      });
    });
  }

  it('puts nothing on stdout when a small answer turns out broken', async () => {
    const small = attachmentAnswer({ content: `${content.slice(0, 4_000_000)}!`, fileName });
    await at(answers(small), async (place) => {
      const { stderr } = await ends(printed(place), 7);
      assert.doesNotMatch(stderr, /throw away/);
      assert.equal(sizeOf(join(place.folder, 'stdout')), 0);
    });
  });

  it('begins again when a call is repeated, and continues stdout where it was', async () => {
    const cut = endsWithinBody(good.body, 7_200_000, soap);
    const later = endsWithinBody(good.body, 7_600_000, soap);
    const earlier = endsWithinBody(good.body, 1_000_000, soap);
    for (const target of ['--output-dir', '-'] as const) {
      await at(inTurn(cut, later, earlier, answers(good)), async (place) => {
        const run = target === '-' ? printed : saved;
        await ends(run(place, ['--set', 'retries=3']), 0, '');
        const [only = '', ...others] = readdirSync(place.folder);
        assert.deepEqual([others, place.asked()], [[], 4]);
        assert.equal(sha256(readFileSync(join(place.folder, only))), sha256(bytes));
      });
    }
  });

  it('does not put two answers together on stdout', async () => {
    const cut = endsWithinBody(good.body, 7_200_000, soap);
    for (const other of [spoilt(1000, 'AAAA'), content.slice(0, 4_000_000)]) {
      await at(inTurn(cut, answers(attachmentAnswer({ content: other, fileName }))), async (place) => {
        await ends(printed(place, ['--set', 'retries=1']), 7, /the retried call returned other bytes/);
      });
    }
  });

  it('is called as the service says also when it says so behind the content', async () => {
    const behind = '<FileName>../later/naam.bin</FileName>';
    await at(answers(attachmentAnswer({ content, behind })), async (place) => {
      assert.equal((await saved(place)).code, 0);
      assert.deepEqual(readdirSync(place.folder), ['naam.bin']);
      writeFileSync(join(place.folder, 'naam.bin'), 'van mij');
      assert.equal((await saved(place)).code, 10);
      assert.equal(readFileSync(join(place.folder, 'naam.bin'), 'utf8'), 'van mij');
      assert.deepEqual(readdirSync(place.folder), ['naam.bin']);
    });
  });

  it('is refused for the sake of a file that is there: before the call, or before the content', async () => {
    const head = httpAnswer({
      ...good,
      body: good.body.slice(0, 200_000),
      headers: { ...soap, 'Content-Length': String(good.body.length) },
    });
    await at(writesAndStalls(head), async (place) => {
      const file = join(place.folder, fileName);
      writeFileSync(file, 'van mij');
      const named = await started([...get, '--output-file', file], { env: place.env }).ended;
      assert.deepEqual([named.code, place.asked()], [10, 0]);
      // The rest of the answer never comes: nobody waits for it.
      await ends(saved(place, ['--timeout', '20']), 10, /kaart\.bin already exists/);
      assert.deepEqual([readdirSync(place.folder), readFileSync(file, 'utf8')], [[fileName], 'van mij']);
    });
  });

  it('does not replace a file that another program put in its place while it came', async () => {
    for (const way of ['--output-dir', '--output-file'] as const) {
      let file = '';
      const rest = httpAnswer(good);
      const meddled: Reaction = (socket) => {
        socket.write(rest.subarray(0, 3_000_000), () => {
          writeFileSync(file, 'theirs');
          socket.write(rest.subarray(3_000_000));
        });
      };
      await at(meddled, async ({ folder, env }) => {
        file = join(folder, fileName);
        await ends(started([...get, way, way === '--output-dir' ? folder : file], { env }).ended, 10);
        assert.deepEqual([readdirSync(folder), readFileSync(file, 'utf8')], [[fileName], 'theirs']);
      });
    }
  });

  it('is exit code 10 on a full disk, and leaves nothing', async () => {
    await at(answers(good), async ({ folder, env }) => {
      const under = ['sh', '-c', 'ulimit -f 4096; exec "$0" "$@"'];
      await ends(started([...get, '--output-dir', folder], { env, under }).ended, 10, /cannot be written/);
      assert.deepEqual(readdirSync(folder), []);
    });
  });

  const half = httpAnswer(good).subarray(0, 7_200_000);
  const begun = (folder: string): boolean => readdirSync(folder).some((name) => sizeOf(join(folder, name)) > 3_000_000);

  it('leaves nothing behind Ctrl-C', async () => {
    await at(writesAndStalls(half), async ({ folder, env }) => {
      const run = started([...get, '--output-dir', folder], { env });
      assert.ok(await until(run, () => begun(folder)));
      run.child.kill('SIGINT');
      const { signal, stderr } = await run.ended;
      assert.equal(signal, 'SIGINT', stderr);
      assert.deepEqual(readdirSync(folder), []);
    });
  });

  it('leaves one partial file when it is killed, which the next run removes', async () => {
    await at(inTurn(writesAndStalls(half), answers(good)), async (place) => {
      const run = started([...get, '--output-dir', place.folder], { env: place.env });
      assert.ok(await until(run, () => begun(place.folder)));
      run.child.kill('SIGKILL');
      await run.ended;
      const [left = '', ...others] = readdirSync(place.folder);
      assert.match(left, /^attachment-.*\.part-\d+-[0-9a-f]{16}$/);
      assert.deepEqual(others, []);
      // A part of another host, and what only looks like one.
      const foreign = left.replace(/.{16}$/, 'ffffffff');
      for (const name of [foreign, `${left}.bak`]) writeFileSync(join(place.folder, name), '');
      assert.equal((await saved(place)).code, 0);
      assert.deepEqual(readdirSync(place.folder).sort(), [foreign, `${left}.bak`, fileName].sort());
      assert.equal(sha256(readFileSync(join(place.folder, fileName))), sha256(bytes));
    });
  });

  it('may hold nothing but zeros, which a gzip stream makes a thousandth of', async () => {
    const zeros = Buffer.alloc(20_000_000);
    const plain = attachmentAnswer({ content: zeros.toString('base64'), fileName });
    const packed = { body: gzipSync(plain.body), headers: { ...soap, 'Content-Encoding': 'gzip' } };
    await at(answers(packed), async (place) => {
      await ends(saved(place), 0, '');
      assert.equal(sha256(readFileSync(join(place.folder, fileName))), sha256(zeros));
    });
  });

  // Both are larger than the buffers that V8 leaves uncollected (64 MiB), so that only their difference is counted.
  it('needs no memory for its size: 100 MB more take less than that', async function () {
    const peaks: number[] = [];
    for (const size of [80_000_000, 180_000_000]) {
      const content = bytesOf(size);
      await at(answers(attachmentAnswer({ content: content.toString('base64'), fileName })), async (place) => {
        const meter = peakMeter(this, place.folder, place.env);
        await ends(saved({ ...place, env: meter.env }), 0, '');
        assert.equal(sha256(readFileSync(join(place.folder, fileName))), sha256(content));
        peaks.push(meter.take());
      });
    }
    const [small = 0, large = 0] = peaks;
    assert.ok(large - small < 100_000_000, `${small} bytes for 80 MB, ${large} for 180 MB`);
  });
});
