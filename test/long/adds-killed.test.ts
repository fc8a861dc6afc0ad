import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { killedOnce } from '../support/export-lane.js';
import { lots } from '../support/cases.js';
import { resultsOf, place, type LoggedRequest } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const rows = 200;
/** So many are quick; RELCTL_TEST_KILLS=300 takes minutes. */
const kills = Number(process.env['RELCTL_TEST_KILLS'] ?? 6);
/** A row takes about so many bytes of a journal. */
const rowBytes = 900;

const activities = [1, 2, 3].map((last) => `00000000-0020-4000-8000-00000000000${last}`);
const entries = '00000000-0040-4000-8000-000000000021';
const word = '00000000-0041-4000-8000-000000002101';

type Input = NonNullable<LoggedRequest['input']>;

/** A command that adds a record for each row, each of which has a mark that no other has. */
interface Adding {
  readonly command: string;
  readonly operation: string;
  readonly head: string;
  /** The column of the mark. */
  readonly column: string;
  readonly markOf: (batch: number, row: number) => string;
  readonly cells: (mark: string, row: number) => string;
  /** The mark in what the service was asked. */
  readonly markIn: (input: Input) => unknown;
}

const added: readonly Adding[] = [
  {
    command: `datastore create-item ${entries}`,
    operation: 'DatastoreCreateItem_V3',
    head: `${word},translation.en-US`,
    column: word,
    markOf: (batch, row) => `Entry ${row} of batch ${batch}`,
    cells: (mark) => `${mark},Forestry`,
    markIn: ({ fieldValues }) => (fieldValues as readonly { readonly Value: string }[])[0]?.Value,
  },
  {
    command: 'activity add-line',
    operation: 'ActivityAddProductLine',
    head: 'id,product,quantity,amount',
    column: 'amount',
    markOf: (batch, row) => `${batch}.${String(row).padStart(4, '0')}`,
    cells: (mark, row) => `${String(activities[row % activities.length])},00001,1,${mark}`,
    markIn: ({ amount }) => amount,
  },
];

for (const { command, operation, head, column, markOf, cells, markIn } of added)
  describe(`${command.split(' ').slice(0, 2).join(' ')} of ${rows} rows that is killed`, () => {
    const here = place([], true);
    const draw = lots(20_261_125);

    before(async () => {
      for (const spec of argv`
        reset=request;operation=${operation};share=2%;seed=1 reset=before;operation=${operation};share=2%;seed=2
        reset=head;operation=${operation};share=2%;seed=3 not-succeeded;operation=${operation};share=2%;seed=5
      `)
        await here.fault(spec);
    });

    const words = (file: string): readonly string[] => {
      const journal = `${file}.results.csv.journal`;
      const goesOn = existsSync(journal) && readFileSync(journal).includes(10);
      return [...command.split(' '), '--file', file, '--yes', ...(goesOn ? ['--resume'] : [])];
    };

    const isKilled = (file: string): Promise<boolean> =>
      killedOnce({
        words: words(file),
        env: here.env,
        journal: `${file}.results.csv.journal`,
        draw,
        mostBytes: rowBytes * 60,
      });

    it('adds each row once, or leaves it unknown, however often it is resumed', async () => {
      let killed = 0;
      for (let batch = 1, seen = 0; killed < kills; batch += 1) {
        const file = here.fresh('killed.csv');
        const marks = Array.from({ length: rows }, (_, row) => markOf(batch, row));
        writeFileSync(file, `${head}\n${marks.map((mark, row) => `${cells(mark, row)}\n`).join('')}`);
        const before = killed;
        while (killed < kills && (await isKilled(file))) killed += 1;
        await ends(here.run(words(file)), 8);
        const requests = here.requests(operation).slice(seen);
        seen += requests.length;
        const times = new Map<unknown, number>();
        for (const { input, outcome } of requests) {
          if (outcome !== 'done' || input === undefined) continue;
          const mark = markIn(input);
          times.set(mark, (times.get(mark) ?? 0) + 1);
        }
        const results = resultsOf(file);
        assert.deepEqual(
          results.map((row) => row[column]),
          marks,
        );
        for (const { _outcome: outcome = '', [column]: mark = '' } of results) {
          const count = times.get(mark) ?? 0;
          const what = `${mark} is ${outcome}, and was done ${count} times`;
          if (outcome === 'done') assert.equal(count, 1, what);
          else if (outcome === 'refused') assert.equal(count, 0, what);
          else assert.ok(outcome === 'unknown' && count <= 1, what);
        }
        const having = (outcome: string): number => results.filter((row) => row['_outcome'] === outcome).length;
        assert.ok(having('done') > rows / 2);
        assert.ok(having('unknown') > 0 && having('refused') > 0);
        // What became of a row is unknown only where its answer was lost, by a fault, or by a kill, when one row was under way.
        const lost = requests.filter(({ faults = [] }) => faults.some((fault) => !fault.startsWith('not-succeeded')));
        const most = lost.length + killed - before;
        assert.ok(having('unknown') <= most, `${having('unknown')} rows are unknown, and ${most} may be`);
      }
    });
  });
