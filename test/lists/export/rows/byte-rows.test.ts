import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { RecordType, Type, Operation, ScalarName } from '../../../../src/contract/build.js';
import { isRecord, type RecordValue } from '../../../../src/core/values/value.js';
import { operations } from '../../../../src/contract/service.js';
import { contentsOf, isBlank } from '../../../../src/client/rows/row.js';
import { Renderer } from '../../../../src/client/rows/renderer.js';
import { RelctlError } from '../../../../src/core/errors/relctl-error.js';
import { byteRendering } from '../../../../src/lists/export/rows/byte-rows.js';
import { piecesOf, renderedAt } from '../../../client/rendered-rows.js';
import { allColumns, columnsNamed } from '../../../../src/formats/columns.js';
import { hasUnknownMembers } from '../../../../src/formats/beyond.js';
import type { LineStyle, Writer } from '../../../../src/formats/writers/format.js';
import { formats } from '../../../../src/formats/writers/index.js';
import { whereOf } from '../../../../src/formats/query/where/where.js';
import { readResponse } from '../../../../src/soap/wire/answer.js';

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
function conditionsOf(type: RecordType): fc.Arbitrary<string> {
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
interface List {
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

const lists = [
  listOf(operations.RelationGetAll, 'Relations'),
  listOf(operations.RelationshipGetAll, 'Relationships'),
  listOf(operations.ProductGetAll_V2, 'Products'),
  listOf(operations.RelationGetActivities, 'Activities'),
];

/** How a list is to be written. */
interface Style {
  readonly format: 'csv' | 'tsv' | 'ndjson';
  readonly columns?: readonly string[];
  readonly lines?: LineStyle;
}

const styles: readonly Style[] = [
  { format: 'csv' },
  { format: 'tsv' },
  { format: 'ndjson' },
  { format: 'csv', lines: { delimiter: ';', lineEnding: 'crlf', nullAs: '\\N', hasDecimalComma: true } },
  { format: 'csv', lines: { delimiter: '¬', nullAs: 'é'.repeat(50) } },
  { format: 'csv', columns: ['Id'] },
  { format: 'csv', columns: ['Id', 'Id', 'Id', 'Id', 'Id', 'Id'] },
  { format: 'ndjson', columns: ['Id', 'Id'] },
  { format: 'ndjson', columns: ['Id'] },
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
  boolean: mostly(constantFrom('true', 'false'), '1', '0', ' true', 'TRUE', 'truefalse', 'tru'),
  int: mostly(constantFrom('0', '7', '-12'), '+5', '007', '-0', ' 3 ', '99999999999999999999', '1e5'),
  short: mostly(constantFrom('0', '7', '-12'), '+5', '007', '-0', ' 3 ', '99999', '&#49;'),
  long: mostly(constantFrom('0', '7', '12345678901234567'), '+5', '007', ' 3 ', '1e5'),
  decimal: mostly(constantFrom('12.50', '-0.10', '1234567890.123456789012345'), '+1.0', ' 2.5', '1,5', '.5'),
  dateTime: mostly(
    constantFrom('2026-01-31T09:30:00', '2026-01-31T09:30:00.1234567+01:00', '0001-01-01T00:00:00'),
    ' 2026-01-31T09:30:00',
    'today',
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

const rowsOf = ({ item, itemName }: List): fc.Arbitrary<readonly string[]> => {
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
    width: undefined,
    hasColor: false,
    ...(lines === undefined ? {} : { lines }),
  }) as Promise<Writer>;
}

let taken = 0;

/** How a page is exported. */
interface Way {
  readonly style: Style;
  /** Bytes that come at once. */
  readonly size: number;
  /** What the records are rendered from while they are decoded. */
  readonly by: 'bytes' | 'records' | 'nothing';
  readonly filter?: string | undefined;
}

/** What an export makes of a page: its bytes, Ids and hashes, or the error. */
async function outcome(list: List, rows: readonly string[], { style, size, by, filter }: Way) {
  const { operation, member, item } = list;
  const writer = await writerOf(list, style);
  const { row, layout } = writer;
  if (row === undefined || layout === undefined) throw new Error('no rows, or no layout');
  const keeping = whereOf(filter ?? 'true', { type: item, zone: 'UTC' });
  const { keeps } = keeping;
  const text = (record: RecordValue): string | undefined => {
    if (!keeps(record)) return '';
    return hasUnknownMembers(record, item) ? undefined : row(record);
  };
  const bytes = byteRendering(layout, filter === undefined ? undefined : keeping);
  const counted: typeof bytes = (members) => {
    const made = bytes(members);
    return (
      made &&
      ((element, page) => {
        const value = made(element, page);
        if (value !== undefined) taken += 1;
        return value;
      })
    );
  };
  const renderer = new Renderer(by === 'bytes' ? { text, bytes: counted } : { text });
  const body = chunks(
    Buffer.from(
      `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body><${operation.name}Response xmlns="${namespace}"><${operation.name}Result><${member}>${rows.join('')}</${member}></${operation.name}Result></${operation.name}Response></soap:Body></soap:Envelope>`,
    ),
    size,
  );
  const headers = { 'content-type': 'text/xml; charset=utf-8' };
  try {
    const { result, notes } = await readResponse(
      operation,
      { status: 200, headers, body },
      { namespace, ...(by === 'nothing' ? {} : { rows: { path: [member], ...renderer.page() } }) },
    );
    const found = result[member];
    const records = Array.isArray(found)
      ? ((found as readonly unknown[]).filter((each) => isRecord(each as RecordValue)) as RecordValue[])
      : [];
    if (by === 'nothing') return { text: writer.records(records.filter(keeps)) };
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
      others,
      notes,
    };
  } catch (thrown) {
    if (!(thrown instanceof RelctlError)) throw thrown;
    return { message: thrown.message, facts: thrown.facts };
  }
}

describe('The rows of records that stand in bytes', () => {
  for (const list of lists) {
    it(`of ${list.operation.name} are those of the records, in all formats`, async () => {
      taken = 0;
      await fc.assert(
        fc.asyncProperty(
          rowsOf(list),
          fc.constantFrom(...styles),
          fc.constantFrom(200, 5000, 70_000),
          async (rows, style, size) => {
            const byBytes = await outcome(list, rows, { style, size, by: 'bytes' });
            assert.deepEqual(byBytes, await outcome(list, rows, { style, size, by: 'records' }));
          },
        ),
        { numRuns: 15 },
      );
      assert.ok(taken > 20, `only ${taken} were taken as bytes`);
    });

    it(`of ${list.operation.name} are those that any condition keeps of the records`, async () => {
      taken = 0;
      let kept = 0;
      await fc.assert(
        fc.asyncProperty(
          rowsOf(list),
          fc.constantFrom(...styles),
          conditionsOf(list.item),
          async (rows, style, filter) => {
            const way = { style, size: 5000, filter };
            const byBytes = await outcome(list, rows, { ...way, by: 'bytes' });
            assert.deepEqual(byBytes, await outcome(list, rows, { ...way, by: 'records' }));
            const { text, message } = await outcome(list, rows, { ...way, by: 'nothing' });
            assert.deepEqual([byBytes.text, byBytes.message], [text, message]);
            if (byBytes.ids !== undefined && text !== '') kept += 1;
          },
        ),
        { numRuns: 15 },
      );
      assert.ok(taken > 20 && kept > 1, `${taken} were taken as bytes, and ${kept} times some were kept`);
    });
  }
});
