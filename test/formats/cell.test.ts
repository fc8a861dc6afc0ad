import { valueAt, isRecord, type RecordValue } from '../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { cellText } from '../../src/formats/columns.js';

const person: RecordValue = { Name: 'Zoë', Home: { City: 'Łódź', Zip: null }, Marks: ['a', 'b'], Note: null };

describe('valueAt', () => {
  it('finds a value by its path', () => {
    assert.equal(valueAt(person, ['Name']), 'Zoë');
    assert.equal(valueAt(person, ['Home', 'City']), 'Łódź');
    assert.deepEqual(valueAt(person, ['Marks']), ['a', 'b']);
  });

  it('keeps nil and absent apart', () => {
    assert.equal(valueAt(person, ['Home', 'Zip']), null);
    assert.equal(valueAt(person, ['Note']), null);
    assert.equal(valueAt(person, ['Phone']), undefined);
  });

  it('is undefined when something on the way is nil, absent or no record', () => {
    for (const path of [
      ['Note', 'Text'],
      ['Phone', 'Number'],
      ['Name', 'length'],
      ['Marks', '0'],
      ['Marks', 'length'],
    ])
      assert.equal(valueAt(person, path), undefined);
  });

  it('sees nothing that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__']) assert.equal(valueAt({}, [name]), undefined);
  });
});

describe('isRecord', () => {
  it('is true for records alone', () => {
    assert.deepEqual([{}, [], null, undefined, '', 0, false].map(isRecord), [
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('cellText', () => {
  it('shows scalars as they are, to the digit', () => {
    assert.deepEqual(['007', '79228162514264337593543950336', 0, -5, true, false, ''].map(cellText), [
      '007',
      '79228162514264337593543950336',
      '0',
      '-5',
      'true',
      'false',
      '',
    ]);
  });

  it('shows nothing for nil and absent', () => assert.deepEqual([null, undefined].map(cellText), ['', '']));

  it('shows lists and records as compact JSON', () => {
    assert.equal(cellText(['a', { B: null }]), '["a",{"B":null}]');
    assert.equal(cellText({}), '{}');
    assert.equal(cellText([]), '[]');
  });
});
