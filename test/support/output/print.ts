import assert from 'node:assert/strict';
import type { RecordValue } from '../../../src/core/values/value.js';
import { list, nil, opt, record, req, scalar } from '../../../src/contract/build.js';
import { membersBeyond } from '../../../src/formats/beyond.js';
import { allColumns } from '../../../src/formats/columns.js';
import type { Format, FormatContext, Piece } from '../../../src/formats/writers/format.js';

/** A record type with everything that a column can be. */
export const person = record('Person', 'Somebody.', {
  Id: req(scalar('guid'), 'Key.'),
  Name: opt(scalar('string'), 'Name.'),
  Balance: nil(scalar('decimal'), 'Money.'),
  Home: opt(
    record('Place', 'Where.', { City: opt(scalar('string'), 'City.'), Zip: opt(scalar('string'), 'Code.') }),
    '',
  ),
  Marks: opt(list(scalar('string'), 'Mark'), 'Labels.'),
});

/** A record type of text columns alone. */
export const textual = (count: number): ReturnType<typeof record> =>
  record(
    'Text',
    'Texts.',
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`F${index}`, opt(scalar('string'), 'Text.')])),
  );

/** What a format is told when nothing special is asked for. */
const usual: FormatContext = {
  columns: allColumns(person),
  isChosen: false,
  shape: 'list',
  hasHeader: true,
  width: undefined,
  hasColor: false,
  rest: (each) => membersBeyond(each, person),
};

/**
 * The whole output of a format of text for batches of records. A format that makes the text of one record by itself must
 * make the same text so.
 */
export async function printed(
  format: Format<Piece>,
  batches: readonly (readonly RecordValue[])[],
  context: Partial<FormatContext> = {},
): Promise<string> {
  const writer = await format.open({ ...usual, ...context });
  const texts = batches.map((batch) => writer.records(batch));
  const { row } = writer;
  if (row !== undefined) {
    // Another one: where rows stand may depend on what it wrote before.
    const { placed = (rows: Uint8Array) => rows } = await format.open({ ...usual, ...context });
    assert.deepEqual(
      batches.map((batch) => Buffer.from(placed(Buffer.from(batch.map(row).join(''))))),
      texts.map((text) => Buffer.from(text)),
    );
  }
  return [writer.begin(), ...texts, writer.end()].join('');
}
