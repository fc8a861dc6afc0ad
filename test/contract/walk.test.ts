import assert from 'node:assert/strict';
import { enumeration, list, opt, record, req } from '../../src/contract/build.js';
import { guid, string } from '../../src/contract/scalars.js';
import { operations } from '../../src/contract/service.js';
import { fullResult, typeName } from '../../src/contract/walk.js';

describe('typeName', () => {
  const Colour = enumeration('Colour', 'A colour.', ['Red']);
  const Thing = record('Thing', 'A thing.', { Id: req(guid, 'Its id.') });

  it('says every kind of type in words', () => {
    assert.equal(typeName(guid), 'guid');
    assert.equal(typeName(Colour), 'Colour');
    assert.equal(typeName(Thing), 'Thing');
    assert.equal(typeName(list(Thing)), 'list of Thing');
    assert.equal(typeName(list(string, 'word')), 'list of string');
  });
});

describe('fullResult', () => {
  it('puts the result envelope first, where the document has it: always sent', () => {
    const fields = fullResult(operations.NotificationGetCount);
    assert.deepEqual(Object.keys(fields), ['Result', 'Data', 'NumberOfNotifications']);
    assert.equal(fields['Result']?.presence, 'req');
  });

  it('takes a result envelope from every other operation, and demands it from none', () => {
    const fields = fullResult(operations.RelationGetAll);
    assert.deepEqual(Object.keys(fields), ['Result', 'Data', 'Relations']);
    assert.equal(fields['Result']?.presence, 'opt');
    assert.equal(fields['Data']?.presence, 'opt');
  });
});

describe('builders', () => {
  it('name the items of a list after their type unless told otherwise', () => {
    assert.equal(list(guid).itemName, 'guid');
    assert.equal(list(guid, 'id').itemName, 'id');
  });

  it('keep what they are given', () => {
    assert.deepEqual(opt(string, 'Words.'), { type: string, presence: 'opt', doc: 'Words.' });
    assert.equal(operations.RelationGet.envelope, false);
    assert.equal(operations.RelationGet.source, 'document');
  });
});
