import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { linesOfActivity, lineService, type Fate, type LineService, type ReadList } from './line-service.js';
import { outcomesOf, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const namespace = 'http://relctl.example/sandbox';

/** A command that adds to records, and where what it added stands. */
interface Adding {
  readonly words: readonly string[];
  readonly reads: ReadList;
  /** The records that it adds to. */
  readonly owners: string;
  /** What was added to one of them. */
  readonly added: string;
  readonly head: string;
  /** The cells of a row behind its Id, by a word that tells the rows apart. */
  readonly cells: (word: string) => string;
}

const adding: readonly Adding[] = [
  {
    words: ['subscription', 'add-line', '--period', '12'],
    reads: { ...linesOfActivity, write: 'SubscriptionAddProductLine' },
    owners: `SELECT "Id" FROM "PvActivityData" WHERE "Settings_WorkflowId" = (SELECT "Settings_WorkflowId" FROM "PvActivityData" WHERE "Id" = '00000000-0020-4000-8000-000000000003') LIMIT 8`,
    added: 'SELECT "ProductId", "Quantity" FROM "ProductLineData" WHERE "ActivityId" = ? ORDER BY rowid',
    head: 'id,product,quantity',
    cells: (word) => `00001,${word}`,
  },
  {
    words: ['activity', 'attach'],
    reads: {
      operation: 'FilesGet',
      list: 'Files',
      record: 'File',
      members: ['FileName'],
      write: 'ActivityAddAttachment',
    },
    owners: 'SELECT "Id" FROM "PvActivityData" ORDER BY rowid LIMIT 8',
    added:
      'SELECT f."FileName" FROM "Attachment" f JOIN "PvActivityData" a ON a.seq = f."ActivitySeq" WHERE a."Id" = ? ORDER BY f.seq',
    head: 'id,file',
    cells: (word) => `${word}.txt`,
  },
];

for (const { words, reads, owners, added, head, cells } of adding) {
  const command = words.slice(0, 2).join(' ');
  describe(`Rows of ${command} that an imported operation reads`, () => {
    const here = place();
    let service: LineService;
    let ids: readonly string[] = [];
    const addedTo = (id: string): readonly (readonly string[])[] =>
      here.rows(added, id).map((row) => row.map((value) => String(value)));
    const run = (...args: readonly string[]): ReturnType<typeof here.run> =>
      here.run(args, {
        env: {
          RELCTL_BASE_URL: service.url,
          RELCTL_TIMEOUT: '1s',
          RELCTL_SETTLE_BY: `${reads.write}=${reads.operation}(activityId).${reads.list}`,
        },
      });

    before(async () => {
      ids = here.rows(owners).map(([id]) => String(id));
      service = await lineService({ other: here.url(), namespace, reads }, addedTo);
      await ends(run('operations', 'import', '--reads', reads.operation), 0);
    });
    after(() => service.close());

    function fileOf(rows: readonly (readonly [number, string, Fate])[]): string {
      const file = here.fresh('rows.csv');
      const lines = rows.map(([at, word]) => `${ids[at] ?? ''},${cells(word)}`);
      for (const [, word] of rows) writeFileSync(file.replace(/[^/\\]*$/, `${word}.txt`), `The file ${word}.`);
      writeFileSync(file, `${[head, ...lines].join('\n')}\n`);
      service.fates.splice(0, Infinity, ...rows.map(([, , fate]) => fate));
      return file;
    }
    const resultsOf = (file: string): string => readFileSync(`${file}.results.csv`, 'utf8');
    /** Until nothing that was sent may still be carried out: the time limit of a call. */
    async function settled(file: string): Promise<number | null> {
      for (;;) {
        const { code } = await run(...words, '--file', file, '--settle');
        if (!resultsOf(file).includes('not found yet')) return code;
      }
    }
    const countOf = (at: number, word: string): number =>
      addedTo(ids[at] ?? '').filter((values) => values.some((value) => value.startsWith(word))).length;

    it('are done where they are there and not where they are not; --resume sends the rest once', async () => {
      const file = fileOf([
        [1, '41', 'answered'],
        [1, '42', 'done'],
        [2, '43', 'lost'],
      ]);
      await ends(run(...words, '--file', file, '--yes'), 9);
      assert.deepEqual(outcomesOf(file), ['done', 'unknown', 'unknown']);
      assert.equal(await settled(file), 8);
      assert.deepEqual(outcomesOf(file), ['done', 'done', 'failed']);
      await ends(run(...words, '--file', file, '--yes', '--resume'), 0);
      assert.deepEqual(outcomesOf(file), ['done', 'done', 'done']);
      assert.deepEqual([countOf(1, '41'), countOf(1, '42'), countOf(2, '43')], [1, 1, 1]);
    });
  });
}
