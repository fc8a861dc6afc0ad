import assert from 'node:assert/strict';
import { resultService, type Asked, type ResultService } from '../../support/called.js';
import { ends } from '../../support/relctl.js';

const id = (number: number): string => `6f9619ff-8b86-d011-b42d-00000000000${number}`;
const [workflow, step, otherStep, field, otherField, activity] = [1, 2, 3, 4, 5, 6].map(id);

/** A service whose lists of activities have settings and field values, and a workflow that names what these refer to. */
function resultOf({ operation }: Asked): string {
  const value = (of = '', text = ''): string =>
    `<PvFieldValueData><Id>${of}</Id><Value>${text}</Value></PvFieldValueData>`;
  const settings = (at = ''): string =>
    `<Settings><WorkflowId>${workflow}</WorkflowId><WorkflowStepId>${at}</WorkflowStepId>` +
    `<ParentRelationshipId>${id(8)}</ParentRelationshipId><ChildRelationshipId>${id(8)}</ChildRelationshipId></Settings>`;
  const mark = (record: string, of: string, name: string): string =>
    `<${record}><Id>${of}</Id><Name>${name}</Name><IsInactive>false</IsInactive></${record}>`;
  const carried = (of: string): string =>
    `<PvRelationshipMarkData><Id>${of}</Id><RelationshipId>${id(8)}</RelationshipId><MarkId>${of}</MarkId><PreferredAddress>BillingAddress</PreferredAddress><Date>2024-01-01T00:00:00</Date></PvRelationshipMarkData>`;
  const answers: Readonly<Record<string, string>> = {
    WorkflowStepGetAll: `<WorkflowSteps><PvWorkflowStepData><Id>${step}</Id><Name>In behandeling</Name><Type>Begin</Type></PvWorkflowStepData></WorkflowSteps>`,
    ActivityGetFields: `<Fields><PvFieldData><Id>${field}</Id><Name>Subject</Name><Label>Onderwerp</Label><SortIndex>1</SortIndex><CategorySortIndex>1</CategorySortIndex><HideAtEntryForm>false</HideAtEntryForm><IsReadOnly>false</IsReadOnly><Control>TextBox</Control><Type>String</Type><Length>10</Length><ComboboxValues>None</ComboboxValues><IsRequired>false</IsRequired></PvFieldData></Fields>`,
    ActivityGetConnectedActivities:
      `<Activities><PvActivityData><Id>${id(7)}</Id><Number>1</Number><ViewSortingDate>2024-01-01T00:00:00</ViewSortingDate>${settings(step)}` +
      `<FieldValues><Items>${value(field, 'Bellen')}${value(otherField, 'x')}</Items></FieldValues></PvActivityData>` +
      `<PvActivityData><Id>${id(8)}</Id><Number>2</Number><ViewSortingDate>2024-01-01T00:00:00</ViewSortingDate>${settings(otherStep)}</PvActivityData></Activities>`,
    // A mark of campaigns that is not among the others.
    MarkGetAll: `<Marks>${mark('PvMarkData', id(1), 'Beurs')}</Marks>`,
    CampaignMarkGetAll: `<Marks>${mark('PvMarkData', id(2), 'Mailing mei')}</Marks>`,
    RelationGetMarksModified: `<RelationshipMarks>${[1, 2].map((at) => carried(id(at))).join('')}</RelationshipMarks><Relation><Id>${id(9)}</Id><EntityTypeId>${id(0)}</EntityTypeId><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></Relation>`,
  };
  return answers[operation] ?? '';
}

interface Row {
  readonly Settings: Readonly<Record<string, string>>;
  readonly FieldValues?: { readonly Items: readonly Readonly<Record<string, string>>[] };
}

describe('The names behind Ids within records', () => {
  let service: ResultService;
  const list = ['activity', 'connected', activity ?? ''];
  const out = async (...args: readonly string[]): Promise<string> => {
    return (await ends(service.run([...list, ...args]), 0)).stdout;
  };

  before(async () => {
    service = await resultService(resultOf);
    for (const args of [
      ['mirror', 'add', 'workflow', workflow ?? ''],
      ['mirror', 'sync', `workflow steps ${workflow}`, `workflow fields ${workflow}`],
      ['name', 'set', 'field', 'Kleur', otherField ?? ''],
    ]) {
      await ends(service.run(args), 0);
    }
  });
  after(() => service.close());

  it('are those of steps and of fields in JSON, and of an alias', async () => {
    const rows = JSON.parse(await out('--with-names', '-o', 'json')) as readonly Row[];
    assert.deepEqual(
      rows.map(({ Settings }) => [Settings['WorkflowStepId'], Settings['WorkflowStepId.Name']]),
      [
        [step, 'In behandeling'],
        [otherStep, undefined],
      ],
    );
    assert.deepEqual(rows[0]?.FieldValues?.Items, [
      { Id: field, 'Id.Name': 'Subject', Value: 'Bellen' },
      { Id: otherField, 'Id.Name': 'Kleur', Value: 'x' },
    ]);
    assert.doesNotMatch(await out('-o', 'json'), /\.Name/);
  });

  it('are columns of CSV, and of rows of items', async () => {
    const columns = ['--columns', 'Number,Settings.WorkflowStepId.Name,FieldValues.Items'];
    assert.equal(
      await out('-o', 'csv', '--with-names', '--explode', 'FieldValues.Items', ...columns),
      [
        'Number,Settings.WorkflowStepId.Name,FieldValues.Items.Id,FieldValues.Items.Id.Name,FieldValues.Items.Value',
        `1,In behandeling,${field},Subject,Bellen`,
        `1,In behandeling,${otherField},Kleur,x`,
        '2,,,,',
        '',
      ].join('\n'),
    );
  });

  it('stand before the Ids in tables, also of rows of items, without being asked for', async () => {
    const step = await out('-o', 'table', '--columns', 'Number,Settings.WorkflowStepId.Name');
    assert.match(step, /^1 +In behandeling$/m);
    const items = await out('-o', 'table', '--explode', 'FieldValues.Items');
    assert.match(items, /^Id.* FieldValues\.Items\.Value +FieldValues\.Items\.Id\.Name +FieldValues\.Items\.Id$/m);
    assert.match(items, new RegExp(`Bellen +Subject +${field}$`, 'm'));
  });

  it('are those of campaign marks too, where the mirror has them', async () => {
    await ends(service.run(['mirror', 'sync', 'marks', 'campaign_marks']), 0);
    const run = await service.run(['relation', 'marks', id(9), '-o', 'csv', '--columns', 'MarkId,MarkId.Name']);
    assert.equal(run.stdout, `MarkId,MarkId.Name\n${id(1)},Beurs\n${id(2)},Mailing mei\n`, run.stderr);
  });
});
