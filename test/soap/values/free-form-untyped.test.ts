import type { Value } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { writeUntyped } from '../../../src/soap/values/free-form.js';
import { escapeText } from '../../../src/xml/escape.js';

const write = (value: Value): string =>
  writeUntyped({ name: 'Data', start: 'Data' }, value, { path: 'Data', direction: 'response', escape: escapeText });

describe('untyped content', () => {
  for (const [value, text] of [
    [null, '<Data xsi:nil="true" />'],
    ['', '<Data xsi:type="xsd:string" />'],
    [' a<b ', '<Data xsi:type="xsd:string"> a&lt;b </Data>'],
    [true, '<Data xsi:type="xsd:boolean">true</Data>'],
    [7, '<Data xsi:type="xsd:int">7</Data>'],
    [-2147483648, '<Data xsi:type="xsd:int">-2147483648</Data>'],
    [2147483648, '<Data xsi:type="xsd:long">2147483648</Data>'],
    [1.5, '<Data xsi:type="xsd:double">1.5</Data>'],
    [1e21, '<Data xsi:type="xsd:double">1e+21</Data>'],
    [{}, '<Data />'],
    [{ a: 'x', b: null, c: { d: 1 } }, '<Data><a>x</a><b xsi:nil="true" /><c><d xsi:type="xsd:int">1</d></c></Data>'],
    [{ a: ['1', null, { b: '2' }] }, '<Data><a>1</a><a xsi:nil="true" /><a><b>2</b></a></Data>'],
    [{ a: [] }, '<Data />'],
  ] as const)
    it(`writes ${JSON.stringify(value)} as ${text}`, () => assert.equal(write(value), text));

  for (const [value, path] of [
    [['a'], 'Data'],
    [Number.NaN, 'Data'],
    [{ 'not a name': '1' }, 'Data.not a name'],
    [{ a: { '1': 'x' } }, 'Data.a.1'],
    [{ 'a:b': 'x' }, 'Data.a:b'],
    [{ '<': 'x' }, 'Data.<'],
    [{ '': 'x' }, 'Data.'],
  ] as const)
    it(`refuses ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => write(value),
        (error) => error instanceof RelctlError && error.facts.path === path,
      );
    });
});
