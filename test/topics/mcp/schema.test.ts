import assert from 'node:assert/strict';
import {
  enumeration,
  list,
  nil,
  opt,
  recordWithoutPresence,
  req,
  type Fields,
  type RecordType,
} from '../../../src/contract/build.js';
import { anyType, dateTime, decimal, guid, int, long, string } from '../../../src/contract/scalars.js';
import { schemaOfParameters, type ValueSchema } from '../../../src/topics/mcp/schema.js';

describe('The JSON Schema of parameters', () => {
  it('says the type, presence and words of each', () => {
    const colour = enumeration('Colour', 'A colour.', ['Red', 'Blue']);
    const line = recordWithoutPresence('Line', 'A line.', { Amount: req(decimal, 'How much.'), Note: opt(string, '') });
    assert.deepEqual(
      schemaOfParameters({
        id: req(guid, 'Which one.'),
        count: nil(int, 'How many.'),
        big: opt(long, ''),
        at: opt(dateTime, 'When.'),
        colour: nil(colour, ''),
        lines: opt(list(line), 'The lines.'),
        words: opt({ ...list(string), nillable: true }, ''),
        any: nil(anyType, ''),
      }),
      {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Which one. GUID.' },
          count: { type: ['integer', 'null'], minimum: -2147483648, maximum: 2147483647, description: 'How many.' },
          big: { type: 'string', pattern: '^[+-]?[0-9]+$', description: 'A whole number, as text.' },
          at: { type: 'string', description: 'When. A time: 2026-01-31T09:30:00.' },
          colour: { type: ['string', 'null'], enum: ['Red', 'Blue', null] },
          lines: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                Amount: { type: 'string', description: 'How much. A decimal number, as text: "12.50".' },
                Note: { type: 'string' },
              },
              required: ['Amount'],
              additionalProperties: false,
            },
            description: 'The lines.',
          },
          words: { type: 'array', items: { type: ['string', 'null'] } },
          any: {},
        },
        required: ['id'],
        additionalProperties: false,
      },
    );
  });

  it('ends for a record that holds itself, and for one of any size', () => {
    const own: RecordType = {
      kind: 'record',
      name: 'Node',
      doc: '',
      presence: 'documented',
      get fields(): Fields {
        return { Left: opt(own, ''), Right: opt(own, '') };
      },
    };
    const text = JSON.stringify(schemaOfParameters({ root: opt(own, '') }));
    assert.ok(text.length < 20_000, String(text.length));
    assert.match(text, /A record Node\./);
    const wide = (depth: number): RecordType =>
      recordWithoutPresence(
        `Wide${depth}`,
        '',
        Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [`F${at}`, opt(depth === 0 ? string : wide(depth - 1), '')]),
        ),
      );
    const count = (schema: ValueSchema): number =>
      1 + Object.values(schema.properties ?? {}).reduce((sum, each) => sum + count(each), 0);
    assert.ok(count(schemaOfParameters({ root: opt(wide(2), '') })) < 1000);
  });
});
