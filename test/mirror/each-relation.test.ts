import assert from 'node:assert/strict';
import type { SyncCounts } from '../../src/mirror/sources.js';
import type { EachRelation } from '../../src/mirror/each-relation.js';
import type { RecordValue } from '../../src/core/values/value.js';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { readPages } from '../../src/client/pages.js';
import { MirrorFiles } from '../support/mirror/files.js';
import { valuesOf } from '../support/thrown.js';

const guid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const capital = 'ABCDEF00-0000-4000-8000-000000000001';
const mark = (number: number, description: string): RecordValue => ({
  Id: guid(number),
  RelationshipDescription: description,
});

describe('A mirror of which each relation is asked for', () => {
  const mirrors = new MirrorFiles();
  after(() => mirrors.remove());
  let clock = Date.UTC(2026, 0, 1);
  const time = (): string => new Date((clock += 1000)).toISOString();

  /** A mirror of the relations 1, 2 and one with capitals in its Id. */
  async function made(): Promise<string> {
    const place = mirrors.place();
    const mirror = mirrors.open(place);
    mirror.add({ name: 'relations', table: 'relations', input: {} });
    mirror.add({ name: 'marks', table: 'relation_marks', input: {} });
    const [source] = mirror.sources();
    assert.ok(source !== undefined);
    const pass = await mirror.openPass(source, { startedAt: time(), calls: '' });
    const records = [guid(1), guid(2), capital].map((Id) => ({ Id }));
    const pages = readPages((page) => Promise.resolve({ ...rowsAnswered(page === 1 ? records : []), attempts: 1 }), {
      ...{ firstPage: 1, pageSize: 10, prefetch: 0, signal: new AbortController().signal },
      idOf: ({ Id }) => (typeof Id === 'string' ? Id : undefined),
    });
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) break;
      pass.take(step.value);
    }
    await pass.swap(time());
    await mirror.close();
    return place;
  }

  async function sync(
    place: string,
    work: (each: EachRelation) => unknown,
    calls = 'these',
  ): Promise<SyncCounts | undefined> {
    const mirror = mirrors.open(place);
    try {
      const source = mirror.sources().find(({ name }) => name === 'marks');
      assert.ok(source !== undefined);
      const each = mirror.openEachRelation(source, { startedAt: time(), calls });
      return work(each) === 'killed' ? undefined : each.end(time());
    } finally {
      await mirror.close();
    }
  }

  const shown = (place: string) =>
    mirrors.ask(
      place,
      'SELECT "RelationId", "Id", "RelationshipDescription" FROM "relation_marks" ORDER BY "_record", 1',
    );
  const keeping =
    (relation: string, ...records: readonly RecordValue[]) =>
    (each: EachRelation) =>
      each.store(relation, records);

  it('keeps what came with its relation, to the letter, and each difference once', async () => {
    const place = await made();
    const first = await sync(place, keeping(capital, mark(1, 'a'), mark(2, 'b')));
    assert.deepEqual(first, { rows: 2, added: 2, changed: 0, gone: 0 });
    const again = await sync(place, keeping(capital, mark(2, 'B'), mark(1, 'a'), mark(3, 'c')));
    assert.deepEqual(again, { rows: 3, added: 1, changed: 1, gone: 0 });
    assert.deepEqual(shown(place), [
      [capital, guid(1), 'a'],
      [capital, guid(2), 'B'],
      [capital, guid(3), 'c'],
    ]);
    const times = mirrors.ask(
      place,
      'SELECT "Id", "_first_seen" = "_changed_at" FROM "all_relation_marks" ORDER BY "Id"',
    );
    assert.deepEqual(
      times.map(([, same]) => same === 't' || same === '1'),
      [true, false, true],
    );
    assert.deepEqual(await sync(place, keeping(capital, mark(1, 'a'))), { rows: 3, added: 0, changed: 0, gone: 0 });
  });

  it('keeps a record of two relations for each, and the last of those with one Id', async () => {
    const place = await made();
    const both = (each: EachRelation): Promise<void> => {
      each.store(guid(1), [mark(1, 'a'), mark(1, 'b')]);
      each.store(guid(2), [mark(1, 'c')]);
      each.store(guid(1), [mark(4, 'd')]);
      return Promise.resolve();
    };
    assert.deepEqual(await sync(place, both), { rows: 3, added: 3, changed: 0, gone: 0 });
    assert.deepEqual(await sync(place, both), { rows: 3, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(shown(place), [
      [guid(1), guid(1), 'b'],
      [guid(2), guid(1), 'c'],
      [guid(1), guid(4), 'd'],
    ]);
  });

  it('keeps records without an Id once, by their content', async () => {
    const place = await made();
    const nobody = (name: string): RecordValue => ({ Id: null, RelationshipDescription: name });
    const work = keeping(guid(1), nobody('x'), nobody('y'), nobody('x'));
    assert.deepEqual(await sync(place, work), { rows: 2, added: 2, changed: 0, gone: 0 });
    assert.deepEqual(await sync(place, work), { rows: 2, added: 0, changed: 0, gone: 0 });
    await sync(place, keeping(guid(2), nobody('x')));
    assert.equal(shown(place).length, 3);
  });

  it('tells what an interrupted sync brought when one with other calls ends, which asks for each relation', async () => {
    const place = await made();
    const at = { relation: guid(1), throughMs: 7 };
    await sync(place, async (each) => {
      each.store(guid(1), [mark(1, 'a')]);
      each.storeCursor(at);
      return 'killed';
    });
    const all = [at, ...[guid(2), capital].map((relation) => ({ relation, throughMs: undefined }))];
    const others = async (each: EachRelation): Promise<void> => assert.deepEqual(each.waiting(), all);
    await sync(place, others, 'others');
    const untold = `SELECT r."Id" FROM "all_relation_marks" r WHERE NOT EXISTS
      (SELECT 1 FROM "_syncs" s WHERE s.source = r."_source" AND s.began_at = r."_first_seen")`;
    assert.deepEqual(mirrors.ask(place, untold), []);
  });

  it('goes on with the relations that are left, with the time through which each was asked for', async () => {
    const place = await made();
    await sync(place, async (each) => {
      assert.deepEqual(
        valuesOf(each.waiting(), 'relation', 'throughMs'),
        [guid(1), guid(2), capital].map((id) => [id, undefined]),
      );
      each.storeCursor({ relation: guid(1), throughMs: 1_700_000_000_123 });
      each.storeCursor({ relation: capital, throughMs: undefined });
      return 'killed';
    });
    await sync(place, async (each) => {
      assert.deepEqual(each.waiting(), [{ relation: guid(2), throughMs: undefined }]);
      each.storeCursor({ relation: guid(2), throughMs: 5 });
    });
    await sync(place, async (each) => {
      assert.deepEqual(each.waiting(), [
        { relation: guid(1), throughMs: 1_700_000_000_123 },
        { relation: guid(2), throughMs: 5 },
        { relation: capital, throughMs: undefined },
      ]);
    });
  });

  it('is asked for all relations again by a sync that begins within the same moment', async () => {
    const place = await made();
    await sync(place, async (each) => each.storeCursor({ relation: guid(1), throughMs: 1 }));
    clock -= 60_000;
    await sync(place, async (each) => assert.equal(each.waiting().length, 3));
  });
});
