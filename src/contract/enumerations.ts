import { enumeration } from './build.js';

/** Interface document, Enumerations. Values are exact, in its order, also where it spells one thing two ways. */
export const AddressType = enumeration('AddressType', 'Which of a relation’s addresses is meant.', [
  'PostAddress',
  'PrivateAddress',
  'PrivateDifferentAddress',
  'PostAddressOrganisation',
  'VisitAddress',
  'VisitAddressOrganization',
  'BillingAddress',
  'BillingAddressOrganization',
]);

/** Interface document, Enumerations. */
export const AddressStyle = enumeration('AddressStyle', 'How a relation is addressed in letters.', [
  'Formal',
  'Informal',
  'ExecutiveBoard',
  'Family',
  'Board',
  'Partner',
  'Residents',
  'Owners',
  'FormalWithFirstnames',
  'FormalWithFunction',
  'None',
  'FormalWithInformal',
]);

/** Interface document, Enumerations. */
export const ProductType = enumeration('ProductType', 'Whether goods or work are sold.', ['Product', 'Service']);

/** Interface document, Enumerations. */
export const UnitType = enumeration(
  'UnitType',
  'Unit in which a product is counted, as the older product operations name it.',
  [
    'Piece',
    'Box',
    'Dozen',
    'Foot',
    'Gallon',
    'Pound',
    'Gross',
    'Yard',
    'Inch',
    'Kilometer',
    'Megabyte',
    'Gigabyte',
    'Centimeter',
    'Millimeter',
    'Meter',
    'CubicCentimeter',
    'CubicFoot',
    'CubicInch',
    'CubicMillimeter',
    'CubicMeter',
    'SquareCentimeter',
    'SquareFoot',
    'SquareInch',
    'SquareMillimeter',
    'SquareMeter',
    'SquareYard',
    'Period',
    'Year',
    'HalfYear',
    'Quarters',
    'Month',
    'Week',
    'Day',
    'Hour',
    'Quarter',
    'Minute',
    'Second',
    'Kilo',
    'Gram',
    'Milligram',
    'Liter',
    'Post',
    'Pair',
    'Copy',
  ],
);

/** Interface document, Enumerations. */
export const TabPageType = enumeration(
  'TabPageType',
  'The tab page of the application whose entries a counter counts.',
  [
    'Dashboard',
    'Relation',
    'Relationship',
    'Activity',
    'Lines',
    'Involveds',
    'Marks',
    'Attachments',
    'InvolvedEmployees',
    'Notes',
    'PersonPrivate',
    'PersonFinancial',
    'PersonOther',
    'OrganisationCommunication',
    'OrganisationFinancial',
    'OrganisationOther',
    'Activities',
    'Subprocesses',
    'ConnectedActivities',
    'Contacts',
    'Audittrail',
    'AudittrailLogs',
    'AudittrailTransitions',
    'SocialMedia',
    'CampaignDashboard',
    'Timeline',
    'ReadRightUsers',
    'None',
    'SubAccounts',
    'QueueMessages',
  ],
);

/** Interface document, Enumerations: Field Control. */
export const FieldControl = enumeration('FieldControl', 'The control that shows a field in the application.', [
  'TextBox',
  'CheckBox',
  'PvComboBox',
  'PvDateTimePicker',
  'PvMailTextBox',
  'PvUrlTextBox',
  'PvIntegerTextBox',
  'PvCurrencyTextBox',
  'PvLabelControl',
]);

/** Interface document, Enumerations: Field Type. */
export const FieldType = enumeration('FieldType', 'The type of the values that a field holds.', [
  'UniqueIdentifier',
  'NVarChar',
  'Datetime',
  'Datetime2',
  'Bit',
  'Float',
  'Int',
  'Decimal',
  'VarBinary',
  'SmallInt',
  'Currency',
  'BigInt',
  'VarChar',
  'Label',
]);

/** Interface document, Enumerations. */
export const ComboboxValues = enumeration(
  'ComboboxValues',
  'Where a field with a list to choose from takes that list from.',
  ['Datastore', 'Enumeration', 'Countries', 'Employees', 'Users', 'SbiCodes', 'SystemDatastore', 'Vat', 'Unit'],
);

/** Interface document, Enumerations: Label Type. */
export const LabelType = enumeration('LabelType', 'What a label is attached to.', [
  'ActivityField',
  'Activity',
  'Attachment',
  'RelationField',
  'Relation',
  'RelationshipField',
  'Relationship',
]);

/** Interface document, Enumerations: WorkflowStep Type; also a state set (States and transitions). */
export const WorkflowStepType = enumeration('WorkflowStepType', 'The part that a step plays in its workflow.', [
  'StartStep',
  'ActionStep',
  'QueueStep',
  'EndStep',
]);

/** Interface document, Enumerations. */
export const SystemDatastoreType = enumeration('SystemDatastoreType', 'A lookup list that the system itself keeps.', [
  'LegalEntity',
  'ClassPersonnel',
  'PaymentMethod',
  'Prolongation',
  'InvoiceMoment',
  'AuthorizationType',
  'ReversalReason',
  'BikeDepotBrand',
]);

/** Interface document, Enumerations; also a state set (States and transitions). */
export const ActivityLocation = enumeration(
  'ActivityLocation',
  'Where an activity stands in the notifications of a user.',
  ['Queue', 'Todo', 'Closed'],
);
