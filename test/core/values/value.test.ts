import assert from 'node:assert/strict';
import { defined, hasValue, isRecord, isObject, jsonOf, stateOf } from '../../../src/core/values/value.js';

describe('Plain values', () => {
  it('lose what is undefined, and nothing else', () => {
    const given = { a: undefined, b: null, c: 0, d: '', e: false, f: [undefined] };
    assert.deepEqual(Object.entries(defined(given)), [
      ['b', null],
      ['c', 0],
      ['d', ''],
      ['e', false],
      ['f', [undefined]],
    ]);
  });

  it('are read of JSON, and undefined says that it is none', () => {
    assert.deepEqual(['null', '0', '"x"', '[1]', '{"a":{}}', '', '{', 'undefined', "{'a':1}", '1 2'].map(jsonOf), [
      null,
      0,
      'x',
      [1],
      { a: {} },
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are told apart: objects from lists and from nothing', () => {
    const values = [{}, { a: 1 }, [], null, 'a', 0, true];
    assert.deepEqual(values.map(isObject), [true, true, false, false, false, false, false]);
    assert.deepEqual(
      [...values, undefined].map((value) => isRecord(value as never)),
      [true, true, ...Array.from({ length: 6 }, () => false)],
    );
  });

  it('are told from what is nil and from what is absent', () => {
    const values = [undefined, null, '', 0, false, [], {}];
    assert.deepEqual(values.map(stateOf), ['absent', 'nil', ...Array.from({ length: 5 }, () => 'value')]);
    assert.deepEqual(values.map(hasValue), [false, false, true, true, true, true, true]);
  });
});
