import fc from 'fast-check';
import assert from 'node:assert/strict';
import { defined, type Value, type RecordValue } from '../../../src/core/values/value.js';
import { list, nil, opt, record, req, scalar } from '../../../src/contract/build.js';
import { unknownMembersOf } from '../../../src/formats/unknown-members.js';
import { allColumns } from '../../../src/formats/columns.js';
import type { Display, Format, FormatContext, Piece } from '../../../src/formats/writers/format.js';

/** Texts that try to steer a terminal, or to show something else than they are. */
export const hostile: Readonly<Record<string, string>> = {
  'a colour': '\u001b[31mred\u001b[0m',
  'a cleared screen': '\u001b[2J\u001b[H',
  'a window title': '\u001b]0;owned\u0007',
  'a link (OSC 8)': '\u001b]8;;http://example.invalid/\u001b\\click\u001b]8;;\u001b\\',
  'the clipboard (OSC 52)': '\u001b]52;c;cm0gLXJm\u0007',
  'a device string (DCS)': '\u001bP+q544e\u001b\\',
  'a C1 control sequence': '\u009b31m',
  'a C1 operating system command': '\u009d0;owned\u009c',
  'an overprint by carriage return': 'good\rbad!',
  'an overprint by backspace': 'good\b\b\b\bbad!',
  'a bare escape at the end': 'name\u001b',
  'a right-to-left override': 'invoice\u202efdp.exe',
  'an isolate': '\u2066left\u2069',
  'a zero-width space': 'pay\u200bpal',
  'a soft hyphen': 'pay\u00adpal',
  'a byte order mark': '\ufeffname',
  'tag characters': 'a\u{e0041}\u{e0042}',
  'a line separator': 'one\u2028two',
  'a lone surrogate': 'half \ud83d',
  'a delete': 'a\u007fb',
};

/** Any text at all, lone surrogates and everything risky included, with the risky more often than chance would. */
export const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      ...',;"\'\r\n\t =+-@:#{}[]&*!|>%`\\\u0000\u001b\u0085\u009b\u00a0\u00ad\u200b\u2028\u202e\ufeff'.split(''),
    ),
    fc.constantFrom(
      '\ud800',
      '\udc00',
      'true',
      'null',
      'no',
      '0x1f',
      '1e3',
      '2024-01-31',
      '12:30',
      '日',
      '😀',
      'é',
      'ש',
    ),
    fc.constantFrom('\ufffe', '\uffff', '\u{e0041}', '\u{1fffe}', 'a', 'b', ' '),
  ),
  maxLength: 24,
});

/** Characters that a terminal acts upon or that nobody sees. */
export const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

const anyKey = fc.oneof(fc.constantFrom('Id', 'Name', 'y', 'no', '<<', '=', '~', '', '-', 'a: b', '#', '1'), anyText);

const { plain } = fc.letrec<{ plain: Value }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('plain'), { maxLength: 3 }),
    fc.dictionary(anyKey, tie('plain'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Any record, nested up to three deep. */
export const anyRecord: fc.Arbitrary<RecordValue> = fc.dictionary(anyKey, plain, { maxKeys: 4, noNullPrototype: true });

/** Records as they come from pages. */
export const anyBatches = fc.array(fc.array(anyRecord, { maxLength: 3 }), { maxLength: 3 });

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
};

/**
 * The whole output of a format of text for batches of records. A format that makes the text of one record by itself must
 * make the same text so.
 */
export async function printed(
  format: Format<Piece>,
  batches: readonly (readonly RecordValue[])[],
  {
    width,
    hasColor,
    isAsked,
    isOnce,
    ...own
  }: Partial<FormatContext> & Pick<Display, 'width' | 'hasColor' | 'isAsked' | 'isOnce'> = {},
): Promise<string> {
  const rest: Display['rest'] = (each) => unknownMembersOf(each, person);
  const context = { ...usual, ...own, display: { width, rest, ...defined({ hasColor, isAsked, isOnce }) } };
  const writer = await format.open(context);
  const texts = batches.map((batch) => writer.records(batch));
  const { row } = writer;
  if (row !== undefined) {
    // Another one: where rows stand may depend on what it wrote before.
    const { placed = (rows: Uint8Array) => rows } = await format.open(context);
    assert.deepEqual(
      batches.map((batch) => Buffer.from(placed(Buffer.from(batch.map(row).join(''))))),
      texts.map((text) => Buffer.from(text)),
    );
  }
  return [writer.begin(), ...texts, writer.end()].join('');
}
