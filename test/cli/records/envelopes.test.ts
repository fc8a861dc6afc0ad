import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { manifestCommands, typed } from '../../../scripts/docs/manifest-read.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { RunningServer } from '../../../src/sandbox/http/server.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { serveSandbox } from '../../../src/sandbox/http/serve.js';
import { ends, home, relctl } from '../../support/relctl.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

/** What is typed behind `relctl`, the operation that it calls, and the parameters exactly as they are sent. */
const calls: readonly (readonly [argv: string, operation: string, parameters: string])[] = [
  [
    'activity add-line 00000000-0020-4000-8000-000000000001 --product 00000000-0060-4000-8000-000000000001 --quantity 2.5 --amount 12.50 --purchase-amount 9.95 --vat 00000000-0062-4000-8000-000000000001',
    'ActivityAddProductLine',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId><quantity>2.5</quantity><productId>00000000-0060-4000-8000-000000000001</productId><vatId>00000000-0062-4000-8000-000000000001</vatId><amount>12.50</amount><purchaseAmount>9.95</purchaseAmount>',
  ],
  [
    'activity attach 00000000-0020-4000-8000-000000000001 - --name minutes.txt',
    'ActivityAddAttachment',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId><fileName>minutes.txt</fileName><base64EncodedFile>TWludXRlcw==</base64EncodedFile>',
  ],
  [
    'activity connected 00000000-0020-4000-8000-000000000001 --include-fields',
    'ActivityGetConnectedActivities',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId><includeFields>true</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'activity fields 00000000-0030-4000-8000-000000000001',
    'ActivityGetFields',
    '<workflowId>00000000-0030-4000-8000-000000000001</workflowId>',
  ],
  [
    'activity involved 00000000-0020-4000-8000-000000000001',
    'ActivityGetInvolveds',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId>',
  ],
  [
    'activity labels 00000000-0020-4000-8000-000000000001 --field 00000000-0041-4000-8000-000000001106',
    'ActivityGetLabels',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId><fieldId>00000000-0041-4000-8000-000000001106</fieldId>',
  ],
  [
    'activity search --entity-type 00000000-0040-4000-8000-000000000011 --field 00000000-0041-4000-8000-000000001101=Bellen',
    'ActivitySearchByField',
    '<activityEntityTypeId>00000000-0040-4000-8000-000000000011</activityEntityTypeId><fieldValues><PvFieldValueData><Id>00000000-0041-4000-8000-000000001101</Id><Value>Bellen</Value></PvFieldValueData></fieldValues><pageNumber>1</pageNumber><pageSize>1000</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'activity search --entity-type 00000000-0040-4000-8000-000000000011 --date-field 00000000-0041-4000-8000-000000001104 --from 2024-01-01 --to 2025-12-31',
    'ActivitySearchByFieldInPeriodExact',
    '<activityEntityTypeId>00000000-0040-4000-8000-000000000011</activityEntityTypeId><fieldValues /><dateFieldId>00000000-0041-4000-8000-000000001104</dateFieldId><from>2024-01-01T00:00:00+00:00</from><to>2025-12-31T00:00:00+00:00</to><pageNumber>1</pageNumber><pageSize>1000</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'activity update 00000000-0020-4000-8000-000000000001 --start 2026-03-01T09:00 --end 2026-03-01T10:00 --owner 00000000-0000-4000-8000-000000000011 --nil in-agenda,reminder,queue',
    'ActivityUpdate',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId><followUp><Start>2026-03-01T09:00:00+00:00</Start><End>2026-03-01T10:00:00+00:00</End><InAgenda xsi:nil="true" /><ReminderPeriodInMinutes xsi:nil="true" /><OwnerUserId>00000000-0000-4000-8000-000000000011</OwnerUserId><PlacedInQueueId xsi:nil="true" /></followUp>',
  ],
  [
    'activity update 00000000-0020-4000-8000-000000000001 --field 00000000-0041-4000-8000-000000001101=Bellen --yes',
    'ActivityUpdate',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId><fieldValues><PvFieldValueData><Id>00000000-0041-4000-8000-000000001101</Id><Value>Bellen</Value></PvFieldValueData></fieldValues>',
  ],
  [
    'attachment get 00000000-0021-4000-8000-000000000001',
    'AttachmentGet',
    '<attachmentId>00000000-0021-4000-8000-000000000001</attachmentId>',
  ],
  [
    'call ActivityGet --param activityId=00000000-0020-4000-8000-000000000001 --read',
    'ActivityGet',
    '<activityId>00000000-0020-4000-8000-000000000001</activityId>',
  ],
  [
    'call NotificationGetCount --param userId=00000000-0000-4000-8000-000000000012',
    'NotificationGetCount',
    '<userId>00000000-0000-4000-8000-000000000012</userId>',
  ],
  [
    'datastore create-item 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000002101=Visserij --translation nl-NL=Visserij --translation en-US=Fishing',
    'DatastoreCreateItem_V3',
    '<entityTypeId>00000000-0040-4000-8000-000000000021</entityTypeId><fieldValues><PvFieldValueData><Id>00000000-0041-4000-8000-000000002101</Id><Value>Visserij</Value></PvFieldValueData></fieldValues><translations><PvTranslationData2><CultureCode>nl-NL</CultureCode><Value>Visserij</Value></PvTranslationData2><PvTranslationData2><CultureCode>en-US</CultureCode><Value>Fishing</Value></PvTranslationData2></translations>',
  ],
  [
    'datastore items 00000000-0040-4000-8000-000000000021',
    'DatastoreGetWithParentItems_V2',
    '<entityTypeId>00000000-0040-4000-8000-000000000021</entityTypeId><includeTranslations>false</includeTranslations>',
  ],
  [
    'datastore items 00000000-0040-4000-8000-000000000021 --translations',
    'DatastoreGetWithParentItems_V2',
    '<entityTypeId>00000000-0040-4000-8000-000000000021</entityTypeId><includeTranslations>true</includeTranslations>',
  ],
  ['datastore sbi-codes', 'DatastoreGetSbiCodes', ''],
  [
    'datastore system PaymentMethod',
    'SystemDatastoreGetItems',
    '<systemDatastoreType>PaymentMethod</systemDatastoreType>',
  ],
  ['mark list', 'MarkGetAll', ''],
  ['mark list --campaign', 'CampaignMarkGetAll', ''],
  ['notification count', 'NotificationGetCount', '<userId>00000000-0000-4000-8000-000000000011</userId>'],
  [
    'notification list --user 00000000-0000-4000-8000-000000000012',
    'NotificationsGet',
    '<userId>00000000-0000-4000-8000-000000000012</userId>',
  ],
  ['product get 00001', 'ProductGetAll_V2', ''],
  ['product list', 'ProductGetAll_V2', ''],
  [
    'product list --group 00000000-0061-4000-8000-000000000001',
    'ProductGetAllByGroup',
    '<productGroupId>00000000-0061-4000-8000-000000000001</productGroupId>',
  ],
  [
    'product update 00001 --sales-price 12.75',
    'ProductUpdate_V2',
    '<productData><Id>00000000-0060-4000-8000-000000000001</Id><ProductGroupId>00000000-0061-4000-8000-000000000001</ProductGroupId><Code>00001</Code><Name>Helm &amp; slot 1</Name><ProductType>Product</ProductType><Unit>0</Unit><IsDivisible>false</IsDivisible><SalesPrice>12.75</SalesPrice><IsSalesPriceInclusiveVat>true</IsSalesPriceInclusiveVat><SalesVatId>00000000-0062-4000-8000-000000000002</SalesVatId><PurchasePrice>0.0001</PurchasePrice><IsInactive>false</IsInactive><AllowChangePrice>true</AllowChangePrice><AllowChangeDescription>true</AllowChangeDescription><AllowChangeVat>true</AllowChangeVat><AutoEnableEdit>true</AutoEnableEdit></productData>',
  ],
  [
    'profile test',
    'RelationGetAll',
    '<pageNumber>1</pageNumber><pageSize>1</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'relation activities 00000000-0000-4000-8000-000000000102 --from 2024-01-01 --to 2024-02-01T12:30',
    'RelationGetActivitiesModified_V2',
    '<pageNumber>1</pageNumber><pageSize>1000</pageSize><relationId>00000000-0000-4000-8000-000000000102</relationId><from>2024-01-01T00:00:00+00:00</from><to>2024-02-01T12:30:00+00:00</to><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'relation activities 00000000-0000-4000-8000-000000000102 --from 2024-01-01 --to 2024-02-01 --workflow 00000000-0030-4000-8000-000000000001',
    'RelationGetActivitiesModified_V2',
    '<pageNumber>1</pageNumber><pageSize>1000</pageSize><relationId>00000000-0000-4000-8000-000000000102</relationId><from>2024-01-01T00:00:00+00:00</from><to>2024-02-01T00:00:00+00:00</to><includeFields>false</includeFields><includeCounters>false</includeCounters><workflowIds><guid>00000000-0030-4000-8000-000000000001</guid></workflowIds>',
  ],
  [
    'relation activities 00000000-0000-4000-8000-000000000102 --legacy',
    'RelationGetActivities',
    '<relationId>00000000-0000-4000-8000-000000000102</relationId><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'relation get 00000000-0000-4000-8000-000000000101',
    'RelationGet',
    '<relationId>00000000-0000-4000-8000-000000000101</relationId><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'relation get 00000000-0000-4000-8000-000000000101 --include-fields --include-counters',
    'RelationGet',
    '<relationId>00000000-0000-4000-8000-000000000101</relationId><includeFields>true</includeFields><includeCounters>true</includeCounters>',
  ],
  [
    'relation list',
    'RelationGetAll',
    '<pageNumber>1</pageNumber><pageSize>1000</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'relation list --page 2 --page-size 25 --include-fields',
    'RelationGetAll',
    '<pageNumber>2</pageNumber><pageSize>25</pageSize><includeFields>true</includeFields><includeCounters>false</includeCounters>',
  ],
  [
    'relation marks 00000000-0000-4000-8000-000000000102 --from 2021-01-01 --to 2021-02-01',
    'RelationGetMarksModified',
    '<relationId>00000000-0000-4000-8000-000000000102</relationId><from>2021-01-01T00:00:00+00:00</from><to>2021-02-01T00:00:00+00:00</to>',
  ],
  ['relation phone-book', 'RelationGetTelephoneBook_V2', '<pageNumber>1</pageNumber><pageSize>1000</pageSize>'],
  ['relation phone-book --legacy', 'RelationGetTelephoneBook', '<pageNumber>1</pageNumber><pageSize>1000</pageSize>'],
  [
    'relationship add-line 00000000-0011-4000-8000-000000000002 --entity-type 00000000-0040-4000-8000-000000000004 --datastore 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000000401=Rekenen',
    'RelationshipAddLine',
    '<RelationshipId>00000000-0011-4000-8000-000000000002</RelationshipId><entityTypeId>00000000-0040-4000-8000-000000000004</entityTypeId><datastoreId>00000000-0040-4000-8000-000000000021</datastoreId><fieldValues><PvFieldValueData><Id>00000000-0041-4000-8000-000000000401</Id><Value>Rekenen</Value></PvFieldValueData></fieldValues>',
  ],
  [
    'relationship labels 00000000-0011-4000-8000-000000000002 --field 00000000-0041-4000-8000-000000000303',
    'RelationshipFieldGetLabels',
    '<relationshipId>00000000-0011-4000-8000-000000000002</relationshipId><fieldId>00000000-0041-4000-8000-000000000303</fieldId>',
  ],
  [
    'relationship list',
    'RelationshipGetAll',
    '<pageNumber>1</pageNumber><pageSize>1000</pageSize><includeFields>false</includeFields>',
  ],
  [
    'subscription add-line 00000000-0020-4000-8000-000000000003 --product 00000000-0060-4000-8000-000000000001 --quantity 1 --amount 100 --purchase-amount 80 --vat 00000000-0062-4000-8000-000000000001 --period 12 --description Agreed',
    'SubscriptionAddProductLine',
    '<activityId>00000000-0020-4000-8000-000000000003</activityId><quantity>1</quantity><productId>00000000-0060-4000-8000-000000000001</productId><description>Agreed</description><vatId>00000000-0062-4000-8000-000000000001</vatId><amount>100</amount><purchaseAmount>80</purchaseAmount><period>12</period>',
  ],
  [
    'workflow steps 00000000-0030-4000-8000-000000000001',
    'WorkflowStepGetAll',
    '<workflowId>00000000-0030-4000-8000-000000000001</workflowId>',
  ],
];

/** Commands that call no operation of the service by themselves, or those of lists that stand here by themselves. */
const callNothing = [
  ...['find', 'mcp', 'sql'],
  ...['add', 'changes', 'list', 'publish', 'remove', 'status', 'sync'].map((what) => `mirror ${what}`),
  ...['autocomplete', 'bookmark list', 'bookmark remove', 'doctor', 'export diff'],
  ...['name list', 'name remove', 'name set', 'operations', 'operations import', 'operations diff', 'profile add'],
  ...[
    ...['profile edit', 'profile list', 'profile remove', 'profile show', 'profile use', 'recording mask'],
    ...['sandbox reset', 'sandbox start'],
  ],
  ...['sandbox status', 'sandbox stop', 'whoami', 'writes forget', 'writes list', 'writes show'],
  // What it sends is what `product update` sends: test/cli/writes/ledger.test.ts looks at what comes of it.
  'writes undo',
  // Its jobs are commands of this table.
  'export run',
];

/** Operations that a command calls before the one that --envelope shows. */
const calledBefore = [
  ...['activity add-line', 'product update', 'subscription add-line'].map((command) => `${command} ProductGetAll_V2`),
  ...['writes undo ProductGetAll_V2', 'writes undo ProductUpdate_V2'],
  ...['writes undo ActivitySearchByField', 'writes undo ActivityUpdate'],
  // Rows of --file are searched for: test/processes/activity-settle.test.ts.
  'activity update ActivitySearchByField',
];

const namespace = 'http://relctl.example/sandbox';
const versions = {
  '1.1': { envelope: 'http://schemas.xmlsoap.org/soap/envelope/', type: 'text/xml' },
  '1.2': { envelope: 'http://www.w3.org/2003/05/soap-envelope', type: 'application/soap+xml' },
} as const;
type Version = keyof typeof versions;

describe('What commands send, byte for byte', () => {
  const place = home();
  let sandbox: Sandbox;
  let server: RunningServer;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    sandbox = await temporarySandbox(20);
    server = await serveSandbox(sandbox);
    const { ApiKey, DatabaseId, UserId, UserName, Password } = known.credentials;
    env = {
      ...place.env,
      TZ: 'UTC',
      RELCTL_BASE_URL: `http://127.0.0.1:${server.port}`,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: ApiKey,
      RELCTL_DATABASE_ID: DatabaseId,
      RELCTL_USER_ID: UserId,
      RELCTL_USER_NAME: UserName,
      RELCTL_PASSWORD: Password,
      RELCTL_SOURCE_VERSION: '1',
    };
  });
  after(async () => {
    await server.close();
    sandbox.close();
    place.remove();
  });

  const request = (version: Version, operation: string, parameters: string): string => {
    const { envelope, type } = versions[version];
    const action = version === '1.1' ? `soapaction: "${namespace}/${operation}"\n` : '';
    return (
      `POST http://127.0.0.1:${server.port}/V1/service.asmx\n` +
      `content-type: ${type}; charset=utf-8\naccept: text/xml, application/soap+xml\n${action}\n` +
      `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelope}" ` +
      `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>` +
      `<${operation} xmlns="${namespace}"><credentials><ApiKey>********</ApiKey>` +
      '<DatabaseId>00000000-0000-4000-8000-000000000002</DatabaseId>' +
      '<UserId>00000000-0000-4000-8000-000000000011</UserId><UserName>sandbox</UserName>' +
      '<Password>********</Password><SourceApplication><Name>relctl</Name><Version>1</Version></SourceApplication>' +
      `</credentials>${parameters}</${operation}></soap:Body></soap:Envelope>\n`
    );
  };
  const sent = async (argv: string, version: Version): Promise<string> => {
    const args = [...argv.split(' '), '--set', `soapVersion=${version}`, '--envelope'];
    const run = await ends(relctl(args, { env, input: 'Minutes' }), 0);
    return run.stdout;
  };

  for (const [argv, operation, parameters] of calls) {
    it(argv, async () => assert.equal(await sent(argv, '1.2'), request('1.2', operation, parameters)));
  }

  it('is in SOAP 1.1 another envelope, and the same within', async () => {
    const [[argv, operation, parameters] = assert.fail('no call')] = calls;
    assert.equal(await sent(argv, '1.1'), request('1.1', operation, parameters));
  });

  it('stands here for every command, and for every operation that a command calls', () => {
    const commands = manifestCommands(fileURLToPath(new URL('../../../', import.meta.url)));
    const shown = new Set([...callNothing, ...calledBefore]);
    for (const [argv, operation] of calls) {
      const command = commands.map(typed).find((name) => `${argv} `.startsWith(`${name} `));
      shown.add(command ?? `no command: ${argv}`).add(`${command ?? ''} ${operation}`);
    }
    const wanted = commands.flatMap((command) => [
      typed(command),
      ...(command.operations ?? []).map((operation) => `${typed(command)} ${operation}`),
    ]);
    // `call` names no operations: it reaches them all.
    const others = [...shown].filter((name) => !name.startsWith('call '));
    assert.deepEqual([...others].sort(), [...wanted].sort());
  });
});
