import assert from 'node:assert/strict';
import { records } from '../../src/contract/service.js';
import { recordsBesideTheDocument, recordsWithPresence, recordsWithoutPresence } from './expected-records.js';
import { entriesOf, spelled, withPresence } from './spelling.js';
import type { EnumerationType } from '../../src/contract/build.js';
import { enumerations } from '../../src/contract/enumerations.js';

/** Fields without a stated presence that services leave empty: an open activity, an item without parent. */
const emptiable: Readonly<Record<string, readonly string[]>> = {
  PvActivityAuditData: ['ClosedAt', 'ClosedByUser'],
  PvDatastoreItemDataWithParent_V2: ['ParentId'],
};

const derived = (record: string, entry: string): string => {
  const [name = '', type = ''] = entry.split(' ');
  return emptiable[record]?.includes(name) === true ? `${name} ${type} Nil` : withPresence(entry);
};

describe('records of the contract', () => {
  it('are those of the interface document and the two that it leaves open', () => {
    const expected = [...recordsWithPresence, ...recordsWithoutPresence, ...recordsBesideTheDocument];
    assert.deepEqual(Object.keys(records).sort(), expected.map(({ name }) => name).sort());
    for (const [key, { name }] of Object.entries(records)) assert.equal(name, key);
  });

  for (const { name, fields } of recordsWithPresence) {
    it(`give ${name} the fields, types and presence of the document, in its order`, () => {
      const record = records[name];
      assert.ok(record);
      assert.deepEqual(spelled(record.fields), entriesOf(fields));
      assert.equal(record.presence, 'documented');
    });
  }

  for (const { name, fields } of [...recordsWithoutPresence, ...recordsBesideTheDocument]) {
    it(`give ${name} the fields and types of the document; values are always there, texts and records may be absent`, () => {
      const record = records[name];
      assert.ok(record);
      assert.deepEqual(
        spelled(record.fields),
        entriesOf(fields).map((entry) => derived(name, entry)),
      );
      assert.equal(record.presence, 'assumed');
    });
  }

  it('keep the spellings that look like mistakes', () => {
    const names = Object.keys(records['PvRelationshipData']?.fields ?? {});
    for (const name of ['AddresStyle', 'Openening', 'OpeneningVariant', 'TittleId'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(Object.keys(records['TelephoneBookEntry']?.fields ?? {}), ['relation', 'TelephoneNumbers']);
  });
});

/** The enumerations of the service as the interface document lists them: name, then every value in order. */
const expectedEnumerations: Readonly<Record<string, string>> = {
  AddressType:
    'PostAddress, PrivateAddress, PrivateDifferentAddress, PostAddressOrganisation, VisitAddress, VisitAddressOrganization, BillingAddress, BillingAddressOrganization',
  AddressStyle:
    'Formal, Informal, ExecutiveBoard, Family, Board, Partner, Residents, Owners, FormalWithFirstnames, FormalWithFunction, None, FormalWithInformal',
  ProductType: 'Product, Service',
  UnitType:
    'Piece, Box, Dozen, Foot, Gallon, Pound, Gross, Yard, Inch, Kilometer, Megabyte, Gigabyte, Centimeter, Millimeter, Meter, CubicCentimeter, CubicFoot, CubicInch, CubicMillimeter, CubicMeter, SquareCentimeter, SquareFoot, SquareInch, SquareMillimeter, SquareMeter, SquareYard, Period, Year, HalfYear, Quarters, Month, Week, Day, Hour, Quarter, Minute, Second, Kilo, Gram, Milligram, Liter, Post, Pair, Copy',
  TabPageType:
    'Dashboard, Relation, Relationship, Activity, Lines, Involveds, Marks, Attachments, InvolvedEmployees, Notes, PersonPrivate, PersonFinancial, PersonOther, OrganisationCommunication, OrganisationFinancial, OrganisationOther, Activities, Subprocesses, ConnectedActivities, Contacts, Audittrail, AudittrailLogs, AudittrailTransitions, SocialMedia, CampaignDashboard, Timeline, ReadRightUsers, None, SubAccounts, QueueMessages',
  FieldControl:
    'TextBox, CheckBox, PvComboBox, PvDateTimePicker, PvMailTextBox, PvUrlTextBox, PvIntegerTextBox, PvCurrencyTextBox, PvLabelControl',
  FieldType:
    'UniqueIdentifier, NVarChar, Datetime, Datetime2, Bit, Float, Int, Decimal, VarBinary, SmallInt, Currency, BigInt, VarChar, Label',
  ComboboxValues: 'Datastore, Enumeration, Countries, Employees, Users, SbiCodes, SystemDatastore, Vat, Unit',
  LabelType: 'ActivityField, Activity, Attachment, RelationField, Relation, RelationshipField, Relationship',
  WorkflowStepType: 'StartStep, ActionStep, QueueStep, EndStep',
  SystemDatastoreType:
    'LegalEntity, ClassPersonnel, PaymentMethod, Prolongation, InvoiceMoment, AuthorizationType, ReversalReason, BikeDepotBrand',
  ActivityLocation: 'Queue, Todo, Closed',
};

describe('enumerations of the contract', () => {
  it('are the twelve of the interface document, in its order', () => {
    assert.deepEqual(Object.keys(enumerations), Object.keys(expectedEnumerations));
    assert.equal(Object.keys(enumerations).length, 12);
  });

  for (const [name, values] of Object.entries(expectedEnumerations)) {
    it(`give ${name} exactly the values of the document`, () => {
      const type = Object.values<EnumerationType>(enumerations).find((one) => one.name === name);
      assert.ok(type);
      assert.deepEqual(type.values, values.split(', '));
      assert.equal(type.name, name);
    });
  }

  it('hold no value twice', () => {
    for (const { name, values } of Object.values(enumerations)) assert.equal(new Set(values).size, values.length, name);
  });
});
