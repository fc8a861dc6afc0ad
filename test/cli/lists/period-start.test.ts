import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

/** What a service says that hands the time on to a database that cannot hold it. */
const overflow = `<?xml version="1.0"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">SqlDateTime overflow. Must be between 1/1/1753 12:00:00 AM and 12/31/9999 11:59:59 PM.</soap:Text></soap:Reason></soap:Fault></soap:Body></soap:Envelope>`;

/** A service before the sandbox that refuses what is before a year; tells where each period began that it was asked for. */
async function databaseOf(url: string, year: number, begins: string[]): Promise<Server> {
  const server = createServer((asked, answer) => {
    void text(asked).then((body) => {
      const from = /<from>(.*?)<\/from>/.exec(body)?.[1] ?? '';
      begins.push(from);
      if (Number(from.slice(0, 4)) < year) {
        answer.writeHead(500, { 'Content-Type': 'application/soap+xml; charset=utf-8' }).end(overflow);
        return;
      }
      const headers = { ...asked.headers, host: new URL(url).host };
      const onward = request(new URL(asked.url ?? '/', url), { method: asked.method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      });
      onward.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('A period without a beginning', function () {
  const here = place();
  const begins: string[] = [];
  let server: Server | undefined;
  let relationId = '';
  let unchanged: readonly string[] = [];
  const narrow = (): { readonly RELCTL_BASE_URL: string } => {
    const { port } = server?.address() as AddressInfo;
    return { RELCTL_BASE_URL: `http://127.0.0.1:${port}` };
  };
  const idsIn = (json: string): readonly string[] => (JSON.parse(json) as { Id: string }[]).map(({ Id }) => Id);
  const other = "RELCTL_BASE_URL overrides profile 'local'";
  const line =
    'the service refuses a period from 0001-01-01: relctl read from 1753-01-01; records that never changed may be missing';
  const said = `Note: ${other}\nNote: ${line}\n`;

  before(async () => {
    const [found] = here.rows(
      'SELECT r."ChildRelationId", count(DISTINCT a."Id") n FROM "PvActivityData" a JOIN "PvRelationshipData" r ON r."Id" IN (a."Settings_ParentRelationshipId", a."Settings_ChildRelationshipId") GROUP BY 1 ORDER BY n DESC LIMIT 1',
    );
    relationId = String(found?.[0]);
    const ofRelation = `SELECT a."Id" FROM "PvActivityData" a JOIN "PvRelationshipData" r ON r."Id" IN (a."Settings_ParentRelationshipId", a."Settings_ChildRelationshipId") WHERE r."ChildRelationId" = '${relationId}'`;
    unchanged = here.rows(`${ofRelation} LIMIT 1`).map(([id]) => String(id));
    here.execute(
      `UPDATE "PvActivityData" SET "ModifiedKey" = '0001-01-01T00:00:00.0000000Z' WHERE "Id" = '${String(unchanged[0])}'`,
    );
    server = await databaseOf(here.url(), 1753, begins);
  });
  beforeEach(() => begins.splice(0));
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('begins with year 1, in any time zone: an activity that was never changed is in the list', async () => {
    for (const TZ of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      const { code, stdout, stderr } = await here.run(['relation', 'activities', relationId, '-o', 'json'], {
        env: { TZ },
      });
      assert.deepEqual([code, stderr], [0, '']);
      assert.ok(idsIn(stdout).includes(String(unchanged[0])), TZ);
      const { stdout: byHand } = await here.run(
        ['relation', 'activities', relationId, '--from', '0001-01-01', '-o', 'json'],
        { env: { TZ } },
      );
      assert.deepEqual(idsIn(byHand), idsIn(stdout), TZ);
    }
    const dry = await here.run(['relation', 'activities', relationId, '--envelope']);
    assert.match(dry.stdout, /<from>0001-01-01T00:00:00<\/from>/);
  });

  it('begins where datetime begins when the service refuses year 1, and stderr says so', async () => {
    const list = ['relation', 'activities', relationId, '-o', 'json', '--page-size', '1'];
    const { stdout, stderr } = await ends(here.run(list, { env: narrow() }), 0);
    assert.deepEqual(JSON.parse(stderr), { notes: [other, line] });
    const wanted = await here.json<readonly { readonly Id: string }[]>([...list.slice(0, 3), '--from', '1753-01-01']);
    assert.deepEqual(
      idsIn(stdout),
      wanted.map(({ Id }) => Id),
    );
    // One call is refused, no more.
    assert.equal(begins[0], '0001-01-01T00:00:00');
    assert.deepEqual([...new Set(begins.slice(1))], ['1753-01-01T00:00:00']);
    const marks = await here.run(['relation', 'marks', relationId, '-o', 'csv'], { env: narrow() });
    const ofRelation = /^Note: Relation is not in the output.*\n/m;
    assert.deepEqual([marks.code, marks.stderr.replace(ofRelation, '')], [0, said]);
  });

  it('is told in the claim of an export, also of one that was resumed', async () => {
    const file = here.fresh('all.csv');
    const list = ['relation', 'activities', relationId, '--output-file', file, '--meta', '--page-size', '1'];
    const once = [...list, '--set', 'retries=0', '--concurrency', '1'];
    await here.fault('status=503;after=2');
    assert.equal((await here.run(once, { env: narrow() })).code, 8);
    await here.calm();
    await ends(here.run([...once, '--resume'], { env: narrow() }), 0, said);
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as { readonly parameters: { from: string } };
    assert.equal(meta.parameters.from, '1753-01-01T00:00:00');
  });

  it('is learned once for all relations of --ids', async () => {
    const file = here.fresh('ids.txt');
    const some = here.rows('SELECT "Id" FROM "PvRelationData" LIMIT 4').map(([id]) => `${String(id)}\n`);
    writeFileSync(file, some.join(''));
    const args = ['relation', 'activities', '--ids', file, '--concurrency', '1', '-o', 'csv'];
    await ends(here.run(args, { env: narrow() }), 0, said);
    assert.equal(begins.filter((from) => from.startsWith('0001')).length, 1);
  });

  it('that was given is not moved, and what is refused otherwise is told as it came', async () => {
    const given = await here.run(['relation', 'activities', relationId, '--from', '0001-01-01'], { env: narrow() });
    assert.equal(given.code, 4);
    assert.match(given.stderr, /SqlDateTime overflow/);
    const unknown = await ends(here.run(['relation', 'activities', '00000000-0000-4000-8000-0000000009ff']), 5);
    assert.doesNotMatch(unknown.stderr, /1753/);
  });
});
