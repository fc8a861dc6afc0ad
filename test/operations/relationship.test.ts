import assert from 'node:assert/strict';
import { entityTypeId } from '../../src/sandbox/dataset/catalogue.js';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { endToEnd, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { valuesOf } from '../support/thrown.js';

interface Relationship {
  readonly Id: string;
  readonly DisplayName?: string;
  readonly FieldValues: unknown;
}

interface Line {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] };
}

const { relationshipId, lineEntityTypeId, datastoreEntityTypeId } = known;
const interests = fieldId(3, 'Interests');
const [course, finished] = [fieldId(4, 'Course'), fieldId(4, 'Finished')];

describe('The commands about relationships', () => {
  const here = place();

  endToEnd(here, 'RelationshipGetAll', {
    works: {
      'relationship list gives every relationship of the store once': async ({ json }) => {
        const [all, full] = await Promise.all([
          json<Relationship[]>(['relationship', 'list', '--page-size', '40']),
          json<Relationship[]>(['relationship', 'list', '--include-fields']),
        ]);
        const kept = here.rows('SELECT "Id", "DisplayName" FROM "PvRelationshipData" ORDER BY seq');
        assert.deepEqual(
          all.map(({ Id, DisplayName }) => [Id, DisplayName ?? null]),
          kept,
        );
        assert.ok(all.every(({ FieldValues }) => FieldValues === null));
        assert.ok(full.every(({ FieldValues }) => FieldValues !== null));
      },
    },
    refuses: [
      [['relationship', 'list', '--columns', 'OpeningVariant'], /OpeningVariant[^]*OpeneningVariant/],
      [['relationship', 'list', '--limit', ''], /--limit/],
      [['relationship', 'list', '--include-counters'], /--include-counters/],
    ],
  });

  endToEnd(here, 'RelationshipFieldGetLabels', {
    works: {
      'relationship labels gives the labels with every digit of their numbers': async ({ json }) => {
        const [id, owner] =
          here.rows(
            'SELECT "Id", "RecordId" FROM "PvLabelItemData" WHERE "FieldId" = ? ORDER BY seq LIMIT 1',
            interests,
          )[0] ?? [];
        const labels = await json<{ Id: string; Text: string }[]>(
          argv`relationship labels ${String(owner)} --field ${interests}`,
        );
        const kept = here.rows(
          'SELECT "Id", "Text" FROM "PvLabelItemData" WHERE "RecordId" = ? AND "FieldId" = ? ORDER BY seq',
          String(owner),
          interests,
        );
        assert.equal(labels[0]?.Id, id);
        assert.deepEqual(valuesOf(labels, 'Id', 'Text'), kept);
      },
    },
    refuses: [
      [['relationship', 'labels', relationshipId, '--field', 'Interests'], /--field: there is no field 'Interests'/],
      [['relationship', 'labels', relationshipId], /field/],
      [['relationship', 'labels', '3', '--field', interests], /ID: '3' is not a GUID/],
    ],
  });

  const add = argv`
    relationship add-line ${relationshipId} --entity-type ${lineEntityTypeId} --datastore ${datastoreEntityTypeId}
  `;

  endToEnd(here, 'RelationshipAddLine', {
    works: {
      'relationship add-line adds one line with its values, which the store keeps': async ({ json, soap }) => {
        const lines = (): readonly unknown[] =>
          here.rows('SELECT "Id" FROM "PvLineData" WHERE "RelationshipId" = ?', relationshipId).flat();
        const before = lines();
        const value = ` é😀 <&> "${soap}" `;
        const line = await json<Line>(
          argv`${add} --field ${course}=${value} --field ${finished}=2026-01-31T00:00:00+01:00`,
        );
        const given = [
          { Id: course, Value: value },
          { Id: finished, Value: '2026-01-31T00:00:00+01:00' },
        ];
        assert.deepEqual(line.FieldValues.Items, given);
        const kept = here.rows(
          `SELECT l."Id", l."RelationshipId", l."EntityTypeId", l."DatastoreId", v."Id", v."Value" FROM "PvLineData" l
           JOIN "PvLineData_FieldValues_Items" v ON v.owner = l.seq WHERE l."Id" = ? ORDER BY v.position`,
          line.Id,
        );
        assert.deepEqual(
          kept,
          given.map(({ Id, Value }) => [line.Id, relationshipId, lineEntityTypeId, datastoreEntityTypeId, Id, Value]),
        );
        assert.deepEqual(lines(), [...before, line.Id]);
      },
      'relationship add-line adds nothing when a required field is missing': async ({ run }) => {
        const before = here.digest();
        await ends(run([...add, '--field', `${finished}=2026-01-31T00:00:00Z`]), 4, /Course is required/);
        assert.equal(here.digest(), before);
      },
    },
    refuses: [
      [[...add, '--field', course], /--field takes NAME=VALUE/],
      [[...add, '--field', `${course}=a`, '--field', `${course.toUpperCase()}=b`], /--field .* is set twice/],
      [[...add, '--field', 'Course=a'], /--field: there is no field 'Course'[^]*Use its id, or name it/],
      [[...add, '--field', `${course}=a\u0001b`], /Value holds the character U\+0001/],
      [['relationship', 'add-line', relationshipId, '--entity-type', lineEntityTypeId], /datastore/],
      [
        [...add.slice(0, 3), '--entity-type', 'Line', '--datastore', entityTypeId(21)],
        /--entity-type: 'Line' is not a GUID/,
      ],
    ],
  });
});
