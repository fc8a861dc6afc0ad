import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Fields, Operation, RecordType, Type } from '../../../src/contract/build.js';
import { findOperation, operations } from '../../../src/contract/service.js';
import { ReadableOperations } from '../../../src/profiles/descriptions/readable.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import { successOf } from '../../support/soap/arbitraries.js';
import { bytesOf, decoded, envelope, namespace, read } from '../../support/soap/exchange.js';
import { deployedWsdl, element, type Change, descriptionOf } from '../../support/wsdl.js';

const readableOf = async (...changes: readonly Change[]): Promise<ReadableOperations> =>
  new ReadableOperations(await descriptionOf({ 'service.wsdl': deployedWsdl(...changes) }));

const itemOf = (fields: Fields, list: string): RecordType => {
  const type = fields[list]?.type;
  return type?.kind === 'list' && type.item.kind === 'record' ? type.item : assert.fail(`${list} lists no records`);
};

const recordAt = (fields: Fields, name: string): RecordType => {
  const type = fields[name]?.type;
  return type?.kind === 'record' ? type : assert.fail(`${name} is no record`);
};

const typeAt = (fields: Fields, name: string): Type => fields[name]?.type ?? assert.fail(`there is no ${name}`);

const displayName = '<s:element minOccurs="0" maxOccurs="1" name="DisplayName" type="s:string" />';
const items =
  '<s:element minOccurs="0" maxOccurs="unbounded" name="PvFieldValueData" nillable="true" type="tns:PvFieldValueData" />';

describe('operations of the contract by the WSDL of a service', () => {
  it('are the very same where that says nothing more', async () => {
    const readable = await readableOf();
    for (const operation of Object.values<Operation>(operations)) assert.equal(readable.of(operation), operation);
  });

  it('have members of it behind those of the contract, and send what they sent', async () => {
    const readable = await readableOf([displayName, `${element('Score', 's:decimal')}${displayName}`]);
    const { RelationGetAll, MarkGetAll } = operations;
    const made = readable.of(RelationGetAll);
    const { fields } = itemOf(made.result, 'Relations');
    const own = Object.keys(itemOf(RelationGetAll.result, 'Relations').fields);
    assert.deepEqual(Object.keys(fields), [...own, 'Score']);
    assert.deepEqual(fields['Score'], {
      type: { kind: 'scalar', name: 'decimal' },
      presence: 'opt',
      doc: 'In the WSDL of the service, not in the contract.',
      isExtra: true,
    });
    assert.equal(made.parameters, RelationGetAll.parameters);
    assert.equal(readable.of(made), made);
    assert.equal(readable.of(RelationGetAll), made);
    assert.equal(readable.of(MarkGetAll), MarkGetAll);
  });

  it('keep types, presence and order that the WSDL has otherwise', async () => {
    const readable = await readableOf(
      [displayName, displayName.replace('s:string', 's:int').replace('minOccurs="0"', 'minOccurs="1"')],
      ['name="pageNumber" type="s:int"', 'name="pageNumber" type="s:string"'],
    );
    assert.equal(readable.of(operations.RelationGetAll), operations.RelationGetAll);
  });

  it('know its values of enumerations', async () => {
    const value = '<s:enumeration value="ActivityField" />';
    const readable = await readableOf([value, `${value}<s:enumeration value="Ticket" />`]);
    const labels = itemOf(readable.of(operations.ActivityGetLabels).result, 'Labels');
    const own = typeAt(itemOf(operations.ActivityGetLabels.result, 'Labels').fields, 'Type');
    const made = typeAt(labels.fields, 'Type');
    assert.ok(own.kind === 'enumeration' && made.kind === 'enumeration');
    assert.deepEqual(made.values, [...own.values, 'Ticket']);
  });

  it('have the wrapper that it gives the notifications', async () => {
    const readable = await readableOf(
      ['name="Notifications"', 'name="List"'],
      ['name="PvNotificationData" nillable', 'name="Row" nillable'],
    );
    const { result } = readable.of(operations.NotificationsGet);
    const field = result['Notifications'] ?? assert.fail('there is no list');
    assert.equal(field.element, 'List');
    assert.ok(field.type.kind === 'list');
    assert.equal(field.type.itemName, 'Row');
    assert.equal(field.type.item, itemOf(operations.NotificationsGet.result, 'Notifications'));
  });

  it('have the items that it gives field values', async () => {
    const readable = await readableOf(
      [
        items,
        items.replace('name="PvFieldValueData"', 'name="Entry"').replace('"tns:PvFieldValueData"', '"tns:Entry"'),
      ],
      [
        '<s:complexType name="PvFieldValuesData">',
        `<s:complexType name="Entry"><s:sequence>${element('Key', 's:long')}</s:sequence></s:complexType><s:complexType name="PvFieldValuesData">`,
      ],
    );
    const relation = recordAt(readable.of(operations.RelationGet).result, 'Relation');
    const list = typeAt(recordAt(relation.fields, 'FieldValues').fields, 'Items');
    assert.ok(list.kind === 'list' && list.item.kind === 'record');
    assert.deepEqual([list.itemName, Object.keys(list.item.fields)], ['Entry', ['Key']]);
  });

  it('have the shapes that it gives entries of the telephone book', async () => {
    const readable = await readableOf([
      'name="relation" nillable="true" type="tns:PvRelationData"',
      'name="relation" type="s1:guid"',
    ]);
    const { result } = readable.of(operations.RelationGetTelephoneBook);
    const { fields } = itemOf(result, 'TelephoneBookEntries');
    assert.deepEqual(typeAt(fields, 'relation'), { kind: 'scalar', name: 'guid' });
    assert.deepEqual(
      typeAt(fields, 'TelephoneNumbers'),
      typeAt(itemOf(operations.RelationGetTelephoneBook.result, 'TelephoneBookEntries').fields, 'TelephoneNumbers'),
    );
  });

  it('read answers of the contract as without it', async () => {
    const readable = await readableOf([displayName, `${element('Score', 's:decimal')}${displayName}`]);
    for (const name of ['RelationGetAll', 'RelationGet', 'RelationGetTelephoneBook']) {
      const operation = findOperation(name) ?? assert.fail(name);
      const other = readable.of(operation);
      assert.notEqual(other, operation);
      await fc.assert(
        fc.asyncProperty(successOf(operation), async (result) => {
          const members = Object.fromEntries(Object.entries(result).filter(([member]) => member in operation.result));
          const content = encodeFields(operation.result, members, { direction: 'response', of: name });
          const answer = `<${name}Response xmlns="${namespace}"><${name}Result>${content}</${name}Result></${name}Response>`;
          const bytes = [bytesOf(envelope(answer))];
          assert.deepEqual(await read(other, bytes), await read(operation, bytes));
        }),
        { numRuns: 30 },
      );
    }
  });

  describe('read members of it', () => {
    let fields: Fields;
    before(async () => {
      const owner = `<s:complexType name="Owner"><s:sequence>${element('Id', 's1:guid')}${element('Age', 's:int')}</s:sequence></s:complexType>`;
      const readable = await readableOf(
        [displayName, `${element('Score', 's:int')}${element('Owner', 'tns:Owner')}${displayName}`],
        ['<s:complexType name="PvRelationData">', `${owner}<s:complexType name="PvRelationData">`],
      );
      fields = itemOf(readable.of(operations.RelationGetAll).result, 'Relations').fields;
    });
    const own = '<IsRoot>true</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive>';
    const ids =
      '<Id>00000000-0000-4000-8000-000000000001</Id><EntityTypeId>00000000-0000-4000-8000-000000000002</EntityTypeId>';
    const values = {
      Id: '00000000-0000-4000-8000-000000000001',
      EntityTypeId: '00000000-0000-4000-8000-000000000002',
      IsRoot: true,
      IsDummy: false,
      IsInactive: false,
    };
    const written = (content: string): unknown => {
      const { value, notes } = decoded(
        {
          Record: {
            type: { kind: 'record', name: 'R', doc: '', fields, presence: 'assumed' },
            presence: 'req',
            doc: '',
          },
        },
        `<Record>${ids}${content}${own}</Record>`,
      );
      const record = (value as { readonly Record: object }).Record;
      return { text: JSON.stringify(record), notes: notes.map(({ kind, path }) => `${kind} ${path}`) };
    };
    const text = (more: object): string => JSON.stringify({ ...values, ...more });

    for (const [what, content, more, notes] of [
      ['with their types, behind the others', '<Score>7</Score><DisplayName>A</DisplayName>', undefined, []],
      ['as records', '<Owner><Age>3</Age></Owner>', { Owner: { Age: 3 } }, []],
      ['of another type, as text', '<Score>x</Score>', { Score: 'x' }, ['bad-value Record.Score']],
      [
        'that come twice, as a list',
        '<Score>7</Score><Score>8</Score>',
        { Score: [7, 8] },
        ['unexpected-elements Record.Score'],
      ],
      [
        'that come thrice, as a list',
        '<Score>7</Score><Score>8</Score><Score>9</Score>',
        { Score: [7, 8, 9] },
        ['unexpected-elements Record.Score'],
      ],
      ['of another namespace', '<Score xmlns="urn:other">7</Score>', { Score: 7 }, ['unknown-field Record.Score']],
      [
        'whose own members come twice',
        '<Owner><Age>3</Age><Age>4</Age></Owner>',
        { Owner: { Age: [3, 4] } },
        ['unexpected-elements Record.Owner.Age', 'out-of-order Record.Owner.Age'],
      ],
      [
        'whose own members are of another namespace',
        '<Owner><Age xmlns="urn:other">3</Age></Owner>',
        { Owner: { Age: 3 } },
        ['unknown-field Record.Owner.Age'],
      ],
      ['that are nil', '<Owner xsi:nil="true"/>', { Owner: null }, []],
      [
        'beside what nobody knows',
        '<Score>7</Score><Other>1</Other>',
        { Score: 7, Other: '1' },
        ['unknown-field Record.Other'],
      ],
    ] as const) {
      it(what, () => {
        const { Id, EntityTypeId, ...flags } = values;
        const expected =
          more === undefined ? JSON.stringify({ Id, EntityTypeId, DisplayName: 'A', ...flags, Score: 7 }) : text(more);
        assert.deepEqual(written(content), { text: expected, notes });
      });
    }
  });
});
