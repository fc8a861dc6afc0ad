import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  firstPages,
  openJournal,
  readExportJournal,
  walkStateOf,
  type JournalPage,
  type PageLine,
  packIds,
  unpackIds,
} from '../../../src/lists/export/journal.js';
import { removeOwn } from '../../../src/state/own-file.js';
import { idWords, keysOfIds } from '../../client/page-keys.js';
import { assertFailure, place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { job } from '../../support/export/plan.js';
import { differences } from '../../../src/lists/export/export-plan.js';
import type { PageKeys } from '../../../src/client/rows/row.js';

const startedAt = '2026-03-02T09:15:00.000Z';
const line = (page: number): PageLine => ({
  page,
  signature: `signature ${page}`,
  bytes: page * 100,
  sha256: `hash ${page}`,
  rows: 2,
  duplicates: page === 2 ? 1 : 0,
  changed: page === 3 ? 1 : 0,
  retries: page === 3 ? 2 : 0,
  ...(page === 3 ? { pageSize: 40 } : {}),
  firstId: `first ${page}`,
  lastId: `last ${page}`,
  ids: packIds(keysOfIds([`first ${page}`, `last ${page}`], (_, at) => [page, at + 1])),
});

/** What of it is kept in memory: all but the Ids. */
const held = (page: number): JournalPage => {
  const { ids, ...others } = line(page);
  assert.equal(ids.ids.length, 32);
  return others;
};

describe('A journal', () => {
  const here = place();
  after(() => here.remove());
  const file = here.at('list.csv.journal');

  function written(pages: number): Buffer {
    const journal = openJournal(file, { job, startedAt });
    for (let page = 1; page <= pages; page += 1) journal.add(line(page));
    journal.sync();
    journal.close();
    return readFileSync(file);
  }

  it('is read back as it was written, by its owner only', () => {
    written(3);
    const kept = readExportJournal(file);
    assert.deepEqual([kept?.job, kept?.startedAt, kept?.damagedLines, kept?.done], [job, startedAt, 0, undefined]);
    assert.deepEqual(kept?.pages, [held(1), held(2), held(3)]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('says where the walk stopped', () => {
    written(3);
    const kept = readExportJournal(file);
    assert.ok(kept !== undefined);
    const { keys, ...state } = walkStateOf(kept) ?? assert.fail('no state');
    assert.deepEqual(state, {
      lastPage: 3,
      pageSize: 40,
      signature: 'signature 3',
      shifted: false,
      pages: 3,
      rows: 6,
      duplicates: 1,
      changed: 1,
      retries: 2,
      firstId: 'first 1',
      lastId: 'last 3',
    });
    const expected = [1, 2, 3].map((page) => keysOfIds([`first ${page}`, `last ${page}`], (_, at) => [page, at + 1]));
    assert.deepEqual([...keys], expected);
    assert.deepEqual([...keys], expected, 'as often as they are asked for');
    const again = { ...kept, pages: [held(1), held(2), held(2), held(3)] };
    assert.equal(walkStateOf(again)?.shifted, true, 'a page came again');
    assert.equal(walkStateOf(firstPages(kept, 0)), undefined);
    assert.equal(
      walkStateOf(firstPages(kept, 2))?.pageSize,
      job.pageSize,
      'that of the job where no page says another',
    );
  });

  it('gives the Ids of the pages that hold, not of those behind them, and none of another journal', async () => {
    const whole = written(3);
    const { keys } =
      walkStateOf(firstPages(readExportJournal(file) ?? assert.fail('no journal'), 2)) ?? assert.fail('no state');
    const ids = () => [...keys].flatMap((page) => [...page.ids]);
    assert.deepEqual(ids(), ['first 1', 'last 1', 'first 2', 'last 2'].flatMap(idWords));
    writeFileSync(file, whole.subarray(0, whole.indexOf('\n') + 1));
    assertFailure(await failureOf(ids), { kind: 'local', says: /is damaged/ });
  });

  it('is nothing when it is not there, empty, or was torn in its first line', () => {
    removeOwn(file);
    assert.equal(readExportJournal(file), undefined);
    const whole = written(1);
    for (const length of [0, 1, 40]) {
      writeFileSync(file, whole.subarray(0, length));
      assert.equal(readExportJournal(file), undefined);
    }
  });

  it('cut off anywhere is the pages before, and never another page', () => {
    const whole = written(3);
    const head = whole.indexOf('\n') + 1;
    for (let length = head; length <= whole.length; length += 1) {
      writeFileSync(file, whole.subarray(0, length));
      const pages = whole.subarray(head, length).toString().split('\n').length - 1;
      assert.deepEqual(readExportJournal(file)?.pages, [held(1), held(2), held(3)].slice(0, pages));
    }
  });

  it('in which any bit was changed is the pages before, or is refused when that was in its first line', async () => {
    const whole = written(3);
    const head = whole.indexOf('\n') + 1;
    for (let spot = 0; spot < whole.length; spot += 1) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(spot) ^ (1 << (spot % 8)), spot);
      writeFileSync(file, changed);
      if (spot < head) {
        assertFailure(await failureOf(() => readExportJournal(file)), { kind: 'local', says: /is damaged/ });
        continue;
      }
      const before = whole.subarray(head, spot).toString().split('\n').length - 1;
      const kept = readExportJournal(file);
      assert.deepEqual(kept?.pages, [held(1), held(2), held(3)].slice(0, before), `byte ${spot}`);
    }
  });

  it('of which a line was taken away, doubled or moved is the pages before', () => {
    const [head = '', one = '', two = '', three = ''] = written(3).toString().split('\n');
    for (const [lines, pages, damaged] of [
      [[head, one, three], 1, 1],
      [[head, one, one, two, three], 1, 3],
      [[head, two, one, three], 0, 3],
    ] as const) {
      writeFileSync(file, `${lines.join('\n')}\n`);
      const kept = readExportJournal(file);
      assert.deepEqual([kept?.pages.length, kept?.damagedLines], [pages, damaged]);
    }
  });

  it('is resumed behind the pages that hold, and what stood behind them is gone', () => {
    const whole = written(3);
    appendFileSync(file, 'torn');
    const kept = firstPages(readExportJournal(file) ?? assert.fail('no journal'), 2);
    assert.equal(kept.damagedLines, 1);
    const journal = openJournal(file, { job, startedAt, kept });
    journal.add(line(3));
    assert.equal(journal.pages, 3);
    journal.close();
    assert.deepEqual(readFileSync(file), whole);
  });

  it('has the file that it was finished as, until it is continued', () => {
    const seal = { inode: 7, bytes: 300, modifiedMs: 12.5, sha256: 'ab' };
    const journal = openJournal(file, { job, startedAt });
    journal.add(line(1));
    journal.finish(seal);
    journal.close();
    const kept = readExportJournal(file);
    assert.deepEqual([kept?.done, kept?.pages.length], [seal, 1]);
    assert.ok(kept !== undefined);
    openJournal(file, { job, startedAt, kept }).close();
    assert.equal(readExportJournal(file)?.done, undefined);
  });

  it('forgets the pages since the last sync when the disk fails', () => {
    const journal = openJournal(file, { job, startedAt });
    journal.add(line(1));
    journal.sync();
    journal.add(line(2));
    journal.forgetUnsynced();
    journal.close();
    assert.deepEqual(readExportJournal(file)?.pages, [held(1)]);
  });

  it('is never written or read through a link', async () => {
    removeOwn(file);
    here.put('victim', 'precious');
    symlinkSync('victim', file);
    assertFailure(await failureOf(() => readExportJournal(file)), { kind: 'local', says: /symbolic link/ });
    written(1);
    assert.equal(readFileSync(here.at('victim'), 'utf8'), 'precious');
  });

  it('is taken away, or was not there', () => {
    written(1);
    removeOwn(file);
    removeOwn(file);
    assert.equal(existsSync(file), false);
  });
});

describe('What makes two exports the same job', () => {
  it('is nothing that differs', () => assert.deepEqual(differences(job, { ...job }), []));

  it('has every flag that is in no other part of it', () => {
    const [legacy, none] = [
      { ...job, flags: '{"legacy":true}' },
      { ...job, flags: '' },
    ];
    assert.deepEqual(differences(none, legacy), [String.raw`flags was "", is "{\"legacy\":true}"`]);
    assert.deepEqual(differences(legacy, none), [String.raw`flags was "{\"legacy\":true}", is ""`]);
    assert.deepEqual(differences(legacy, { ...legacy }), []);
  });

  it('is named when it differs, with both values', () => {
    assert.deepEqual(differences(job, { ...job, pageSize: 50, columns: 'Id,Name' }), [
      'columns was "Id", is "Id,Name"',
      'pageSize was 2, is 50',
    ]);
    for (const name of Object.keys(job)) {
      assert.equal(differences(job, { ...job, [name]: 'another' }).length, 1, name);
    }
  });
});

/** Packs keys, and unpacks them from base64. */
function through(page: PageKeys): PageKeys {
  const { ids, contents } = packIds(page);
  return unpackIds({ ids: ids.toString('base64'), contents: contents.toString('base64') });
}

/** Rows whose contents can be told apart by their Ids. */
const keys = (...ids: readonly string[]): PageKeys => keysOfIds(ids, (id, at) => [at, id.length]);

describe('Packed Ids', () => {
  it('are the same when they are unpacked, also of a part of a larger piece of memory', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uuid(), fc.string())), (ids) => {
        const page = keys('a', ...ids);
        assert.deepEqual(through(page), page);
        assert.deepEqual(through({ ids: page.ids.subarray(4), contents: page.contents.subarray(2) }), {
          ids: page.ids.slice(4),
          contents: page.contents.slice(2),
        });
      }),
    );
  });

  it('take 16 bytes for each Id, and 8 for the content', () => {
    const ids = Array.from({ length: 3 }, (_, index) => `00000000-0000-0000-0000-00000000000${index}`);
    const packed = packIds(keys(...ids, 'a', 'b'.repeat(1000)));
    assert.deepEqual([packed.ids.length, packed.contents.length], [80, 40]);
    const nothing = Buffer.alloc(0);
    assert.deepEqual(packIds(keys()), { ids: nothing, contents: nothing });
  });
});
