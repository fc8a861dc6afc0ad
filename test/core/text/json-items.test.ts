import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { jsonArrayReader, jsonLinesReader, type ItemReader, type JsonItem } from '../../../src/core/text/json-items.js';
import { valuesOf } from '../../support/thrown.js';

function itemsOf(reader: ItemReader, text: string, length = text.length): JsonItem[] {
  const items: JsonItem[] = [];
  for (let at = 0; at < text.length; at += length) items.push(...reader.push(text.slice(at, at + length)));
  return [...items, ...reader.end()];
}

describe('A reader of a JSON array', () => {
  it('gives every item as it stands, wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.constantFrom(0, 2),
        fc.integer({ min: 1, max: 9 }),
        (values, indent, length) => {
          const items = itemsOf(jsonArrayReader(), `\n ${JSON.stringify(values, null, indent)} \n`, length);
          assert.deepEqual(
            items.map(({ text }) => JSON.stringify(JSON.parse(text))),
            values.map((value) => JSON.stringify(value)),
          );
        },
      ),
    );
  });

  it('tells on which line an item begins', () => {
    const items = itemsOf(jsonArrayReader(), '[\n  {\n "a": "]" },\n\n  2 ]\n', 3);
    assert.deepEqual(valuesOf(items, 'line', 'text'), [
      [2, '{\n "a": "]" }'],
      [5, '2'],
    ]);
  });

  it('takes a tab for white space before, within and behind the array', () => {
    assert.deepEqual(itemsOf(jsonArrayReader(), '\t[\t\n\t1\t,\t\n2]\t'), [
      { line: 2, text: '1' },
      { line: 3, text: '2' },
    ]);
  });

  it('names the line of what is no array', () => {
    const refused = (text: string, says: RegExp): void => {
      const isMeant = ({ kind, facts, message }: RelctlError): boolean =>
        kind === 'usage' && says.test(`line ${facts.line}: ${message}`);
      assert.throws(() => itemsOf(jsonArrayReader(8), text), isMeant, text);
    };
    refused('', /^line 1: a JSON array should begin/);
    refused('\n{}', /^line 2: a JSON array should begin/);
    refused('[1,\n', /^line 2: the JSON array does not end/);
    refused('[1,\n,2]', /^line 2: a record is missing at this comma/);
    refused('[1,]', /^line 1: a record is missing/);
    refused('[]\n[]', /^line 2: text after the JSON array/);
    refused('["123456789"]', /^line 1: a record that is too long/);
  });
});

describe('A reader of JSON lines', () => {
  it('gives every line that is not blank, with its number', () => {
    const items = itemsOf(jsonLinesReader(), '{"a":1}\r\n\n{"b":2}\n3', 4);
    assert.deepEqual(
      items.map(({ line, text }) => [line, JSON.stringify(JSON.parse(text))]),
      [
        [1, '{"a":1}'],
        [3, '{"b":2}'],
        [4, '3'],
      ],
    );
  });

  it('refuses a line that does not end', () => {
    assert.throws(() => itemsOf(jsonLinesReader(4), '1\n"23456'), {
      message: /^a line that does not end/,
      facts: { code: 'line', line: 2 },
    });
  });
});
