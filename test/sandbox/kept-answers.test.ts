import assert from 'node:assert/strict';
import { operations } from '../../src/contract/service.js';
import type { Asked, KeptAnswers, MadeAnswer } from '../../src/sandbox/context.js';
import { isListOfRows, keepAnswers } from '../../src/sandbox/kept-answers.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { NewContent, pieceLength } from '../../src/sandbox/store/contents.js';
import { openStore } from '../../src/sandbox/store/open.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';

const megabyte = 2 ** 20;

const asked = (page: number, more: Partial<Asked> = {}): Asked => ({
  version: '1.1',
  operationName: 'RelationGetAll',
  operation: operations.RelationGetAll,
  credentials: { ApiKey: 'key', Password: 'one' },
  input: { pageNumber: page },
  ...more,
});

describe('Answers that are kept', () => {
  let sandbox: Sandbox;
  let answers: KeptAnswers;
  let made: number;
  before(async () => {
    sandbox = await temporarySandbox(10);
  });
  after(() => sandbox.close());
  beforeEach(() => {
    const kept = keepAnswers(sandbox.store);
    // An answer is kept from the second time on that it is asked for.
    const again: KeptAnswers['of'] = async (each, make) => {
      await kept.of(each, async () => ({ whole: wholeOf(1) }));
      return kept.of(each, make);
    };
    answers = { of: again };
    made = 0;
  });

  const wholeOf = (length: number) => ({ status: 200, headers: {}, body: new Uint8Array(length) });
  /** Makes an answer of so many bytes. */
  const make =
    (length: number, more: Partial<MadeAnswer> = {}) =>
    async (): Promise<MadeAnswer> => {
      made += 1;
      return { whole: wholeOf(length), ...more };
    };
  /** How often an answer was made for some requests, one after the other. */
  const madeFor = async (requests: readonly Asked[], length = 5000): Promise<number> => {
    made = 0;
    for (const each of requests) await answers.of(each, make(length));
    return made;
  };
  const change = (store: Pick<Sandbox['store'], 'execute'>): void =>
    store.execute(`INSERT OR REPLACE INTO "Parameter" (name, value) VALUES ('a', random())`);

  it('are kept from the second time on that they are asked for', async () => {
    answers = keepAnswers(sandbox.store);
    assert.equal(await madeFor([asked(1), asked(2), asked(1), asked(1), asked(1), asked(2), asked(2)]), 4);
  });

  it('are made once for the same request, and are then the same bytes', async () => {
    const first = await answers.of(asked(1), make(5000));
    const second = await answers.of(asked(1), make(5000));
    assert.equal(second.whole.body, first.whole.body);
    assert.equal(made, 1);
  });

  it('are those of one operation, input, version and credentials', async () => {
    const others: readonly Partial<Asked>[] = [
      { operation: operations.RelationshipGetAll },
      { version: '1.2' },
      { credentials: { ApiKey: 'key', Password: 'two' } },
      { credentials: undefined },
      { input: { pageNumber: 1, pageSize: 2 } },
    ];
    assert.equal(await madeFor([asked(1), asked(2), ...others.map((more) => asked(1, more))]), 7);
  });

  it('are made again when a row has changed, by whichever connection', async () => {
    const other = openStore(sandbox.file);
    try {
      for (const store of [sandbox.store, other]) {
        assert.equal(await madeFor([asked(1), asked(1)]), 1);
        change(store);
        assert.equal(await madeFor([asked(1), asked(1)]), 1);
        change(store);
      }
    } finally {
      other.close();
    }
  });

  it('stay while a content is received, which nobody sees, until it is given to an attachment', async () => {
    await madeFor([asked(1)]);
    const content = new NewContent(sandbox.store);
    content.write('A'.repeat(9 * pieceLength));
    assert.equal(await madeFor([asked(1)]), 0);
    content.giveTo(1);
    assert.equal(await madeFor([asked(1)]), 1);
  });

  it('are not kept when a row changed while they were written', async () => {
    await answers.of(asked(1), async () => {
      change(sandbox.store);
      await answers.of(asked(2), make(5000));
      return make(5000)();
    });
    assert.equal(await madeFor([asked(1)]), 1);
  });

  it('take 16 MiB at most; the one that was asked for longest ago goes first', async () => {
    const pages = Array.from({ length: 6 }, (_, at) => asked(at));
    assert.equal(await madeFor(pages.slice(0, 5), 3 * megabyte), 5);
    assert.equal(await madeFor([asked(0)], 3 * megabyte), 0);
    assert.equal(await madeFor([asked(5)], 3 * megabyte), 1);
    assert.equal(
      await madeFor(
        [0, 2, 3, 4, 5].map((at) => asked(at)),
        3 * megabyte,
      ),
      0,
    );
    assert.equal(await madeFor([asked(1)], 3 * megabyte), 1);
  });

  it('are neither short nor very long, and have no content that is elsewhere', async () => {
    for (const length of [4095, 8 * megabyte + 1]) assert.equal(await madeFor([asked(1), asked(1)], length), 2);
    const content = { member: 'a', standIn: 'b', length: 1, open: () => [] };
    for (let time = 0; time < 2; time += 1) await answers.of(asked(7), make(5000, { content }));
    assert.equal(made, 4, 'two of too many bytes, two with a content');
  });

  it('are lists of requests that read, which nothing else takes part in', () => {
    const { RelationGetAll, RelationGet, NotificationGetCount, ActivityUpdate } = operations;
    const read = asked(1, { operation: RelationGetAll });
    assert.equal(isListOfRows(sandbox, read), true);
    // One record is made as fast as it is found, though it has lists.
    for (const operation of [RelationGet, NotificationGetCount])
      assert.equal(isListOfRows(sandbox, asked(1, { operation })), false);
    assert.equal(isListOfRows(sandbox, asked(1, { operation: ActivityUpdate })), false);
    assert.equal(isListOfRows({ ...sandbox, middleware: (each, execute) => execute(each) }, read), false);
    const more = new Map([['RelationGetAll', { operation: RelationGetAll, handler: () => ({}) }]]);
    assert.equal(isListOfRows({ ...sandbox, more }, read), false);
  });
});
