import assert from 'node:assert/strict';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { valuesOf } from '../../support/thrown.js';

const datastore = '00000000-0040-4000-8000-000000000021';
const workflow = '00000000-0030-4000-8000-000000000001';
const entityType = '00000000-0040-4000-8000-000000000011';

interface Line {
  readonly Source: string;
  readonly Table: string;
  readonly Rows: number;
  readonly Added: number;
  readonly Changed: number;
  readonly Request: string;
}

describe('mirror add', function () {
  const here = place();
  const lines = async (...words: readonly string[]): Promise<readonly Line[]> => here.json(['mirror', ...words]);
  const silently = async (...words: readonly string[]): Promise<void> => {
    await ends(here.run(['mirror', ...words]), 0, '', '');
  };
  const ids = async (words: readonly string[]): Promise<readonly string[]> =>
    (await here.json<readonly { Id: string }[]>(words)).map(({ Id }) => Id);

  it('of what is added already changes nothing, whatever the case of the Id', async () => {
    await silently('add', 'datastore', datastore);
    const before = await lines('status');
    await silently('add', 'datastore', datastore.toUpperCase());
    assert.deepEqual(await lines('status'), before);
  });

  it('names a source by the name that the profile has for its Id', async () => {
    await ends(here.run(['name', 'set', 'workflow', 'Orders', workflow]), 0);
    await silently('add', 'workflow', 'Orders');
    const found = await lines('sync', 'workflow steps Orders', 'workflow fields Orders');
    const steps = await ids(['workflow', 'steps', workflow]);
    const fields = await ids(['activity', 'fields', workflow]);
    assert.deepEqual(valuesOf(found, 'Source', 'Table', 'Rows'), [
      ['workflow steps Orders', 'workflow_steps', steps.length],
      ['workflow fields Orders', 'workflow_fields', fields.length],
    ]);
  });

  it('keeps a search as activity search sends it, and reads what that finds', async () => {
    const search = argv`--entity-type ${entityType} --fields-of ${workflow} --date-field Deadline --from 2024-01-01`;
    await silently('add', 'activities', ...search);
    const [line] = await lines('sync', 'activities');
    const found = await ids(['activity', 'search', ...search, '--to', '2079-01-01T00:00:00']);
    assert.ok(found.length > 0);
    assert.equal(line?.Rows, found.length);
    const all = await ids(['activity', 'search', '--entity-type', entityType]);
    assert.ok(found.length < all.length);
  });

  it('refuses a period without its field', async () => {
    const { code, stderr } = await here.run(argv`mirror add activities --entity-type ${entityType} --from 2024-01-01`);
    assert.equal(code, 2);
    assert.match(stderr, /missing: --date-field/);
  });

  it('asks for field values from the next sync on, and no more when it is told so', async () => {
    await lines('sync', 'relations');
    await silently('add', 'relations', '--include-fields');
    const [line] = await lines('sync', 'relations');
    assert.ok((line?.Changed ?? 0) > 0);
    assert.equal(line?.Added, 0);
    await silently('add', 'relations');
    const source = (await lines('status')).find(({ Source }) => Source === 'relations');
    assert.deepEqual(JSON.parse(source?.Request ?? ''), { includeFields: false, includeCounters: false });
  });

  it('is undone by mirror remove, and a list that was removed comes back by its name alone', async () => {
    await silently('add', 'datastore', datastore);
    await silently('remove', `datastore ${datastore}`);
    await silently('remove', 'marks');
    await lines('sync', 'sbi_codes');
    const sources = (await lines('status')).map(({ Source }) => Source);
    assert.ok(!sources.includes('marks') && !sources.includes(`datastore ${datastore}`));
    const [line] = await lines('sync', 'marks');
    assert.equal(line?.Source, 'marks');
  });

  it('has an unknown source to remove corrected', async () => {
    const { stderr } = await ends(here.run(['mirror', 'remove', 'relation']), 2, /the mirror has no source 'relation'/);
    assert.match(stderr, /relations/);
  });

  it('takes the flags of its kind alone, an Id where the kind has one, and says what kinds there are', async () => {
    const wrong: readonly (readonly [words: readonly string[], message: RegExp])[] = [
      [['relations', '--entity-type', entityType], /mirror add relations takes --include-fields.* not --entity-type/],
      [['relationships', '--include-counters'], /takes --include-fields, and not --include-counters/],
      [['datastore', datastore, '--from', '-1d'], /takes no flags of its own, and not --from/],
      [['marks', '--by-relation', '--to', 'now'], /takes --by-relation, --from, and not --to/],
      [['call:MarkGetAll', '--list', 'Marks', '--include-fields'], /takes --list.* not --include-fields/],
      [['marks'], /relctl reads the marks on relationships relation by relation\n.*--by-relation/s],
      [['activities'], /Use --entity-type, or --by-relation/],
      [['activities', '--by-relation', '--entity-type', entityType], /--entity-type is for a search/],
      [['workflow'], /ID is missing: which workflow\?/],
      [['workflow', 'Nobody'], /ID: 'Nobody' is not a GUID, and profile '\w+' has no workflow of that name/],
      [['relations', workflow], /mirror add relations takes no Id/],
      [['relation'], /'relation' cannot be added; you can add activities, .*call:OPERATION/],
      [['call:'], /'call:' cannot be added/],
    ];
    for (const [words, message] of wrong) {
      await ends(here.run(['mirror', 'add', ...words]), 2, message, '');
    }
    await ends(here.run(['mirror', 'remove', 'marks', '--all']), 2);
    assert.equal((await here.run(['mirror', 'remove'])).code, 2);
  });
});
