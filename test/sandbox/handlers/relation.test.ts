import assert from 'node:assert/strict';
import type { OutputFields } from '../../../src/contract/infer.js';
import type { operations } from '../../../src/contract/service.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { Call } from '../../../src/sandbox/handlers/handler.js';
import { RelationGet, RelationGetAll } from '../../../src/sandbox/handlers/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const by = (sandbox: Sandbox): Call => ({ ...sandbox, userId: known.userId, place: () => undefined });

type Asked = OutputFields<(typeof operations)['RelationGetAll']['parameters']>;

describe('RelationGetAll of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox();
  });
  after(() => sandbox.close());
  const page = (asked: Asked): NonNullable<ReturnType<typeof relations>> => relations(asked);
  const relations = (asked: Asked) => RelationGetAll(by(sandbox), asked).Relations ?? [];

  it('has an empty list of field values for a relation without any', () => {
    const empty = page({ pageNumber: 1, pageSize: 250, includeFields: true }).filter(
      (row) => row?.FieldValues?.Items?.length === 0,
    );
    assert.equal(empty.length, 1);
  });
});

describe('RelationGet of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox();
  });
  after(() => sandbox.close());

  it('finds a relation by its Id in any case of letters', () => {
    const { Relation } = RelationGet(by(sandbox), { relationId: known.personId.toUpperCase() });
    assert.equal(Relation?.Id, known.personId);
  });

  for (const relationId of ['ffffffff-ffff-4fff-8fff-ffffffffffff', 'not a guid', '', null]) {
    it(`gives nil for the Id ${relationId === '' ? '(empty)' : String(relationId)}`, () => {
      assert.deepEqual(RelationGet(by(sandbox), { relationId }), { Relation: null, Counters: null });
    });
  }
});
