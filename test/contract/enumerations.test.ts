import assert from 'node:assert/strict';
import type { EnumerationType } from '../../src/contract/build.js';
import { enumerations } from '../../src/contract/enumerations.js';

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
