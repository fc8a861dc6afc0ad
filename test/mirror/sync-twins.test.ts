import assert from 'node:assert/strict';
import { rowsAnswered } from '../../src/client/list-answer.js';
import { readPages, type Claim } from '../../src/client/pages.js';
import type { FetchPage } from '../../src/client/paging.js';
import type { Difference, Pass } from '../../src/mirror/store.js';
import type { RecordValue } from '../../src/plain/value.js';
import { readUntilSure } from '../../src/syncs/readings.js';
import { mirrorKinds } from '../support/mirror/kinds.js';

const ofId = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const one = (number: number, name: string): RecordValue => ({ Id: id(number), DisplayName: name });
const nobody = (name: string): RecordValue => ({ DisplayName: name });

for (const [where, makeKind] of Object.entries(mirrorKinds)) {
  describe(`Records of a mirror in ${where} that an Id does not tell apart`, function () {
    this.timeout(120_000);
    const kind = makeKind();
    before(async function () {
      await kind.begin(this);
    });
    after(() => kind.end());

    interface Reading {
      readonly firstPage?: number;
      /** Number of calls after which the run is killed. */
      readonly calls?: number;
    }

    async function read(
      records: readonly RecordValue[],
      pass: Pass,
      { firstPage = 1, calls = Infinity }: Reading,
    ): Promise<Claim> {
      let called = 0;
      const fetch: FetchPage = (number, _call, size) => {
        called += 1;
        if (called > calls) return Promise.reject(new Error('killed'));
        const from = (number - firstPage) * size;
        return Promise.resolve({ ...rowsAnswered(from < 0 ? [] : records.slice(from, from + size)), attempts: 1 });
      };
      const { resume } = pass;
      const plan = { firstPage, pageSize: 3, prefetch: 0, signal: new AbortController().signal, idOf: ofId };
      const pages = readPages(fetch, { ...plan, ...(resume === undefined ? {} : { resume }) });
      for (let step = await pages.next(); ; step = await pages.next()) {
        if (step.done === true) return step.value;
        await pass.take(step.value);
      }
    }

    let clock = Date.UTC(2026, 0, 1);

    async function sync(place: string, records: readonly RecordValue[], reading: Reading = {}): Promise<Difference> {
      const mirror = await kind.open(place);
      try {
        if ((await mirror.sources()).length === 0)
          await mirror.add({ name: 'relations', table: 'relations', input: {} });
        const [source] = await mirror.sources();
        assert.ok(source !== undefined);
        const time = (): string => new Date((clock += 1000)).toISOString();
        const pass = await mirror.openPass(source, { startedAt: time(), calls: `${reading.firstPage ?? 1}` });
        await readUntilSure(
          pass,
          () => read(records, pass, reading),
          () => Promise.resolve(),
        );
        return await pass.swap(time());
      } finally {
        await mirror.close();
      }
    }

    /** What `mirror list` prints. */
    async function listed(place: string): Promise<readonly RecordValue[]> {
      const rows = (await kind.listed(place)).map((text) => JSON.parse(text) as RecordValue);
      assert.deepEqual(await kind.ask(place, 'SELECT count(*) FROM "relations"'), [[`${rows.length}`]]);
      return rows;
    }

    const states: Readonly<Record<string, readonly (readonly RecordValue[])[]>> = {
      'an Id comes twice on a page': [
        [one(1, 'a'), one(2, 'b')],
        [one(1, 'a'), one(1, 'c'), one(2, 'b')],
        [one(1, 'd'), one(1, 'a'), one(2, 'b')],
        [one(1, 'd'), one(1, 'e'), one(2, 'b')],
        [one(1, 'f'), one(1, 'g'), one(2, 'b')],
        [one(1, 'g'), one(2, 'b')],
      ],
      'records without an Id come': [
        [one(1, 'a'), nobody('x')],
        [one(1, 'a'), nobody('y'), nobody('z')],
        [one(1, 'a'), nobody('x'), nobody('y'), nobody('z')],
        [one(1, 'b'), nobody('x'), nobody('y'), nobody('z'), nobody('v')],
        [one(1, 'b'), nobody('y'), nobody('z'), nobody('w')],
      ],
      'equal records without an Id come': [
        [one(1, 'a'), nobody('x'), nobody('x')],
        [one(1, 'b'), nobody('x'), nobody('x')],
        [one(1, 'b'), nobody('x'), nobody('x'), one(2, 'c'), nobody('x')],
        [one(1, 'b'), nobody('x'), one(2, 'd'), nobody('x')],
      ],
    };

    for (const [name, lists] of Object.entries(states)) {
      it(`are all there when ${name}`, async () => {
        const place = kind.place();
        for (const [at, records] of lists.entries()) {
          const { rows } = await sync(place, records);
          assert.deepEqual(await listed(place), records, `sync ${at + 1}`);
          assert.equal(rows, records.length);
          const again = await sync(place, records);
          assert.deepEqual(again, { rows: records.length, added: 0, changed: 0, gone: 0 });
        }
      });
    }

    it('are not there when they came and went while the list was read', async () => {
      const place = kind.place();
      const before = [one(1, 'a'), one(2, 'b'), one(3, 'c'), one(4, 'd')];
      await sync(place, before);
      await assert.rejects(sync(place, [one(9, 'x'), ...before], { calls: 1 }));
      assert.deepEqual(await sync(place, before), { rows: 4, added: 0, changed: 0, gone: 0 });
      assert.deepEqual(await listed(place), before);
    });

    it('are changed, not gone, when their Id comes in another case of letters', async () => {
      const place = kind.place();
      const lower = { Id: 'abcdefab-0000-4000-8000-00000000000a', DisplayName: 'a' };
      const upper = { ...lower, Id: lower.Id.toUpperCase() };
      await sync(place, [lower, one(1, 'b')]);
      assert.deepEqual(await sync(place, [upper, one(1, 'b')]), { rows: 2, added: 0, changed: 1, gone: 0 });
      assert.deepEqual(await listed(place), [upper, one(1, 'b')]);
      assert.deepEqual(await sync(place, [lower, one(1, 'c')]), { rows: 2, added: 0, changed: 2, gone: 0 });
    });

    it('come once when the page is read again behind which a sync was interrupted', async () => {
      const place = kind.place();
      const before = [one(1, 'a'), nobody('x'), one(2, 'b'), one(3, 'c')];
      await assert.rejects(sync(place, before, { calls: 1 }));
      const now = [one(1, 'z'), nobody('x'), one(2, 'b'), one(3, 'c')];
      await sync(place, now);
      assert.deepEqual(await listed(place), now);
    });

    it('come once when the page behind which a sync was interrupted was the same as before', async () => {
      const place = kind.place();
      const records = [one(1, 'a'), nobody('x'), nobody('x'), one(2, 'b'), one(3, 'c')];
      await sync(place, records);
      await assert.rejects(sync(place, records, { calls: 1 }));
      assert.deepEqual(await sync(place, records), { rows: 5, added: 0, changed: 0, gone: 0 });
      await assert.rejects(sync(place, records, { calls: 1 }));
      const now = [one(1, 'z'), ...records.slice(1)];
      assert.deepEqual(await sync(place, now), { rows: 5, added: 0, changed: 1, gone: 0 });
      assert.deepEqual(await listed(place), now);
    });

    it('come once when the first page has another number than in the sync before', async () => {
      const place = kind.place();
      const records = [1, 2, 3, 4, 5, 6, 7].map((number) => one(number, `name ${number}`));
      await sync(place, records, { firstPage: 0 });
      await sync(place, records, { firstPage: 1 });
      assert.deepEqual(await listed(place), records);
      await sync(place, records, { firstPage: 0 });
      assert.deepEqual(await listed(place), records);
    });
  });
}
