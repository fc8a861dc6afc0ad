import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { stringify, textRow, workbookFile } from '../../support/inputs.js';
import { place, type LoggedRequest } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const activity = '00000000-0020-4000-8000-000000000001';
/** Another one of the same kind. */
const other = '9fbfcbdc-3250-495d-bb62-8a3b37c10b33';
const subscription = '00000000-0020-4000-8000-000000000003';
const relationship = '00000000-0011-4000-8000-000000000002';
const workflow = '00000000-0030-4000-8000-000000000001';
const entries = '00000000-0040-4000-8000-000000000021';
const lines = '00000000-0040-4000-8000-000000000004';
const sector = '00000000-0041-4000-8000-000000000401';
const subject = '00000000-0041-4000-8000-000000001101';
const product = '00000000-0060-4000-8000-000000000001';
const word = '00000000-0041-4000-8000-000000002101';

/** What forms write each in their own way. */
const awkward = ' "Zoë" & <b>, 007; \\ =1+1 𝄞';

type Table = readonly (readonly string[])[];

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const workbook = (table: Table): Uint8Array =>
  workbookFile({ sheets: { Rows: table.map((cells, at) => textRow(at + 1, ...cells.map(xml))).join('') } });

/** A record for each row; a cell that is empty is left out, and what JSON can say as a number is one. */
const ndjson = ([titles = [], ...rows]: Table): string =>
  rows
    .map((cells) => {
      const members = cells.flatMap((cell, at) => {
        const value = /^(0|[1-9]\d*)(\.\d+)?$/.test(cell) ? cell : JSON.stringify(cell);
        return cell === '' ? [] : [`${JSON.stringify(titles[at])}:${value}`];
      });
      return `{${members.join(',')}}\n`;
    })
    .join('');

const json = ([titles = [], ...rows]: Table): string =>
  JSON.stringify(
    rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [titles[at] ?? '', cell] as const))),
    undefined,
    1,
  );

const tsv = (table: Table): string =>
  table.map((cells) => `${cells.map((cell) => cell.replaceAll('\\', '\\\\')).join('\t')}\n`).join('');

/** How the same rows are written, by the name of a file, and what must be said with it. */
const forms: readonly (readonly [name: string, of: (table: Table) => string | Uint8Array, ...flags: string[]])[] = [
  ['rows.csv', stringify],
  ['semicolons.csv', (table) => `\ufeff${stringify(table).replaceAll('","', '";"')}`],
  ['rows.tsv', tsv, '--input-format', 'tsv'],
  ['spreadsheet.tsv', (table) => stringify(table).replaceAll('","', '"\t"'), '--delimiter', 'tab'],
  ['rows.ndjson', ndjson],
  ['rows.json', json],
  ['rows.xlsx', workbook],
];

/** A command, rows for it, and what the service must be asked by them. */
interface Case {
  readonly command: string;
  readonly operation: string;
  readonly rows: (file: (content: string) => string) => Table;
  /** What rows say of each request. */
  readonly asked: readonly Readonly<Record<string, unknown>>[];
  /** Puts back what the rows change, so that the next form changes it again. */
  readonly before?: string;
}

const cases: readonly Case[] = [
  {
    command: 'product update --no-base',
    operation: 'ProductUpdate_V2',
    rows: () => [
      ['Code', 'SalesPrice', 'Description'],
      ['00001', '12345678901234567890.10', awkward],
      ['00002', '7.50', ''],
    ],
    before: `UPDATE "PvProductData_V2" SET "SalesPrice" = '1', "Description" = 'as it was' WHERE "Code" IN ('00001', '00002')`,
    asked: [
      { Code: '00001', SalesPrice: '12345678901234567890.10', Description: awkward },
      { Code: '00002', SalesPrice: '7.50', Description: 'as it was' },
    ],
  },
  {
    command: `activity update --workflow ${workflow}`,
    operation: 'ActivityUpdate',
    rows: () => [
      ['id', 'Subject', 'owner', 'nil'],
      [activity, awkward, '', ''],
      [other, 'Call back', '00000000-0000-4000-8000-000000000011', 'start,end,in-agenda,reminder,queue'],
    ],
    asked: [
      { activityId: activity, fieldValues: [{ Id: subject, Value: awkward }] },
      {
        activityId: other,
        fieldValues: [{ Id: subject, Value: 'Call back' }],
        followUp: {
          Start: null,
          End: null,
          InAgenda: null,
          ReminderPeriodInMinutes: null,
          OwnerUserId: '00000000-0000-4000-8000-000000000011',
          PlacedInQueueId: null,
        },
      },
    ],
  },
  {
    command: 'activity add-line',
    operation: 'ActivityAddProductLine',
    rows: () => [
      ['id', 'product', 'quantity', 'amount'],
      [activity, '00001', '2', '0.10'],
      [other, '00001', '1.50', '12345678901234567890.123456789'],
    ],
    asked: [
      { activityId: activity, productId: product, quantity: '2', amount: '0.10' },
      { activityId: other, productId: product, quantity: '1.50', amount: '12345678901234567890.123456789' },
    ],
  },
  {
    command: 'subscription add-line',
    operation: 'SubscriptionAddProductLine',
    rows: () => [
      ['id', 'product', 'quantity', 'period', 'amount'],
      [subscription, '00001', '1', '12', '3.00'],
      [subscription, '00001', '1', '24', '3.00'],
    ],
    asked: [
      { activityId: subscription, productId: product, quantity: '1', period: 12, amount: '3.00' },
      { activityId: subscription, productId: product, quantity: '1', period: 24, amount: '3.00' },
    ],
  },
  {
    command: `relationship add-line --entity-type ${lines} --datastore ${entries}`,
    operation: 'RelationshipAddLine',
    rows: () => [
      ['RelationshipId', sector],
      [relationship, 'Rekenen'],
    ],
    asked: [
      {
        RelationshipId: relationship,
        entityTypeId: lines,
        datastoreId: entries,
        fieldValues: [{ Id: sector, Value: 'Rekenen' }],
      },
    ],
  },
  {
    command: `datastore create-item ${entries}`,
    operation: 'DatastoreCreateItem_V3',
    rows: () => [
      [word, 'translation.nl-NL', 'translation.en-US'],
      [awkward, 'Visserij', ''],
      ['0012', '', awkward],
    ],
    asked: [
      {
        entityTypeId: entries,
        fieldValues: [{ Id: word, Value: awkward }],
        translations: [{ CultureCode: 'nl-NL', Value: 'Visserij' }],
      },
      {
        entityTypeId: entries,
        fieldValues: [{ Id: word, Value: '0012' }],
        translations: [{ CultureCode: 'en-US', Value: awkward }],
      },
    ],
  },
  {
    command: 'activity attach --allow-outside',
    operation: 'ActivityAddAttachment',
    rows: (file) => [
      ['id', 'file', 'name'],
      [activity, file('hello'), 'Zoë & 𝄞.txt'],
      [other, file(''), '007'],
    ],
    asked: [
      { activityId: activity, fileName: 'Zoë & 𝄞.txt', base64EncodedFile: Buffer.from('hello').toString('base64') },
      { activityId: other, fileName: '007', base64EncodedFile: '' },
    ],
  },
  {
    command: 'call ActivityUpdate',
    operation: 'ActivityUpdate',
    rows: () => [
      ['activityId', 'fieldValues[0].Id', 'fieldValues[0].Value'],
      [activity, subject, awkward],
      [other, subject, '0012'],
    ],
    asked: [
      { activityId: activity, fieldValues: [{ Id: subject, Value: awkward }] },
      { activityId: other, fieldValues: [{ Id: subject, Value: '0012' }] },
    ],
  },
];

describe('The same rows', () => {
  const here = place([], true);
  const file = (content: string): string => {
    const path = here.fresh('content.txt');
    writeFileSync(path, content);
    return path;
  };

  for (const { command, operation, rows, before, asked } of cases) {
    const name = command.split(' ').slice(0, 2).join(' ');
    it(`have the same effect by ${name} in each form, from a file and from stdin`, async () => {
      const table = rows(file);
      const seen: LoggedRequest['input'][][] = [];
      let count = here.requests(operation).length;
      const write = async (from: readonly string[], what: string, input: string | Uint8Array = ''): Promise<void> => {
        if (before !== undefined) here.execute(before);
        await ends(here.run([...command.split(' '), '--file', ...from, '--yes', '-q'], { input }), 0, '');
        const requests = here.requests(operation).slice(count);
        count += requests.length;
        for (const { outcome, written } of requests) assert.ok(outcome === 'done' && written > 0, what);
        seen.push(requests.map((each) => each.input));
        assert.deepEqual(seen.at(-1), seen[0], what);
      };
      for (const [title, of, ...flags] of forms) {
        const content = of(table);
        const path = here.fresh(title);
        writeFileSync(path, content);
        await write([path, ...flags], title);
        // The same bytes are not written twice without --restart.
        await write(['-', '--results', here.fresh('results.csv'), '--restart', ...flags], `stdin, ${title}`, content);
      }
      const said = seen[0]?.map((input, at) => {
        const record = (input?.['productData'] ?? input) as Readonly<Record<string, unknown>>;
        return Object.fromEntries(Object.keys(asked[at] ?? {}).map((member) => [member, record[member]]));
      });
      assert.deepEqual(said, asked);
    });
  }
});
