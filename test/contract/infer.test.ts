import assert from 'node:assert/strict';
import type { AddressStyle, AddressType } from '../../src/contract/enumerations.js';
import type { Input, InputOf, Output, OutputOf } from '../../src/contract/infer.js';
import { operation, opt, req } from '../../src/contract/build.js';
import type { PvActivityFollowUpData } from '../../src/contract/records/activity.js';
import type { PvFieldValueData } from '../../src/contract/records/shared.js';
import { guid, type anyType, type boolean, type decimal, type int, type long } from '../../src/contract/scalars.js';
import type { operations } from '../../src/contract/service.js';

// Each assertion is checked by the compiler (npm run lint); what runs here only keeps the values alive.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

describe('inferred types', () => {
  it('hold a scalar as text where a number would lose digits', () => {
    const facts: readonly [
      Same<InputOf<typeof guid>, string>,
      Same<InputOf<typeof long>, string>,
      Same<InputOf<typeof decimal>, string>,
      Same<InputOf<typeof int>, number>,
      Same<InputOf<typeof boolean>, boolean>,
      Same<OutputOf<typeof anyType>, unknown>,
    ] = [true, true, true, true, true, true];
    assert.equal(facts.length, 6);
  });

  it('close an enumeration on the way out and open it on the way in', () => {
    const style: InputOf<typeof AddressStyle> = 'Formal';
    // @ts-expect-error not a value of the enumeration
    const wrong: InputOf<typeof AddressStyle> = 'Casual';
    const unknown: OutputOf<typeof AddressType> = 'AnAddressTypeOfTomorrow';
    assert.notEqual(style, wrong);
    assert.equal(typeof unknown, 'string');
  });

  it('demand Req, let Nil be null or left out, and let Opt be left out but not null', () => {
    const followUp: InputOf<typeof PvActivityFollowUpData> = { Start: null };
    const given: InputOf<typeof PvFieldValueData> = { Id: id };
    // @ts-expect-error Id must be there
    const missing: InputOf<typeof PvFieldValueData> = { Value: 'x' };
    // @ts-expect-error an Opt field is never null
    const nullInOpt: InputOf<typeof PvFieldValueData> = { Id: id, Value: null };
    // @ts-expect-error an unknown field
    const unknown: InputOf<typeof PvFieldValueData> = { Id: id, Valu: 'x' };
    assert.equal([followUp, given, missing, nullInOpt, unknown].length, 5);
  });

  it('type the input of an operation by its parameters', () => {
    const input: Input<typeof operations.RelationGet> = { relationId: id, includeFields: true, includeCounters: false };
    // @ts-expect-error includeCounters must be there
    const missing: Input<typeof operations.RelationGet> = { relationId: id, includeFields: true };
    const none: Input<typeof operations.MarkGetAll> = {};
    const lists: Input<typeof operations.ActivityUpdate> = { activityId: id, fieldValues: [{ Id: id, Value: 'x' }] };
    // @ts-expect-error a list holds no null on the way out
    const hole: Input<typeof operations.ActivityUpdate> = { activityId: id, fieldValues: [null] };
    assert.equal([input, missing, none, lists, hole].length, 5);
  });

  it('take anything as absent or null on the way in, and lists with holes', () => {
    const empty: Output<typeof operations.RelationGetAll> = {};
    const nothing: Output<typeof operations.RelationGetAll> = { Relations: null };
    const hole: Output<typeof operations.RelationGetAll> = { Relations: [null, { Id: null }] };
    // @ts-expect-error no such member
    const unknown: Output<typeof operations.RelationGetAll> = { Relation: [] };
    assert.equal([empty, nothing, hole, unknown].length, 4);
  });

  it('take only a member of the result as the one that is paged', () => {
    const wrong = operation({
      name: 'ThingGetAll',
      doc: 'Lists things.',
      access: 'read',
      parameters: { thingId: req(guid, 'The thing.') },
      result: { Things: opt(guid, 'Things.') },
      // @ts-expect-error the member is called Things
      paged: 'Thing',
    });
    assert.equal(wrong.envelope, false);
  });
});
