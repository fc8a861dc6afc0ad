import type { RecordValue } from '../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { listIn, noList, wholeListIn, describeAnswer, type ListState } from '../../src/client/list-answer.js';
import { list, operation as makeOperation, opt, recordWithoutPresence } from '../../src/contract/build.js';
import { string } from '../../src/contract/scalars.js';
import { operations } from '../../src/contract/service.js';
import type { RelctlError } from '../../src/core/errors/relctl-error.js';
import { readResponse } from '../../src/soap/wire/answer.js';
import { namespace, relations } from '../support/soap-answers.js';

const operation = operations.RelationGetAll;
const row =
  /<PvRelationData>.*<\/PvRelationData>/.exec(relations('6f9619ff-8b86-d011-b42d-00c04fc964ff').body)?.[0] ?? '';

/** The result of an answer with this in the place of …Result. */
async function resultOf(result: string): Promise<RecordValue> {
  const { headers, body } = relations();
  const text = body.replace(/<RelationGetAllResult>.*<\/RelationGetAllResult>/, result);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const answer = await readResponse(
    operation,
    { status: 200, headers: { 'content-type': headers?.['Content-Type'] ?? '' }, body: bytes() },
    { namespace },
  );
  return answer.result;
}

const inResult = (content: string): string => `<RelationGetAllResult>${content}</RelationGetAllResult>`;

describe('What came where a list is expected', () => {
  for (const [result, state, words] of [
    [inResult(`<Relations>${row}</Relations>`), 'there', '<Relations> with records'],
    [inResult('<Relations/>'), 'empty', 'an empty <Relations>'],
    [inResult('<Relations>  </Relations>'), 'empty', 'an empty <Relations>'],
    [inResult('<Relations xsi:nil="true"/>'), 'nil', 'a nil <Relations>'],
    ['<RelationGetAllResult xsi:nil="true"/>', 'nil', 'a nil <Relations>'],
    ['<RelationGetAllResult/>', 'absent', 'no <Relations>'],
    [inResult('<Error>no</Error>'), 'absent', 'no <Relations>, but <Error>'],
    [inResult('The database is away'), 'absent', 'no <Relations>, but text'],
    [inResult('<Relations/>away'), 'empty', 'an empty <Relations>, and beside it text'],
    [inResult('<Relations>away</Relations>'), 'other', '<Relations> with text instead of records'],
    [inResult('<Relations><PvRelationData xsi:nil="true"/></Relations>'), 'other', '<Relations> whose item 1 is nil'],
    [
      inResult(`<Relations>${row}<PvRelationData xsi:nil="true"/></Relations><Error>no</Error>`),
      'other',
      '<Relations> whose item 2 is nil, and beside it <Error>',
    ],
    [inResult(`<Relations>${row}<PvRelationData xsi:nil="true"/>away</Relations>`), 'other', undefined],
    [inResult(`<Relations>${row}away</Relations>`), 'other', undefined],
  ] as const satisfies readonly (readonly [string, ListState, string | undefined])[]) {
    it(`is ${state}: ${result.replace(row, '…')}`, async () => {
      const found = listIn(operation, await resultOf(result), 'Relations');
      assert.equal(found.state, state);
      assert.equal(found.records.length, state === 'there' ? 1 : 0);
      if (words !== undefined) assert.equal(describeAnswer(found), words);
    });
  }

  it('keeps text that stands where elements should, so that no message of the service is lost', async () => {
    assert.deepEqual(await resultOf(inResult('The database is away')), { '#text': 'The database is away' });
    assert.deepEqual(await resultOf(inResult('<Relations>away</Relations>')), { Relations: ['away'] });
  });

  it('is told in the error for what is no list', async () => {
    const error = noList(listIn(operation, await resultOf(inResult('<Error>no</Error>')), 'Relations'));
    assert.equal(error.message, 'the answer has no <Relations>, but <Error>: that is not a list');
    assert.deepEqual([error.kind, error.facts.code], ['bad-answer', 'list-absent']);
  });
});

describe('A list further inside', () => {
  const inner = recordWithoutPresence('Inner', '', {
    Codes: opt(list(string, 'Code'), ''),
    Loose: { ...opt(list(string, 'Loose'), ''), repeats: true },
  });
  const deep = makeOperation({
    name: 'Deep',
    doc: '',
    access: 'read',
    parameters: {},
    result: { Page: opt(inner, '') },
  });
  const path = ['Page', 'Codes'];

  for (const [what, result, state] of [
    ['items that are no records', { Page: { Codes: ['a', null] } }, 'there'],
    ['no items', { Page: { Codes: [] } }, 'empty'],
    ['a nil list', { Page: { Codes: null } }, 'nil'],
    ['a nil record that would hold it', { Page: null }, 'nil'],
    ['no record that would hold it', {}, 'absent'],
    ['a record without it', { Page: {} }, 'absent'],
    ['text in the place of the list', { Page: { Codes: 'away' } }, 'other'],
    ['text in the place of the record', { Page: 'away' }, 'other'],
  ] as const satisfies readonly (readonly [string, RecordValue, ListState])[]) {
    it(`is ${state} for ${what}`, () => {
      const found = listIn(deep, result, path);
      assert.deepEqual([found.list, found.state], ['Page.Codes', state]);
      assert.deepEqual(found.records, state === 'there' ? [{ Value: 'a' }, { Value: null }] : []);
    });
  }

  it('tells what is unknown beside it, and beside the record that holds it', () => {
    const found = listIn(deep, { Page: { Codes: [], Error: 'x' }, Warning: 'y' }, path);
    assert.deepEqual(found.beside, ['Warning', 'Error']);
  });

  it('without an element of its own is no list when something unknown stands where it could be', () => {
    const shown = { operation: deep, shows: 'Loose', holders: ['Page'] };
    assert.deepEqual(wholeListIn(shown, { Page: { Loose: [] } }, true), { records: [], notes: [] });
    assert.throws(
      () => wholeListIn(shown, { Page: { Loose: [], Error: 'x' } }, true),
      /an empty <Page.Loose>, and beside it/,
    );
  });
});

describe('A list that comes whole', () => {
  const shown = { operation, shows: 'Relations' };
  const code = (thrown: unknown): boolean => (thrown as RelctlError).kind === 'bad-answer';

  it('may be left out where nothing unknown stands beside, and that is noted', () => {
    assert.deepEqual(wholeListIn(shown, {}, true), {
      records: [],
      notes: [{ kind: 'missing-list', path: 'Relations', count: 1 }],
    });
    assert.deepEqual(wholeListIn(shown, { Relations: null }, false), { records: [], notes: [] });
  });

  it('is refused when something unknown stands in its place, when it is text, and when it must be there', () => {
    assert.throws(() => wholeListIn(shown, { Error: 'no' }, true), code);
    assert.throws(() => wholeListIn(shown, { Relations: 'text' }, true), code);
    assert.throws(() => wholeListIn(shown, {}, false), code);
  });
});
