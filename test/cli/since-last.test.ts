import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { place } from '../support/operations/place.js';
import { program, type Run } from '../support/relctl.js';

interface Bookmark {
  readonly Name: string;
  readonly ServerTime: string | null;
  readonly Rows: number;
  readonly Interrupted: boolean;
}

/** Something between the program and the sandbox that changes what answers say of time. */
async function clockBetween(url: string, dateOf: (date: string) => string | undefined): Promise<Server> {
  const server = createServer({ keepAlive: false }, (asked, answer) => {
    const onward = request(
      new URL(asked.url ?? '/', url),
      { method: asked.method, headers: { ...asked.headers, host: new URL(url).host } },
      (reply) => {
        const date = dateOf(reply.headers.date ?? '');
        answer.sendDate = false;
        answer.shouldKeepAlive = false;
        answer.writeHead(reply.statusCode ?? 500, {
          'Content-Type': reply.headers['content-type'] ?? '',
          ...(date === undefined ? {} : { Date: date }),
        });
        // The body may be packed.
        if (reply.headers['content-encoding'] !== undefined) throw new Error('unexpected coding');
        reply.pipe(answer);
      },
    );
    onward.removeHeader('accept-encoding');
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('A list since last time', function () {
  const here = place();
  let relationId = '';
  let activities: readonly string[] = [];
  let names = 0;
  /** Makes every change another one. */
  let turns = 1000;

  /** The arguments of a list of one job. */
  const list = (name: string, ...more: readonly string[]): readonly string[] => [
    ...['relation', 'activities', relationId, '--since-last', name, '-o', 'ndjson', ...more],
  ];
  const fresh = (): string => `job-${(names += 1)}`;
  const ids = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { Id: string }).Id]));
  const idsOf = ({ code, stdout, stderr }: Run): readonly string[] => {
    assert.deepEqual([code, stderr], [0, '']);
    return ids(stdout);
  };
  const bookmark = async (name: string): Promise<Bookmark> => here.json(['bookmark', 'show', name]);
  const file = (name: string): string => join(here.folder, 'state/relctl/bookmarks/local', `${name}.bookmark`);
  const touch = async (id: string): Promise<void> => {
    const { code, stderr } = await here.run([
      'activity',
      'update',
      id,
      '--reminder',
      String((turns += 1)),
      '--yes',
      '--quiet',
    ]);
    assert.equal(code, 0, stderr);
    // The service tells the time to the second: what changes in the second in which a run asks may come twice.
    for (const at = Date.now(); Math.floor(Date.now() / 1000) < Math.floor(at / 1000) + 2;) await pause(20);
  };
  const withFault = async (spec: string, work: () => Promise<void>): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const added = await fetch(`${here.url()}/faults`, { method: 'POST', headers, body: JSON.stringify({ spec }) });
    assert.equal(added.status, 201, spec);
    try {
      await work();
    } finally {
      await fetch(`${here.url()}/faults`, { method: 'DELETE' });
    }
  };

  before(() => {
    const [found] = here.rows(
      'SELECT r."ChildRelationId", count(DISTINCT a."Id") n FROM "PvActivityData" a JOIN "PvRelationshipData" r ON r."Id" IN (a."Settings_ParentRelationshipId", a."Settings_ChildRelationshipId") GROUP BY 1 ORDER BY n DESC LIMIT 1',
    );
    relationId = String(found?.[0]);
    activities = here
      .rows(
        'SELECT DISTINCT a."Id" FROM "PvActivityData" a JOIN "PvRelationshipData" r ON r."Id" IN (a."Settings_ParentRelationshipId", a."Settings_ChildRelationshipId") WHERE r."ChildRelationId" = ? AND a."ModifiedKey" <> \'\'',
        relationId,
      )
      .map(([id]) => String(id));
    assert.ok(activities.length >= 3, String(activities.length));
  });

  it('begins with --from, and from then on brings what changed exactly once', async () => {
    const name = fresh();
    const without = await here.run(list(name));
    assert.equal(without.code, 2);
    assert.match(without.stderr, /no bookmark .* yet[\s\S]*--from/);
    const first = idsOf(await here.run(list(name, '--from', '1900-01-01')));
    assert.deepEqual([...first].sort(), [...activities].sort());
    assert.deepEqual(idsOf(await here.run(list(name))), []);
    const [one = '', two = ''] = activities;
    await touch(one);
    assert.deepEqual(idsOf(await here.run(list(name))), [one]);
    await touch(two);
    // Both lie within the overlap: the one that did not change again is not told again.
    assert.deepEqual(idsOf(await here.run(list(name))), [two]);
    await touch(one);
    assert.deepEqual(idsOf(await here.run(list(name))), [one]);
    assert.deepEqual(idsOf(await here.run(list(name))), []);
  });

  it('is kept for its owner alone, in a file for each profile and name', async () => {
    const name = fresh();
    idsOf(await here.run(list(name, '--from', '-1d')));
    assert.equal(statSync(file(name)).mode & 0o777, 0o600);
    assert.equal(statSync(join(file(name), '..')).mode & 0o777, 0o700);
  });

  it('stays where it was when a run fails, and the next one catches up', async () => {
    const name = fresh();
    idsOf(await here.run(list(name, '--from', '1900-01-01')));
    const before = readFileSync(file(name));
    const [one = '', , three = ''] = activities;
    await touch(one);
    await withFault('status=503', async () => {
      assert.equal((await here.run(list(name, '--set', 'retries=0'))).code, 6);
    });
    assert.deepEqual(readFileSync(file(name)), before);
    await touch(three);
    assert.deepEqual([...idsOf(await here.run(list(name)))].sort(), [one, three].sort());
    assert.deepEqual(idsOf(await here.run(list(name))), []);
  });

  it('stays where it was when a run is killed, and another run takes over', async () => {
    const name = fresh();
    idsOf(await here.run(list(name, '--from', '1900-01-01')));
    const before = readFileSync(file(name));
    const [, two = ''] = activities;
    await touch(two);
    await withFault('latency=30s', async () => {
      const child = spawn(process.execPath, [program, ...list(name)], { env: here.env, stdio: 'ignore' });
      const lock = file(name).replace(/bookmark$/, 'lock');
      while (!existsSync(lock)) await new Promise((resolve) => setImmediate(resolve));
      const second = await here.run(list(name));
      assert.equal(second.code, 11, second.stderr);
      assert.match(second.stderr, new RegExp(`${name} is locked by process ${child.pid ?? 0} `));
      child.kill('SIGKILL');
      await once(child, 'close');
    });
    assert.deepEqual(readFileSync(file(name)), before);
    assert.deepEqual(idsOf(await here.run(list(name))), [two]);
  });

  it('stays where it was when the reader of stdout goes away', async () => {
    const name = fresh();
    idsOf(await here.run(list(name, '--from', '-1h')));
    const { ServerTime } = await bookmark(name);
    const child = spawn(process.execPath, [program, ...list(name), '-o', 'csv'], {
      env: here.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.destroy();
    await once(child, 'close');
    assert.equal((await bookmark(name)).ServerTime, ServerTime);
  });

  it('goes on with an interrupted export in the same window, and drops nothing and repeats nothing', async () => {
    const name = fresh();
    const target = here.fresh('since.ndjson');
    const args = list(name, '--output-file', target, '--page-size', '1', '--concurrency', '1', '--set', 'retries=0');
    const begun = [...args, '--from', '1900-01-01'];
    await withFault('status=503;after=2', async () => {
      assert.equal((await here.run(begun)).code, 8);
    });
    assert.ok(!existsSync(file(name)));
    const [one = ''] = activities;
    await touch(one);
    const traces = [here.fresh('trace'), here.fresh('trace')] as const;
    const resumed = await here.run([...begun, '--resume', `--trace=${traces[0]}`]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual([...new Set(ids(readFileSync(target, 'utf8')))].sort(), [...activities].sort());
    assert.match(readFileSync(traces[0], 'utf8'), /<from>1900-01-01T00:00:00\+00:00</);
    // What was written before it changed comes again, and once.
    const after = idsOf(await here.run(list(name, `--trace=${traces[1]}`)));
    assert.ok(after.length <= 1 && (after[0] ?? one) === one, after.join());
    const told = [...ids(readFileSync(target, 'utf8')), ...after];
    assert.ok(told.includes(one));
    assert.deepEqual(idsOf(await here.run(list(name))), []);
  });

  it('goes on with the window of then when the bookmark exists, whatever time it is now', async () => {
    const name = fresh();
    assert.equal((await here.run(list(name, '--from', '1900-01-01'))).code, 0);
    assert.equal((await here.run(['bookmark', 'set', name, '1900-01-02'])).code, 0);
    const target = here.fresh('again.ndjson');
    const args = list(name, '--output-file', target, '--page-size', '1', '--concurrency', '1', '--set', 'retries=0');
    await withFault('status=503;after=2', async () => {
      assert.equal((await here.run(args)).code, 8);
    });
    assert.equal((await bookmark(name)).Interrupted, true);
    const other = await here.run([...args, '--resume', '--include-fields']);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /another job: parameter includeFields was false, is true/);
    assert.equal((await here.run([...args, '--resume', '--overlap', '3m'])).code, 0);
    assert.deepEqual([...ids(readFileSync(target, 'utf8'))].sort(), [...activities].sort());
    assert.equal((await bookmark(name)).Interrupted, false);
    assert.deepEqual(idsOf(await here.run(list(name))), []);
  });

  it('reads all again for a file whose run another one has followed: what changed between the two would be lost', async () => {
    const name = fresh();
    const [first, second] = [here.fresh('first.ndjson'), here.fresh('second.ndjson')];
    const to = (target: string): readonly string[] => [
      ...list(name, '--output-file', target, '--from', '1900-01-01', '--page-size', '1'),
      ...['--set', 'retries=0', '--resume'],
    ];
    await withFault('status=503;after=2', async () => {
      assert.equal((await here.run(to(first))).code, 8);
    });
    await withFault('status=503;after=1', async () => {
      assert.equal((await here.run(to(second))).code, 8);
    });
    const trace = here.fresh('trace');
    const again = await here.run([...to(first), `--trace=${trace}`]);
    assert.equal(again.code, 0, again.stderr);
    assert.match(
      again.stderr,
      /what the interrupted run of \S+ remembered is gone, or of another window: all of it is read/,
    );
    assert.match(readFileSync(trace, 'utf8'), /<pageNumber>1</);
    assert.deepEqual([...ids(readFileSync(first, 'utf8'))].sort(), [...activities].sort());
    // The other one has nothing left to go on with either: the bookmark has moved.
    const other = await here.run(to(second).filter((word) => word !== '--from' && word !== '1900-01-01'));
    assert.equal(other.code, 0, other.stderr);
    assert.equal(readFileSync(second, 'utf8'), '');
  });

  it('refuses a job of other parameters by what differs, and flags that leave the window no room', async () => {
    const name = fresh();
    idsOf(await here.run(list(name, '--from', '-1h')));
    const refused = async (more: readonly string[], says: RegExp): Promise<void> => {
      const { code, stderr, stdout } = await here.run(list(name, ...more));
      assert.deepEqual([code, stdout], [2, ''], more.join(' '));
      assert.match(stderr, says);
    };
    await refused(
      ['--workflow', '00000000-0030-4000-8000-000000000001'],
      /parameter workflowIds was nothing, is \[\\?"0{8}-0030/,
    );
    await refused(['--from', '-1d'], /--from is for a first run/);
    for (const [flag, value] of [
      ['--to', 'now'],
      ['--limit', '1'],
      ['--page', '1'],
    ] as const)
      await refused([flag, value], new RegExp(`--since-last and ${flag} exclude`));
    await refused(['--overlap', 'long'], /--overlap takes a length of time/);
    await refused(['--legacy'], /exclude each other/);
    const search = ['activity', 'search', '--entity-type', '00000000-0040-4000-8000-000000000011'];
    const bare = await here.run([...search, '--since-last', name]);
    assert.match(bare.stderr, /--since-last needs --date-field/);
    const alone = await here.run(['relation', 'activities', relationId, '--overlap', '5m']);
    assert.match(alone.stderr, /--overlap is for --since-last/);
    const snapshot = await here.run(['product', 'list', '--changes-since', name]);
    assert.match(snapshot.stderr, /is used by --since-last already/);
    const unnamed = await here.run(list('../etc', '--from', 'now'));
    assert.equal(unnamed.code, 2);
  });

  it('prints the window that would be asked for with --envelope, and moves nothing', async () => {
    const name = fresh();
    const { code, stdout } = await here.run(list(name, '--from', '2024-01-01', '--envelope'));
    assert.equal(code, 0);
    assert.match(stdout, /<from>2024-01-01T00:00:00\+00:00<\/from>\s*<to>2079-01-01T00:00:00</);
    assert.ok(!existsSync(file(name)));
  });

  it('goes by the clock of the service: looks back by the overlap, and tells of a clock that is off', async () => {
    const at = new Date(Date.now() + 7_200_000).toUTCString();
    const server = await clockBetween(here.url(), () => at);
    const env = { RELCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const name = fresh();
    const first = await here.run(list(name, '--from', '-1h', '-q'), { env });
    assert.equal(first.code, 0, first.stderr);
    const { ServerTime } = await bookmark(name);
    const behindMs = Date.parse(at) - Date.parse(ServerTime ?? '');
    assert.ok(behindMs >= 0 && behindMs < 30_000, String(ServerTime));
    const second = await here.run(list(name, '--overlap', '1h', '--envelope'), { env });
    const from = /<from>(.*)<\/from>/.exec(second.stdout)?.[1] ?? '';
    assert.equal(Date.parse(from), Date.parse(ServerTime ?? '') - 3_600_000);
    const third = await here.run(
      ['relation', 'marks', relationId, '--since-last', fresh(), '--from', '-1h', '-o', 'csv'],
      { env },
    );
    assert.match(third.stderr, /clock of this machine is 7\d\d\d s behind the service's/);
    server.closeAllConnections();
    server.close();
    // The clock of then was ahead: now it seems to have been set back.
    const back = await here.run(list(name));
    assert.equal(back.code, 2, 'another address is another service');
    assert.match(back.stderr, /service was http/);
  });

  it('writes nothing and stays where it was when the service tells no time, or one before a bookmark set by hand', async () => {
    let dateOf = (date: string): string | undefined => date;
    const server = await clockBetween(here.url(), (date) => dateOf(date));
    const env = { RELCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const name = fresh();
    assert.equal((await here.run(list(name, '--from', '1900-01-01', '-q'), { env })).code, 0);
    const before = readFileSync(file(name));
    dateOf = () => undefined;
    const silent = await here.run(list(name, '-q'), { env });
    assert.deepEqual([silent.code, silent.stdout], [7, '']);
    assert.match(silent.stderr, /no Date header, so the bookmark stays where it is/);
    assert.deepEqual(readFileSync(file(name)), before);
    assert.equal((await here.run(['bookmark', 'set', name, '-1m'])).code, 0);
    const set = readFileSync(file(name));
    dateOf = (date) => new Date(Date.parse(date) - 86_400_000).toUTCString();
    const back = await here.run(list(name, '-q'), { env });
    assert.deepEqual([back.code, back.stdout], [7, '']);
    assert.match(back.stderr, /is before the bookmark/);
    assert.deepEqual(readFileSync(file(name)), set);
    server.closeAllConnections();
    server.close();
  });

  it('begins its window earlier when the clock of the service was set back since the run before', async () => {
    let backMs = 0;
    const server = await clockBetween(here.url(), (date) => new Date(Date.parse(date) - backMs).toUTCString());
    const env = { RELCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const name = fresh();
    const before = Date.now();
    assert.equal((await here.run(list(name, '--from', '1900-01-01', '-q'), { env })).code, 0);
    backMs = 86_400_000;
    const trace = here.fresh('trace');
    const target = here.fresh('back.ndjson');
    const back = await here.run(list(name, `--trace=${trace}`, '--output-file', target, '--meta'), { env });
    assert.equal(back.code, 0, back.stderr);
    assert.match(
      back.stderr,
      /clock was set back by (?:86399|8640\d) s since the run before, or this machine's forward/,
    );
    const meta = JSON.parse(readFileSync(`${target}.meta.json`, 'utf8')) as { readonly parameters: { from: string } };
    const begun = Date.parse(meta.parameters.from);
    assert.ok(Math.abs(begun - (before - 86_400_000 - 600_000)) < 30_000, meta.parameters.from);
    // From then on it goes by the clock as it is.
    const next = await here.run(list(name, '--envelope'), { env });
    const from = Date.parse(/<from>(.*)<\/from>/.exec(next.stdout)?.[1] ?? '');
    assert.ok(Math.abs(from - begun) < 60_000, next.stdout);
    server.closeAllConnections();
    server.close();
  });

  it('leaves a damaged bookmark as it is, which can then be taken away', async () => {
    const name = fresh();
    idsOf(await here.run(list(name, '--from', '-1h')));
    const bytes = readFileSync(file(name));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(file(name), bytes);
    const { code, stderr } = await here.run(list(name));
    assert.equal(code, 10);
    assert.match(stderr, /is damaged; it was left as it is/);
    assert.deepEqual(readFileSync(file(name)), bytes);
    assert.equal((await here.run(['bookmark', 'remove', name])).code, 0);
    assert.ok(!existsSync(file(name)));
  });

  it('works for marks and for a search by a date field', async () => {
    const marked = '00000000-0000-4000-8000-000000000102';
    const marks = ['relation', 'marks', marked, '--since-last', fresh(), '-o', 'ndjson'];
    const first = idsOf(await here.run([...marks, '--from', '1900-01-01']));
    const all = await here.json<readonly { Id: string }[]>(['relation', 'marks', marked]);
    assert.ok(first.length > 0);
    assert.deepEqual(
      first,
      all.map(({ Id }) => Id),
    );
    const again = await here.run(marks);
    assert.deepEqual([idsOf(again), again.stderr], [[], '']);
    const search = [
      'activity',
      'search',
      '--entity-type',
      '00000000-0040-4000-8000-000000000011',
      '--workflow',
      '00000000-0030-4000-8000-000000000001',
      '--date-field',
      'Deadline',
    ];
    const since = [...search, '--since-last', fresh(), '-o', 'ndjson'];
    const found = idsOf(await here.run([...since, '--from', '1900-01-01']));
    assert.ok(found.length > 0);
    // Deadlines ahead of the bookmark are found each time, and told once.
    assert.deepEqual(idsOf(await here.run(since)), []);
  });
});

describe('The bookmark commands', function () {
  const here = place();
  const list = [
    'relation',
    'activities',
    '00000000-0000-4000-8000-000000000102',
    '--since-last',
    'nightly',
    '-o',
    'csv',
  ];

  it('list, show, set and remove what runs left', async () => {
    assert.deepEqual(await here.json(['bookmark', 'list']), []);
    assert.equal((await here.run([...list, '--from', '1900-01-01'])).code, 0);
    assert.equal((await here.run(['product', 'list', '--changes-since', 'prices', '-o', 'csv'])).code, 0);
    const lines = await here.json<readonly Bookmark[]>(['bookmark', 'list']);
    assert.deepEqual(
      lines.map(({ Name }) => Name),
      ['nightly', 'prices'],
    );
    const csv = await here.run([
      'bookmark',
      'list',
      '--profile',
      'local',
      '-o',
      'csv',
      '--columns',
      'Name,Kind,Operation',
    ]);
    assert.equal(
      csv.stdout,
      'Name,Kind,Operation\nnightly,since-last,RelationGetActivitiesModified_V2\nprices,changes-since,ProductGetAll_V2\n',
    );
    assert.equal((await here.run(['bookmark', 'set', 'nightly', '2026-01-31T09:30+01:00'])).code, 0);
    const shown = await here.json<Bookmark>(['bookmark', 'show', 'nightly']);
    assert.deepEqual([shown.ServerTime, shown.Rows], ['2026-01-31T08:30:00Z', 0]);
    const dry = await here.run([...list, '--envelope']);
    assert.match(dry.stdout, /<from>2026-01-31T08:20:00Z</);
    assert.equal((await here.run(['bookmark', 'remove', 'nightly'])).code, 0);
    assert.equal((await here.run(list)).code, 2);
  });

  it('make a bookmark before its first run, which fits the first job that takes it', async () => {
    assert.equal((await here.run(['bookmark', 'set', 'early', '-2h'])).code, 0);
    const early = list.map((word) => (word === 'nightly' ? 'early' : word));
    assert.equal((await here.run(early)).code, 0);
    const other = await here.run([...early, '--include-counters']);
    assert.match(other.stderr, /early belongs to another job: parameter includeCounters was false, is true/);
  });

  it('refuse what they do not know, by name', async () => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['show', 'price'], 2, /no bookmark 'price'[\s\S]*bookmark show prices/],
      [['remove', 'nothing-like-it'], 2, /no bookmark 'nothing-like-it'/],
      [['set', 'prices', 'now'], 2, /prices is a snapshot/],
      [['set', 'early', 'soon'], 2, /TIME is a time such as/],
      [['set', '../x', 'now'], 2, /NAME is made of letters/],
      [['show', 'early', '--profile', 'nobody'], 2, /no bookmark 'early' in profile 'nobody'/],
    ];
    for (const [args, code, says] of cases) {
      const run = await here.run(['bookmark', ...args]);
      assert.equal(run.code, code, args.join(' '));
      assert.match(run.stderr, says);
    }
  });
});
