import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { operations } from '../../src/contract/service.js';
import { fillStore } from '../../src/sandbox/dataset/fill.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { FaultPlan } from '../../src/sandbox/faults/plan.js';
import { execute } from '../../src/sandbox/invoke.js';
import { openSandbox, serveSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { openSecondThread, type SecondThread } from '../../src/sandbox/second-thread/second-thread.js';
import { openOrCreate } from '../../src/sandbox/store/create.js';
import { type ResponseText, type WholeResponse, writeResponse } from '../../src/soap/wire/response.js';
import { hear, soap, type Asking } from '../support/sandbox/faults/place.js';
import { temporaryFolder } from '../support/sandbox/temporary.js';

const parameters = { relations: 400, seed: 6 };
const many = (): number => 200;

const list = (operation: 'RelationGetAll' | 'RelationshipGetAll', size: number, withFields = true): Asking =>
  soap(
    operation,
    `<pageNumber>2</pageNumber><pageSize>${size}</pageSize><includeFields>${withFields}</includeFields>` +
      (operation === 'RelationGetAll' ? '<includeCounters>false</includeCounters>' : ''),
  );

describe('The second thread of the sandbox', () => {
  const folder = temporaryFolder();
  let whole: Sandbox;
  let outline: Sandbox;
  const open = async (name: string, inOutline: boolean): Promise<Sandbox> => {
    const file = join(folder.path, name);
    openOrCreate({ file, fill: (store) => fillStore(store, parameters, { inOutline }) }).close();
    return openSandbox({ file });
  };
  before(async () => {
    whole = await open('whole.db', false);
    outline = await open('outline.db', true);
  });
  after(() => {
    whole.close();
    outline.close();
    folder.remove();
  });

  /** The result of a request for a page, as it is written. */
  const resultOf = (sandbox: Sandbox, name: 'RelationGetAll' | 'RelationshipGetAll', input: object): ResponseText => {
    const asked = { version: '1.2', operationName: name, operation: operations[name], input: { ...input } } as const;
    const executed = execute(sandbox, { ...asked, credentials: known.credentials });
    return { ...executed, version: '1.2', namespace: sandbox.namespace };
  };
  const page = { pageNumber: 2, pageSize: 120, includeFields: true };

  let thread: SecondThread;
  beforeEach(() => (thread = openSecondThread(parameters, many)));
  afterEach(() => thread.close());
  /** What the thread writes, once it has started. */
  const written = async (text: ResponseText): Promise<WholeResponse> => {
    for (let tries = 0; tries < 1000; tries += 1) {
      const found = await thread.write(text);
      if (found !== undefined) return found;
      await wait(20);
    }
    throw new Error('it has not started');
  };

  it('writes the bytes that the first one writes of rows that are stored', async () => {
    for (const [name, input] of [
      ['RelationGetAll', page],
      ['RelationGetAll', { ...page, includeFields: false }],
      ['RelationshipGetAll', page],
    ] as const) {
      const expected = writeResponse(resultOf(whole, name, input));
      const found = await written(resultOf(outline, name, input));
      assert.deepEqual(found, { ...expected, body: new Uint8Array(expected.body) });
      assert.match(Buffer.from(found.body).toString(), /<\/soap:Envelope>$/);
    }
  });

  it('has two answers to write at most', async () => {
    const text = resultOf(outline, 'RelationGetAll', page);
    const expected = await written(text);
    const three = await Promise.all([text, text, text].map((each) => thread.write(each)));
    assert.deepEqual(three, [expected, expected, undefined]);
  });

  it('is not started for few, and writes nothing when nobody waits', async () => {
    const text = resultOf(outline, 'RelationGetAll', page);
    let waiting = 7;
    thread = openSecondThread(parameters, () => waiting);
    for (let tries = 0; tries < 20; tries += 1) {
      assert.equal(await thread.write(text), undefined);
      await wait(20);
    }
    waiting = 8;
    assert.ok(await written(text));
    waiting = 1;
    assert.ok(await thread.write(text));
    waiting = 0;
    assert.equal(await thread.write(text), undefined);
  });

  it('leaves what it has no use for: short pages, rows that are stored or changed, other results', async () => {
    await written(resultOf(outline, 'RelationGetAll', page));
    const last = { pageNumber: 4, pageSize: 120 };
    const { RelationGet } = operations;
    for (const text of [
      resultOf(outline, 'RelationGetAll', { ...page, pageSize: 99 }),
      resultOf(outline, 'RelationGetAll', last),
      resultOf(whole, 'RelationGetAll', page),
      { operation: RelationGet, result: {}, version: '1.1', namespace: 'urn:x' } as const,
    ])
      assert.equal(await thread.write(text), undefined);
    const copied = resultOf(outline, 'RelationGetAll', page);
    const result = { ...copied.result, Relations: [...(copied.result['Relations'] as readonly [])] };
    assert.equal(await thread.write({ ...copied, result }), undefined);
    assert.equal(await thread.write({ ...copied, operation: { ...copied.operation } }), undefined);
    const { Relations = [] } = copied.result;
    assert.equal(await thread.write({ ...copied, result: { Relations, Others: Relations } }), undefined);
  });

  it('leaves to the first one what cannot be written, and writes the next', async () => {
    const text = resultOf(outline, 'RelationGetAll', page);
    const expected = await written(text);
    assert.equal(await thread.write({ ...text, result: { ...text.result, Other: 1 } }), undefined);
    assert.deepEqual(await thread.write(text), expected);
  });

  it('gives back what it has not written when it ends, and starts again', async () => {
    const text = resultOf(outline, 'RelationGetAll', page);
    const expected = await written(text);
    const under = [thread.write(text), thread.write(text)];
    thread.end();
    assert.deepEqual(await Promise.all(under), [undefined, undefined]);
    assert.deepEqual(await written(text), expected);
    thread.close();
    for (let tries = 0; tries < 10; tries += 1) {
      assert.equal(await thread.write(text), undefined);
      await wait(20);
    }
  });

  it('fails without a word, and is not started again', async () => {
    // Without parameters it ends before it is ready.
    thread = openSecondThread(null as unknown as typeof parameters, many);
    const text = resultOf(outline, 'RelationGetAll', page);
    for (let tries = 0; tries < 50; tries += 1) {
      assert.equal(await thread.write(text), undefined);
      await wait(20);
    }
  });

  it('ends when it had nothing to do for five seconds', async () => {
    const text = resultOf(outline, 'RelationGetAll', page);
    await written(text);
    await wait(5_500);
    assert.equal(await thread.write(text), undefined);
    assert.ok(await written(text));
  });

  it('shares the answers to many clients with the first', async () => {
    let count = 0;
    const secondThread = {
      write: async (text: ResponseText) => {
        const found = await outline.secondThread.write(text);
        if (found !== undefined) count += 1;
        return found;
      },
    };
    const asked = Array.from({ length: 90 }, (_, at) =>
      list(at % 3 === 0 ? 'RelationshipGetAll' : 'RelationGetAll', 90 + at),
    );
    const server = await serveSandbox(whole);
    const expected: string[] = [];
    for (const each of asked) expected.push((await hear(server.port, each)).text);
    await server.close();
    const beside = await serveSandbox({ ...outline, secondThread });
    try {
      // The first of them start it.
      for (let rounds = 0; count === 0 && rounds < 100; rounds += 1) {
        const found = await Promise.all(asked.map((each) => hear(beside.port, each)));
        assert.deepEqual(
          found.map(({ text }) => text),
          expected,
        );
      }
      assert.ok(count > 0);
    } finally {
      await beside.close();
    }
  });

  it('leaves answers to the first whose contract a fault has changed', async () => {
    const reversed = { headers: { 'x-sandbox-fault': 'reordered-members' } };
    const asked = Array.from({ length: 40 }, (_, at) => {
      const each = list('RelationGetAll', 150 + at);
      return at % 2 === 0 ? each : { ...each, headers: { ...each.headers, ...reversed.headers } };
    });
    const answersOf = async (sandbox: Sandbox, together: boolean): Promise<readonly string[]> => {
      const server = await serveSandbox(sandbox, { faults: new FaultPlan() });
      const found: string[] = [];
      try {
        if (!together) for (const each of asked) found.push((await hear(server.port, each)).text);
        // The second thread has started by the second time.
        else
          for (let rounds = 0; rounds < 2; rounds += 1) {
            const heard = await Promise.all(asked.map((each) => hear(server.port, each)));
            found.splice(0, asked.length, ...heard.map(({ text }) => text));
            await wait(500);
          }
        return found;
      } finally {
        await server.close();
      }
    };
    assert.deepEqual(await answersOf(outline, true), await answersOf(whole, false));
  });

  it('ends for work that takes much memory, and is not started while that goes on', async () => {
    const text = resultOf(outline, 'RelationGetAll', page);
    const { pace, secondThread } = outline;
    let over = (): void => undefined;
    const begun = Array.from({ length: 20 }, () => pace.begin(() => new Promise<void>((resolve) => (over = resolve))));
    const room = (): void => over();
    assert.equal(pace.waiting(), 20);
    let found: WholeResponse | undefined;
    for (let tries = 0; found === undefined && tries < 1000; tries += 1) {
      found = await secondThread.write(text);
      await wait(20);
    }
    assert.ok(found);
    await pace.alone(async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        assert.equal(await secondThread.write(text), undefined);
        await wait(20);
      }
    });
    assert.equal(await secondThread.write(text), undefined);
    for (let at = 0; at < begun.length; at += 1) {
      await wait(0);
      room();
      await begun[at];
    }
    assert.equal(pace.waiting(), 0);
  });
});
