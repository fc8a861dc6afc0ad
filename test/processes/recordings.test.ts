import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enumerations } from '../../src/contract/enumerations.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { createMask } from '../../src/core/secrets/mask.js';
import { bytesOf, envelope, namespace } from '../support/soap-answers.js';
import { answers, brokenServer, endsWithinBody, inTurn } from '../support/broken-server.js';
import { place } from '../support/operations/place.js';
import { ends, relctl, relctlProcess, type Run } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { valuesOf } from '../support/thrown.js';

interface Line {
  readonly number: number;
  readonly operation: string;
  readonly answer?: {
    readonly status: number;
    readonly bytes: number;
    readonly masked: number;
    readonly complete: boolean;
  };
  readonly error?: string;
}

const isVocabulary = (text: string): boolean =>
  Object.values(enumerations).some(({ values }) => values.includes(text as never));

/** What a value is made of, without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

const apiKey = '00000000-0000-4000-8000-000000000001';
const password = 'zandbak';

describe('A recording of calls', () => {
  const here = place();
  const index = (folder: string): readonly Line[] =>
    readFileSync(join(folder, 'index.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  const record = (folder: string, ...args: readonly string[]): Promise<Run> => here.run([...args, '--record', folder]);

  it('has a request, an answer and a line of the index for each call, for its owner alone', async () => {
    const folder = here.fresh('case');
    await ends(record(folder, 'relation', 'get', known.personId), 0, '');
    assert.deepEqual(readdirSync(folder).toSorted(), ['0001.answer.xml', '0001.request.xml', 'index.ndjson']);
    const [line] = index(folder);
    assert.deepEqual(
      [line?.number, line?.operation, line?.answer?.status, line?.answer?.complete],
      [1, 'RelationGet', 200, true],
    );
    assert.equal(line?.answer?.bytes, statSync(join(folder, '0001.answer.xml')).size);
    if (process.platform === 'win32') return;
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  });

  it('holds no secret in any form, also where the service repeats it', async () => {
    const echo = `<x>${apiKey} ${encodeURIComponent(password)} ${Buffer.from(`a${password}b`).toString('base64')} ${password.toUpperCase()}</x>`;
    const server = await brokenServer({
      answer: answers({ status: 500, headers: { 'Content-Type': 'text/html', 'Set-Cookie': password }, body: echo }),
    });
    try {
      const folder = here.fresh('echo');
      await record(folder, 'whoami');
      const env = { ...here.env, RELCTL_BASE_URL: server.url };
      await relctl(['relation', 'get', known.personId, '--record', folder], { env });
      const mask = createMask([apiKey, password]);
      for (const name of readdirSync(folder)) {
        const text = readFileSync(join(folder, name), 'utf8');
        assert.equal(mask(text), text, name);
      }
    } finally {
      await server.close();
    }
  });

  it('is added to by the next command, refused in a folder of other files, and not made by --envelope', async () => {
    const folder = here.fresh('case');
    await record(folder, 'relation', 'get', known.personId);
    await record(folder, 'product', 'list', '--limit', '1');
    assert.deepEqual(valuesOf(index(folder), 'number'), [1, 2]);
    const other = here.fresh('other');
    mkdirSync(other);
    writeFileSync(join(other, 'x'), '');
    const refused = await record(other, 'relation', 'get', known.personId);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is neither an empty folder of yours nor one with a recording/);
    assert.deepEqual(readdirSync(other), ['x']);
    const file = await record(join(other, 'x'), 'relation', 'get', known.personId);
    assert.equal(file.code, 2);
    assert.match(file.stderr, /x is neither an empty folder of yours nor one with a recording/);
    const [target, link] = [here.fresh('target'), here.fresh('link')];
    mkdirSync(target);
    symlinkSync(target, link);
    for (const name of [link, `${link}/`, `${link}/.`]) {
      await ends(record(name, 'relation', 'get', known.personId), 2, /link is a symbolic link\n/);
    }
    assert.deepEqual(readdirSync(target), []);
    const none = here.fresh('none');
    assert.equal((await record(none, 'relation', 'get', known.personId, '--envelope')).code, 0);
    assert.throws(() => statSync(none), /ENOENT/);
  });

  describe('that is served', () => {
    let folder: string;
    let replay: RunningSandbox | undefined;
    let env: NodeJS.ProcessEnv;
    const commands: readonly (readonly string[])[] = [
      ['relation', 'get', known.personId, '-o', 'json'],
      ['relation', 'list', '-o', 'csv', '--page-size', '20'],
      ['relation', 'get', '00000000-0000-4000-8000-00000000ffff'],
    ];
    const first: Run[] = [];

    before(async () => {
      folder = here.fresh('served');
      for (const args of commands) first.push(await record(folder, ...args));
      replay = await sandbox(here.env, ['--replay', folder]);
      env = { ...here.env, RELCTL_BASE_URL: replay.url };
    });
    after(() => replay?.stop('SIGTERM'));

    it('answers each command as the service did, again and again', async () => {
      for (const [at, args] of [...commands.entries(), ...commands.entries()]) {
        const { code, stdout } = await relctl(args, { env });
        assert.deepEqual([code, stdout], [first[at]?.code, first[at]?.stdout], args.join(' '));
      }
    });

    it('is found by other commands, and stopped, by its index', async () => {
      const own = here.fresh('stopped');
      assert.equal((await record(own, 'relation', 'get', known.personId)).code, 0);
      const running = await sandbox(here.env, ['--replay', own]);
      const index = join(own, 'index.ndjson');
      const status = await relctl(['sandbox', 'status', '--db', index, '-o', 'csv', '--columns', 'Running'], here);
      assert.deepEqual([status.code, status.stdout.trim().split(/\r?\n/)], [0, ['Running', 'true']], status.stderr);
      assert.equal((await fetch(`${running.url}/V1/service.asmx?WSDL`)).status, 404);
      await ends(relctl(['sandbox', 'stop', '--db', index], here), 0);
    });

    it('answers what was not recorded with a fault that says what was', async () => {
      const other = await relctl(['relation', 'get', known.organisationId, '-o', 'json'], { env });
      assert.equal(other.code, 4);
      assert.match(other.stderr, /RelationGet was recorded 2 times, but not with these parameters/);
      assert.match(other.stderr, /NotRecorded/);
      const none = await relctl(['product', 'list'], { env });
      assert.match(none.stderr, /The recording has no call of \w+; it has calls of: RelationGet, RelationGetAll\./);
    });
  });

  /** Serves a recording while something is done with the environment of a command that calls it. */
  async function served(folder: string, work: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
    const replay = await sandbox(here.env, ['--replay', folder]);
    try {
      await work({ ...here.env, RELCTL_BASE_URL: replay.url });
    } finally {
      await replay.stop('SIGTERM');
    }
  }

  /**
   * The calls of a recording that were answered, each of which must be the only one of its number and have files that hold what
   * its line says. A page that was asked for ahead, and not needed, may have been left before its end.
   */
  function answered(folder: string): readonly Line[] {
    const lines = index(folder);
    assert.equal(new Set(lines.map(({ number }) => number)).size, lines.length);
    const found = lines.filter(({ answer }) => answer?.complete === true);
    for (const { number, operation, answer } of found) {
      const start = join(folder, String(number).padStart(4, '0'));
      assert.match(readFileSync(`${start}.request.xml`, 'utf8').slice(0, 1000), new RegExp(`<${operation}[ >]`));
      const bytes = readFileSync(`${start}.answer.xml`);
      assert.deepEqual([answer?.status, answer?.bytes], [200, bytes.length]);
      assert.match(bytes.toString('utf8').slice(0, 1000), new RegExp(`<${operation}Response[ >]`));
    }
    return found;
  }

  for (const format of ['csv', 'ndjson', 'json']) {
    it(`of an export to a file as ${format} changes no byte of it, and gives the same file`, async () => {
      const folder = here.fresh('case');
      const line = ['relation', 'list', '-o', format, '--page-size', '20', '--output-file'];
      const file = here.fresh(`plain.${format}`);
      assert.equal((await here.run([...line, file])).code, 0);
      const whole = readFileSync(file);
      const watched = here.fresh(`watched.${format}`);
      await ends(record(folder, ...line, watched), 0);
      assert.deepEqual(readFileSync(watched), whole);
      assert.ok(answered(folder).filter(({ operation }) => operation === 'RelationGetAll').length >= 4);
      await served(folder, async (env) => {
        const again = here.fresh(`again.${format}`);
        await ends(relctl([...line, again], { env }), 0);
        assert.deepEqual(readFileSync(again), whole);
      });
    });
  }

  it('is found on another day, when the times that a command made by the clock are others', async () => {
    const folder = here.fresh('case');
    const list = ['relation', 'activities', known.personId, '-o', 'csv', '--columns', 'Id'];
    const first = await ends(record(folder, ...list), 0);
    assert.match(readFileSync(join(folder, 'index.ndjson'), 'utf8'), /"filled":\["from","to"\]|"filled":\["to"\]/);
    await served(folder, async (env) => {
      const later = await relctl([...list, '--to', '2031-05-01'], { env });
      assert.deepEqual([later.code, later.stdout], [0, first.stdout], later.stderr);
    });
    const typed = here.fresh('typed');
    assert.equal((await record(typed, ...list, '--from', '2020-01-01', '--to', '2031-05-01')).code, 0);
    assert.doesNotMatch(readFileSync(join(typed, 'index.ndjson'), 'utf8'), /filled/);
    await served(typed, async (env) => {
      assert.equal((await relctl([...list, '--from', '2020-01-01', '--to', '2031-05-02'], { env })).code, 4);
    });
  });

  it('is not found by other times of a file, which somebody typed there', async () => {
    const folder = here.fresh('case');
    const file = here.fresh('input.json');
    const call = ['call', 'RelationGetActivitiesModified_V2', '--input', file];
    const pages = { pageNumber: 1, pageSize: 5, includeFields: false, includeCounters: false };
    const typed = (to: string): void =>
      writeFileSync(file, JSON.stringify({ relationId: known.personId, from: '2020-01-01T00:00:00', to, ...pages }));
    typed('2031-05-01T00:00:00');
    assert.equal((await record(folder, ...call)).code, 0);
    await served(folder, async (env) => {
      assert.equal((await relctl(call, { env })).code, 0);
      typed('2031-06-01T00:00:00');
      await ends(relctl(call, { env }), 4, /NotRecorded/);
    });
  });

  it('that was edited by hand is served as it is now', async () => {
    const folder = here.fresh('case');
    const get = ['relation', 'get', known.personId, '-o', 'json', '--columns', 'DisplayName'];
    const { DisplayName } = JSON.parse((await record(folder, ...get)).stdout) as { readonly DisplayName: string };
    const file = join(folder, '0001.answer.xml');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(DisplayName, 'X'));
    await served(folder, async (env) => {
      const { code, stdout, stderr } = await relctl(get, { env });
      assert.deepEqual([code, JSON.parse(stdout)], [0, { DisplayName: 'X' }], stderr);
    });
  });

  it('that is masked has nothing of what it recorded, and gives lists of the same shape', async () => {
    const folder = here.fresh('case');
    const list = ['relation', 'list', '--include-fields', '--include-counters', '--page-size', '20', '-o', 'json'];
    const activities = ['relation', 'activities', known.personId, '-o', 'json'];
    const first = await ends(record(folder, ...list), 0);
    assert.equal((await record(folder, ...activities)).code, 0);
    const masked = here.fresh('masked');
    const made = await ends(here.run(['recording', 'mask', folder, masked, '-o', 'json']), 0);
    assert.equal((JSON.parse(made.stdout) as { readonly Calls: number }).Calls, index(folder).length);
    const said = new Set(
      readdirSync(folder)
        .filter((name) => name.endsWith('.answer.xml'))
        .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/>([^<>]{4,})</g)])
        .map(([, text = '']) => text)
        .filter((text) => /[\p{L}\p{N}]/u.test(text) && !/^(?:true|false|[0.-]+)$/.test(text)),
    );
    const kept = readdirSync(masked).map((name) => readFileSync(join(masked, name), 'utf8'));
    const left = [...said].filter((text) => kept.some((all) => all.includes(`>${text}<`)));
    assert.ok(said.size > 100);
    assert.deepEqual(
      left.filter((text) => !isVocabulary(text)),
      [],
    );
    await served(masked, async (env) => {
      const again = await ends(relctl(list, { env }), 0);
      assert.deepEqual(shapeOf(JSON.parse(again.stdout)), shapeOf(JSON.parse(first.stdout)));
    });
  });

  it('of an attachment holds it as it went up and came down, and gives it again', async () => {
    const folder = here.fresh('case');
    const bytes = bytesOf(5_000_000);
    const content = bytes.toString('base64');
    const file = here.fresh('kaart.bin');
    writeFileSync(file, bytes);
    const up = ['activity', 'attach', known.activityId, file, '--yes', '-o', 'json'];
    const added = await ends(record(folder, ...up), 0);
    const { Id } = JSON.parse(added.stdout) as { readonly Id: string };
    const down = (to: string): readonly string[] => ['attachment', 'get', Id, '--output-file', to];
    const got = here.fresh('down.bin');
    assert.equal((await record(folder, ...down(got))).code, 0);
    assert.ok(readFileSync(got).equals(bytes));

    assert.deepEqual(valuesOf(answered(folder), 'operation'), ['ActivityAddAttachment', 'AttachmentGet']);
    const [request, answer] = [join(folder, '0001.request.xml'), join(folder, '0002.answer.xml')];
    for (const each of [request, answer]) assert.ok(readFileSync(each, 'latin1').includes(`>${content}<`), each);
    assert.ok(!readFileSync(request, 'latin1').includes(apiKey));

    await served(folder, async (env) => {
      const again = await relctl(up, { env });
      assert.deepEqual([again.code, again.stdout], [0, added.stdout], again.stderr);
      const to = here.fresh('again.bin');
      assert.equal((await relctl(down(to), { env })).code, 0);
      assert.ok(readFileSync(to).equals(bytes));
    });
  });

  it('of a truncated answer says so, and cuts it off again before the one that came then', async () => {
    const id = known.personId;
    const { body, headers = {} } = envelope(
      '1.2',
      `<RelationGetResponse xmlns="${namespace}"><RelationGetResult><Result><Succeeded>true</Succeeded><Number>0</Number></Result><Relation><Id>${id}</Id><EntityTypeId>${id}</EntityTypeId><DisplayName>Ada</DisplayName><IsRoot>true</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></Relation></RelationGetResult></RelationGetResponse>`,
    );
    const server = await brokenServer({
      answer: inTurn(endsWithinBody(body, 400, headers), answers({ headers, body })),
    });
    try {
      const folder = here.fresh('case');
      const get = ['relation', 'get', id, '-o', 'json', '--columns', 'DisplayName', '--set', 'retries=1'];
      const env = { ...here.env, RELCTL_BASE_URL: server.url };
      const run = await relctl([...get, '--record', folder], { env });
      assert.deepEqual([run.code, JSON.parse(run.stdout)], [0, { DisplayName: 'Ada' }], run.stderr);
      assert.deepEqual(
        index(folder).map(({ number, answer }) => [number, answer?.status, answer?.bytes, answer?.complete]),
        [
          [1, 200, 400, false],
          [2, 200, Buffer.byteLength(body), true],
        ],
      );
      assert.equal(readFileSync(join(folder, '0001.answer.xml'), 'utf8'), body.slice(0, 400));
      assert.equal(readFileSync(join(folder, '0002.answer.xml'), 'utf8'), body);
      await served(folder, async (other) => {
        const once = await relctl([...get, '--set', 'retries=0'], { env: other });
        assert.notEqual(once.code, 0);
        assert.equal(once.stdout, '');
        const then = await relctl(get, { env: other });
        assert.deepEqual([then.code, then.stdout], [0, run.stdout], then.stderr);
      });
    } finally {
      await server.close();
    }
  });

  it('by several processes at a time has each call once, with its own answer', async () => {
    const folder = here.fresh('case');
    const lines = [
      ['relation', 'list', '-o', 'csv', '--page-size', '5'],
      ['relation', 'list', '-o', 'ndjson', '--page-size', '7'],
      ['relation', 'get', known.personId, '-o', 'json'],
    ];
    const runs = await Promise.all(
      lines.map((line) => relctlProcess([...line, '--record', folder], { env: here.env })),
    );
    assert.deepEqual(
      valuesOf(runs, 'code', 'stderr'),
      lines.map(() => [0, '']),
    );
    // 60 relations by 5 and by 7, and one more.
    assert.ok(answered(folder).length >= 12 + 9 + 1);
    await served(folder, async (env) => {
      for (const [at, line] of lines.entries()) {
        const { code, stdout, stderr } = await relctl(line, { env });
        assert.deepEqual([code, stdout], [0, runs[at]?.stdout], stderr);
      }
    });
  });

  it('is refused to be served when it is none, is damaged, or stands beside flags of the database', async () => {
    const start = (...args: readonly string[]): Promise<Run> => here.run(['sandbox', 'start', '--replay', ...args]);
    const empty = here.fresh('empty');
    mkdirSync(empty);
    assert.match((await start(empty)).stderr, /^Error: .* has no recording/);
    writeFileSync(join(empty, 'index.ndjson'), '{"number":"../x"}\n');
    assert.match((await start(empty)).stderr, /^Error: line 1 of .* is not a recorded call/);
    assert.match((await start(empty, '--seed', '2')).stderr, /^Error: --replay and --seed cannot be used together/);
  });
});
