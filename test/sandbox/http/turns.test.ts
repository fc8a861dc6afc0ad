import assert from 'node:assert/strict';
import { openTurns } from '../../../src/sandbox/http/turns.js';

const room = (): Promise<void> => Promise.resolve();

describe('The turns of the sandbox', () => {
  let told: string[];
  beforeEach(() => (told = []));
  const as = (name: string) => (): void => void told.push(name);
  /** So many turns of the event loop, told too. */
  const loops = async (count: number): Promise<void> => {
    for (let loop = 0; loop < count; loop += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      told.push('|');
    }
  };

  it('are one in each turn of the event loop', async () => {
    const turns = openTurns();
    for (const name of ['a', 'b']) void turns.begin(room).then(as(name));
    for (const name of ['c', 'd']) void turns.reading().then(as(name));
    for (const name of ['e', 'f']) void turns.writing().then(as(name));
    await loops(12);
    const groups = told.join('').split('|');
    assert.deepEqual(
      groups.filter((group) => group.length > 1),
      [],
    );
    assert.deepEqual(groups.filter((group) => group !== '').sort(), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('go first to answers that are written, and then to requests in the order of asking', async () => {
    const turns = openTurns();
    void turns.reading().then(as('read'));
    void turns.begin(room).then(as('first'));
    void turns.begin(room).then(as('second'));
    void turns.writing().then(as('write')).then(turns.writing).then(as('write on'));
    await loops(10);
    assert.deepEqual(
      told.filter((name) => name !== '|'),
      ['write', 'write on', 'first', 'second', 'read'],
    );
  });

  it('go to a body that is read after every fourth request, and at once when nothing else waits', async () => {
    const turns = openTurns();
    for (let at = 0; at < 9; at += 1) void turns.begin(room).then(as('b'));
    for (let at = 0; at < 4; at += 1) void turns.reading().then(as('R'));
    await loops(30);
    assert.equal(told.filter((name) => name !== '|').join(''), 'bbbbRbbbbRbRR');
  });

  it('are not given to requests while there is no room for answers, and are to others', async () => {
    const turns = openTurns();
    let free = (): void => undefined;
    const full = new Promise<void>((resolve) => (free = resolve));
    void turns.begin(() => full).then(as('begin'));
    void turns.reading().then(as('read'));
    void turns.writing().then(as('write'));
    await loops(8);
    assert.deepEqual(
      told.filter((name) => name !== '|'),
      ['write', 'read'],
    );
    free();
    await loops(4);
    assert.equal(told.filter((name) => name !== '|').at(-1), 'begin');
  });

  it('let work that takes much memory be done one at a time, in the order of asking, whatever it comes to', async () => {
    const turns = openTurns(as('alone'));
    const finish: ((failure?: Error) => void)[] = [];
    const work = (name: string) => (): Promise<string> => {
      told.push(`begins ${name}`);
      return new Promise((resolve, reject) =>
        finish.push((failure) => (failure === undefined ? resolve(name) : reject(failure))),
      );
    };
    const [first, second, third] = ['first', 'second', 'third'].map((name) => turns.alone(work(name)));
    await loops(3);
    assert.equal(turns.isAlone(), true);
    finish[0]?.();
    assert.equal(await first, 'first');
    await loops(3);
    const failure = new Error('second');
    finish[1]?.(failure);
    await assert.rejects(second ?? assert.fail(), failure);
    await loops(3);
    assert.equal(turns.isAlone(), true);
    finish[2]?.();
    assert.equal(await third, 'third');
    await loops(1);
    assert.equal(turns.isAlone(), false);
    assert.deepEqual(
      told.join(' ').replaceAll(/[| ]+/g, ' '),
      'alone begins first alone begins second alone begins third ',
    );
  });
});
