import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationName } from '../../src/contract/service.js';
import { operations } from '../../src/contract/service.js';
import type { RecordValue } from '../../src/plain/value.js';
import type { Asked } from '../../src/sandbox/context.js';
import { fillStore } from '../../src/sandbox/dataset/fill.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { wholeUpTo } from '../../src/sandbox/dataset/making.js';
import { FaultPlan } from '../../src/sandbox/faults/plan.js';
import { execute } from '../../src/sandbox/invoke.js';
import { openSandbox, serveSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import type { Setting } from '../../src/sandbox/second-thread/messages.js';
import { openSecondThread, type SecondThread } from '../../src/sandbox/second-thread/second-thread.js';
import { openOrCreate } from '../../src/sandbox/store/create.js';
import { identityOf } from '../../src/sandbox/store/identity.js';
import { openStore } from '../../src/sandbox/store/open.js';
import { orderedThread } from '../../src/sandbox/second-thread/worker.js';
import { type WholeResponse, writeResponse } from '../../src/soap/wire/response.js';
import { hear, soap, type Asking } from '../support/sandbox/faults/place.js';
import { temporaryFolder } from '../support/sandbox/temporary.js';

const parameters = { relations: 400, seed: 6 };
const many = { waiting: () => 200, isAlone: () => false, room: () => Promise.resolve() };

const list = (operation: 'RelationGetAll' | 'RelationshipGetAll', size: number, withFields = true): Asking =>
  soap(
    operation,
    `<pageNumber>2</pageNumber><pageSize>${size}</pageSize><includeFields>${withFields}</includeFields>` +
      (operation === 'RelationGetAll' ? '<includeCounters>false</includeCounters>' : ''),
  );

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Resolves when what was asked for is given to the thread, before that can answer. */
async function given(): Promise<void> {
  for (let steps = 0; steps < 30; steps += 1) await Promise.resolve();
}

/** A request of a user of the sandbox. */
const asking = (name: OperationName, input: RecordValue, more: Partial<Asked> = {}): Asked => ({
  version: '1.2',
  operationName: name,
  operation: operations[name],
  credentials: known.credentials,
  input,
  ...more,
});
const page = { pageNumber: 2, pageSize: 120, includeFields: true };
const aPage = asking('RelationGetAll', page);
const subject = '00000000-0041-4000-8000-000000001101';
const aSearch = asking('ActivitySearchByField', {
  activityEntityTypeId: known.activityEntityTypeId,
  fieldValues: [{ Id: subject, Value: 'Evaluatiegesprek' }],
  pageNumber: 1,
  pageSize: 5,
  includeFields: true,
});

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

  const settingOf = ({ store: { file }, dataset, namespace }: Sandbox): Setting => ({
    file,
    identity: identityOf(file),
    dataset,
    namespace,
  });
  /** The answer of the first thread alone, with memory of its own. */
  const expectedOf = (sandbox: Sandbox, asked: Asked): WholeResponse => {
    const executed = execute(sandbox, asked);
    const { body, ...head } = writeResponse({ ...executed, version: asked.version, namespace: sandbox.namespace });
    return { ...head, body: new Uint8Array(body) };
  };

  /** Of long answers, only the place of a difference is told. */
  const assertSame = (found: WholeResponse | undefined, expected: WholeResponse): void => {
    const texts = [found?.body ?? [], expected.body].map((body) => Buffer.from(body).toString());
    assert.equal(texts[0] === texts[1], true, 'the same bytes');
    assert.deepEqual({ ...found, body: '' }, { ...expected, body: '' });
  };

  let thread: SecondThread;
  beforeEach(() => (thread = openSecondThread(settingOf(whole), many)));
  afterEach(() => thread.close());
  /** What the thread answers, once it has started. */
  const answered = async (asked: Asked, of = thread): Promise<WholeResponse> => {
    for (let tries = 0; tries < 1000; tries += 1) {
      const found = await of.answer(asked);
      if (found !== undefined) return found;
      await wait(20);
    }
    throw new Error('it has not started');
  };
  const answersNothing = async (asked: Asked, times: number): Promise<void> => {
    for (let tries = 0; tries < times; tries += 1) {
      assert.equal(await thread.answer(asked), undefined);
      await wait(20);
    }
  };

  it('gives the bytes of the first one, of rows that are stored and that are made again', async () => {
    for (const sandbox of [whole, outline]) {
      thread.close();
      thread = openSecondThread(settingOf(sandbox), many);
      for (const asked of [
        aPage,
        asking('RelationGetAll', { ...page, includeFields: false, includeCounters: true }, { version: '1.1' }),
        asking('RelationshipGetAll', page),
        asking('RelationGetTelephoneBook', { ...page, pageNumber: 1 }),
        asking('ActivitySearchByField', { ...aSearch.input, fieldValues: [], pageSize: 100 }),
        asking('ActivitySearchByField', { ...aSearch.input, pageSize: 100 }),
      ]) {
        const expected = expectedOf(whole, asked);
        assert.match(Buffer.from(expected.body).toString(), /<Id>[^]*<\/soap:Envelope>$/);
        assertSame(await answered(asked), expected);
      }
    }
  });

  it('answers by the rows as they are when it is asked', async () => {
    const { store } = whole;
    const before = await answered(aPage);
    const [old = ''] = store.statement('SELECT "DisplayName" FROM "PvRelationData" WHERE seq = 130').first() ?? [];
    const rename = (name: string): void =>
      void store.statement('UPDATE "PvRelationData" SET "DisplayName" = ? WHERE seq = 130').run(name);
    for (const name of ['One', 'Two', 'Three']) {
      rename(name);
      assert.match(
        Buffer.from((await answered(aPage)).body).toString(),
        new RegExp(`<DisplayName>${name}</DisplayName>`),
      );
    }
    rename(String(old));
    assertSame(await answered(aPage), before);
  });

  it('has two pages to answer at most', async () => {
    const expected = await answered(aPage);
    const three = await Promise.all([aPage, aPage, aPage].map((each) => thread.answer(each)));
    for (const each of three.slice(0, 2)) assertSame(each, expected);
    assert.equal(three[2], undefined);
  });

  it('is not started for few, and answers no page when nobody waits', async () => {
    let waiting = 7;
    thread = openSecondThread(settingOf(whole), { ...many, waiting: () => waiting });
    await answersNothing(aPage, 20);
    waiting = 8;
    assert.ok(await answered(aPage));
    waiting = 1;
    assert.ok(await thread.answer(aPage));
    waiting = 0;
    assert.equal(await thread.answer(aPage), undefined);
  });

  it('leaves what it has no use for: short pages, and what is no page', async () => {
    await answered(aPage);
    for (const asked of [
      asking('RelationGetAll', { ...page, pageSize: 99 }),
      asking('RelationGetAll', {}),
      asking('RelationGet', { relationId: known.personId }),
      asking('MarkGetAll', {}),
      asking('NotificationsGet', { userId: known.userId }),
      aSearch,
    ])
      assert.equal(await thread.answer(asked), undefined);
    assert.ok(await thread.answer(asking('RelationGetAll', { pageSize: 100 })));
  });

  it('answers searches in a large data set, whoever waits, and no page beside them', async () => {
    const large = { ...settingOf(outline), dataset: { ...parameters, relations: wholeUpTo + 1 } };
    // The records of the rows do not depend on the number of relations.
    let waiting = 0;
    thread = openSecondThread(large, { ...many, waiting: () => waiting });
    const found = await thread.answer(aSearch);
    assert.match(Buffer.from(found?.body ?? []).toString(), /<Value>Evaluatiegesprek<\/Value>/);
    const told = asking('NotificationsGet', { userId: known.userId });
    assert.match(Buffer.from((await thread.answer(told))?.body ?? []).toString(), /<PvNotificationData>/);
    const ofRelation = asking('RelationGetActivities', { relationId: known.personId });
    assertSame(await thread.answer(ofRelation), expectedOf(outline, ofRelation));
    waiting = 200;
    assert.ok(await answered(aPage));
    const search = thread.answer(aSearch);
    await given();
    assert.equal(await thread.answer(aPage), undefined);
    assertSame(await search, found ?? assert.fail());
    const searches = [thread.answer(aSearch), thread.answer(aSearch), thread.answer(aSearch)];
    await given();
    assert.equal(await thread.answer(aPage), undefined);
    for (const each of await Promise.all(searches)) assertSame(each, found ?? assert.fail());
    assert.ok(await thread.answer(aPage));
    assert.equal(
      await thread.answer(asking('ActivitySearchByField', { ...aSearch.input, fieldValues: [] })),
      undefined,
    );
  });

  it('leaves to the first one what ends in a fault, and answers the next', async () => {
    const expected = await answered(aPage);
    const credentials = { ...known.credentials, Password: 'wrong' };
    const faulted = asking('RelationGetAll', page, { credentials });
    assert.equal(await thread.answer(faulted), undefined);
    assertSame(await thread.answer(aPage), expected);
  });

  it('gives back what it has not answered when it ends, and starts again', async () => {
    const expected = await answered(aPage);
    const under = [thread.answer(aPage), thread.answer(aPage)];
    thread.end();
    assert.deepEqual(await Promise.all(under), [undefined, undefined]);
    assertSame(await answered(aPage), expected);
    thread.close();
    await answersNothing(aPage, 10);
  });

  it('fails without a word, and is not started again', async () => {
    const broken = { ...settingOf(whole), dataset: { ...parameters, relations: wholeUpTo + 1 } };
    for (const setting of [
      { ...broken, file: join(folder.path, 'none', 'sandbox.db') },
      { ...broken, identity: '0 0' },
    ]) {
      thread = openSecondThread(setting, many);
      assert.equal(await thread.answer(aSearch), undefined);
      await answersNothing(aSearch, 3);
      await answersNothing(aPage, 20);
      thread.close();
    }
  });

  it('reads no file that was put in the place of the database', async () => {
    const file = join(folder.path, 'replaced.db');
    whole.store.statement('PRAGMA wal_checkpoint(TRUNCATE)').all();
    copyFileSync(whole.file, file);
    const setting = { ...settingOf(whole), file, identity: identityOf(file) };
    const others = openSecondThread(setting, many);
    try {
      const expected = await answered(aPage, others);
      // While it runs, it reads the file that it has open.
      copyFileSync(outline.file, `${file}.new`);
      renameSync(`${file}.new`, file);
      assertSame(await others.answer(aPage), expected);
      others.end();
      const before = sumOf(file);
      for (let tries = 0; tries < 20; tries += 1) {
        assert.equal(await others.answer(aPage), undefined);
        await wait(20);
      }
      assert.equal(sumOf(file), before);
    } finally {
      others.close();
      for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    }
  });

  it('does not touch what was put in the place of the database, nor makes one where none is', async () => {
    const file = join(folder.path, 'moved.db');
    whole.store.statement('PRAGMA wal_checkpoint(TRUNCATE)').all();
    copyFileSync(whole.file, file);
    const setting = { ...settingOf(whole), file, identity: identityOf(file) };
    const first = openStore(file);
    const name = `UPDATE "PvRelationData" SET "DisplayName" = 'Kept' WHERE seq = 130`;
    try {
      // What the first thread has written is in the log beside it.
      first.execute(name);
      copyFileSync(whole.file, `${file}.new`);
      renameSync(`${file}.new`, file);
      const before = sumOf(file);
      const ordered = orderedThread(setting);
      assert.ok(ordered.start());
      const order = {
        version: '1.1',
        credentials: known.credentials,
        operation: 'RelationGetAll',
        input: page,
      } as const;
      assert.equal(await ordered.give(order), undefined);
      assert.equal(ordered.start(), false);
      assert.equal(sumOf(file), before);
      first.execute(name);
      assert.deepEqual(first.statement('SELECT "DisplayName" FROM "PvRelationData" WHERE seq = 130').first(), ['Kept']);
      rmSync(file);
      const again = orderedThread(setting);
      assert.ok(again.start());
      assert.equal(await again.give(order), undefined);
      assert.equal(existsSync(file), false);
    } finally {
      first.close();
      for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    }
  });

  it('is given one long request at a time, when there is room for an answer', async () => {
    const large = { ...settingOf(outline), dataset: { ...parameters, relations: wholeUpTo + 1 } };
    let rooms = 0;
    let open = (): void => undefined;
    const room = (): Promise<void> => {
      rooms += 1;
      return new Promise((resolve) => (open = resolve));
    };
    thread = openSecondThread(large, { ...many, room });
    const answers = [1, 2, 3].map(() => thread.answer(aSearch));
    let first: WholeResponse | undefined;
    for (const [at, answer] of answers.entries()) {
      await wait(50);
      assert.equal(rooms, at + 1);
      open();
      const found = (await answer) ?? assert.fail('no answer');
      assertSame(found, first ?? found);
      first = found;
    }
  });

  it('writes nothing to the database', async () => {
    const before = openStore(whole.file);
    try {
      const version = () => before.statement('PRAGMA data_version').first();
      const seen = version();
      const ordered = orderedThread(settingOf(whole));
      assert.ok(ordered.start());
      const { credentials } = known;
      const order = { version: '1.1', credentials } as const;
      assert.ok(await ordered.give({ ...order, operation: 'RelationGetAll', input: page }));
      const input = { activityId: known.activityId, fieldValues: [] };
      assert.equal(await ordered.give({ ...order, operation: 'ActivityUpdate', input }), undefined);
      ordered.close();
      assert.deepEqual(version(), seen);
    } finally {
      before.close();
    }
  });

  it('ends when it had nothing to do for five seconds', async () => {
    await answered(aPage);
    await wait(5_500);
    assert.equal(await thread.answer(aPage), undefined);
    assert.ok(await answered(aPage));
  });

  it('shares the answers to many clients with the first', async () => {
    let count = 0;
    const secondThread = {
      answer: async (each: Asked) => {
        const found = await outline.secondThread.answer(each);
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
        assert.ok(found.every(({ text }, at) => text === expected[at]));
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
    const [found, expected] = [await answersOf(outline, true), await answersOf(whole, false)];
    assert.ok(found.length > 0 && found.every((text, at) => text === expected[at]));
  });

  it('ends for work that takes much memory, and is not started while that goes on', async () => {
    const { pace, secondThread } = outline;
    let over = (): void => undefined;
    const begun = Array.from({ length: 20 }, () => pace.begin(() => new Promise<void>((resolve) => (over = resolve))));
    const room = (): void => over();
    assert.equal(pace.waiting(), 20);
    let found: WholeResponse | undefined;
    for (let tries = 0; found === undefined && tries < 1000; tries += 1) {
      found = await secondThread.answer(aPage);
      await wait(20);
    }
    assert.ok(found);
    await pace.alone(async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        assert.equal(await secondThread.answer(aPage), undefined);
        await wait(20);
      }
    });
    assert.equal(await secondThread.answer(aPage), undefined);
    for (let at = 0; at < begun.length; at += 1) {
      await wait(0);
      room();
      await begun[at];
    }
    assert.equal(pace.waiting(), 0);
  });
});
