import assert from 'node:assert/strict';
import { SystemDatastoreType } from '../../src/contract/enumerations.js';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { allRefused, endToEnd, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { valuesOf } from '../support/thrown.js';

const { datastoreEntityTypeId, childDatastoreEntityTypeId } = known;
const [description, code, parent, inactive] = ['Description', 'Code', 'Parent', 'IsInactive'].map((name) =>
  fieldId(21, name),
) as [string, string, string, string];
const childDescription = fieldId(22, 'Description');
const childParent = fieldId(22, 'Parent');
const create = ['datastore', 'create-item', datastoreEntityTypeId];
const items = ['datastore', 'items'];

interface Item {
  readonly Id: string;
  readonly ParentId?: string | null;
  readonly Code?: string;
  readonly Description: string;
  readonly IsInactive: boolean;
  readonly Translations?: readonly { readonly CultureCode: string; readonly Value: string }[] | null;
}

describe('The commands about datastores', () => {
  const here = place();

  endToEnd(here, 'DatastoreCreateItem_V3', {
    works: {
      'datastore create-item makes an entry with its words in other languages, which items shows': async ({
        json,
        soap,
      }) => {
        const text = `Visserij & "aquacultuur" ${soap}`;
        const made = await json<Item>(argv`
          ${create} --field ${description}=${text} --field ${code}=007 --field ${inactive}=true --translation
          "nl-NL=Visserij = vis" --translation "de=Fischerei ÄÖÜ" --translation en-US=
        `);
        const translations = [
          { CultureCode: 'nl-NL', Value: 'Visserij = vis' },
          { CultureCode: 'de', Value: 'Fischerei ÄÖÜ' },
          { CultureCode: 'en-US', Value: '' },
        ];
        assert.deepEqual([made.Description, made.Code, made.IsInactive], [text, '007', true]);
        assert.deepEqual(made.Translations, translations);
        const listed = await json<Item[]>([...items, datastoreEntityTypeId, '--translations']);
        const { Code, ...shown } = made;
        assert.deepEqual(listed.at(-1), { ...shown, ParentId: null });
        const sql = 'SELECT "Code" FROM "PvDatastoreItemDataWithParent_V2" WHERE "Id" = ?';
        assert.deepEqual(here.rows(sql, made.Id), [[Code]]);
      },
      'datastore create-item puts an entry under another, and says what the service refuses': async ({ json, run }) => {
        const child = ['datastore', 'create-item', childDatastoreEntityTypeId];
        const above = '00000000-0042-4000-8000-000000002104';
        const made = await json<Item>(
          argv`${child} --field ${childDescription}=Zwemles --field ${childParent}=${above}`,
        );
        const listed = await json<Item[]>([...items, childDatastoreEntityTypeId]);
        assert.equal(listed.find(({ Id }) => Id === made.Id)?.ParentId, above);
        const before = here.digest();
        await ends(run([...child, '--field', `${childParent}=${above}`]), 4, /Description is required/);
        assert.equal(here.digest(), before);
      },
    },
    refuses: [
      [[...create, '--translation', 'Nederlands'], /--translation needs a language and a text.*'Nederlands'/],
      [[...create, '--translation', 'NL=x'], /--translation needs/],
      [[...create, '--translation', 'nl-NL=a', '--translation', 'nl-nl=b'], /--translation nl-nl is set twice/],
      [[...create, '--field', 'Description=x'], /--field: there is no field 'Description'/],
      [[...create, '--field', parent], /--field takes NAME=VALUE/],
      [['datastore', 'create-item', 'Branche'], /ENTITY-TYPE: 'Branche' is not a GUID/],
    ],
  });

  endToEnd(here, 'DatastoreGetWithParentItems_V2', {
    works: {
      'datastore items gives the entries with those above them, and words only when they are asked for': async ({
        json,
      }) => {
        const [bare, full] = await Promise.all([
          json<Item[]>([...items, childDatastoreEntityTypeId]),
          json<Item[]>([...items, childDatastoreEntityTypeId, '--translations']),
        ]);
        const kept = here.rows(
          'SELECT "Id", "ParentId" FROM "PvDatastoreItemDataWithParent_V2" WHERE "EntityTypeId" = ? ORDER BY seq',
          childDatastoreEntityTypeId,
        );
        assert.deepEqual(valuesOf(bare, 'Id', 'ParentId'), kept);
        assert.ok(bare.every(({ Translations }) => (Translations ?? null) === null));
        assert.deepEqual(full[0]?.Translations?.[1], { CultureCode: 'en-US', Value: 'Housing' });
      },
      'datastore items -o tree puts each entry under the one above it, parents first': async ({ run }) => {
        const { code, stdout, stderr } = await run(argv`
          ${items} ${childDatastoreEntityTypeId} -o tree --parents ${datastoreEntityTypeId} --translations
        `);
        assert.deepEqual([code, stderr], [0, '']);
        const lines = stdout.split('\n').slice(0, 4);
        assert.match(lines[0] ?? '', /^Bouw \(default; nl-NL: Bouw; en-US: Construction; .*\) {2}0{8}-0042-.*2101$/);
        assert.match(lines[1] ?? '', /^ {2}Woningbouw \(default; nl-NL: Woningbouw; .*\) {2}0{8}-0042-.*2201$/);
        assert.match(lines[2] ?? '', /^ {2}Wegenbouw \(.*\) {2}0{8}-0042-.*2202$/);
        assert.match(lines[3] ?? '', /^Zorg & welzijn \(/);
      },
      'datastore items -o tree shows entries whose parents were not requested at the top': async ({ run }) => {
        const { stdout } = await run([...items, childDatastoreEntityTypeId, '-o', 'tree']);
        assert.ok(
          stdout
            .trim()
            .split('\n')
            .every((line) => /^\S/.test(line)),
        );
      },
    },
    refuses: [
      [[...items, 'Branche'], /ENTITY-TYPE: 'Branche' is not a GUID/],
      [[...items, childDatastoreEntityTypeId, '--parents', datastoreEntityTypeId], /--parents is for -o tree only/],
      [[...items, childDatastoreEntityTypeId, '-o', 'tree', '--parents', 'x'], /--parents: 'x' is not a GUID/],
      [[...items, childDatastoreEntityTypeId, '-o', 'tree', '--columns', 'Id'], /-o tree and --columns/],
      [[...items, childDatastoreEntityTypeId, '-o', 'tre'], /'tre'/],
    ],
  });

  it('A circle of parents ends, with every entry shown once', async () => {
    const [top, under] = ['00000000-0042-4000-8000-000000002301', '00000000-0042-4000-8000-000000002302'];
    for (const [id, above] of [
      [top, under],
      [under, top],
    ]) {
      here.execute(`UPDATE "PvDatastoreItemDataWithParent_V2" SET "ParentId" = '${above}' WHERE "Id" = '${id}'`);
    }
    const { stdout } = await here.run([...items, '00000000-0040-4000-8000-000000000023', '-o', 'tree']);
    assert.equal(stdout.trim().split('\n').length, 5);
    assert.equal(stdout.split(top).length, 2);
  });

  endToEnd(here, 'DatastoreGetSbiCodes', {
    works: {
      'datastore sbi-codes gives all codes with their leading zeros': async ({ json }) => {
        const codes = await json<{ Id: string; Code: string }[]>(['datastore', 'sbi-codes']);
        assert.deepEqual(
          valuesOf(codes, 'Id', 'Code'),
          here.rows('SELECT "Id", "Code" FROM "PvSbiCodeData" ORDER BY seq'),
        );
        assert.ok(codes.some(({ Code }) => Code.startsWith('0')));
      },
    },
    refuses: [
      [['datastore', 'sbi-codes', '--limit', '-1'], /--limit/],
      [['datastore', 'sbi-codes', '--page', '2'], /unknown flag --page/],
    ],
  });

  endToEnd(here, 'SystemDatastoreGetItems', {
    works: {
      'datastore system completes the name of the list, in any case of letters': async ({ json }) => {
        const names = ['PaymentMethod', 'paymentmethod', 'pay'];
        const lists = await Promise.all(names.map((name) => json<Item[]>(['datastore', 'system', name])));
        const sql = 'SELECT "Id" FROM "PvSystemDatastoreItemData" WHERE "SystemDatastoreType" = ? ORDER BY seq';
        const kept = here.rows(sql, 'PaymentMethod').flat();
        for (const list of lists) {
          assert.deepEqual(valuesOf(list, 'Id'), kept);
        }
      },
    },
    refuses: [
      [['datastore', 'system', 'P'], /TYPE takes one of .*'P'\n.*PaymentMethod or Prolongation/],
      [['datastore', 'system', 'PaymentMethods'], /TYPE takes one of .*\n.*PaymentMethod/],
      [['datastore', 'system', ''], /TYPE takes one of/],
      [['datastore', 'system'], /TYPE is missing/],
    ],
  });

  it('datastore system names every list that there is, in its message', () =>
    allRefused(here, [[['datastore', 'system', '?'], new RegExp(SystemDatastoreType.values.join(', '))]]));
});
