import { fileURLToPath } from 'node:url';
import { operations } from '../../../src/contract/service.js';
import type { SandboxMode } from '../../../src/sandbox/context.js';
import { python, type Tool } from '../skip.js';
import type { Answer, Handing } from './answers.js';
import { calls } from './calls.js';
import { changed, resultType, type Change, type Json } from './shapes.js';

/** Something that a stack does not hand over as it came. */
export interface Loss {
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

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

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
