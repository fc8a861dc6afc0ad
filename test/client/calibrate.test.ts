import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/core/values/value.js';
import { calibrate, relationsList, type Calibration } from '../../src/client/calibrate.js';
import type { Client } from '../../src/client/client.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';

const rows = (from: number, to: number): readonly RecordValue[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ Id: `id-${from + index}` }));

/** How a service answers a request for so many rows of a page. */
type Answers = (size: number, signal: AbortSignal) => Promise<number>;

/** What is found out about a list of some rows. */
async function found(total: number, answers: Answers): Promise<Calibration & { readonly sizes: readonly number[] }> {
  const sizes: number[] = [];
  const callUntyped = async (_: unknown, input: RecordValue, options?: { readonly signal?: AbortSignal }) => {
    const [page, asked] = [Number(input['pageNumber']), Number(input['pageSize'])];
    if (asked > 2) sizes.push(asked);
    const signal = options?.signal ?? new AbortController().signal;
    const size = await answers(asked, signal);
    const from = (Math.max(1, page) - 1) * size;
    return { result: { Relations: rows(from, Math.min(total, from + size)) } };
  };
  const client = { callUntyped } as unknown as Client;
  const { signal } = new AbortController();
  return { ...(await calibrate({ client, list: relationsList }, { signal, withinMs: 30 })), sizes };
}

const refused = (): never => {
  throw new RelctlError('refused', 'too many rows', { facts: { foreignCode: 'Server' } });
};

describe('The page size that calibration finds', () => {
  it('is 1,000 where a service gives that many', async () => {
    assert.equal((await found(20_000, (size) => Promise.resolve(size))).pageSize, 1000);
  });

  it('is the largest that is not refused', async () => {
    for (const [most, pageSize] of [
      [700, 500],
      [499, 200],
      [150, 100],
    ] as const) {
      const { pageSize: size, evidence } = await found(20_000, (asked) =>
        asked > most ? refused() : Promise.resolve(asked),
      );
      assert.equal(size, pageSize);
      assert.match(evidence.join('; '), /1000 rows requested: refused/);
    }
  });

  it('is the largest that comes in time', async () => {
    const slow: Answers = (asked, signal) =>
      asked <= 200
        ? Promise.resolve(asked)
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as RelctlError)));
    const { pageSize, sizes } = await found(20_000, slow);
    assert.equal(pageSize, 200);
    assert.deepEqual(sizes.slice(0, 4), [5000, 1000, 500, 200]);
  });

  it('is the most that a service gives on a page, where that is less', async () => {
    const { pageSize, pageCap } = await found(20_000, (asked) => Promise.resolve(Math.min(asked, 120)));
    assert.deepEqual([pageSize, pageCap], [120, 120]);
  });

  it('is not known where the whole list is on one page', async () => {
    assert.equal((await found(250, (size) => Promise.resolve(size))).pageSize, undefined);
  });

  it('comes with what calls at once take, where the service keeps cookies', async () => {
    const told = async (within: number, without: number): Promise<string | undefined> => {
      let underWay = 0;
      const callUntyped = (_: unknown, input: RecordValue, options: { readonly withoutCookies?: boolean } = {}) => {
        underWay += 1;
        const { withoutCookies } = options;
        const elapsedMs = withoutCookies === undefined ? 100 : (withoutCookies ? without : within) * underWay;
        const isFilled = Number(input['pageNumber']) < 2;
        return Promise.resolve().then(() => {
          underWay = 0;
          return { result: { Relations: isFilled ? rows(0, 5) : [] }, elapsedMs, hasCookies: true };
        });
      };
      const client = { callUntyped } as unknown as Client;
      return (await calibrate({ client, list: relationsList }, { signal: new AbortController().signal })).evidence.at(
        -1,
      );
    };
    assert.equal(
      await told(100, 30),
      'the service answers the calls of one session one by one: 4 concurrent calls took 400 ms with its cookies, ' +
        '120 ms without, one 100 ms; --set cookies=no sends none',
    );
    assert.match((await told(30, 30)) ?? '', /^the service sets cookies: 4 concurrent calls took 120 ms/);
    // A service that is slow with calls at once is not so because of sessions.
    assert.match((await told(100, 100)) ?? '', /^the service sets cookies:/);
  });

  it('is found where the service keeps cookies, and refuses calls without them', async () => {
    const callUntyped = (_: unknown, input: RecordValue, options: { readonly withoutCookies?: boolean } = {}) => {
      if (options.withoutCookies === true) return Promise.reject(new RelctlError('refused', 'no session', {}));
      const isFilled = Number(input['pageNumber']) < 2;
      return Promise.resolve({ result: { Relations: isFilled ? rows(0, 5) : [] }, elapsedMs: 1, hasCookies: true });
    };
    const client = { callUntyped } as unknown as Client;
    const found = await calibrate({ client, list: relationsList }, { signal: new AbortController().signal });
    assert.equal(found.evidence.at(-1), 'the service sets cookies, and refused one of 4 concurrent calls: no session');
  });

  it('is not found where a call fails for another reason', async () => {
    const broken: Answers = (asked) =>
      asked > 100 ? Promise.reject(new RelctlError('profile', 'the credentials are refused')) : Promise.resolve(asked);
    await assert.rejects(found(20_000, broken), { kind: 'profile' });
  });
});
