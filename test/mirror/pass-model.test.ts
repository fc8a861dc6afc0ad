import assert from 'node:assert/strict';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { readPages, type Claim } from '../../src/client/pages.js';
import type { FetchPage } from '../../src/client/paging.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import type { SyncCounts } from '../../src/mirror/sources.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import type { Pass } from '../../src/mirror/pass.js';
import type { RecordValue } from '../../src/core/values/value.js';
import { readUntilSure } from '../../src/topics/mirror/sync/sync.js';
import { lots } from '../support/cases.js';
import { MirrorFiles } from '../support/mirror/files.js';

/** What a sync did, by the Ids of records. */
interface Told {
  readonly added: Set<string>;
  readonly changed: Set<string>;
  readonly gone: Set<string>;
}

/** Stands for a process that is killed. */
class Killed extends Error {}

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A service whose relations come, go, move and change, also while they are read. */
class World {
  readonly draw: (below: number) => number;
  rows: { readonly id: string; revision: number }[] = [];
  /** Chances out of 100, at each call: of a change, and of a kill. */
  restless = 0;
  deadly = 0;
  #made = 0;

  constructor(seed: number) {
    this.draw = lots(seed);
    for (let count = this.draw(40); count > 0; count -= 1) this.#insert();
  }

  #insert(): void {
    this.#made += 1;
    this.rows.splice(this.draw(this.rows.length + 1), 0, { id: idOf(this.#made), revision: 0 });
  }

  change(): void {
    const [one] = this.rows.length === 0 ? [] : this.rows.splice(this.draw(this.rows.length), 1);
    const act = this.draw(5);
    if (one === undefined || act === 0) this.#insert();
    if (one === undefined || act === 1) return;
    const at = act === 2 ? this.draw(this.rows.length + 1) : Math.min(this.rows.length, this.draw(3));
    // A content that was there before may come back.
    const by = act === 3 ? 1 : act === 4 && one.revision > 0 ? -1 : 0;
    this.rows.splice(at, 0, { ...one, revision: one.revision + by });
  }

  record({ id, revision }: World['rows'][number]): RecordValue {
    return {
      Id: id,
      DisplayName: `Name ${id.slice(-3)}.${revision}`,
      ...(revision % 3 === 0 ? {} : { Info: revision % 3 === 1 ? null : '' }),
      IsRoot: revision % 2 === 0,
      // One that changes may have fewer of them than before.
      FieldValues: {
        Items: Array.from({ length: 2 - (revision % 3) }, () => ({ Id: id, Value: `value ${revision}` })),
      },
    };
  }

  readonly fetch: FetchPage = (number, _call, size) => {
    if (this.draw(100) < this.deadly) return Promise.reject(new Killed());
    if (this.draw(100) < this.restless) this.change();
    const rows = this.rows.slice((number - 1) * size, number * size).map((row) => this.record(row));
    return Promise.resolve({ ...rowsAnswered(rows), attempts: 1 });
  };

  /** All records as JSON by Id. */
  get all(): ReadonlyMap<string, string> {
    return new Map(this.rows.map((row) => [row.id, JSON.stringify(this.record(row))]));
  }
}

const worlds = 12;

describe('Syncs of a mirror', () => {
  const mirrors = new MirrorFiles();
  after(() => mirrors.remove());

  const shown = async (place: string): Promise<ReadonlyMap<string, string>> => {
    const rows = mirrors.ask(place, 'SELECT "Id", "_record" FROM "relations"');
    const all = new Map(rows.map(([id, record]) => [String(id), String(record)]));
    assert.equal(all.size, rows.length, 'a record is shown twice');
    return all;
  };

  async function read(world: World, pass: Pass, pageSize: number): Promise<Claim> {
    const { resume } = pass;
    const plan = { firstPage: 1, pageSize, prefetch: 0, signal: new AbortController().signal };
    const ofId = ({ Id }: RecordValue): string => (typeof Id === 'string' ? Id : '');
    const pages = readPages(world.fetch, { ...plan, idOf: ofId, ...(resume === undefined ? {} : { resume }) });
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return step.value;
      pass.take(step.value);
    }
  }

  /** One run of the program: it may be killed, and may find that records never came to rest. */
  async function run(
    world: World,
    place: string,
    clock: number,
  ): Promise<{ pass: Pass; difference: SyncCounts } | undefined> {
    const mirror: Mirror = mirrors.open(place);
    try {
      if (mirror.sources().length === 0) mirror.add({ name: 'relations', table: 'relations', input: {} });
      const [source] = mirror.sources();
      assert.ok(source !== undefined);
      const time = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
      const pass = await mirror.openPass(source, { startedAt: time(clock), calls: 'calls' });
      await readUntilSure(
        pass,
        () => read(world, pass, 7),
        () => Promise.resolve(),
      );
      return { pass, difference: await pass.swap(time(clock + 1)) };
    } catch (thrown) {
      const isKilled = thrown instanceof Error && thrown.cause instanceof Killed;
      const isExpected = isKilled || (world.restless > 0 && thrown instanceof RelctlError && thrown.kind !== 'bug');
      if (!isExpected) throw thrown;
      return undefined;
    } finally {
      await mirror.close();
    }
  }

  /** What a sync says that it changed, by the times of rows. */
  async function told(place: string, startedAt: string): Promise<Told> {
    const ids = async (where: string): Promise<Set<string>> => {
      const rows = mirrors.ask(place, `SELECT "Id" FROM "all_relations" WHERE ${where}`);
      assert.equal(new Set(rows.map(([id]) => id)).size, rows.length, 'a record is told twice');
      return new Set(rows.map(([id]) => String(id)));
    };
    const at = `'${startedAt}'`;
    return {
      added: await ids(`"_first_seen" = ${at}`),
      changed: await ids(`"_changed_at" = ${at} AND "_first_seen" <> ${at}`),
      gone: await ids(`"_gone_at" = ${at}`),
    };
  }

  function differences(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): Told {
    return {
      added: new Set([...now.keys()].filter((id) => !before.has(id))),
      changed: new Set([...now].filter(([id, text]) => before.has(id) && before.get(id) !== text).map(([id]) => id)),
      gone: new Set([...before.keys()].filter((id) => !now.has(id))),
    };
  }

  for (let seed = 1; seed <= worlds; seed += 1) {
    it(`end with what the service has, and tell each difference once: seed ${seed}`, async () => {
      const world = new World(seed);
      const place = mirrors.place();
      for (let round = 0; round < 8; round += 1) {
        world.restless = world.draw(3) * 15;
        world.deadly = world.draw(3) * 10;
        for (let count = world.draw(4); count > 0; count -= 1) world.change();
        const before = round === 0 ? new Map<string, string>() : await shown(place);
        const ended = await run(world, place, round * 1000);
        if (ended === undefined) {
          assert.deepEqual(await shown(place), before, 'what is shown changed, though the sync did not end');
          continue;
        }
        const expected = differences(before, await shown(place));
        assert.deepEqual(await told(place, ended.pass.startedAt), expected);
        const { rows, added, changed, gone } = ended.difference;
        const counts = [expected.added.size, expected.changed.size, expected.gone.size];
        assert.deepEqual([rows, added, changed, gone], [(await shown(place)).size, ...counts]);
      }
      world.restless = 0;
      world.deadly = 0;
      // The first may be the end of an interrupted one.
      await run(world, place, 100_000);
      await run(world, place, 200_000);
      assert.deepEqual(await shown(place), world.all);
      const items = mirrors.ask(
        place,
        'SELECT r."_record", count(i."_owner") FROM "all_relations" r LEFT JOIN "all_relation_field_values" i ON i."_owner" = r."_seq" WHERE r."_gone_at" IS NULL GROUP BY r."_seq", r."_record"',
      );
      for (const [record, count] of items) assert.equal(record?.split('"value ').length, Number(count) + 1);
      const again = await run(world, place, 300_000);
      assert.deepEqual(again?.difference, { rows: world.rows.length, added: 0, changed: 0, gone: 0 });
    });
  }
});
