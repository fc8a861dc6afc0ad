/** A record as the interface document spells it. */
interface ExpectedRecord {
  readonly name: string;
  /**
   * One entry a field, in order: name, type and, where the document states it, presence. `T*` is a list whose items are
   * elements named T; `T/item` a list whose items are named otherwise.
   */
  readonly fields: string;
}

const record = (name: string, fields: string): ExpectedRecord => ({ name, fields });

/** Records whose presence column stands in the document. */
export const recordsWithPresence: readonly ExpectedRecord[] = [
  record('PvApiResultDataOfObject', 'Succeeded boolean Req; Number int Req; Code string Opt; Description string Opt'),
  record(
    'ApiCredentials',
    'ApiKey guid Req; DatabaseId guid Nil; UserId guid Nil; UserName string Opt; Password string Opt; SourceApplication ApiSourceApplication Opt',
  ),
  record('ApiSourceApplication', 'Name string Opt; Category string Opt; Subcategory string Opt; Version string Opt'),
  record(
    'PvActivityData',
    `Id guid Req; Info string Opt; Number string Opt; ViewSortingDate dateTime Req; FollowUp PvActivityFollowUpData Opt;
     Settings PvActivitySettingsData Opt; ParentRelationship PvRelationshipData Opt; ChildRelationship PvRelationshipData Opt;
     FieldValues PvFieldValuesData Opt; AuditData PvAuditData Opt; ActivityAuditData PvActivityAuditData Opt;
     CounterValues PvCounterData* Opt`,
  ),
  record(
    'PvActivityFollowUpData',
    `Start dateTime Nil; End dateTime Nil; InAgenda boolean Nil; ReminderPeriodInMinutes int Nil; OwnerUserId guid Nil;
     PlacedInQueueId guid Nil`,
  ),
  record(
    'PvActivitySettingsData',
    'WorkflowId guid Req; WorkflowStepId guid Req; ParentRelationshipId guid Req; ChildRelationshipId guid Nil',
  ),
  record(
    'PvRelationshipData',
    `Id guid Req; EntityTypeId guid Req; ParentRelationId guid Req; ChildRelationId guid Req; Description string Opt;
     DisplayCity string Opt; DisplayName string Opt; SortingName string Opt; IsContact boolean Req; IsEmployee boolean Req;
     IsOrganisation boolean Req; PreferredAddress AddressType Req; AddresStyle AddressStyle Req; Addressing string Opt;
     Openening string Opt; AddressingVariant string Opt; OpeneningVariant string Opt; TittleId guid Nil;
     AccountManagerId guid Nil; IsInactive boolean Req; OptOut boolean Req; AuditData PvAuditData Opt;
     FieldValues PvFieldValuesData Opt`,
  ),
  record('PvSystemDatastoreItemData', 'Id guid Req; Description string Opt; Code string Opt'),
  record('PvNotificationData', 'Id guid Req; ActivityLocation ActivityLocation Req; Activity PvActivityData Opt'),
];

/** Records for which the document gives names and types only. */
export const recordsWithoutPresence: readonly ExpectedRecord[] = [
  record(
    'PvRelationData',
    `Id guid; EntityTypeId guid; Info string; SortingName string; DisplayName string; IsRoot boolean; IsDummy boolean;
     ImportKey string; IsInactive boolean; FieldValues PvFieldValuesData; CounterValues PvCounterData*`,
  ),
  record('PvAuditData', 'CreatedAt dateTime; CreatedByUser guid; ModifiedAt dateTime; ModifiedByUser guid'),
  record('PvActivityAuditData', 'ClosedAt dateTime; ClosedByUser guid'),
  record('PvFieldValuesData', 'Items PvFieldValueData*'),
  record('PvFieldValueData', 'Id guid; Value string'),
  record('PvCounterData', 'TabPageType TabPageType; Value int'),
  record('PvTranslationData2', 'CultureCode string; Value string'),
  record(
    'PvDatastoreItem',
    `Id guid; Code string; Description string; IsInactive boolean; IsDefault boolean; Translations PvTranslationData2*`,
  ),
  record(
    'PvDatastoreItemDataWithParent_V2',
    `Id guid; ParentId guid; Description string; IsInactive boolean; IsDefault boolean; Translations PvTranslationData2*`,
  ),
  record('PvLabelItemData', 'Id long; RecordId guid; FieldId guid; DatastoreId guid; Type LabelType; Text string'),
  record(
    'PvMarkData',
    'Id guid; Category string; Name string; ExternalDescription string; IsInactive boolean; Type short',
  ),
  record(
    'PvRelationshipMarkData',
    `Id guid; RelationshipId guid; RelationshipDescription string; MarkId guid; PreferredAddress AddressType; Date dateTime`,
  ),
  record('PvInvolvedData', 'Id guid; Type string; EntityTypeId guid; ActivityId guid; RelationshipId guid'),
  record('PvWorkflowStepData', 'Id guid; Name string; Code string; Type WorkflowStepType'),
  record('PvSbiCodeData', 'Id guid; Code string; Section string; Description string'),
  record(
    'ProductLineData',
    `Id guid; Quantity decimal; Amount decimal; TotalAmount decimal; PurchaseAmount decimal; VatId guid; ProductId guid;
     Description string; Period int`,
  ),
  record(
    'Attachment',
    `Id guid; CreationDate dateTime; ModificationDate dateTime; FileName string; Description string; Version string;
     Extension string; ExternalDmsType int; ExternalDmsId string; Base64EncodedFile string`,
  ),
  record('TelephoneBookEntry', 'relation PvRelationData; TelephoneNumbers PvTelephoneNumberData*'),
  record(
    'PvProductData',
    `Id guid; ProductGroupId guid; Code string; Name string; Description string; ProductType ProductType; UnitType UnitType;
     IsDivisible boolean; SalesPrice decimal; IsSalesPriceInclusiveVat boolean; SalesVatId guid; PurchasePrice decimal;
     IsInactive boolean; AllowChangePrice boolean; AllowChangeDescription boolean; AllowChangeVat boolean;
     AutoEnableEdit boolean`,
  ),
  record(
    'PvProductData_V2',
    `Id guid; ProductGroupId guid; Code string; Name string; Description string; ProductType ProductType; Unit int;
     IsDivisible boolean; SalesPrice decimal; IsSalesPriceInclusiveVat boolean; SalesVatId guid; PurchasePrice decimal;
     IsInactive boolean; AllowChangePrice boolean; AllowChangeDescription boolean; AllowChangeVat boolean;
     AutoEnableEdit boolean`,
  ),
  record(
    'PvFieldData',
    `Id guid; Label string; Name string; SortIndex short; CategoryName string; CategorySortIndex short;
     HideAtEntryForm boolean; UserFriendlyName string; IsReadOnly boolean; Description string; Control FieldControl;
     Type FieldType; Length int; ComboboxValues ComboboxValues; ExtraInfo string; IsRequired boolean`,
  ),
];

/** What the document leaves open (the telephone numbers of an entry) or does not name (the line of RelationshipAddLine). */
export const recordsBesideTheDocument: readonly ExpectedRecord[] = [
  record('PvTelephoneNumberData', 'Id guid; Type string; Name string; Description string; Field string; Value string'),
  record('PvLineData', 'Id guid; FieldValues PvFieldValuesData'),
];
