/** An operation as the interface document spells it. */
interface ExpectedOperation {
  readonly name: string;
  /** Parameters in order, with their types; see ExpectedRecord for lists. `Req` where the document says "required". */
  readonly parameters: string;
  /** Members of the result in order, without the result envelope. */
  readonly result: string;
  readonly isEnvelope?: true;
  /** Member of the result that is cut into pages. */
  readonly paged?: string;
  /** What to use instead. */
  readonly deprecated?: string;
}

const operation = (
  name: string,
  parameters: string,
  result: string,
  more: Omit<ExpectedOperation, 'name' | 'parameters' | 'result'> = {},
): ExpectedOperation => ({ name, parameters, result, ...more });

/** The 32 operations of the document, in its order. */
export const documentedOperations: readonly ExpectedOperation[] = [
  operation('ActivityGetFields', 'workflowId guid', 'Fields PvFieldData*'),
  operation(
    'ActivitySearchByField',
    `activityEntityTypeId guid; fieldValues PvFieldValueData*; pageNumber int; pageSize int; includeFields boolean;
     includeCounters boolean`,
    'Activities PvActivityData*; ErrorInformation string',
    { paged: 'Activities' },
  ),
  operation(
    'ActivitySearchByFieldInPeriodExact',
    `activityEntityTypeId guid; fieldValues PvFieldValueData*; dateFieldId guid; from dateTime; to dateTime; pageNumber int;
     pageSize int; includeFields boolean; includeCounters boolean`,
    'Activities PvActivityData*; ErrorInformation string',
    { paged: 'Activities' },
  ),
  operation(
    'ActivityGetConnectedActivities',
    'activityId guid; includeFields boolean; includeCounters boolean',
    'Activities PvActivityData*',
  ),
  operation('ActivityGetInvolveds', 'activityId guid', 'Involveds PvInvolvedData*'),
  operation('ActivityGetLabels', 'activityId guid; fieldId guid', 'Labels PvLabelItemData*'),
  operation(
    'ActivityUpdate',
    'activityId guid; followUp PvActivityFollowUpData; fieldValues PvFieldValueData*',
    'Info string; ErrorInformation string',
  ),
  operation(
    'ActivityAddProductLine',
    `activityId guid; quantity decimal; productId guid; description string; vatId guid; amount decimal;
     purchaseAmount decimal`,
    'ProductLineData ProductLineData',
  ),
  operation(
    'SubscriptionAddProductLine',
    `activityId guid; quantity decimal; productId guid; description string; vatId guid; amount decimal;
     purchaseAmount decimal; period int`,
    'ProductLineData ProductLineData; ActivityData PvActivityData',
  ),
  operation(
    'ActivityAddAttachment',
    'activityId guid; fileName string; base64EncodedFile string',
    'Attachment Attachment',
  ),
  operation('AttachmentGet', 'attachmentId guid', 'Attachment Attachment'),
  operation(
    'RelationGet',
    'relationId guid; includeFields boolean; includeCounters boolean',
    'Relation PvRelationData; Counters PvCounterData*',
  ),
  operation(
    'RelationGetAll',
    'pageNumber int; pageSize int; includeFields boolean; includeCounters boolean',
    'Relations PvRelationData*',
    { paged: 'Relations' },
  ),
  operation(
    'RelationGetMarksModified',
    'relationId guid; from dateTime; to dateTime',
    'Relation PvRelationData; RelationshipMarks PvRelationshipMarkData*',
  ),
  operation(
    'RelationGetActivitiesModified_V2',
    `pageNumber int; pageSize int; relationId guid; from dateTime; to dateTime; includeFields boolean;
     includeCounters boolean; workflowIds guid*`,
    'Activities PvActivityData*',
    { paged: 'Activities' },
  ),
  operation(
    'RelationGetActivities',
    'relationId guid; includeFields boolean; includeCounters boolean',
    'Activities PvActivityData*',
    { deprecated: 'RelationGetActivitiesModified_V2' },
  ),
  operation('RelationGetTelephoneBook', 'pageNumber int; pageSize int', 'TelephoneBookEntries TelephoneBookEntry*', {
    paged: 'TelephoneBookEntries',
    deprecated: 'RelationGetTelephoneBook_V2',
  }),
  operation(
    'RelationshipGetAll',
    'pageNumber int; pageSize int; includeFields boolean',
    'Relationships PvRelationshipData*',
    { paged: 'Relationships' },
  ),
  operation('RelationshipFieldGetLabels', 'relationshipId guid; fieldId guid', 'Labels PvLabelItemData*'),
  operation(
    'RelationshipAddLine',
    'RelationshipId guid; entityTypeId guid; datastoreId guid; fieldValues PvFieldValueData*',
    'LineData PvLineData; ErrorInformation string',
  ),
  operation('ProductGetAllByGroup', 'productGroupId guid', 'Products PvProductData*'),
  operation('ProductGetAll_V2', '', 'Products PvProductData_V2*'),
  operation('ProductUpdate_V2', 'productData PvProductData_V2', ''),
  operation(
    'DatastoreCreateItem_V3',
    'entityTypeId guid; fieldValues PvFieldValueData*; translations PvTranslationData2*',
    'DatastoreItem PvDatastoreItem; ErrorInformation string',
  ),
  operation(
    'DatastoreGetWithParentItems_V2',
    'entityTypeId guid; includeTranslations boolean',
    'DatastoreItems PvDatastoreItemDataWithParent_V2*',
  ),
  operation('DatastoreGetSbiCodes', '', 'SbiCodes PvSbiCodeData*'),
  operation(
    'SystemDatastoreGetItems',
    'systemDatastoreType SystemDatastoreType Req',
    'DatastoreItems PvSystemDatastoreItemData*',
    { isEnvelope: true },
  ),
  operation('MarkGetAll', '', 'Marks PvMarkData*'),
  operation('CampaignMarkGetAll', '', 'Marks PvMarkData*'),
  operation('WorkflowStepGetAll', 'workflowId guid', 'WorkflowSteps PvWorkflowStepData*'),
  operation('NotificationGetCount', 'userId guid Req', 'NumberOfNotifications int Req', { isEnvelope: true }),
  operation('NotificationsGet', 'userId guid Req', 'Notifications PvNotificationData*', { isEnvelope: true }),
];

/** Named by the document as a replacement only; its shape was seen on deployed instances. */
export const observedOperations: readonly ExpectedOperation[] = [
  operation('RelationGetTelephoneBook_V2', 'pageNumber int; pageSize int', 'TelephoneBookEntries TelephoneBookEntry*', {
    paged: 'TelephoneBookEntries',
  }),
];
