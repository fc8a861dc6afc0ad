import assert from 'node:assert/strict';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';
import {
  faultyPlace,
  hear,
  page,
  relation,
  type Asking,
  type FaultyPlace,
  type Heard,
} from '../../support/sandbox/faults/place.js';

const json = { 'content-type': 'application/json' };
const at = (path: string, asking: Asking = {}): Asking => ({ path, ...asking });
const values = ({ text }: Heard): unknown => JSON.parse(text);

describe('The fault plan over HTTP', () => {
  let place: FaultyPlace;
  before(async () => {
    place = await faultyPlace(12);
  });
  after(() => place.close());
  beforeEach(() => place.plan.clear());

  const ask = (asking: Asking): Promise<Heard> => hear(place.port, asking);
  const add = (spec: string): Promise<Heard> => ask(at('/faults', { headers: json, body: JSON.stringify({ spec }) }));

  it('lists, adds and takes away lines, with what they counted', async () => {
    const added = await add('status=503;every=2');
    const { id } = values(added) as { id: number };
    assert.deepEqual([added.status, added.headers.location], [201, `/faults/${id}`]);
    assert.deepEqual([(await ask(page(1))).status, (await ask(page(1))).status], [200, 503]);
    const line = { id, spec: 'status=503;every=2', calls: 2, befallen: 1 };
    assert.deepEqual(values(await ask(at('/faults', { method: 'GET' }))), { faults: [line] });
    assert.deepEqual(values(await ask(at(`/faults/${id}`, { method: 'GET' }))), line);
    assert.deepEqual(values(await ask(at(`/faults/${id}`, { method: 'DELETE' }))), line);
    assert.equal((await ask(at(`/faults/${id}`, { method: 'DELETE' }))).status, 404);
    await add('bom');
    assert.deepEqual(values(await ask(at('/faults', { method: 'DELETE' }))), { faults: [] });
    assert.equal((await ask(page(1))).status, 200);
  });

  it('refuses a request that is longer than any line, before it is looked at', async () => {
    const body = (length: number): string => JSON.stringify({ spec: 'bom' }).padEnd(length);
    assert.equal((await ask(at('/faults', { headers: json, body: body(65_536) }))).status, 201);
    const heard = await ask(at('/faults', { headers: json, body: body(65_537) }));
    assert.equal(heard.status, 413);
    assert.deepEqual(values(heard), {
      error: { message: 'A request for a line of the plan can have at most 65536 bytes.' },
    });
  });

  it('refuses a line that cannot be read, by name', async () => {
    const heard = await add('lattency=2ms');
    assert.equal(heard.status, 400);
    assert.deepEqual(values(heard), {
      error: {
        message: "fault plan: there is no fault 'lattency'; did you mean 'latency'?",
        code: 'fault-unknown',
        hint: "relctl sandbox start --fault 'latency=200ms;operation=RelationGetAll'",
      },
    });
    assert.ok(place.plan.isEmpty);
  });

  const bodies: readonly (readonly [title: string, asking: Asking])[] = [
    ['another type', { headers: { 'content-type': 'text/plain' }, body: '{"spec":"bom"}' }],
    ['no JSON', { headers: json, body: 'bom' }],
    ['no object', { headers: json, body: '"bom"' }],
    ['null', { headers: json, body: 'null' }],
    ['a number for a line', { headers: json, body: '{"spec":1}' }],
    ['nothing', { headers: json }],
  ];
  for (const [title, asking] of bodies) {
    it(`refuses a body of ${title}`, async () => {
      assert.equal((await ask(at('/faults', asking))).status, 400);
      assert.ok(place.plan.isEmpty);
    });
  }

  it('answers 405 to other methods, and 404 to other paths', async () => {
    const put = await ask(at('/faults', { method: 'PUT', headers: json, body: '{"spec":"bom"}' }));
    assert.deepEqual([put.status, put.headers.allow], [405, 'GET, POST, DELETE']);
    assert.equal((await ask(at('/faults/1/x', { method: 'GET' }))).status, 404);
    assert.equal((await ask(at('/faults/x', { method: 'DELETE' }))).status, 405);
  });

  for (const [title, headers] of [
    ['another Host', { host: 'evil.example' }],
    ['another Origin', { origin: 'http://evil.example' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ] as const) {
    it(`refuses ${title}, as the service does`, async () => {
      place.plan.add('bom');
      const added = await ask(at('/faults', { headers: { ...json, ...headers }, body: '{"spec":"bom"}' }));
      const cleared = await ask(at('/faults', { method: 'DELETE', headers }));
      assert.deepEqual([added.status, cleared.status, place.plan.lines().length], [403, 403, 1]);
    });
  }
});

describe('The header of a request', () => {
  let place: FaultyPlace;
  before(async () => {
    place = await faultyPlace(12);
  });
  after(() => place.close());

  it('befalls its own request, and no other', async () => {
    assert.equal((await place.with('html=502,title="Bad Gateway"', page(1))).status, 502);
    assert.equal((await place.under([], page(1))).status, 200);
  });

  it('adds to the plan', async () => {
    const asking = relation();
    const both = { ...asking, headers: { ...asking.headers, 'x-sandbox-fault': 'bom' } };
    const heard = await place.under(['latency=30ms'], both);
    assert.ok(heard.ms >= 30 && heard.text.startsWith('\ufeff'));
  });

  it('is answered by 400 and a sentence when it cannot be read', async () => {
    const heard = await place.with('bum', page(1));
    assert.equal(heard.status, 400);
    assert.equal(
      heard.text,
      "fault plan: there is no fault 'bum'; did you mean 'bom'?\nTry: relctl sandbox start --fault 'bom'\n",
    );
  });

  it('counts for nothing, as the path does, where no plan is served', async () => {
    const sandbox = await temporarySandbox(5);
    const server = await serveSandbox(sandbox);
    const asking = page(1);
    const heard = await hear(server.port, { ...asking, headers: { ...asking.headers, 'x-sandbox-fault': 'bum' } });
    assert.equal(heard.status, 200);
    assert.equal((await hear(server.port, at('/faults', { method: 'GET' }))).status, 404);
    assert.equal((await hear(server.port, at('/faults', { method: 'DELETE' }))).status, 405);
    await server.close();
    sandbox.close();
  });
});
