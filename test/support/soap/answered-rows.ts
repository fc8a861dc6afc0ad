import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordType, Type, Operation, ScalarName } from '../../../src/contract/build.js';
import { isRecord, type RecordValue } from '../../../src/core/values/value.js';
import { operations } from '../../../src/contract/service.js';
import { contentsOf, isBlank, printedValue } from '../../../src/client/rows/row.js';
import { Renderer } from '../../../src/client/rows/renderer.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { piecesOf, renderedAt } from '../../client/rendered-rows.js';
import { allColumns, columnsNamed } from '../../../src/formats/columns.js';
import { hasUnknownMembers } from '../../../src/formats/unknown-members.js';
import type { LineStyle, Writer } from '../../../src/formats/writers/format.js';
import { formats } from '../../../src/formats/writers/index.js';
import { whereOf } from '../../../src/formats/query/where/where.js';
import { readResponse } from '../../../src/soap/wire/answer.js';
import { withoutKernel } from '../kernel.js';
import type { ListAnswer } from '../../../src/client/list-answer.js';

const { oneof, tuple } = fc;

const words = ['', 'plain', 'a', 'é', '2026-01-31T09:30:00', 'true'];

/** What may be asked of a member by its type. */
function conditionsOn(name: string, type: Type): readonly string[] {
  const any = [`${name} is null`, `${name} is not null`];
  if (type.kind === 'enumeration') return [...any, ...type.values.map((value) => `${name} = '${value}'`)];
  if (type.kind === 'list') return any;
  if (type.kind === 'record')
    return [...any, ...Object.keys(type.fields).map((member) => `${name}.${member} is not null`)];
  const own: Readonly<Record<string, readonly string[]>> = {
    boolean: [name, `${name} <> false`],
    int: [`${name} > 1`, `${name} in (7, 0)`],
    short: [`${name} <= 7`],
    long: [`${name} between 7 and 9007199254740993`],
    decimal: [`${name} < 1.5`, `${name} = 12.50`],
    dateTime: [`${name} < '2026-01-31T09:30:01'`],
    guid: [`${name} like '%5'`, `${name} <> 'a0000000-0000-0000-0000-000000000000'`],
  };
  const letters = [
    ...words.map((text) => `${name} = '${text}'`),
    `fold(${name}) like '%a%'`,
    `${name} not like 'pl____'`,
    `${name} in ('plain', 'a, b')`,
    `${name} >= 'b'`,
  ];
  return [...any, ...(own[type.name] ?? letters)];
}

/** Conditions that --where takes of a record. */
export function conditionsOf(type: RecordType): fc.Arbitrary<string> {
  const members = Object.entries(type.fields).flatMap(([name, field]) => conditionsOn(name, field.type));
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...members),
      tie('condition').map((inner) => `not (${inner})`),
      tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition')).map(
        ([a, word, b]) => `(${a}) ${word} (${b})`,
      ),
    ),
  }));
  return condition;
}

const namespace = 'http://relctl.example/v1/';

/** A list of the service, and the type of its records. */
export interface List {
  readonly operation: Operation;
  readonly member: string;
  readonly item: RecordType;
  readonly itemName: string;
}

function listOf(operation: Operation, member: string): List {
  const type = operation.result[member]?.type;
  if (type?.kind !== 'list' || type.item.kind !== 'record') throw new Error(`${member} is no list of records`);
  return { operation, member, item: type.item, itemName: type.itemName };
}

export const lists = [
  listOf(operations.RelationGetAll, 'Relations'),
  listOf(operations.RelationshipGetAll, 'Relationships'),
  listOf(operations.ProductGetAll_V2, 'Products'),
  listOf(operations.RelationGetActivities, 'Activities'),
];

/** How a list is to be written. */
export interface Style {
  readonly format: 'csv' | 'tsv' | 'ndjson';
  readonly columns?: readonly string[];
  readonly lines?: LineStyle;
}

export const styles: readonly Style[] = [
  { format: 'csv' },
  { format: 'tsv' },
  { format: 'ndjson' },
  { format: 'csv', lines: { delimiter: ';', lineEnding: 'crlf', nullAs: '\\N', hasDecimalComma: true } },
  { format: 'csv', lines: { delimiter: '¬', nullAs: 'é'.repeat(50) } },
  { format: 'csv', columns: ['Id'] },
  { format: 'csv', columns: ['Id', 'Id', 'Id', 'Id', 'Id', 'Id'] },
  { format: 'ndjson', columns: ['Id', 'Id'] },
  { format: 'ndjson', columns: ['Id'] },
  { format: 'csv', lines: { delimiter: '-' } },
  { format: 'csv', lines: { hasKeptTexts: true } },
];

const texts = fc.constantFrom(
  'plain',
  '',
  'a, b',
  'a;b',
  'tab\there',
  'line\nbreak',
  'say &quot;hi&quot;',
  "it's &apos;so&apos;",
  '&amp;lt; &lt;&gt;',
  '&#x20AC; &#233;',
  '&#x1F;',
  '&#x1d4b3;&#10;&#13;&#9;&#34;',
  '&#xFFFE;',
  '“quoted” – … €',
  '\ufffd\uffef',
  '\u{e0041}\u{1f600}',
  'back\\slash',
  '=1+1',
  '-5',
  'é — ß',
  '日本語',
  '\u{1d4b3}',
  '\u00a0\u00ad',
  '\u200d\u202e\ufeff',
  '\u0645\u061c',
  '\u007f\u0085',
  ' spaces ',
  'x'.repeat(3000),
  '¬',
  ']]',
);

const { uuid, constantFrom } = fc;

/** Mostly what is usual. */
const mostly = (usual: fc.Arbitrary<string>, ...odd: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: constantFrom(...odd) });

const scalarWords: Readonly<Record<ScalarName, fc.Arbitrary<string>>> = {
  guid: mostly(
    uuid(),
    '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    '',
    ' 6f9619ff-8b86-d011-b42d-00c04fc964ff',
    'no-guid',
    '00000000-0000-0000-0000-000000000000',
  ),
  boolean: mostly(constantFrom('true', 'false'), '1', '0', ' true', 'TRUE', 'truefalse', 'tru', '&#49;'),
  int: mostly(
    constantFrom('0', '7', '-12'),
    '+5',
    '007',
    '-0',
    ' 3 ',
    '99999999999999999999',
    '1e5',
    '2147483647',
    '-2147483648',
    '2147483648',
    '-',
    '',
  ),
  short: mostly(constantFrom('0', '7', '-12'), '+5', '007', '-0', ' 3 ', '99999', '&#49;', '32767', '-32768', '32768'),
  long: mostly(
    constantFrom('0', '7', '12345678901234567'),
    '+5',
    '9223372036854775807',
    '9223372036854775808',
    '-',
    '007',
    ' 3 ',
    '1e5',
  ),
  decimal: mostly(
    constantFrom('12.50', '-0.10', '1234567890.123456789012345'),
    '+1.0',
    ' 2.5',
    '1,5',
    '.5',
    '1.',
    '.',
    '-.',
    '1.2.3',
    '+',
  ),
  dateTime: mostly(
    constantFrom('2026-01-31T09:30:00', '2026-01-31T09:30:00.1234567+01:00', '0001-01-01T00:00:00'),
    ' 2026-01-31T09:30:00',
    'today',
    '2026-02-29T00:00:00',
    '2024-02-29T00:00:00Z',
    '2026-01-31T24:00:00',
    '2026-01-31T23:59:60',
    '0000-01-01T00:00:00',
    '12026-01-01T00:00:00',
    '2026-01-31T09:30:00+14:00',
    '2026-01-31T09:30:00+14:01',
    '2026-01-31T09:30:00.',
    '2026-01-31 09:30:00',
    '2026-01-31T09:30:00z',
    '2026-04-31T09:30:00',
  ),
  string: texts,
  anyType: texts,
};

const wordsOf = (type: Type): fc.Arbitrary<string> => {
  if (type.kind === 'scalar') return scalarWords[type.name];
  if (type.kind !== 'enumeration') return constantFrom('', ' ');
  return mostly(constantFrom(...type.values), ` ${type.values[0]} `, 'Nonsense');
};

/** An element of a member, mostly as services send it. */
const element = (name: string, type: Type): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 200, arbitrary: wordsOf(type).map((text) => `<${name}>${text}</${name}>`) },
    { weight: type.kind === 'scalar' ? 20 : 2000, arbitrary: fc.constant(`<${name} xsi:nil="true" />`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        `<${name}/>`,
        `<${name} xsi:nil="true"></${name}>`,
        `<${name} xsi:nil="true">x</${name}>`,
      ),
    },
  );

export const rowsOf = ({ item, itemName }: List): fc.Arbitrary<readonly string[]> => {
  const members = Object.entries(item.fields).map(([name, { type }]) => element(name, type));
  const usual = fc.tuple(...members).map((all) => `<${itemName}>${all.join('')}</${itemName}>`);
  const more = usual.map((row) => row.replace(`</${itemName}>`, `<Unknown>1</Unknown></${itemName}>`));
  const some = fc.array(fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: more }), {
    minLength: 10,
    maxLength: 30,
  });
  // The reader learns from the first ones.
  return some.map((rows) => [rows, rows, rows, rows, rows].flat());
};

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function writerOf({ item }: List, { format, columns, lines }: Style): Promise<Writer> {
  return formats[format].open({
    columns: columns === undefined ? allColumns(item) : columnsNamed(item, columns),
    isChosen: columns !== undefined,
    shape: 'list',
    hasHeader: true,
    ...(lines === undefined ? {} : { lines }),
  }) as Promise<Writer>;
}

/** Rows that the kernel wrote so far. */
let written = 0;

/** How many rows the kernel wrote while something was done. */
export async function writtenIn(work: () => Promise<void>): Promise<number> {
  written = 0;
  await work();
  return written;
}

/** How a page is exported. */
export interface Way {
  readonly style: Style;
  /** Bytes that come at once. */
  readonly size: number;
  readonly filter?: string | undefined;
}

const envelope = ({ operation, member }: List, rows: readonly string[]): string =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body><${operation.name}Response xmlns="${namespace}"><${operation.name}Result><${member}>${rows.join('')}</${member}></${operation.name}Result></${operation.name}Response></soap:Body></soap:Envelope>`;

/** The bytes of an answer with these rows. */
export const answerOf = (list: List, rows: readonly string[]): Buffer => Buffer.from(envelope(list, rows));

/** The records of an answer, and what is told beside them. Throws what reading it throws. */
async function read({ operation, member }: List, bytes: Uint8Array, size: number, renderer?: Renderer) {
  const { result, notes } = await readResponse(
    operation,
    { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: chunks(bytes, size) },
    { namespace, ...(renderer === undefined ? {} : { rows: { path: [member], ...counted(renderer) } }) },
  );
  const found = result[member];
  const records = Array.isArray(found)
    ? ((found as readonly unknown[]).filter((each) => isRecord(each as RecordValue)) as RecordValue[])
    : [];
  return { records, notes };
}

function counted(renderer: Renderer): ReturnType<Renderer['page']> {
  const { text, ...others } = renderer.page();
  if (text === undefined) return others;
  return {
    ...others,
    text: {
      ...text,
      add(batch, source) {
        written += batch.rows;
        return text.add(batch, source);
      },
    },
  };
}

/** What an export makes of an answer: its bytes, Ids and hashes, or the error. */
async function outcome(list: List, bytes: Uint8Array, { style, size, filter }: Way) {
  const { item } = list;
  const writer = await writerOf(list, style);
  const { row, layout } = writer;
  if (row === undefined || layout === undefined) throw new Error('no rows, or no layout');
  const { keeps, looksAt } = whereOf(filter ?? 'true', { type: item, zone: 'UTC' });
  const text = (record: RecordValue): string | undefined => {
    if (!keeps(record)) return '';
    return hasUnknownMembers(record, item) ? undefined : row(record);
  };
  const renderer = new Renderer({ text, written: { layout, ...(filter === undefined ? {} : { keeps, looksAt }) } });
  try {
    const { records, notes } = await read(list, bytes, size, renderer);
    const kept = records.filter((record) => (renderedAt(record) === undefined ? keeps(record) : !isBlank(record)));
    const others: RecordValue[] = [];
    const pieces = piecesOf(kept, {
      ...writer,
      records: (some) => {
        others.push(...some);
        return writer.records(some);
      },
    });
    return {
      text: Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))).toString('utf8'),
      ids: records.map(({ Id }) => Id),
      rendered: records.map((record) => renderedAt(record) !== undefined),
      contents: contentsOf(records),
      // An error shows no more of them.
      shown: JSON.stringify(records.slice(0, 5).map((record) => printedValue(record))),
      others,
      notes,
    };
  } catch (thrown) {
    if (!(thrown instanceof RelctlError)) throw thrown;
    return { message: thrown.message, facts: thrown.facts };
  }
}

/** The records of an answer as they are, or the error. */
async function recordsOf(list: List, bytes: Uint8Array, size: number): Promise<string> {
  try {
    return JSON.stringify(await read(list, bytes, size));
  } catch (thrown) {
    if (!(thrown instanceof RelctlError)) throw thrown;
    return `${thrown.message} ${JSON.stringify(thrown.facts)}`;
  }
}

/** Reads an answer with the kernel and event by event, as rows and as records: all of it must be the same. */
export async function checkAnswer(list: List, bytes: Uint8Array, way: Way): Promise<{ readonly hasRows: boolean }> {
  const found = await outcome(list, bytes, way);
  assert.deepEqual(found, await withoutKernel(() => outcome(list, bytes, way)));
  const records = await withoutKernel(() => recordsOf(list, bytes, way.size));
  assert.equal(await recordsOf(list, bytes, way.size), records);
  return { hasRows: found.text !== undefined && found.text !== '' };
}

/** The answer with these rows, or the empty list when there are none. */
export const rowsAnswered = (records: readonly RecordValue[], list = 'Rows'): ListAnswer => ({
  list,
  state: records.length > 0 ? 'there' : 'empty',
  records,
  beside: [],
});
