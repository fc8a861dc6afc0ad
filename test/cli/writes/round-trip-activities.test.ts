import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from '../../support/inputs.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const kind = '00000000-0040-4000-8000-000000000011';
const workflow = '00000000-0030-4000-8000-000000000001';
const subject = '00000000-0041-4000-8000-000000001101';

interface Listed {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] };
}

interface Planned {
  readonly Line: number;
  readonly Plan: string;
  readonly What: string;
}

describe('Activities that are edited in a file and fed back', () => {
  const here = place();
  const found = ['--workflow', workflow, '--entity-type', kind];
  const search = ['activity', 'search', '--fields-of', workflow, '--entity-type', kind];
  const done = async (args: readonly string[]): Promise<void> => {
    await ends(here.run(args), 0);
  };
  const valuesNow = async (): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> => {
    const listed = await here.json<readonly Listed[]>([...search, '--include-fields']);
    return new Map(
      listed.map(({ Id, FieldValues: { Items } }) => [Id, new Map(Items.map((item) => [item.Id, item.Value]))]),
    );
  };
  const exported = async (): Promise<string[][]> => {
    const file = here.fresh('exported.csv');
    await done([...search, '--for-edit', '--output-file', file]);
    return parse(readFileSync(file), { bom: true });
  };
  /** A file with other words in the column of the subject, for the first rows. */
  const edited = (rows: readonly string[][], words: readonly string[]): string => {
    const [header = [], ...lines] = rows;
    const at = header.indexOf('Field.Subject');
    assert.notEqual(at, -1, header.join());
    const file = here.fresh('edited.csv');
    const changed = lines.map((line, row) => line.map((cell, column) => (column === at ? (words[row] ?? cell) : cell)));
    writeFileSync(file, stringify([header, ...changed]));
    return file;
  };
  const write = async (id: string, value: string): Promise<void> =>
    done(['activity', 'update', id, '--workflow', workflow, '--field', `Subject=${value}`, '--yes']);

  it('come back unchanged when nothing was edited', async () => {
    const file = edited(await exported(), []);
    const planned = await here.json<readonly Planned[]>(
      argv`activity update --file ${file} ${found} --dry-run --quiet`,
    );
    assert.deepEqual(new Set(planned.map(({ Plan }) => Plan)), new Set(['unchanged']));
  });

  it('are conflicts where somebody changed them after the export, unless they have the edit already', async () => {
    const rows = await exported();
    const ids = rows.slice(1, 5).map(([id = '']) => id);
    const [, moved = '', same = '', other = ''] = ids;
    const file = edited(rows, ['Edited 1', 'Edited 2', 'Edited 3']);
    await write(moved, 'By a person');
    await write(same, 'Edited 3');
    await write(other, 'Not in the edit');
    const before = await valuesNow();
    await ends(here.run(['activity', 'update', '--file', file, ...found, '--yes']), 8);
    const results: string[][] = parse(readFileSync(`${file}.results.csv`), { bom: true });
    const outcomes = results.slice(1, 5).map((row) => row[2]);
    assert.deepEqual(outcomes, ['done', 'conflict', 'unchanged', 'unchanged']);
    assert.ok(
      results[2]?.some((cell) => cell.includes('changed since the export')),
      results[2]?.join(),
    );
    assert.ok(results[2]?.some((cell) => cell.includes('By a person')));
    const after = await valuesNow();
    const differing = [...after].flatMap(([id, values]) =>
      [...values]
        .filter(([field, value]) => before.get(id)?.get(field) !== value)
        .map(([field, value]) => [id, field, value]),
    );
    assert.deepEqual(differing, [[ids[0], subject, 'Edited 1']]);
  });
});
