import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { readResponse } from '../../../src/soap/wire/answer.js';
import { withoutKernel } from '../../support/kernel.js';

const namespace = 'http://relctl.example/v1/';
const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

function envelope(rows: string): Uint8Array {
  return new TextEncoder().encode(
    `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:other="urn:other"><soap:Body><RelationGetAllResponse xmlns="${namespace}"><RelationGetAllResult><Relations>${rows}</Relations></RelationGetAllResult></RelationGetAllResponse></soap:Body></soap:Envelope>`,
  );
}

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What an answer comes to when it is fed in chunks of so many bytes. */
async function outcome(rows: string, size: number): Promise<unknown> {
  const body = chunks(envelope(rows), size);
  const headers = { 'content-type': 'text/xml; charset=utf-8' };
  try {
    const { result, notes } = await readResponse(
      operations.RelationGetAll,
      { status: 200, headers, body },
      { namespace },
    );
    return { result, text: JSON.stringify(result), notes };
  } catch (thrown) {
    if (!(thrown instanceof RelctlError)) throw thrown;
    return { message: thrown.message, facts: thrown.facts };
  }
}

const row = (...fields: readonly string[]): string => `<PvRelationData>${fields.join('')}</PvRelationData>`;

const usual = (index: number): readonly string[] => [
  `<Id>${id}</Id>`,
  `<EntityTypeId>${id}</EntityTypeId>`,
  `<Info>Relatie ${index} &amp; Co</Info>`,
  '<SortingName>é</SortingName>',
  '<DisplayName></DisplayName>',
  `<IsRoot>${index % 2 === 0}</IsRoot>`,
  '<IsDummy>0</IsDummy>',
  '<ImportKey> 1 </ImportKey>',
  '<IsInactive>true</IsInactive>',
  '<FieldValues xsi:nil="true" />',
  '<CounterValues />',
];

/** What may come in the place of a field. */
const odd = fc.constantFrom(
  '',
  '<Info xsi:nil="true"/>',
  '<Info xsi:nil="true">x</Info>',
  '<Info xsi:nil="false">x</Info>',
  '<Info>&#x1F;</Info>',
  '<Info>&bad;</Info>',
  '<Info><b/></Info>',
  '<Id>no guid</Id>',
  '<Id xsi:nil="1"> </Id>',
  `<Id> ${id}\n</Id>`,
  '<IsRoot>maybe</IsRoot>',
  '<IsRoot/>',
  '<Unknown>1</Unknown>',
  '<other:Info>1</other:Info>',
  '<FieldValues></FieldValues>',
  '<FieldValues> </FieldValues>',
  '<FieldValues>x</FieldValues>',
  `<FieldValues><PvFieldValueData><FieldId>${id}</FieldId></PvFieldValueData></FieldValues>`,
  '<CounterValues xsi:nil="true"></CounterValues>',
);

const record = fc
  .record({ index: fc.nat(99), at: fc.nat(11), change: fc.option(odd, { freq: 2, nil: undefined }) })
  .map(({ index, at, change }) => {
    const fields = usual(index);
    if (change === undefined) return row(...fields);
    return row(...fields.slice(0, at), change, ...fields.slice(at + 1));
  });

describe('records that are read at once', () => {
  it('are what they are event by event, with the same notes and errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), async (rows) => {
        const text = rows.join('');
        const expected = await withoutKernel(() => outcome(text, 1_000_000));
        for (const size of [3, 1000, 1_000_000]) assert.deepEqual(await outcome(text, size), expected);
      }),
      { numRuns: 200 },
    );
  });

  it('have their members in the order of the contract, and none that was absent', async () => {
    const all = Array.from({ length: 8 }, (_, index) =>
      row(...usual(index).filter((_field, at) => at !== 4 || index < 4)),
    );
    const found = JSON.stringify(await outcome(all.join(''), 1_000_000));
    assert.equal(found, JSON.stringify(await withoutKernel(() => outcome(all.join(''), 1_000_000))));
  });
});
