import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatted } from '../../../scripts/generated.js';
import type { OutputOf } from '../../../src/contract/infer.js';
import type { PvRelationData } from '../../../src/contract/records/relation.js';
import { type OperationName, operations } from '../../../src/contract/service.js';
import { type Json, type Answer, type Handing, calls, changed, resultType, type Change } from './calls.js';
import type { SandboxMode } from '../../../src/sandbox/context.js';
import { python, type Tool } from '../skip.js';

const file = fileURLToPath(new URL('../../../docs/interop.md', import.meta.url));

/** The page as it stands, and as it ought to stand with this text in a marked region. */
export async function pageWith(region: string, text: string): Promise<{ present: string; wanted: string }> {
  const present = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- begin:${region} -->`, `<!-- end:${region} -->`];
  const [from, to] = [present.indexOf(begin), present.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no region ${region}`);
  // Only the region: how the rest is laid out is nothing that this run found.
  const inner = (await formatted(file, text)).trimEnd();
  return { present, wanted: `${present.slice(0, from + begin.length)}\n\n${inner}\n\n${present.slice(to)}` };
}

/** Whether a run is to write down what it found, rather than to hold the page to it. */
export const writesPage = process.env['INTEROP_WRITE'] === '1';

/** Writes the page. */
export const writePage = (text: string): void => writeFileSync(file, text);

/** A command of relctl, what a server answers to its calls, and what must come of it. */
export interface Scenario {
  readonly words: string;
  readonly operation: OperationName;
  readonly args: readonly string[];
  /** What relctl is given, and the server ought to be called with; credentials go beside it. */
  readonly parameters: Json;
  /** Results by number of the page, or one; in the words of the contract. */
  readonly answers: readonly Json[];
  /** The words of a fault instead. */
  readonly fault?: string;
  readonly printed: Json;
  readonly code: 0 | 4;
}

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const call = (operation: string): readonly string[] => ['call', operation, '--input', '-', '--yes'];

const relation = (number: number, more: OutputOf<typeof PvRelationData>): Json => ({
  Id: id(number),
  EntityTypeId: id(1),
  IsRoot: false,
  IsDummy: false,
  IsInactive: true,
  // Parts of a record of the contract are JSON.
  ...(more as { readonly [name: string]: Json }),
});

const odd = ' <&> "é\u{1F35E}" ]]>\n\ttwo  blanks ';
const relations = [
  relation(1, { Info: odd, DisplayName: '007', FieldValues: { Items: [{ Id: id(9), Value: '' }, { Id: id(8) }] } }),
  relation(2, { Info: '', FieldValues: null, CounterValues: null }),
  relation(3, { CounterValues: [{ TabPageType: 'Marks', Value: -3 }], FieldValues: { Items: [] } }),
];
const line = {
  Id: id(4),
  Quantity: '2.500',
  Amount: '12345678901234.50',
  TotalAmount: '0.10',
  PurchaseAmount: '-1',
  VatId: id(5),
  ProductId: id(6),
  Period: 0,
};
const pages = { pageSize: 2, includeFields: true, includeCounters: true };
const succeeded = { Succeeded: true, Number: 0 };

/** What relctl is made to ask of servers that others wrote. */
export const scenarios: readonly Scenario[] = [
  {
    words: 'pages to an empty one',
    operation: 'RelationGetAll',
    args: ['relation', 'list', '--page-size', '2', '--include-fields', '--include-counters'],
    parameters: [1, 2, 3, 4].map((pageNumber) => ({ pageNumber, ...pages })),
    // Behind an empty page one more is looked at.
    answers: [
      { Relations: relations.slice(0, 2) },
      { Relations: relations.slice(2) },
      { Relations: [] },
      { Relations: [] },
    ],
    printed: relations,
    code: 0,
  },
  {
    words: 'the result envelope',
    operation: 'NotificationGetCount',
    args: call('NotificationGetCount'),
    parameters: { userId: id(11) },
    answers: [{ Result: succeeded, NumberOfNotifications: 7 }],
    printed: { Result: succeeded, NumberOfNotifications: 7 },
    code: 0,
  },
  {
    words: 'a failure in the result envelope',
    operation: 'SystemDatastoreGetItems',
    args: call('SystemDatastoreGetItems'),
    parameters: { systemDatastoreType: 'LegalEntity' },
    answers: [{ Result: { Succeeded: false, Number: 12, Code: 'Shut', Description: 'The <list> is & stays "shut"' } }],
    printed: 'The <list> is & stays "shut"',
    code: 4,
  },
  {
    words: 'nil, empty and left out in a request',
    operation: 'ActivityUpdate',
    args: call('ActivityUpdate'),
    parameters: {
      activityId: id(12),
      followUp: {
        Start: '2026-01-31T09:30:00.1234567',
        End: null,
        InAgenda: false,
        ReminderPeriodInMinutes: null,
        OwnerUserId: id(11),
        PlacedInQueueId: null,
      },
      fieldValues: [{ Id: id(13), Value: odd }, { Id: id(14), Value: '' }, { Id: id(15) }],
    },
    answers: [{ Info: 'done' }],
    printed: { Info: 'done' },
    code: 0,
  },
  {
    words: 'decimals to the digit',
    operation: 'ActivityAddProductLine',
    args: call('ActivityAddProductLine'),
    parameters: {
      activityId: id(12),
      quantity: '2.500',
      productId: id(6),
      vatId: id(5),
      amount: '12345678901234.50',
      purchaseAmount: '-1',
    },
    answers: [{ ProductLineData: line }],
    printed: { ProductLineData: line },
    code: 0,
  },
  {
    words: 'a list of guids in a request, none in the answer',
    operation: 'RelationGetActivitiesModified_V2',
    args: call('RelationGetActivitiesModified_V2'),
    parameters: {
      pageNumber: 1,
      ...pages,
      relationId: id(1),
      from: '2026-01-01T00:00:00Z',
      to: '2026-12-31T23:59:59+01:00',
      workflowIds: [id(21), id(22)],
    },
    answers: [{ Activities: [] }],
    printed: { Activities: [] },
    code: 0,
  },
  {
    words: 'an empty result',
    operation: 'ProductUpdate_V2',
    args: call('ProductUpdate_V2'),
    parameters: {},
    answers: [{}],
    printed: {},
    code: 0,
  },
  {
    words: 'a fault',
    operation: 'WorkflowStepGetAll',
    args: call('WorkflowStepGetAll'),
    parameters: { workflowId: id(23) },
    answers: [],
    fault: 'No <such> workflow & "é"',
    printed: 'No <such> workflow & "é"',
    code: 4,
  },
];

/** Something that a stack does not hand over as it came. */
interface Loss {
  /** For people: ends up in docs/interop.md. */
  readonly words: string;
  /** Where it shows; both, if not said. */
  readonly mode?: SandboxMode;
  /** What becomes of a value, where it is about values. */
  readonly change?: Change;
  /** Takes it out of what somebody says, so that the rest can be compared. */
  readonly forget: (answers: readonly Answer[]) => readonly Answer[];
}

/** A SOAP stack that we did not write, as a client. */
export interface Stack {
  readonly name: string;
  /** What to install where it is absent. */
  readonly source: string;
  /** What it is made of besides Node and our own packages. */
  readonly tools: readonly Tool[];
  /** The program with its arguments. */
  readonly command: () => readonly string[];
  readonly handing: Handing;
  readonly losses: readonly Loss[];
}

const forgetting = (words: string, change: Change): Loss & { readonly change: Change } => ({
  words,
  change,
  forget: (answers) =>
    answers.map((answer, index) => {
      const call = calls[index];
      if (call === undefined || !('result' in answer)) return answer;
      return { result: changed(resultType(operations[call.operation]), answer.result, change) ?? {} };
    }),
});

const isScalar = (type: Parameters<Change>[0], ...names: readonly string[]): boolean =>
  type.kind === 'scalar' && names.includes(type.name);

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const controls = /\\u00(?:0[0-8bcef]|1[0-9a-f])|[\ufffe\uffff]/;

const refusesControls: Loss = {
  words: 'refuses the whole answer when a text holds a reference such as `&#x1F;`, which .NET services do send',
  forget: (answers) => answers.map((answer) => (controls.test(JSON.stringify(answer)) ? { unreadable: true } : answer)),
};

const noEmptiness = forgetting(
  'tells neither absent nor nil from empty: no text, no list, a record of nothing',
  (_type, value) => (isEmpty(value) ? undefined : value),
);

const sixDigits = forgetting(
  'rounds a second to six digits, and does not keep whether UTC was written `Z`',
  (type, value) => {
    if (!isScalar(type, 'dateTime') || typeof value !== 'string') return value;
    const [, second = '', fraction = '', offset = ''] = /^([^.Z+]+?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/.exec(value) ?? [];
    const rounded = Number(`0.${fraction}0`).toFixed(6).slice(2);
    return `${second}.${rounded}${offset.replace('Z', '+00:00')}`;
  },
);

/** Of npm soap, on both ends. */
export const noNil = forgetting('leaves nil members out, and lists and records that hold nothing', (_type, value) =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0) ? undefined : value,
);

/** Of npm soap, on both ends. */
export const binaryNumbers = forgetting(
  'makes binary numbers of `decimal` and `long`: `12.50` is 12.5, 9223372036854770246 is …771000',
  (type, value) => (isScalar(type, 'decimal', 'long') ? Number(value) : value),
);

/** Of npm soap, on both ends. */
export const trimmedText = forgetting('trims text at both ends', (type, value) =>
  isScalar(type, 'string') && typeof value === 'string' ? value.trim() : value,
);

/** It does not read line ends as XML says; only services that write CR as it is show that. */
const rawLineEnds: Loss = {
  ...forgetting(
    'keeps a CR that stands in the answer as it is, which XML readers take for a line end',
    (type, value) => (isScalar(type, 'string') && typeof value === 'string' ? value.replaceAll(/\r\n?/g, '\n') : value),
  ),
  mode: 'asmx',
};

/** A zone for the clients to run in, far from UTC and without a summer, so that it shows when they take it for granted. */
export const zone = { name: 'Etc/GMT-5', offset: '+05:00' } as const;

/** Of npm soap, on both ends. */
export const javaScriptDates = forgetting(
  'makes a `Date` of a dateTime: three digits of a second, and one without a zone is taken for local time',
  (type, value) => {
    if (!isScalar(type, 'dateTime') || typeof value !== 'string') return value;
    const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(value);
    const date = new Date(hasZone ? value : `${value}${zone.offset}`);
    return Number.isNaN(date.getTime()) ? value : date.toISOString();
  },
);

const path = (file: string): string => fileURLToPath(new URL(`../../interop/programs/${file}`, import.meta.url));

/** What makes PHP a stack. */
export const php: Tool = 'PHP with its SOAP extension';

/** The stacks that call the sandbox. */
export const stacks: readonly Stack[] = [
  {
    name: 'python3-zeep',
    source: 'Debian: python3-zeep',
    tools: ['python3 with zeep'],
    command: () => [python('zeep'), path('zeep-client.py')],
    handing: 'unwrapped',
    losses: [refusesControls, noEmptiness, sixDigits],
  },
  {
    name: 'PHP SoapClient',
    source: 'Debian: php-cli, php-soap',
    tools: [php],
    command: () => ['php', path('php-client.php')],
    handing: 'whole',
    losses: [refusesControls],
  },
  {
    name: 'npm soap',
    source: 'npm: soap',
    tools: [],
    command: () => [process.execPath, path('npm-soap-client.mjs')],
    handing: 'whole',
    losses: [refusesControls, trimmedText, noNil, binaryNumbers, javaScriptDates, rawLineEnds],
  },
];

/** Answers without what these losses are about. */
export const forget = (losses: readonly Loss[], answers: readonly Answer[]): readonly Answer[] =>
  losses.reduce((left, loss) => loss.forget(left), answers);
