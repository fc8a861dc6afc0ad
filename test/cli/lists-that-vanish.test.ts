import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { place } from '../support/operations/place.js';
import { answers, brokenServer, type BrokenServer } from '../support/broken-server.js';
import type { Run } from '../support/relctl.js';
import { envelope, namespace } from '../support/soap-answers.js';

const activityId = (row: number): string => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;

/** What stands in the place of a list in an answer: .asmx services answer like that when they caught an exception. */
const odd: Readonly<Record<string, (list: string) => string>> = {
  'no list': () => '',
  'text in its place': (list) => `<${list}>Object reference not set</${list}>`,
  'nil records': (list) => `<${list}><X xsi:nil="true" /><X xsi:nil="true" /></${list}>`,
  'an error instead': () => '<Error><Message>Timeout expired</Message></Error>',
};

describe('A list that vanishes or moves', function () {
  this.timeout(60_000);
  const here = place();
  /** Ids of the rows that the service has, and what its answers hold instead where that is not undefined. */
  let rows: readonly number[] = [];
  let instead: ((list: string) => string) | undefined;
  /** How often the first row goes to the end when the first page was answered, as a changed one does in a list by change. */
  let moves = 0;
  /** When all rows changed: within the overlap, and before any bookmark of these tests. */
  let changedMs = 0;
  let server: BrokenServer | undefined;

  const lists: Readonly<Record<string, readonly [list: string, record: (row: number) => string]>> = {
    RelationGetAll: [
      'Relations',
      (row) => `<PvRelationData><Id>${activityId(row)}</Id><DisplayName>Row ${row}</DisplayName></PvRelationData>`,
    ],
    ProductGetAll_V2: ['Products', (row) => `<PvProductData><Id>${activityId(row)}</Id></PvProductData>`],
    RelationGetActivitiesModified_V2: [
      'Activities',
      (row) => `<PvActivityData><Id>${activityId(row)}</Id></PvActivityData>`,
    ],
    RelationGetMarksModified: [
      'RelationshipMarks',
      (row) => `<PvRelationshipMarkData><Id>${activityId(row)}</Id></PvRelationshipMarkData>`,
    ],
  };

  const answerTo = (body: string): ReturnType<typeof envelope> => {
    const operation = /<(?:\w+:)?Body[^>]*>\s*<(\w+)/.exec(body)?.[1] ?? '';
    const [list, record] = lists[operation] ?? ['', () => ''];
    const size = Number(/<pageSize>(\d+)</.exec(body)?.[1] ?? rows.length);
    const page = Number(/<pageNumber>(\d+)</.exec(body)?.[1] ?? 1);
    const from = Date.parse(/<from>([^<]*)</.exec(body)?.[1] ?? '');
    const shown = from > changedMs ? [] : rows.slice(Math.max(0, page - 1) * size, page * size);
    if (page === 1 && moves > 0) {
      moves -= 1;
      rows = [...rows.slice(1), ...rows.slice(0, 1)];
    }
    const relation = operation === 'RelationGetMarksModified' ? `<Relation><Id>${activityId(1)}</Id></Relation>` : '';
    const content = instead?.(list) ?? `<${list}>${shown.map(record).join('')}</${list}>`;
    return envelope(
      '1.2',
      `<${operation}Response xmlns="${namespace}"><${operation}Result>${relation}${content}</${operation}Result></${operation}Response>`,
    );
  };

  before(async () => {
    // Files are loaded long before their tests run.
    changedMs = Date.now() - 300_000;
    server = await brokenServer({
      answer: (socket, { body }) => {
        const { headers = {}, ...rest } = answerTo(body.toString());
        return answers({ ...rest, headers: { ...headers, Date: new Date().toUTCString() } })(socket, {} as never);
      },
    });
  });
  beforeEach(() => {
    instead = undefined;
  });
  after(() => server?.close());

  const run = (...args: readonly string[]): Promise<Run> =>
    here.run([...args, '-o', 'ndjson', '-q', '--set', 'retries=0'], { env: { RELCTL_BASE_URL: server?.url ?? '' } });
  const kept = (name: string): string => join(here.folder, 'state/relctl/bookmarks/local', `${name}.bookmark`);
  const activities = ['relation', 'activities', activityId(1), '--since-last'];
  const marks = ['relation', 'marks', activityId(1), '--since-last'];
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, row) => row + 1);

  for (const [what, content] of Object.entries(odd)) {
    it(`ends --since-last with 7 and leaves the bookmark when the first answer has ${what}`, async () => {
      for (const [index, list] of [activities, marks].entries()) {
        rows = upTo(40);
        const name = `since-${Object.keys(odd).indexOf(what)}-${index}`;
        assert.equal((await run(...list, name, '--from', '2020-01-01')).code, 0);
        const before = readFileSync(kept(name));
        instead = content;
        const lost = await run(...list, name);
        assert.deepEqual([lost.code, lost.stdout], [7, ''], lost.stderr);
        assert.deepEqual(readFileSync(kept(name)), before);
        instead = undefined;
        rows = upTo(41);
        const next = await run(...list, name);
        assert.ok(next.stdout.includes(activityId(41)), next.stderr);
      }
    });

    it(`ends --changes-since with 7, calls nothing gone and leaves the snapshot when the answer has ${what}`, async () => {
      for (const command of ['relation', 'product']) {
        rows = upTo(300);
        const name = `changes-${Object.keys(odd).indexOf(what)}-${command}`;
        const list = [command, 'list', '--changes-since', name];
        assert.equal((await run(...list)).code, 0);
        const before = readFileSync(kept(name));
        instead = content;
        const lost = await run(...list);
        assert.deepEqual([lost.code, lost.stdout], [7, ''], lost.stderr);
        assert.deepEqual(readFileSync(kept(name)), before);
        instead = undefined;
      }
    });
  }

  it('that moves while --since-last reads it is read again: the row that slid is written, and --meta says so', async () => {
    rows = upTo(5);
    moves = 1;
    const file = here.fresh('moved.ndjson');
    const args = ['--from', '2020-01-01', '--page-size', '2', '--concurrency', '4', '--output-file', file, '--meta'];
    const { code, stderr } = await here.run([...activities, 'moves', ...args, '-o', 'ndjson'], {
      env: { RELCTL_BASE_URL: server?.url ?? '' },
    });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /activities moved while the list was read; it was read 2 times, the last time at rest/);
    const ids = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      ids.map((line) => Number((JSON.parse(line) as { Id: string }).Id.slice(-2))),
      [1, 2, 4, 5, 3],
    );
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as Record<string, unknown>;
    assert.deepEqual([meta['mode'], meta['rows']], ['read 2 times, because rows moved; the last time none did', 5]);
    const next = await run(...activities, 'moves');
    assert.deepEqual([next.code, next.stdout], [0, '']);
  });

  it('that moves each time --since-last reads it is written, and the next window begins where this one did', async () => {
    rows = upTo(5);
    const from = async (): Promise<string | undefined> =>
      /<from>(.*)<\/from>/.exec((await run(...activities, 'restless', '--envelope')).stdout)?.[1];
    assert.equal((await run(...activities, 'restless', '--from', '2020-01-01')).code, 0);
    const before = await from();
    moves = 10;
    const list = await here.run([...activities, 'restless', '--page-size', '2'], {
      env: { RELCTL_BASE_URL: server?.url ?? '' },
    });
    moves = 0;
    assert.equal(list.code, 0, list.stderr);
    assert.match(
      list.stderr,
      /moved each of the 3 times that the list was read: the next run begins where this one did/,
    );
    // The clock of the service is known to some milliseconds: never later than before, and not a second earlier.
    const earlierMs = Date.parse(before ?? '') - Date.parse((await from()) ?? '');
    assert.ok(earlierMs >= 0 && earlierMs < 1000, `${earlierMs} ms earlier`);
    // The service tells its clock in whole seconds.
    await passed(1100);
    assert.equal((await run(...activities, 'restless')).stdout, '', 'what was written does not come again');
    assert.notEqual(await from(), before);
  });

  it('is not called gone when more than half of it is missing, and --max-shrink allows it', async () => {
    for (const command of ['relation', 'product']) {
      rows = upTo(500);
      const list = [command, 'list', '--changes-since', `shrunk-${command}`];
      assert.equal((await run(...list)).code, 0);
      const before = readFileSync(kept(`shrunk-${command}`));
      rows = upTo(200);
      const file = here.fresh('gone.ndjson');
      const refused = await run(...list, '--output-file', file);
      assert.equal(refused.code, 8, refused.stderr);
      assert.match(
        refused.stderr,
        /the list has 200 of the records of before, and the snapshot shrunk-\w+ had 500: 60 % fewer/,
      );
      assert.match(refused.stderr, /--max-shrink 60/);
      assert.ok(!existsSync(file) && !refused.stdout.includes('gone'));
      assert.deepEqual(readFileSync(kept(`shrunk-${command}`)), before);
      // A list that only changed its records is another one as well.
      rows = upTo(500).map((row) => row + 300);
      assert.equal((await run(...list)).code, 8);
      rows = upTo(200);
      const allowed = await run(...list, '--max-shrink', '60', '--output-file', file);
      assert.equal(allowed.code, 0, allowed.stderr);
      const gone = readFileSync(file, 'utf8').trimEnd().split('\n');
      assert.deepEqual([gone.length, gone.every((line) => line.includes('"_change":"gone"'))], [300, true]);
      assert.equal((await run(...list, '--max-shrink', '0')).code, 0);
    }
  });

  it('may lose what the rule for small lists allows, and no more than --max-shrink says', async () => {
    rows = upTo(10);
    const list = ['relation', 'list', '--changes-since', 'small'];
    assert.equal((await run(...list)).code, 0);
    rows = upTo(8);
    const refused = await run(...list, '--max-shrink', '10');
    assert.deepEqual([refused.code, /--max-shrink 20/.test(refused.stderr)], [8, true]);
    rows = upTo(1);
    const taken = await run(...list);
    assert.deepEqual([taken.code, taken.stdout.trimEnd().split('\n').length], [0, 9]);
  });
});
