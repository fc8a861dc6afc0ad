import assert from 'node:assert/strict';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationshipData } from '../../../src/contract/records/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { fieldValuesOf, findById } from '../../../src/sandbox/store/records.js';
import { inserter, listsOf } from '../../../src/sandbox/store/rows.js';
import { listFor, tableFor } from '../../../src/sandbox/store/schema.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const id = (digit: string): string => `aaaaaaaa-0000-4000-8000-00000000000${digit}`;

describe('A row of the store', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(3);
  });
  after(() => sandbox.close());

  it('gives back every value to the character, with absent and nil as the contract has them', () => {
    const relationship = {
      Id: id('1'),
      EntityTypeId: id('2'),
      ParentRelationId: id('3'),
      ChildRelationId: id('4'),
      Description: '',
      DisplayCity: ' \r\n\t\u001f😀 ',
      IsContact: true,
      IsEmployee: false,
      IsOrganisation: false,
      PreferredAddress: 'VisitAddress',
      AddresStyle: 'None',
      TittleId: null,
      AccountManagerId: id('5'),
      IsInactive: false,
      OptOut: true,
      AuditData: {
        CreatedAt: '2020-02-29T23:59:59.1234567+02:00',
        CreatedByUser: id('6'),
        ModifiedAt: '0001-01-01T00:00:00',
        ModifiedByUser: id('7'),
      },
      FieldValues: { Items: [{ Id: id('8'), Value: '' }, { Id: id('9') }] },
    };
    const seq = inserter(sandbox.store, tableFor('PvRelationshipData'))(relationship);
    const found = findById(sandbox.store, PvRelationshipData, id('1').toUpperCase());
    assert.ok(found);
    const { FieldValues, ...own } = relationship;
    assert.deepEqual(found, { seq, record: { ...own, FieldValues: null }, isOutline: false });
    assert.deepEqual(fieldValuesOf(sandbox.store, PvRelationshipData, found), FieldValues);
  });

  it('has nested records from its columns, and nil for what lies elsewhere', () => {
    const activity = {
      Id: id('1'),
      ViewSortingDate: '2024-01-01T00:00:00',
      FollowUp: {
        Start: null,
        End: null,
        InAgenda: false,
        ReminderPeriodInMinutes: 0,
        OwnerUserId: null,
        PlacedInQueueId: null,
      },
      Settings: {
        WorkflowId: id('1'),
        WorkflowStepId: id('2'),
        ParentRelationshipId: id('3'),
        ChildRelationshipId: null,
      },
    };
    const seq = inserter(sandbox.store, tableFor('PvActivityData'))(activity, {
      EntityTypeId: id('9'),
      ModifiedKey: '',
    });
    const missing = { ParentRelationship: null, ChildRelationship: null, FieldValues: null, CounterValues: null };
    assert.deepEqual(findById(sandbox.store, PvActivityData, id('1')), {
      seq,
      isOutline: false,
      record: { ...activity, ...missing, AuditData: null, ActivityAuditData: null },
    });
  });

  it('brings the lists of many records at once, in their order', () => {
    const list = listFor('PvDatastoreItemDataWithParent_V2', 'Translations');
    const lists = listsOf(sandbox.store, list, [1, 2, 999]);
    assert.deepEqual([...lists.keys()], [1, 2]);
    assert.deepEqual(lists.get(1), [
      { CultureCode: 'nl-NL', Value: 'Bouw' },
      { CultureCode: 'en-US', Value: 'Construction' },
      { CultureCode: 'de-DE', Value: 'Bauwesen' },
    ]);
  });
});
