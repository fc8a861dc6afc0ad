import assert from 'node:assert/strict';
import type { Fields } from '../../src/contract/build.js';
import { credentialsField, resultEnvelope } from '../../src/contract/records/shared.js';
import { enumerations } from '../../src/contract/enumerations.js';
import { operations, records } from '../../src/contract/service.js';

const fieldWords = (of: string, fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, { doc }]) => [`${of}.${name}`, doc]);

const words: readonly (readonly [place: string, doc: string])[] = [
  ...Object.values(enumerations).map(({ name, doc }) => [name, doc] as const),
  ...Object.values(records).flatMap(({ name, doc, fields }) => [[name, doc] as const, ...fieldWords(name, fields)]),
  ...Object.values(operations).flatMap(({ name, doc, parameters, result }) => [
    [name, doc] as const,
    ...fieldWords(name, parameters),
    ...fieldWords(`${name}Result`, result),
  ]),
  ...fieldWords('result', resultEnvelope),
  ...fieldWords('request', { credentials: credentialsField }),
];

describe('words of the contract', () => {
  it('describe every operation, record, field and enumeration in a sentence', () => {
    assert.ok(words.length > 300);
    const without = words.filter(([, doc]) => !/^[A-Z][^\n]*\.$/.test(doc)).map(([place]) => place);
    assert.deepEqual(without, []);
  });

  it('have no white space at their ends and none twice', () => {
    const untidy = words.filter(([, doc]) => doc !== doc.trim() || /\s\s/.test(doc)).map(([place]) => place);
    assert.deepEqual(untidy, []);
  });
});
